import type { Settings } from '../../config/schema.ts'
import { type Actor, scopeOf } from '../base/actor.ts'
import { notFound } from '../base/errors.ts'
import type { Store } from '../database/client.ts'
import { billingPeriod } from './period.ts'
import { billHistory, countedSpan, listBills } from './read.ts'
import {
  boundedPercentiles,
  type Percentiles,
  type RateName,
  rankedBuckets,
  refusedPairs,
  spanSums,
  unknownPorts,
} from './read-explanation.ts'
import { BUCKET_S } from './spans.ts'

/** Number of buckets shown above and below the deciding one. */
const AROUND = 5
const MAX_REFUSED = 100
const MAX_PORTS = 100

/** Five minutes of a bill; `rank` 1 is the highest rate. `rate` is in bits per second. */
export interface ExplainedBucket {
  readonly rank: number
  /** End of the bucket, ISO 8601 in UTC. */
  readonly end: string
  readonly in_octets: number
  readonly out_octets: number
  readonly rate: number
  /** Seconds in which ports are unknown, summed over ports; null: counted by another program. */
  readonly unknown_seconds: number | null
}

/** Use of a bill: bits per second for cdr, octets for quota. `percent` of the limit; null: no limit. */
export interface ExplainedUse {
  readonly used: number
  readonly percent: number | null
}

/** How a bill was computed. Times are ISO 8601 in UTC; names are null for ports that the actor may not see. */
export interface BillExplanation {
  readonly bill_id: number
  readonly bill_name: string
  readonly bill_type: string
  /** Bits per second for cdr, octets for quota. */
  readonly allowed: number
  readonly use: ExplainedUse
  readonly period: { readonly from: string; readonly to: string; readonly final: boolean }
  /** Time up to which the period has been counted; null: not at all yet. */
  readonly counted_upto: string | null
  readonly total_in: number
  readonly total_out: number
  /** The 95th percentile, decided by the bucket of rank `rank` among the `buckets` known ones. */
  readonly percentile: {
    readonly direction: string
    readonly rate: number
    readonly buckets: number
    readonly rank: number
    readonly around: readonly ExplainedBucket[]
  }
  readonly unknown: {
    /** Buckets in which no port is known; they are left out of the percentile. */
    readonly buckets: number
    /** Buckets of the period before `counted_upto` that were never counted. */
    readonly not_counted: number
    /** Seconds, summed over ports. */
    readonly port_seconds: number
    /** Octets in each direction if ports ran at line rate in the unknown time; null: the speed of a port is unknown. */
    readonly line_rate_octets: number | null
    /** Start of the time for which `ports` lists unknown times; samples before it are no longer stored. */
    readonly ports_from: string
    readonly ports: readonly {
      readonly port_id: number
      readonly hostname: string | null
      readonly ifName: string | null
      readonly ifSpeed: number | null
      readonly seconds: number
    }[]
  }
  readonly refused: {
    readonly count: number
    /** The newest pairs. */
    readonly pairs: readonly {
      readonly port_id: number
      readonly hostname: string | null
      readonly ifName: string | null
      readonly from: string
      readonly to: string
      readonly reason: string
    }[]
  }
  /** The use if ports carried nothing, or line rate, in the unknown time; null: the speed of a port is unknown. */
  readonly bounds: { readonly if_zero: ExplainedUse; readonly if_line_rate: ExplainedUse | null }
}

export interface ExplainDeps {
  readonly store: Store
  readonly settings: Settings
}

/** Explains a bill's current period, or the one `back` periods earlier. Throws `not_found`. Callers check access. */
export async function explainBill(
  { store, settings }: ExplainDeps,
  actor: Actor,
  billId: number,
  back: number,
  nowS = Date.now() / 1000,
): Promise<BillExplanation> {
  const scope = scopeOf(actor)
  const [bill] = await listBills(store, { kind: 'all' }, { id: billId })
  if (bill === undefined) throw notFound(`Bill ${billId} does not exist`)
  const period = billingPeriod(bill.bill_day, nowS, back)
  const record = (await billHistory(store, billId, { limit: 1000 })).find(({ from_s }) => from_s === period.fromS)
  const counted = await countedSpan(store, billId)
  const uptoS = counted === null ? null : Math.min(counted.uptoS, period.toS + 1)
  const span = { billId, ...period }
  // samples older than this are no longer stored
  const keptDays = settings.get('series.traffic.keep_days') || settings.get('series.keep_days')
  const keptS = Math.ceil(nowS - keptDays * 86_400)
  const fromS = Math.max(period.fromS, keptS)
  const sums = await spanSums(store, span)
  const cdr = bill.bill_type === 'cdr'
  const limit = cdr ? bill.bill_cdr : bill.bill_quota
  const rate = rateOf(bill.dir_95th)
  const { decides, buckets } = await rankedBuckets(store, span, rate, AROUND)
  const { zero, line } = await boundedPercentiles(store, span)
  const refused = await refusedPairs(store, scope, span, MAX_REFUSED)
  const ports =
    uptoS !== null && uptoS > fromS ? await unknownPorts(store, scope, { billId, fromS, toS: uptoS }, MAX_PORTS) : []
  const useOf = (used: number): ExplainedUse => ({
    used,
    percent: limit > 0 ? Math.round((used / limit) * 10_000) / 100 : null,
  })
  const total = sums.totalIn + sums.totalOut
  const decided = buckets.find(({ rank }) => rank === decides)?.rate ?? 0
  const expected = uptoS === null ? 0 : Math.max(0, Math.round((uptoS - period.fromS) / BUCKET_S))
  return {
    bill_id: bill.bill_id,
    bill_name: bill.bill_name,
    bill_type: bill.bill_type,
    allowed: limit,
    use: useOf(cdr ? Math.round(decided) : total),
    period: {
      from: iso(period.fromS),
      to: iso(period.toS),
      final: record !== undefined && isFinal(record.updated_s, period.toS, settings.get('billing.close_hours')),
    },
    counted_upto: uptoS === null ? null : iso(uptoS),
    total_in: sums.totalIn,
    total_out: sums.totalOut,
    percentile: {
      direction: bill.dir_95th,
      rate: decided,
      buckets: sums.known,
      rank: decides,
      around: buckets.map((bucket) => ({
        rank: bucket.rank,
        end: iso(bucket.endS),
        in_octets: bucket.inOctets,
        out_octets: bucket.outOctets,
        rate: bucket.rate,
        unknown_seconds: bucket.unknownS,
      })),
    },
    unknown: {
      buckets: sums.unknown,
      not_counted: Math.max(0, expected - sums.known - sums.unknown),
      port_seconds: sums.unknownS,
      line_rate_octets: sums.unknownOctets,
      ports_from: iso(fromS),
      ports: ports.map(({ portId, hostname, ifName, ifSpeed, unknownS }) => ({
        port_id: portId,
        hostname,
        ifName,
        ifSpeed,
        seconds: unknownS,
      })),
    },
    refused: {
      count: refused.count,
      pairs: refused.pairs.map(({ portId, hostname, ifName, sinceS, atS, reason }) => ({
        port_id: portId,
        hostname,
        ifName,
        from: iso(sinceS),
        to: iso(atS),
        reason,
      })),
    },
    bounds: {
      if_zero: useOf(cdr ? percentileOf(zero, bill.dir_95th) : total),
      if_line_rate: cdr
        ? line && useOf(percentileOf(line, bill.dir_95th))
        : sums.unknownOctets === null
          ? null
          : useOf(total + 2 * sums.unknownOctets),
    },
  }
}

const iso = (timeS: number) => new Date(timeS * 1000).toISOString()

const isFinal = (updatedS: number, toS: number, closeHours: number) => updatedS >= toS + closeHours * 3600

function rateOf(direction: string): RateName {
  return direction === 'agg' ? 'both' : direction === 'out' ? 'out' : 'in'
}

/** The rate in direction `agg`, else that of the larger direction, which may be the other one here. */
function percentileOf({ in: inbound, out, both }: Percentiles, direction: string): number {
  return Math.round(direction === 'agg' ? both : Math.max(inbound, out))
}
