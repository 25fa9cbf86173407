/** Octets of a bill in `periodS` seconds within the 5 minutes that end at `timeS` (a row of bill_data). */
export interface BillSample {
  readonly timeS: number
  /** 0: unknown. */
  readonly periodS: number
  readonly inOctets: number
  readonly outOctets: number
}

export const inOctets = (sample: BillSample) => sample.inOctets
export const outOctets = (sample: BillSample) => sample.outOctets

/** Rate over samples, bits per second; NaN if they cover no time. */
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
