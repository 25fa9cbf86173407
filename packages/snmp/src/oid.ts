/**
 * Object identifiers. The engine stores and compares them as BER contents octets (X.690 §8.19, without tag and length)
 * and creates text only for display and for row indexes.
 */

/** Maximum number of sub-identifiers of an OID (RFC 2578 §3.5). */
const MAX_ARCS = 128

const MAX_ARC = 2 ** 32 - 1

/** `.0` to `.127`: the sub-identifiers that take one octet. */
const DOTTED: readonly string[] = Array.from({ length: 128 }, (_, n) => `.${n}`)

/** BER contents octets of dotted decimal text, with or without a leading dot; null if the text is not an OID. */
export function parseOid(text: string): Uint8Array | null {
  const out = new Uint8Array(MAX_ARC_OCTETS + text.length)
  let size = 0
  let arcs = 0
  let first = 0
  let at = text.charCodeAt(0) === DOT ? 1 : 0
  for (;;) {
    let arc = 0
    const from = at
    for (; at < text.length; at++) {
      const digit = text.charCodeAt(at) - ZERO
      if (digit < 0 || digit > 9) break
      arc = arc * 10 + digit
    }
    if (at === from || at - from > 10 || arc > MAX_ARC || ++arcs > MAX_ARCS) return null
    if (arcs === 1) first = arc
    else {
      if (arcs === 2) {
        if (first > 2 || (first < 2 && arc > 39)) return null
        arc += first * 40
      }
      size = putArc(out, size, arc)
    }
    if (at === text.length) break
    if (text.charCodeAt(at++) !== DOT) return null
  }
  return arcs < 2 ? null : out.slice(0, size)
}

const DOT = 46
const ZERO = 48
const MAX_ARC_OCTETS = 5

/**
 * Writes a sub-identifier at `at`; returns its end. Except for 2.x, it takes no more octets than its digits and dot.
 */
function putArc(out: Uint8Array, at: number, arc: number): number {
  let end = at
  if (arc >= 2 ** 28) out[end++] = 0x80 | Math.floor(arc / 2 ** 28)
  if (arc >= 2 ** 21) out[end++] = 0x80 | ((arc >>> 21) & 0x7f)
  if (arc >= 2 ** 14) out[end++] = 0x80 | ((arc >>> 14) & 0x7f)
  if (arc >= 2 ** 7) out[end++] = 0x80 | ((arc >>> 7) & 0x7f)
  out[end++] = arc & 0x7f
  return end
}

/** BER contents octets of an OID that is known to be valid; throws RangeError if the text is not an OID. */
export function encodeOid(text: string): Uint8Array {
  const encoded = parseOid(text)
  if (encoded === null) throw new RangeError(`not an OID: ${text}`)
  return encoded
}

/**
 * The contents octets `bytes[start, end)` as dotted decimal text without a leading dot. A malformed tail is dropped.
 */
export function formatOid(bytes: Uint8Array, start = 0, end = bytes.length): string {
  let at = start
  let first = 0
  while (at < end) {
    const octet = bytes[at++] ?? 0
    first = first * 128 + (octet & 0x7f)
    if (octet < 0x80) break
  }
  const root = first < 40 ? 0 : first < 80 ? 1 : 2
  return `${root}.${first - root * 40}${formatIndex(bytes, at, end)}`
}

/** The sub-identifiers in `bytes[start, end)`, which are the tail of an OID, each preceded by a dot. */
export function formatIndex(bytes: Uint8Array, start: number, end: number): string {
  let text = ''
  let arc = 0
  for (let at = start; at < end; at++) {
    const octet = bytes[at] ?? 0
    if (arc === 0 && octet < 0x80) {
      text += DOTTED[octet]
      continue
    }
    arc = arc * 128 + (octet & 0x7f)
    if (octet < 0x80) {
      text += `.${arc}`
      arc = 0
    }
  }
  return text
}

/**
 * Compares two OIDs by sub-identifier (RFC 2578 §7.1.3); returns a negative number, zero or a positive number. The
 * order of the octets differs: 16383 is ff 7f, 16384 is 81 80 00.
 */
export function compareOid(
  a: Uint8Array,
  aStart: number,
  aEnd: number,
  b: Uint8Array,
  bStart: number,
  bEnd: number,
): number {
  const common = Math.min(aEnd - aStart, bEnd - bStart)
  let i = 0
  while (i < common && a[aStart + i] === b[bStart + i]) i++
  if (i === common) return aEnd - aStart - (bEnd - bStart)
  // go back to the start of the sub-identifier that differs
  while (i > 0 && (a[aStart + i - 1] ?? 0) >= 0x80) i--
  const aSize = arcSize(a, aStart + i, aEnd)
  const bSize = arcSize(b, bStart + i, bEnd)
  if (aSize !== bSize) return aSize - bSize
  for (let k = 0; k < aSize; k++) {
    const difference = (a[aStart + i + k] ?? 0) - (b[bStart + i + k] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}

function arcSize(bytes: Uint8Array, start: number, end: number): number {
  let at = start
  while (at < end && (bytes[at] ?? 0) >= 0x80) at++
  return at - start + 1
}

/** True when `bytes[start, end)` is `prefix` or below it. */
export function isUnder(prefix: Uint8Array, bytes: Uint8Array, start: number, end: number): boolean {
  const size = prefix.length
  if (end - start < size) return false
  // compare from the end: the first octets are almost always 1.3.6.1, the last ones differ between columns
  for (let i = size - 1; i >= 0; i--) if (bytes[start + i] !== prefix[i]) return false
  return true
}
