import { numberOf, type Value } from './value.ts'

/** A value as whole number; 0 for one that is none. */
export function whole(value: Value): number {
  const n = Math.trunc(numberOf(value))
  return Number.isFinite(n) ? n || 0 : 0
}

const MAX_DIGITS = 20

/** Half away from zero; `digits` may be negative. */
export function rounded(n: number, digits: number): number {
  const places = Math.max(-MAX_DIGITS, Math.min(MAX_DIGITS, digits))
  if (!Number.isFinite(n) || Math.abs(n) >= 1e21) return n
  // By decimal text, so that 1.005 becomes 1.01.
  const [mantissa = '', exponent = '0'] = String(Math.abs(n)).split('e')
  const shifted = Math.round(Number(`${mantissa}e${Number(exponent) + places}`))
  const [m = '', e = '0'] = String(shifted).split('e')
  return Math.sign(n) * Number(`${m}e${Number(e) - places}`) || 0
}
