import type { Drawing, DrawnSeries } from '../base/graphs.ts'
import type { HistoryPeriod } from './read.ts'
import { type BillSample, inOctets, outOctets, rate } from './usage.ts'

/** A range of time, epoch seconds. */
export interface BillWindow {
  readonly fromS: number
  readonly toS: number
}

/** A horizontal line over the traffic of a bill, bits per second. */
export interface BillLine {
  readonly label: string
  readonly as: 'limit' | 'percentile'
  readonly value: number
  /** True for outbound traffic, which is drawn below the axis. */
  readonly below: boolean
}

const DAY_S = 86_400
const HOUR_S = 3600
const SAMPLE_S = 300
/** Maximum number of points in an image; if there are more samples, they are combined. */
const MAX_POINTS = 1000

/**
 * The lines of a bill: its 95th percentile, in the direction that counts, and its allowance, if it has a limit. The
 * allowance of a quota is the rate that uses it up evenly over the period.
 */
export function linesOf(
  bill: { readonly cdr: boolean; readonly allowed: number; readonly rate_95th: number; readonly dir_95th: string },
  { fromS, toS }: BillWindow,
): BillLine[] {
  const below = bill.dir_95th === 'out'
  const name = { in: ' in', out: ' out' }[bill.dir_95th] ?? ' total'
  const percentile = { label: `95th${name}`, as: 'percentile', value: bill.rate_95th, below } as const
  if (bill.allowed <= 0) return [percentile]
  return [
    percentile,
    bill.cdr
      ? { label: 'Allowed', as: 'limit', value: bill.allowed, below }
      : { label: 'Quota, evenly', as: 'limit', value: (bill.allowed * 8) / (toS - fromS), below: false },
  ]
}

/** A drawing of the traffic with its total and these lines. */
export function bitsDrawing(
  samples: readonly BillSample[],
  { fromS, toS }: BillWindow,
  lines: readonly BillLine[],
): Drawing {
  const stepS = Math.max(1, Math.ceil((toS - fromS) / MAX_POINTS / SAMPLE_S)) * SAMPLE_S
  const first = Math.floor(fromS / stepS) * stepS
  const timeS = axis(first, stepS, Math.max(1, Math.ceil((toS - first) / stepS)))
  // a sample covers the time before it
  const buckets = Map.groupBy(samples, (sample) => Math.ceil((sample.timeS - first) / stepS) - 1)
  const of = (octets: (sample: BillSample) => number) => ({
    values: timeS.map((_, i) => rate(buckets.get(i) ?? [], octets)),
    average: nullable(rate(samples, octets)),
    highest: timeS.map((_, i) => highest(buckets.get(i) ?? [], octets)),
    total: samples.reduce((sum, sample) => sum + octets(sample), 0),
  })
  return {
    label: 'Traffic',
    unit: 'bit/s',
    fromS,
    toS,
    timeS,
    stepS,
    series: [
      { label: 'In', as: 'in', ...of(inOctets) },
      { label: 'Out', as: 'out', ...of(outOctets) },
      { label: 'Total', as: 'sum', ...of((sample) => sample.inOctets + sample.outOctets) },
      ...lines.map(({ label, as, value, below }) => ({ label, as, below, values: timeS.map(() => value) })),
    ],
  }
}

/** Highest rate of a sample, bits per second; NaN: none covers any time. */
const highest = (samples: readonly BillSample[], octets: (sample: BillSample) => number): number =>
  samples.reduce((most, sample) => {
    const one = rate([sample], octets)
    return most >= one || Number.isNaN(one) ? most : one
  }, Number.NaN)

const nullable = (value: number) => (Number.isNaN(value) ? null : value)

/** A drawing with one step per day; a period's value covers all its days. */
export function monthlyDrawing(periods: readonly HistoryPeriod[]): Drawing {
  const fromS = Math.min(...periods.map((period) => period.from_s))
  const toS = Math.max(...periods.map((period) => period.to_s))
  const timeS = axis(fromS, DAY_S, Math.max(1, Math.ceil((toS - fromS) / DAY_S)))
  const at = (time: number) => periods.find((p) => p.from_s <= time + DAY_S / 2 && time + DAY_S / 2 <= p.to_s)
  const of = (value: (period: HistoryPeriod) => number) =>
    timeS.map((time) => {
      const period = at(time)
      return period === undefined ? Number.NaN : value(period)
    })
  return {
    label: 'Periods',
    monthly: true,
    unit: periods[0]?.bill_type === 'Quota' ? 'B' : 'bit/s',
    fromS,
    toS,
    timeS,
    stepS: DAY_S,
    series: [
      { label: 'Used', as: 'total', values: of((period) => period.bill_used) },
      { label: 'Allowed', as: 'limit', values: of((period) => period.bill_allowed) },
    ],
  }
}

/**
 * Bars by day of the period or by hour of the day, the latter placed on the first day of the period, with the average
 * of both directions together. `quota`: octets of the period, divided equally among its days; 0: none.
 */
export function barsDrawing(
  by: 'hour' | 'day',
  { fromS, toS }: BillWindow,
  bars: {
    readonly in: readonly number[]
    readonly out: readonly number[]
    readonly average: number
    readonly labels: readonly string[]
  },
  quota: number,
): Drawing {
  const stepS = by === 'hour' ? HOUR_S : DAY_S
  const timeS = axis(fromS, stepS, by === 'hour' ? 24 : bars.labels.length)
  const place = (i: number) => (by === 'hour' ? bars.labels.indexOf(`${String(i).padStart(2, '0')}:00`) : i)
  const of = (values: readonly number[]) => timeS.map((_, i) => values[place(i)] ?? Number.NaN)
  const total = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0)
  const level = (label: string, as: DrawnSeries['as'], value: number): DrawnSeries => ({
    label,
    as,
    values: timeS.map(() => value),
  })
  return {
    label: by === 'hour' ? 'Traffic by hour of the day' : 'Traffic by day',
    unit: 'B',
    fromS,
    toS: by === 'hour' ? fromS + DAY_S : toS,
    timeS,
    stepS,
    series: [
      { label: 'In', as: 'in', values: of(bars.in), total: total(bars.in) },
      { label: 'Out', as: 'out', values: of(bars.out), total: total(bars.out) },
      level('Average, both', 'sum', bars.average),
      ...(by === 'day' && quota > 0 ? [level('Quota, evenly', 'limit', (quota / (toS - fromS)) * DAY_S)] : []),
    ],
  }
}

const axis = (firstS: number, stepS: number, length: number) =>
  Float64Array.from({ length }, (_, i) => firstS + i * stepS)
