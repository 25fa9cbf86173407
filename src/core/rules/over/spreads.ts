import type { Condition } from '../builder.ts'

/**
 * The comparison of a condition on what is usual, as a function of the distance in spreads. null: it compares with a field
 * or with text that is no number.
 */
export function spreadsTest({ operator, values }: Condition): ((spreads: number) => boolean) | null {
  const numbers = values.map((value) =>
    value.kind === 'literal' && value.text.trim() !== '' ? Number(value.text) : Number.NaN,
  )
  if (numbers.length === 0 || numbers.some((one) => !Number.isFinite(one))) return null
  const [low = 0, high = low] = numbers
  switch (operator) {
    case 'less':
      return (spreads) => spreads < low
    case 'less_or_equal':
      return (spreads) => spreads <= low
    case 'greater':
      return (spreads) => spreads > low
    case 'greater_or_equal':
      return (spreads) => spreads >= low
    case 'between':
      return (spreads) => spreads >= low && spreads <= high
    case 'not_between':
      return (spreads) => spreads < low || spreads > high
    default:
      return null
  }
}
