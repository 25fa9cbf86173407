import { countBills, type DueBill, dueBills, type PeriodFigures, writeBillFigures } from '../../store/bills/collect.ts'
import { billSamples } from '../../store/bills/read.ts'
import type { Store } from '../../store/client.ts'
import { type BillingPeriod, billingPeriod } from './period.ts'
import { billUsage, round2 } from './usage.ts'

/** Number of earlier periods kept in the history. */
const PERIODS_BACK = 25
/** Maximum bills calculated per run; the others wait for the next. */
const MAX_BILLS = 500
/** The largest value of numeric(10, 2). */
const MAX_PERCENT = 99_999_999.99

/**
 * Counts the traffic of all bills up to now, and updates figures and history that are older than an hour. `intervalS`:
 * seconds between polls. Call it every 5 minutes; calling it more often has no effect.
 */
export async function runBilling(store: Store, intervalS: number, nowS = Date.now() / 1000): Promise<void> {
  await countBills(store, { intervalS })
  // the delay of counting, plus a missed run
  const settledS = 2 * intervalS + 600
  for (const bill of await dueBills(store, MAX_BILLS, settledS)) {
    const periods: PeriodFigures[] = []
    for (const period of periodsOf(bill, nowS)) periods.push(await figures(store, bill, period))
    await writeBillFigures(store, bill, periods)
  }
}

/** The current period, and earlier ones that have samples but no final figures. */
function periodsOf({ bill_day, first, done }: DueBill, nowS: number): BillingPeriod[] {
  const all = Array.from({ length: PERIODS_BACK + 1 }, (_, back) => billingPeriod(bill_day, nowS, back))
  return all.filter(({ fromS, toS }, back) => back === 0 || (first !== null && toS >= first && !done.includes(fromS)))
}

async function figures(store: Store, bill: DueBill, { fromS, toS }: BillingPeriod): Promise<PeriodFigures> {
  const usage = billUsage(await billSamples(store, bill.bill_id, { fromS, toS }), bill.dir_95th)
  const rate95th = Math.round(usage.rate95th)
  const used = bill.bill_type === 'cdr' ? rate95th : usage.totalIn + usage.totalOut
  return {
    fromS,
    toS,
    rate95thIn: Math.round(usage.rate95thIn),
    rate95thOut: Math.round(usage.rate95thOut),
    rate95th,
    dir95th: usage.dir95th,
    totalIn: usage.totalIn,
    totalOut: usage.totalOut,
    averageIn: Math.round(usage.averageIn),
    averageOut: Math.round(usage.averageOut),
    average: Math.round(usage.averageIn + usage.averageOut),
    peakIn: usage.peakIn,
    peakOut: usage.peakOut,
    used,
    overuse: Math.max(0, used - bill.limit),
    percent: bill.limit > 0 ? Math.min(MAX_PERCENT, round2((used / bill.limit) * 100)) : 0,
  }
}
