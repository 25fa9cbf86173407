import {
  billBars,
  billHasSamples,
  billHistory,
  billSamples,
  type HistoryPeriod,
  listBills,
} from '../../store/bills/read.ts'
import type { Store } from '../../store/client.ts'
import type { Drawing, GraphOptions, GraphOutcome, Graphs } from '../graphs.ts'
import { type BillBars, type BillPoints, billPoints, monthlyBars, trafficBars, usualFactor } from './graph-data.ts'
import { type BillSample, inOctets, outOctets, rate } from './usage.ts'

/** A range of time, epoch seconds. */
export interface BillWindow {
  readonly fromS: number
  readonly toS: number
}

/** Points of a bill's traffic with totals and rates. */
export interface BillBits extends BillPoints {
  readonly rate_95th: number
  readonly rate_average: number
  readonly bill_type: string
}

const DAY_S = 86_400
const HOUR_S = 3600
const SAMPLE_S = 300
/** Maximum points in a picture; more samples are joined. */
const MAX_POINTS = 1000

/** Graphs of bills, as numbers and as pictures. Callers have checked access. */
export function createBillGraphs({ store, graphs }: { readonly store: Store; readonly graphs: Graphs }) {
  async function bits(billId: number, window: BillWindow, factor: number | null): Promise<BillPoints> {
    const samples = await billSamples(store, billId, window)
    return billPoints(samples, factor ?? usualFactor(window.fromS, window.toS))
  }

  async function bars(by: 'hour' | 'day', { bill_id, from_s, to_s }: HistoryPeriod): Promise<BillBars> {
    const window = { fromS: from_s, toS: to_s }
    const found = await billBars(store, bill_id, by, window)
    const all = by === 'hour' ? found : daysOf(window, Date.now() / 1000).map((day) => barOf(found, day))
    return trafficBars(`${moment(from_s)} - ${moment(to_s)}`, all)
  }

  async function drawBits(
    billId: number,
    window: BillWindow,
    limit: Limit,
    options: GraphOptions,
  ): Promise<GraphOutcome> {
    const samples = await billSamples(store, billId, window)
    if (samples.length === 0 && !(await billHasSamples(store, billId))) return { kind: 'no-data' }
    return await graphs.drawing(bitsDrawing(samples, window, limit), options)
  }

  return {
    /** Traffic of a bill in points of `factor` samples (null: the default); null: no such bill. */
    async bits(billId: number, window: BillWindow, factor: number | null): Promise<BillBits | null> {
      const [bill] = await listBills(store, { kind: 'all' }, { id: billId })
      if (bill === undefined) return null
      const { rate_95th, rate_average, bill_type } = bill
      return { ...(await bits(billId, window, factor)), rate_95th, rate_average, bill_type }
    },

    /** Figures of a bill's last twelve periods. */
    async monthly(billId: number): Promise<BillBars> {
      const periods = await billHistory(store, billId, { limit: 12 })
      const [bill] = await listBills(store, { kind: 'all' }, { id: billId })
      return monthlyBars(bill?.bill_name ?? '', periods.map(periodBar))
    },

    /** A period of a bill's history; null: the bill has no period with this id. */
    async period(billId: number, histId: number): Promise<HistoryPeriod | null> {
      return (await billHistory(store, billId, { histId }))[0] ?? null
    },

    /** Traffic of a period of the history, in points. */
    async periodBits(period: HistoryPeriod, factor: number | null): Promise<BillBits> {
      const { bill_id, from_s, to_s, rate_95th, rate_average, bill_type } = period
      return { ...(await bits(bill_id, { fromS: from_s, toS: to_s }, factor)), rate_95th, rate_average, bill_type }
    },

    /** Traffic of a period, by hour of the day or by day. */
    periodBars: bars,

    /**
     * Picture of a bill: `bits` of a window, or the figures of the last periods. `no-data`: no samples yet; null: no
     * such bill.
     */
    async draw(
      billId: number,
      type: 'bits' | 'monthly',
      window: BillWindow,
      options: GraphOptions,
    ): Promise<GraphOutcome | null> {
      const [bill] = await listBills(store, { kind: 'all' }, { id: billId })
      if (bill === undefined) return null
      if (type === 'bits') {
        const limit = bill.bill_type === 'cdr' ? { label: 'Limit', value: bill.bill_cdr } : percentile(bill.rate_95th)
        return await drawBits(billId, window, limit, options)
      }
      const periods = await billHistory(store, billId, { limit: 12 })
      return periods.length === 0 ? { kind: 'no-data' } : await graphs.drawing(monthlyDrawing(periods), options)
    },

    /** Picture of a period of the history. */
    async drawPeriod(
      period: HistoryPeriod,
      type: 'bits' | 'hour' | 'day',
      options: GraphOptions,
    ): Promise<GraphOutcome> {
      const window = { fromS: period.from_s, toS: period.to_s }
      if (type === 'bits') return await drawBits(period.bill_id, window, percentile(period.rate_95th), options)
      const { in_data, out_data, ticklabels } = await bars(type, period)
      if (in_data.length === 0) return { kind: 'no-data' }
      return await graphs.drawing(
        barsDrawing(type, window, { in: in_data, out: out_data, labels: ticklabels }),
        options,
      )
    },
  }
}

interface Limit {
  readonly label: string
  readonly value: number
}

const percentile = (value: number): Limit => ({ label: '95th percentile', value })

function bitsDrawing(samples: readonly BillSample[], { fromS, toS }: BillWindow, limit: Limit): Drawing {
  const stepS = Math.max(1, Math.ceil((toS - fromS) / MAX_POINTS / SAMPLE_S)) * SAMPLE_S
  const first = Math.floor(fromS / stepS) * stepS
  const timeS = axis(first, stepS, Math.max(1, Math.ceil((toS - first) / stepS)))
  // a sample covers the time before it
  const buckets = Map.groupBy(samples, (sample) => Math.ceil((sample.timeS - first) / stepS) - 1)
  const of = (octets: (sample: BillSample) => number) => ({
    values: timeS.map((_, i) => rate(buckets.get(i) ?? [], octets)),
    average: nullable(rate(samples, octets)),
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
      { label: limit.label, as: 'limit', values: timeS.map(() => limit.value) },
    ],
  }
}

const nullable = (value: number) => (Number.isNaN(value) ? null : value)

/** One step per day; a period's value covers all its days. */
function monthlyDrawing(periods: readonly HistoryPeriod[]): Drawing {
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

/** Bars by day of the period, or by hour of the day, which are placed on the first of the period. */
function barsDrawing(
  by: 'hour' | 'day',
  { fromS, toS }: BillWindow,
  bars: { readonly in: readonly number[]; readonly out: readonly number[]; readonly labels: readonly string[] },
): Drawing {
  const stepS = by === 'hour' ? HOUR_S : DAY_S
  const timeS = axis(fromS, stepS, by === 'hour' ? 24 : bars.labels.length)
  const place = (i: number) => (by === 'hour' ? bars.labels.indexOf(`${String(i).padStart(2, '0')}:00`) : i)
  const of = (values: readonly number[]) => timeS.map((_, i) => values[place(i)] ?? Number.NaN)
  return {
    label: by === 'hour' ? 'Traffic by hour of the day' : 'Traffic by day',
    unit: 'B',
    fromS,
    toS: by === 'hour' ? fromS + DAY_S : toS,
    timeS,
    stepS,
    series: [
      { label: 'In', as: 'in', values: of(bars.in) },
      { label: 'Out', as: 'out', values: of(bars.out) },
    ],
  }
}

const axis = (firstS: number, stepS: number, length: number) =>
  Float64Array.from({ length }, (_, i) => firstS + i * stepS)

/** The days of a period as `2026-08-01`, local time; '' for days in the future. */
function daysOf({ fromS, toS }: BillWindow, nowS: number): string[] {
  const days: string[] = []
  const day = new Date(fromS * 1000)
  while (day.getTime() / 1000 <= toS) {
    days.push(day.getTime() / 1000 <= nowS ? dateText(day) : '')
    day.setDate(day.getDate() + 1)
  }
  return days
}

const dateText = (day: Date) =>
  `${day.getFullYear()}-${String(day.getMonth() + 1).padStart(2, '0')}-${String(day.getDate()).padStart(2, '0')}`

function barOf(found: readonly { label: string; in: number; out: number }[], label: string) {
  return found.find((bar) => label !== '' && bar.label === label) ?? { label, in: 0, out: 0 }
}

function periodBar(period: HistoryPeriod) {
  const quota = period.bill_type === 'Quota'
  return {
    label: `${period.bill_datefrom.slice(0, 10)} - ${period.bill_dateto.slice(0, 10)}`,
    in: quota ? period.traf_in : period.rate_95th_in,
    out: quota ? period.traf_out : period.rate_95th_out,
    used: period.bill_used,
    allowed: period.bill_allowed,
    overuse: period.bill_overuse,
  }
}

/** `Jan 1 12:00am`, local time. */
function moment(timeS: number): string {
  const at = new Date(timeS * 1000)
  const month = at.toLocaleString('en-US', { month: 'short' })
  const minutes = String(at.getMinutes()).padStart(2, '0')
  return `${month} ${at.getDate()} ${at.getHours() % 12 || 12}:${minutes}${at.getHours() < 12 ? 'am' : 'pm'}`
}
