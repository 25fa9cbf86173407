import { numberOf, type Value } from './value.ts'

/** A value as an integer; 0 if it is not a number. */
export function whole(value: Value): number {
  const n = Math.trunc(numberOf(value))
  return Number.isFinite(n) ? n || 0 : 0
}
