import { percentile95 } from '../../lib/percentile.ts'

/** Octets of a bill in the `periodS` seconds that end at `timeS` (a row of bill_data). */
export interface BillSample {
  readonly timeS: number
  readonly periodS: number
  readonly inOctets: number
  readonly outOctets: number
}

export type BillDirection = 'in' | 'out' | 'agg'

/** Figures of a bill: rates in bits per second, traffic in octets. Peaks are the largest deltas of a sample. */
export interface BillUsage {
  readonly rate95thIn: number
  readonly rate95thOut: number
  readonly rate95th: number
  /** `agg` as configured; otherwise the larger direction. */
  readonly dir95th: BillDirection
  readonly totalIn: number
  readonly totalOut: number
  readonly averageIn: number
  readonly averageOut: number
  readonly peakIn: number
  readonly peakOut: number
}

const BUCKET_S = 300

/**
 * 95th percentiles, totals and averages of a period's samples. The percentile is of 5-minute rates, so samples of a
 * bucket are joined. Without samples everything is 0. Source: contract BEHAVIOUR.md 14.
 */
export function billUsage(samples: readonly BillSample[], direction: BillDirection): BillUsage {
  const buckets = [...Map.groupBy(samples, ({ timeS }) => Math.floor(timeS / BUCKET_S)).values()]
  const percentile = (octets: (sample: BillSample) => number) =>
    round2(percentile95(buckets.map((bucket) => rate(bucket, octets))) ?? 0)
  const rate95thIn = percentile(inOctets)
  const rate95thOut = percentile(outOctets)
  const larger = rate95thOut > rate95thIn ? 'out' : 'in'
  return {
    rate95thIn,
    rate95thOut,
    rate95th: direction === 'agg' ? percentile((s) => s.inOctets + s.outOctets) : Math.max(rate95thIn, rate95thOut),
    dir95th: direction === 'agg' ? 'agg' : larger,
    totalIn: sum(samples, inOctets),
    totalOut: sum(samples, outOctets),
    averageIn: known(rate(samples, inOctets)),
    averageOut: known(rate(samples, outOctets)),
    peakIn: samples.reduce((max, s) => Math.max(max, s.inOctets), 0),
    peakOut: samples.reduce((max, s) => Math.max(max, s.outOctets), 0),
  }
}

export const inOctets = (sample: BillSample) => sample.inOctets
export const outOctets = (sample: BillSample) => sample.outOctets

/** Bits per second over samples; NaN if they cover no time (the first sample of a bill). */
export function rate(samples: readonly BillSample[], octets: (sample: BillSample) => number): number {
  const seconds = sum(samples, (s) => s.periodS)
  return seconds > 0 ? (sum(samples, octets) / seconds) * 8 : Number.NaN
}

/** NaN becomes 0. */
export const known = (value: number) => (Number.isNaN(value) ? 0 : value)

export const round2 = (value: number) => Math.round(value * 100) / 100

function sum(samples: readonly BillSample[], of: (sample: BillSample) => number): number {
  return samples.reduce((total, sample) => total + of(sample), 0)
}
