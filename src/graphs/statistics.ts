import { percentile95 } from '../lib/percentile.ts'
import type { RangeFigures } from './series-source.ts'

/** Bucket width for statistics of ranges up to `fineDays`, seconds: the same as for bills. */
export const FINE_STEP_S = 300

/** Legend values of one series over the range; null where unknown. Units are those of `values`. */
export interface Statistics {
  /** The last known value. */
  readonly last: number | null
  /** End of the bucket of that value, epoch seconds. */
  readonly lastS: number | null
  readonly min: number | null
  /** Time-weighted over known time; if the source has only buckets, the mean of known buckets. */
  readonly avg: number | null
  readonly max: number | null
  readonly p95: number | null
  /** For a counter's rate per second: its stored total over the range. Otherwise null. */
  readonly total: number | null
}

/** Statistics of a column of the source; see `SeriesData` for the meaning of the arrays and of `range`. */
export function statistics(
  timeS: Float64Array,
  stepS: number,
  values: Float64Array,
  withPercentile: boolean,
  range: RangeFigures | null,
): Statistics {
  let min = Number.POSITIVE_INFINITY
  let max = Number.NEGATIVE_INFINITY
  let sum = 0
  let n = 0
  let lastAt = -1
  for (let i = 0; i < values.length; i++) {
    const value = values[i] ?? Number.NaN
    if (Number.isNaN(value)) continue
    if (value < min) min = value
    if (value > max) max = value
    sum += value
    n++
    lastAt = i
  }
  const total = range?.total ?? null
  const avg = range?.average ?? (n === 0 ? null : sum / n)
  if (n === 0) return { last: null, lastS: null, min: null, avg, max: null, p95: null, total }
  return {
    last: values[lastAt] ?? null,
    lastS: (timeS[lastAt] ?? 0) + stepS,
    min,
    avg,
    max,
    p95: withPercentile ? percentile95(stepS < FINE_STEP_S ? fineMeans(timeS, values) : values) : null,
    total,
  }
}

/** Means of the known buckets in each 5 minutes of clock time: 5-minute rates, as for bills. */
function fineMeans(timeS: Float64Array, values: Float64Array): Float64Array {
  const out: number[] = []
  for (let i = 0; i < values.length; ) {
    const slot = Math.floor((timeS[i] ?? 0) / FINE_STEP_S)
    let sum = 0
    let n = 0
    for (; i < values.length && Math.floor((timeS[i] ?? 0) / FINE_STEP_S) === slot; i++) {
      const value = values[i] ?? Number.NaN
      if (Number.isNaN(value)) continue
      sum += value
      n++
    }
    out.push(n === 0 ? Number.NaN : sum / n)
  }
  return Float64Array.from(out)
}

/**
 * Reduces a column to at most `columns` buckets, each the mean of its known values, or unknown if there are none. With
 * fewer pixels than samples, averages are drawn instead of picked samples. Returns the input if it fits.
 */
export function consolidate(
  timeS: Float64Array,
  stepS: number,
  values: readonly Float64Array[],
  columns: number,
): { timeS: Float64Array; stepS: number; values: readonly Float64Array[] } {
  const each = Math.ceil(timeS.length / Math.max(1, columns))
  if (each <= 1) return { timeS, stepS, values }
  const length = Math.ceil(timeS.length / each)
  const starts = Float64Array.from({ length }, (_, i) => timeS[i * each] ?? Number.NaN)
  return { timeS: starts, stepS: stepS * each, values: values.map((column) => means(column, each, length)) }
}

function means(column: Float64Array, each: number, length: number): Float64Array {
  const out = new Float64Array(length)
  for (let i = 0; i < length; i++) {
    let sum = 0
    let n = 0
    for (let j = i * each; j < Math.min(column.length, (i + 1) * each); j++) {
      const value = column[j] ?? Number.NaN
      if (Number.isNaN(value)) continue
      sum += value
      n++
    }
    out[i] = n === 0 ? Number.NaN : sum / n
  }
  return out
}
