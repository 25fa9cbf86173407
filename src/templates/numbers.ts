import { numberOf, type Value } from './value.ts'

/** A value as whole number; 0 for one that is none. */
export function whole(value: Value): number {
  const n = Math.trunc(numberOf(value))
  return Number.isFinite(n) ? n || 0 : 0
}
