import type { Store } from '../database/client.ts'
import { clearLate, dropOldRefusals, lateBills, RECOUNTED_S } from '../series/write-late-bills.ts'
import { billingPeriod } from './period.ts'
import { dueBills, type FiguredPeriod, writeFigures } from './read-figures.ts'
import { batchesOf, type Span, spansOf } from './spans.ts'
import { countedBills, countSpans, forgetAhead, writeCounted } from './write-counts.ts'

/** Number of past periods kept in the history. */
const PERIODS_BACK = 25
/** Periods per statement; at 9,000 rows each it takes well below a second. */
const PERIODS_AT_ONCE = 25
const DAY_S = 86_400

export interface BillingOptions {
  /** Seconds between polls of devices that have no interval of their own. */
  readonly intervalS: number
  /** Days for which samples are kept; nothing older is counted. */
  readonly keepDays: number
  /** A period's figures are final this many hours after its end. */
  readonly closeHours: number
}

/** Summary of a run. */
export interface BillingRun {
  /** Number of bills with new or changed rows. */
  readonly changed: number
  /** Number of periods whose figures were computed. */
  readonly periods: number
}

/**
 * Counts the traffic of all bills up to now, again where samples arrived late, and updates the figures of bills that
 * changed. Call it every minute; if nothing is due it costs two small queries.
 */
export async function runBilling(store: Store, options: BillingOptions, nowS = Date.now() / 1000): Promise<BillingRun> {
  await forgetAhead(store, nowS)
  const counted = await count(store, options, nowS)
  const closedS = options.closeHours * 3600
  const due = await dueBills(store, counted, { closedS, nowS })
  const periods = due.flatMap((bill) => openPeriods(bill, nowS))
  for (let from = 0; from < periods.length; from += PERIODS_AT_ONCE) {
    await writeFigures(store, periods.slice(from, from + PERIODS_AT_ONCE), nowS)
  }
  return { changed: counted.length, periods: periods.length }
}

/** Counts what is due; returns the bills with changed rows. */
async function count(store: Store, { intervalS, keepDays }: BillingOptions, nowS: number): Promise<number[]> {
  const keptS = nowS - keepDays * DAY_S
  // read before the bills, so that a mark set after this is left for the next run
  const late = await lateBills(store)
  const bills = await countedBills(store, intervalS)
  const ports = new Map(bills.map((bill) => [bill.billId, bill.ports]))
  // sorted by time, so that a statement reads few partitions
  const spans: Span[] = bills
    .flatMap((bill) => spansOf(bill, { nowS, keptS, recountS: RECOUNTED_S }))
    .sort((a, b) => a.fromS - b.fromS || a.billId - b.billId)
  const changed = new Set<number>()
  for (const batch of batchesOf(spans, (billId) => ports.get(billId) ?? 1)) {
    for (const billId of await countSpans(store, batch)) changed.add(billId)
    // a bill has figures from its first count, also without traffic
    for (const { billId, first } of batch) if (first === true) changed.add(billId)
    await writeCounted(store, batch)
  }
  await clearLate(store, late)
  await dropOldRefusals(store, keptS)
  return [...changed]
}

/** The current period and earlier ones that have samples but no final figures. */
function openPeriods(
  { bill_id: billId, bill_day, first, done }: Awaited<ReturnType<typeof dueBills>>[number],
  nowS: number,
): FiguredPeriod[] {
  return Array.from({ length: PERIODS_BACK + 1 }, (_, back) => ({
    billId,
    ...billingPeriod(bill_day, nowS, back),
    current: back === 0,
  })).filter(({ fromS, toS, current }) => current || (first !== null && toS + 1 >= first && !done.includes(fromS)))
}
