import type { SampleColumn } from '../../lib/sample-column.ts'

/** Source of a window's data: samples, or the hourly or daily roll-up (with its live tail). */
export type Level = 'samples' | '1h' | '1d'

/** A time range in epoch seconds, and the requested bucket width in seconds. */
export interface SeriesWindow {
  readonly fromS: number
  readonly toS: number
  readonly stepS: number
  /** What to read; absent: the coarsest that can answer. */
  readonly level?: Level
  /**
   * Also returns whole samples, at most about this many rows for all series. The level then depends on the range alone,
   * and not on `stepS`.
   */
  readonly mostSamples?: number
}

/**
 * When a pause between samples is a gap: if it exceeds `intervals` times `intervalS`, the current polling interval, and
 * by the same factor the spacing of the samples around it (the interval may have been different then).
 */
export interface GapRule {
  readonly intervals: number
  readonly intervalS: number
}

/** Series on a common time axis. `timeS` has the starts of buckets, each of which covers [timeS, timeS + stepS). */
export interface SeriesData {
  readonly timeS: Float64Array
  readonly stepS: number
  /** What was read: samples, or the hourly or daily roll-up. Absent: values without a store. */
  readonly level?: Level
  /** A last value that is older than this many seconds is not current; absent: three buckets. */
  readonly currentS?: number
  readonly series: readonly NamedSeries[]
}

/** `values[i]` belongs to `timeS[i]`; NaN is unknown. */
export interface NamedSeries {
  readonly name: string
  /** The row of the inventory that it belongs to; absent: a port counter, or the device itself. */
  readonly subject?: { readonly id: number; readonly name: string }
  /** Name of the kind's line, '' if it has only one. Absent: as `name`. */
  readonly line?: string
  /** Averages over each bucket. */
  readonly values: Float64Array
  /** Lowest and highest sample of each bucket; absent: not known, as for sums of ports. */
  readonly lowest?: Float64Array
  readonly highest?: Float64Array
  /** Samples or rows of the roll-up that lie in the window, if they were requested. Absent: only buckets are known. */
  readonly samples?: SampleColumn
  /** Average and total over the requested window; null: the source has only buckets. */
  readonly range: RangeFigures | null
}

/** A span of time from `startS` to `endS` (epoch seconds). */
export interface Span {
  readonly startS: number
  readonly endS: number
}

/**
 * Figures of a series over the window itself, from stored rows instead of buckets, which may extend beyond it. Units
 * are those of the series; `total` is in its unit times seconds: octets for octets per second.
 */
export interface RangeFigures {
  /** Weighted by known time; null: never known. */
  readonly average: number | null
  /** Exact below 2^53. null: unknown, or the series is a gauge. */
  readonly total: number | null
  /** The last sample in the window; null or absent: not known, because several ports or a roll-up were read. */
  readonly last?: Last | null
}

/** A value and the end of its sample, epoch seconds. */
export interface Last {
  readonly value: number
  readonly atS: number
}

/** Maximum age of a current value, seconds: the longest pause that is not a gap, plus the width of a bucket. */
export function currentFor(rule: GapRule, stepS: number): number {
  return rule.intervals * rule.intervalS + stepS
}
