/** Sums are taken modulo this, so that they stay exact integers. */
const MODULUS = 2 ** 52
const NEWLINE = 10

/**
 * A checksum of a set of lines that does not depend on their order: their number, and two sums of their hashes
 * (xxHash32 with seeds 1 and 2) modulo 2^52.
 */
export interface LineSum {
  readonly rows: number
  readonly a: number
  readonly b: number
}

export const NO_LINES: LineSum = { rows: 0, a: 0, b: 0 }

/** The checksum of newline-terminated lines; text after the last newline counts as a line too. */
export function sumLines(text: Uint8Array): LineSum {
  const [first, second] = [Bun.hash.xxHash32, Bun.hash.xxHash32]
  let [rows, a, b] = [0, 0, 0]
  for (let at = 0; at < text.length; ) {
    const found = text.indexOf(NEWLINE, at)
    const end = found < 0 ? text.length : found + 1
    const line = text.subarray(at, end)
    a += first(line, 1)
    b += second(line, 2)
    // a 32-bit hash added to a sum below the modulus stays below 2^53
    if (a >= MODULUS) a -= MODULUS
    if (b >= MODULUS) b -= MODULUS
    rows++
    at = end
  }
  return { rows, a, b }
}

/** The checksum of both sets of lines together. */
export function addSums(one: LineSum, other: LineSum): LineSum {
  return { rows: one.rows + other.rows, a: (one.a + other.a) % MODULUS, b: (one.b + other.b) % MODULUS }
}

export function sameSum(one: LineSum, other: LineSum): boolean {
  return one.rows === other.rows && one.a === other.a && one.b === other.b
}
