import { twoDigits } from '../../lib/two-digits.ts'
import { clockOf, OWN_CLOCK } from '../../lib/zone-clock.ts'
import type { GraphOptions, GraphOutcome, Graphs } from '../base/graphs.ts'
import type { Store } from '../database/client.ts'
import { type BillLine, type BillWindow, barsDrawing, bitsDrawing, linesOf, monthlyDrawing } from './drawings.ts'
import { type BillBars, type BillPoints, billPoints, monthlyBars, trafficBars, usualFactor } from './graph-data.ts'
import { billingPeriod } from './period.ts'
import {
  billBars,
  billHasSamples,
  billHistory,
  billSamples,
  deviceOfBill,
  type HistoryPeriod,
  listBills,
} from './read.ts'

export type { BillWindow }

/** Points of a bill's traffic with totals and rates. */
export interface BillBits extends BillPoints {
  readonly rate_95th: number
  readonly rate_average: number
  readonly bill_type: string
}

/** Graphs of bills as numbers and as images. Callers check access. */
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
    lines: readonly BillLine[],
    options: GraphOptions,
  ): Promise<GraphOutcome> {
    const samples = await billSamples(store, billId, window)
    if (samples.length === 0 && !(await billHasSamples(store, billId))) return { kind: 'no-data' }
    const deviceId = await deviceOfBill(store, billId)
    return await graphs.drawing({ ...bitsDrawing(samples, window, lines), deviceId }, options)
  }

  return {
    /** Traffic of a bill in points of `factor` samples (null: the default); returns null if there is no such bill. */
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
      return { ...(await bits(bill_id, { fromS: from_s, toS: to_s + 1 }, factor)), rate_95th, rate_average, bill_type }
    },

    /** Traffic of a period, by hour of the day or by day. */
    periodBars: bars,

    /**
     * Image of a bill: the traffic of a window, or the figures of the last periods. `no-data`: no samples yet; null: no
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
        const cdr = bill.bill_type === 'cdr'
        const allowed = cdr ? bill.bill_cdr : bill.bill_quota
        const period = billingPeriod(bill.bill_day, Date.now() / 1000)
        return await drawBits(
          billId,
          window,
          linesOf({ ...bill, cdr, allowed }, { ...period, toS: period.toS + 1 }),
          options,
        )
      }
      const periods = await billHistory(store, billId, { limit: 12 })
      return periods.length === 0 ? { kind: 'no-data' } : await graphs.drawing(monthlyDrawing(periods), options)
    },

    /** Image of a period of the history. */
    async drawPeriod(
      period: HistoryPeriod,
      type: 'bits' | 'hour' | 'day',
      options: GraphOptions,
    ): Promise<GraphOutcome> {
      // the bucket that ends with the period belongs to it
      const window = { fromS: period.from_s, toS: period.to_s + 1 }
      const cdr = period.bill_type === 'CDR'
      const account = { ...period, cdr, allowed: period.bill_allowed }
      if (type === 'bits') return await drawBits(period.bill_id, window, linesOf(account, window), options)
      const { in_data, out_data, ave_data, ticklabels } = await bars(type, period)
      if (in_data.length === 0) return { kind: 'no-data' }
      const data = { in: in_data, out: out_data, average: ave_data[0] ?? 0, labels: ticklabels }
      return await graphs.drawing(barsDrawing(type, window, data, cdr ? 0 : period.bill_allowed), options)
    },
  }
}

/** The days of a period in local time, `2026-08-01`; '' for days in the future. */
function daysOf({ fromS, toS }: BillWindow, nowS: number): string[] {
  const days: string[] = []
  const day = new Date(fromS * 1000)
  while (day.getTime() / 1000 <= toS) {
    days.push(day.getTime() / 1000 <= nowS ? dateText(day) : '')
    day.setDate(day.getDate() + 1)
  }
  return days
}

const dateText = (day: Date) => clockOf(OWN_CLOCK, day.getTime()).slice(0, 10)

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
  const minutes = twoDigits(at.getMinutes())
  return `${month} ${at.getDate()} ${at.getHours() % 12 || 12}:${minutes}${at.getHours() < 12 ? 'am' : 'pm'}`
}
