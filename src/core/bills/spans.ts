import { billingPeriod } from './period.ts'

/** What is needed to decide which 5-minute buckets of a bill to count. Times are epoch seconds. */
export interface CountedBill {
  readonly billId: number
  readonly billDay: number
  /** Number of its ports, including former ones. */
  readonly ports: number
  /** The longest polling interval of its devices, seconds. */
  readonly intervalS: number
  /** Counted up to here; null: never. */
  readonly uptoS: number | null
  /** Buckets up to here are not counted again; null: no limit. */
  readonly fromS: number | null
  /** The newest (imported) row of a bill that was never counted; null: none. */
  readonly newestS: number | null
  /** Time range of late samples of its ports; null: there were none. */
  readonly lateFromS: number | null
  readonly lateToS: number | null
}

/** Buckets of a bill to count: those that end after `fromS` and no later than `toS`, which are multiples of 300 s. */
export interface Span {
  readonly billId: number
  readonly fromS: number
  readonly toS: number
  /** The bill was never counted. */
  readonly first?: boolean
}

/** Length of a bucket, seconds. */
export const BUCKET_S = 300
/** Samples of devices polled less often than this are always late, so their buckets are counted again. */
const MAX_LAG_S = 900
/** Time allowed for storing a poll. */
const STORED_S = 60

/** The end of the last bucket that has ended at a time, epoch seconds. */
export const lastBucketEnd = (timeS: number): number => Math.floor(timeS / BUCKET_S) * BUCKET_S

/**
 * The buckets of a bill to count at `nowS`, in order and without overlap: new ones, those for which samples may still
 * have been on their way (`recountS`), and those of late samples. The first count begins with the current period, or
 * where an import ended. Samples before `keptS` may already be deleted. Empty: the bill is up to date.
 */
export function spansOf(
  bill: CountedBill,
  { nowS, keptS, recountS }: { readonly nowS: number; readonly keptS: number; readonly recountS: number },
): Span[] {
  const { billId, uptoS, lateFromS, lateToS } = bill
  const edge = lastBucketEnd(nowS - Math.min(bill.intervalS, MAX_LAG_S) - STORED_S)
  const begin = Math.max(
    uptoS === null ? billingPeriod(bill.billDay, nowS).fromS : 0,
    bill.fromS ?? 0,
    bill.newestS ?? 0,
  )
  const first = Math.ceil(Math.max(begin, keptS) / BUCKET_S) * BUCKET_S
  const due = uptoS === null || edge > uptoS || lateFromS !== null
  const recent = { fromS: Math.max(first, Math.min(uptoS ?? first, lastBucketEnd(edge - recountS))), toS: edge }
  const spans = due && recent.fromS < recent.toS ? [recent] : []
  if (lateFromS !== null && lateToS !== null && uptoS !== null) {
    const late = {
      fromS: Math.max(first, lastBucketEnd(lateFromS)),
      toS: Math.min(edge, lastBucketEnd(lateToS) + BUCKET_S),
    }
    const [only] = spans
    if (only !== undefined && late.toS >= only.fromS)
      spans[0] = { fromS: Math.min(only.fromS, Math.max(first, late.fromS)), toS: only.toS }
    else if (late.fromS < late.toS) spans.unshift(late)
  }
  return spans.map((span) => ({ billId, ...span, first: uptoS === null }))
}

/** Buckets times ports per statement, which take about a second. */
const PER_STATEMENT = 150_000

/** Splits and groups spans into batches of bounded work; a bill occurs once in a batch. `portsOf`: number of ports. */
export function batchesOf(spans: readonly Span[], portsOf: (billId: number) => number): Span[][] {
  const batches: Span[][] = []
  let open: Span[] = []
  let load = 0
  let bills = new Set<number>()
  const close = () => {
    if (open.length > 0) batches.push(open)
    open = []
    load = 0
    bills = new Set()
  }
  for (const { billId, fromS, toS, first } of spans) {
    const ports = Math.max(1, portsOf(billId))
    const most = Math.max(1, Math.floor(PER_STATEMENT / ports)) * BUCKET_S
    for (let start = fromS; start < toS; start += most) {
      const end = Math.min(toS, start + most)
      const work = ((end - start) / BUCKET_S) * ports
      if (bills.has(billId) || load + work > PER_STATEMENT) close()
      open.push({ billId, fromS: start, toS: end, first: first === true })
      bills.add(billId)
      load += work
    }
  }
  close()
  return batches
}
