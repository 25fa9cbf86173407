/** 32-bit seed from a text (FNV-1a). All pseudo-random values of the fleet are derived from a seed and an integer. */
export function seedOf(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash >>> 0
}

/** Pseudo-random 32-bit integer from a seed and an integer `n` (MurmurHash3 finaliser); the same on every machine. */
export function hash32(seed: number, n: number): number {
  // n may exceed 2^32 (slots since the epoch), so use both halves
  let h = seed ^ Math.imul(n | 0, 0x9e3779b1) ^ Math.imul(Math.floor(n / 2 ** 32), 0x85ebca77)
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return (h ^ (h >>> 16)) >>> 0
}

/** Pseudo-random number in [0, 1) from a seed and an integer. */
export function hash01(seed: number, n: number): number {
  return hash32(seed, n) / 2 ** 32
}

/** Smooth noise in [-1, 1]: random at each integer `x`, with a smooth step in between; its slope is at most 3. */
export function smoothNoise(seed: number, x: number): number {
  const slot = Math.floor(x)
  const part = x - slot
  const from = hash01(seed, slot)
  const to = hash01(seed, slot + 1)
  return 2 * (from + (to - from) * part * part * (3 - 2 * part)) - 1
}
