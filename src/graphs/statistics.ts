import { legendPercentile95 } from '../lib/percentile.ts'
import { figuresOf, type SampleColumn, slotMeans } from '../lib/sample-column.ts'
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
 * Statistics of whole samples, which do not depend on the width of the image. `range`: what the source knows better,
 * such as totals.
 */
export function sampleStatistics(
  column: SampleColumn,
  range: NamedSeries['range'],
  withPercentile: boolean,
): Statistics {
  const found = figuresOf(column)
  const total = range?.total ?? null
  if (found === null) return { ...NOTHING, avg: range?.average ?? null, total }
  return {
    last: range?.last?.value ?? found.last,
    lastS: range?.last?.atS ?? found.lastS,
    min: found.min,
    avg: range?.average ?? found.avg,
    max: found.max,
    p95: withPercentile ? legendPercentile95(slotMeans(column, FINE_STEP_S)) : null,
    total,
  }
}

const NOTHING: Statistics = { last: null, lastS: null, min: null, avg: null, max: null, p95: null, total: null }

/**
 * Statistics of a series of which only buckets are known; see `SeriesData` for the meaning of the arrays and of `range`.
 * `min` and `max` are those of the samples where the source has them, otherwise of the buckets.
 */
export function statistics(
  { timeS, stepS }: Pick<SeriesData, 'timeS' | 'stepS'>,
  { values, range, lowest = values, highest = values }: Pick<NamedSeries, 'values' | 'range' | 'lowest' | 'highest'>,
  withPercentile: boolean,
): Statistics {
  let min = Number.POSITIVE_INFINITY
  let max = Number.NEGATIVE_INFINITY
  let mean = 0
  let n = 0
  let lastAt = -1
  for (let i = 0; i < values.length; i++) {
    const value = values[i] ?? Number.NaN
    if (!Number.isFinite(value)) continue
    const [low, high] = [lowest[i] ?? value, highest[i] ?? value]
    if (low < min) min = low
    if (high > max) max = high
    n++
    // a running mean, because a sum of large values may overflow
    mean += value / n - mean / n
    lastAt = i
  }
  const total = range?.total ?? null
  const avg = range?.average ?? (n === 0 ? null : mean)
  if (n === 0) return { ...NOTHING, avg, total }
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
  let [slot, mean, n] = [Number.NaN, 0, 0]
  values.forEach((value, i) => {
    const next = Math.floor((timeS[i] ?? 0) / FINE_STEP_S)
    if (next !== slot) {
      if (n > 0) out.push(mean)
      ;[slot, mean, n] = [next, 0, 0]
    }
    if (!Number.isFinite(value)) return
    n++
    mean += value / n - mean / n
  })
  if (n > 0) out.push(mean)
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
    let mean = 0
    let n = 0
    for (let j = i * each; j < Math.min(column.length, (i + 1) * each); j++) {
      const value = column[j] ?? Number.NaN
      if (!Number.isFinite(value)) continue
      n++
      mean += value / n - mean / n
    }
    out[i] = n === 0 ? Number.NaN : mean
  }
  return out
}

/** The lowest or highest known value of each of at most `columns` groups; see `consolidate`. */
export function extremes(column: Float64Array, columns: number, of: 'lowest' | 'highest'): Float64Array {
  const each = Math.ceil(column.length / Math.max(1, columns))
  if (each <= 1) return column
  const out = new Float64Array(Math.ceil(column.length / each)).fill(Number.NaN)
  column.forEach((value, i) => {
    const at = Math.floor(i / each)
    const known = out[at] ?? Number.NaN
    if (Number.isNaN(known) || (of === 'lowest' ? value < known : value > known)) out[at] = value
  })
  return out
}
