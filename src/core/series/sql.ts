import type { Level } from './level.ts'
import type { GapRule } from './window.ts'

/**
 * Bounds of row times that can matter to the axis, in SQL: a sample covers the time before it, up to the length of a
 * gap.
 */
export function bounds({
  timeS,
  stepS,
  level,
  rule,
}: {
  readonly timeS: Float64Array
  readonly stepS: number
  readonly level: Level
  readonly rule: GapRule
}): { from: string; to: string } {
  const start = timeS[0] ?? 0
  const end = endOf({ timeS, stepS })
  const margin = level === 'samples' ? Math.ceil(rule.intervals * rule.intervalS) : 0
  return { from: `to_timestamp(${start - margin})`, to: `to_timestamp(${end + margin})` }
}

/** Where the last bucket of an axis ends, epoch seconds. */
export function endOf({ timeS, stepS }: { readonly timeS: Float64Array; readonly stepS: number }): number {
  return (timeS.at(-1) ?? 0) + stepS
}

/** A number from a row; NULL is NaN, and so is an infinite value, which nothing measures. */
export function numeric(value: unknown): number {
  const number = value === null || value === undefined ? Number.NaN : Number(value)
  return Number.isFinite(number) ? number : Number.NaN
}
