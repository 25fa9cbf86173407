/** Hex digits of an address block, the smallest one first (IEEE MA-S, MA-M, MA-L). */
const BLOCK_DIGITS = [9, 7, 6] as const

/** Bits of the first octet: group addresses, and those that are no maker's (IEEE 802-2014 §8.2.2). */
const GROUP_OR_LOCAL = 0x03

/**
 * Who IEEE assigned the block of a MAC address to. `mac` has 12 lower-case hex digits. Empty for addresses of groups,
 * those that are administered locally (virtual machines, phones that hide), and blocks that nobody has.
 */
export async function makerOf(mac: string): Promise<string> {
  if ((Number.parseInt(mac.slice(0, 2), 16) & GROUP_OR_LOCAL) !== 0) return ''
  const { MAKERS } = await import('./makers-data.ts')
  for (const digits of BLOCK_DIGITS) {
    const maker = lookUp(MAKERS, mac.slice(0, digits))
    if (maker !== null) return maker === REGISTRY ? '' : maker
  }
  return ''
}

/** Who has the blocks that are given away in smaller ones. */
const REGISTRY = 'IEEE Registration Authority'

/** What stands behind `key` and a space in sorted lines; null: no line begins so. */
function lookUp(lines: string, key: string): string | null {
  const wanted = `${key} `
  let from = 0
  let to = lines.length
  while (from < to) {
    const start = lines.lastIndexOf('\n', ((from + to) >> 1) - 1) + 1
    const newline = lines.indexOf('\n', start)
    const end = newline === -1 ? lines.length : newline
    const head = lines.slice(start, start + wanted.length)
    if (head === wanted) return lines.slice(start + wanted.length, end)
    if (head < wanted) from = end + 1
    else to = start
  }
  return null
}
