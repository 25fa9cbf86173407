import { formatOid } from './oid.ts'

const SLOTS = 512
/** `.0` to `.2047`: the usual last sub-identifiers of rows. */
const DOTTED: readonly string[] = Array.from({ length: 2048 }, (_, n) => `.${n}`)
const EMPTY = new Uint8Array(0)

/**
 * Formats OIDs. The cells of a column usually differ only in their last sub-identifier, so the texts of recent prefixes
 * are cached (a fixed number; each is replaced by the next with the same hash).
 */
export class OidText {
  private readonly prefixes: Uint8Array[] = Array.from({ length: SLOTS }, () => EMPTY)
  private readonly texts: string[] = Array.from({ length: SLOTS }, () => '')

  /** Dotted decimal text of the contents octets `bytes[start, end)`. */
  format(bytes: Uint8Array, start: number, end: number): string {
    let split = end - 1
    let last = bytes[split] ?? 0
    if (split > start && (bytes[split - 1] ?? 0) >= 0x80) {
      last += ((bytes[--split] ?? 0) & 0x7f) << 7
      // indexes beyond 16383 are rarely converted to text
      if (split > start && (bytes[split - 1] ?? 0) >= 0x80) return formatOid(bytes, start, end)
    }
    const size = split - start
    if (size < 4) return formatOid(bytes, start, end)
    const slot =
      ((bytes[split - 1] ?? 0) + 31 * (bytes[split - 2] ?? 0) + 7 * (bytes[split - 4] ?? 0) + 13 * size) & (SLOTS - 1)
    const known = this.prefixes[slot] ?? EMPTY
    let prefix = this.texts[slot] ?? ''
    if (known.length !== size || !same(known, bytes, start)) {
      prefix = formatOid(bytes, start, split)
      this.prefixes[slot] = bytes.slice(start, split)
      this.texts[slot] = prefix
    }
    return last < 2048 ? prefix + DOTTED[last] : `${prefix}.${last}`
  }
}

function same(known: Uint8Array, bytes: Uint8Array, start: number): boolean {
  for (let i = 0; i < known.length; i++) if (known[i] !== bytes[start + i]) return false
  return true
}
