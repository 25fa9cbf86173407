/** Hex digits of an address block, smallest block first (IEEE MA-S, MA-M, MA-L). */
const BLOCK_DIGITS = [9, 7, 6] as const

/** Bits of the first octet that mark group addresses and locally administered ones (IEEE 802-2014 §8.2.2). */
const GROUP_OR_LOCAL = 0x03

/**
 * The organisation to which IEEE assigned the block of a MAC address (12 lower-case hex digits). Empty for group
 * addresses, locally administered ones (virtual machines, phones with private addresses) and unassigned blocks.
 */
export async function manufacturerOf(mac: string): Promise<string> {
  if ((Number.parseInt(mac.slice(0, 2), 16) & GROUP_OR_LOCAL) !== 0) return ''
  const { MANUFACTURERS } = await import('./manufacturers-data.ts')
  for (const digits of BLOCK_DIGITS) {
    const manufacturer = lookUp(MANUFACTURERS, mac.slice(0, digits))
    if (manufacturer !== null) return manufacturer === REGISTRY ? '' : manufacturer
  }
  return ''
}

/** More blocks of a name are left out. */
const MAX_BLOCKS = 3000

/** The registry in lower case; undefined until the first search. */
let lowerCase: string | undefined

/**
 * The address blocks (6, 7 or 9 lower-case hex digits) of the organisations whose name contains the text, regardless of
 * case. Empty: none does.
 */
export async function blocksOf(name: string): Promise<readonly string[]> {
  const { MANUFACTURERS } = await import('./manufacturers-data.ts')
  lowerCase ??= MANUFACTURERS.toLowerCase()
  const wanted = name.toLowerCase()
  const blocks: string[] = []
  for (let from = 0; from < lowerCase.length && blocks.length < MAX_BLOCKS; ) {
    const at = lowerCase.indexOf(wanted, from)
    if (at === -1) break
    const start = lowerCase.lastIndexOf('\n', at) + 1
    const newline = lowerCase.indexOf('\n', at)
    const end = newline === -1 ? lowerCase.length : newline
    const [block = ''] = lowerCase.slice(start, end).split(' ', 1)
    const owner = lowerCase.slice(start + block.length + 1, end)
    if (owner.includes(wanted) && !owner.endsWith(REGISTRY.toLowerCase())) blocks.push(block)
    from = end + 1
  }
  return blocks
}

/** Owner of the blocks that are assigned in smaller parts. */
const REGISTRY = 'IEEE Registration Authority'

/** The text after `key` and a space in sorted lines; null: no such line. */
function lookUp(lines: string, key: string): string | null {
  const prefix = `${key} `
  let from = 0
  let to = lines.length
  while (from < to) {
    const start = lines.lastIndexOf('\n', ((from + to) >> 1) - 1) + 1
    const newline = lines.indexOf('\n', start)
    const end = newline === -1 ? lines.length : newline
    const head = lines.slice(start, start + prefix.length)
    if (head === prefix) return lines.slice(start + prefix.length, end)
    if (head < prefix) from = end + 1
    else to = start
  }
  return null
}
