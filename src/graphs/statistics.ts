import { legendPercentile95 } from '../lib/percentile.ts'
import type { NamedSeries, SeriesData } from './series-source.ts'

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

/**
 * Statistics of a series; see `SeriesData` for the meaning of the arrays and of `range`. `min` and `max` are those of the
 * samples where the source has them, otherwise of the buckets.
 */
export function statistics(
  { timeS, stepS }: Pick<SeriesData, 'timeS' | 'stepS'>,
  { values, range, lowest = values, highest = values }: Pick<NamedSeries, 'values' | 'range' | 'lowest' | 'highest'>,
  withPercentile: boolean,
): Statistics {
  let min = Number.POSITIVE_INFINITY
  let max = Number.NEGATIVE_INFINITY
  let sum = 0
  let n = 0
  let lastAt = -1
  for (let i = 0; i < values.length; i++) {
    const value = values[i] ?? Number.NaN
    if (Number.isNaN(value)) continue
    const [low, high] = [lowest[i] ?? value, highest[i] ?? value]
    if (low < min) min = low
    if (high > max) max = high
    sum += value
    n++
    lastAt = i
  }
  const total = range?.total ?? null
  const avg = range?.average ?? (n === 0 ? null : sum / n)
  if (n === 0) return { last: null, lastS: null, min: null, avg, max: null, p95: null, total }
  return {
    last: range?.last?.value ?? values[lastAt] ?? null,
    lastS: range?.last?.atS ?? (timeS[lastAt] ?? 0) + stepS,
    min,
    avg,
    max,
    p95: withPercentile ? legendPercentile95(stepS < FINE_STEP_S ? fineMeans(timeS, values) : values) : null,
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
export function consolidate(column: Float64Array, columns: number): Float64Array {
  const each = Math.ceil(column.length / Math.max(1, columns))
  return each <= 1 ? column : means(column, each, Math.ceil(column.length / each))
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
