/** The value if it is a whole number from 0 to `max`; null: it is not; undefined: not reported. */
export function wholeUpTo(value: number | undefined, max: number): number | null | undefined {
  if (value === undefined) return undefined
  // -0 becomes 0
  return Number.isInteger(value) && value >= 0 && value <= max ? Math.abs(value) : null
}
