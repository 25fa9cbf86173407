import { portInScope, type Scope } from '../base/scope.ts'
import type { Store } from '../database/client.ts'
import { inChunks } from '../series/stored-rows.ts'
import { BUCKETS, HUNDREDTHS, PLACE } from './read-figures.ts'

/** A period of a bill, epoch seconds; `toS` is its last second. */
export interface ExplainedSpan {
  readonly billId: number
  readonly fromS: number
  readonly toS: number
}

/** Which rate decides: of one direction, or of both together. */
export type RateName = 'in' | 'out' | 'both'

/** A 5-minute bucket near the 95th percentile. `rank` 1: the highest rate. Rates in bits per second. */
export interface RankedBucket {
  readonly rank: number
  /** Epoch seconds of its end. */
  readonly endS: number
  readonly inOctets: number
  readonly outOctets: number
  readonly rate: number
  /** Seconds in which ports are unknown, summed; null: counted by another program. */
  readonly unknownS: number | null
}

/** Sums over a period. */
export interface SpanSums {
  /** Buckets with known time: the n of the percentile. */
  readonly known: number
  /** Buckets in which no port is known. */
  readonly unknown: number
  /** Port-seconds that are unknown. */
  readonly unknownS: number
  /** Octets that the unknown time carries in each direction at line rate; null: the speed of a port is unknown. */
  readonly unknownOctets: number | null
  readonly totalIn: number
  readonly totalOut: number
}

const RATED = `select b.*, ${HUNDREDTHS('in_delta')} as rate_in, ${HUNDREDTHS('out_delta')} as rate_out,
  ${HUNDREDTHS('(in_delta + out_delta)')} as rate_both from (${BUCKETS}) b where period > 0`

/** The bucket at the 95th percentile, whose rank is `decides`, with `around` buckets above and below it. */
export async function rankedBuckets(
  { sql }: Store,
  { billId, fromS, toS }: ExplainedSpan,
  rate: RateName,
  around: number,
): Promise<{ readonly decides: number; readonly buckets: RankedBucket[] }> {
  const rows = await sql.unsafe<(RankedBucket & { readonly decides: number })[]>(
    `with s as (select $1::int as bill_id, $2::bigint as f, $3::bigint as t),
      ranked as (
        select r.*, row_number() over (order by rate_${rate} desc, r."timestamp")::int as rank, (count(*) over ())::int as n
        from s cross join lateral (${RATED}) r),
      placed as (select *, (n - (${PLACE('n')}) + 1)::int as decides from ranked)
      select rank, decides, extract(epoch from "timestamp")::float8 as "endS", in_delta::float8 as "inOctets",
        out_delta::float8 as "outOctets", rate_${rate} / 100.0::float8 as rate, unknown_s as "unknownS"
      from placed where rank between decides - $4 and decides + $4 order by rank`,
    [billId, fromS, toS, around],
  )
  return { decides: rows[0]?.decides ?? 0, buckets: rows.map(({ decides, ...bucket }) => bucket) }
}

/** Sums of a period's buckets. */
export async function spanSums({ sql }: Store, { billId, fromS, toS }: ExplainedSpan): Promise<SpanSums> {
  const [row] = await sql.unsafe<SpanSums[]>(
    `with s as (select $1::int as bill_id, $2::bigint as f, $3::bigint as t)
      select count(*) filter (where period > 0)::int as known, count(*) filter (where period = 0)::int as unknown,
        coalesce(sum(unknown_s), 0)::float8 as "unknownS",
        case when count(*) filter (where unknown_s > 0 and unknown_octets is null) = 0
          then coalesce(sum(unknown_octets), 0)::float8 end as "unknownOctets",
        coalesce(sum(in_delta), 0)::float8 as "totalIn", coalesce(sum(out_delta), 0)::float8 as "totalOut"
      from s cross join lateral (${BUCKETS}) b`,
    [billId, fromS, toS],
  )
  return row ?? { known: 0, unknown: 0, unknownS: 0, unknownOctets: 0, totalIn: 0, totalOut: 0 }
}

/** 95th percentiles in bits per second. */
export interface Percentiles {
  readonly in: number
  readonly out: number
  readonly both: number
}

/**
 * The percentiles if all unknown time carried nothing (`zero`), or as much as the ports can (`line`; null: the speed of
 * a port is unknown). Every bucket then counts as a full 5 minutes.
 */
export async function boundedPercentiles(
  { sql }: Store,
  { billId, fromS, toS }: ExplainedSpan,
): Promise<{ readonly zero: Percentiles; readonly line: Percentiles | null }> {
  // as HUNDREDTHS over 300 s; rows of other programs have nothing unknown
  const rate = (octets: string, more: string) =>
    `case when unknown_s is null then ${HUNDREDTHS(octets)} else ((${octets} + ${more}) * 16 + 3) / 6 end`
  const of = (one: string) => `coalesce((array_agg(${one} order by ${one}))[${PLACE('count(*)')}], 0)::float8 / 100`
  const set = (more: string) => `json_build_object('in', ${of(rate('in_delta', more))},
    'out', ${of(rate('out_delta', more))}, 'both', ${of(rate('(in_delta + out_delta)', `2 * ${more}`))})`
  const [row] = await sql.unsafe<{ zero: Percentiles; line: Percentiles | null }[]>(
    `with s as (select $1::int as bill_id, $2::bigint as f, $3::bigint as t)
      select ${set('0')} as zero,
        case when count(*) filter (where unknown_s > 0 and unknown_octets is null) = 0 then ${set('more')} end as line
      from (select b.*, coalesce(unknown_octets, 0) as more
        from s cross join lateral (${BUCKETS}) b where unknown_s is not null or period > 0) b`,
    [billId, fromS, toS],
  )
  return row ?? { zero: { in: 0, out: 0, both: 0 }, line: { in: 0, out: 0, both: 0 } }
}

/** A pair of readings that gave no octets. Names are null for ports that are not granted. Epoch seconds. */
export interface RefusedRecord {
  readonly portId: number
  readonly hostname: string | null
  readonly ifName: string | null
  readonly sinceS: number
  readonly atS: number
  readonly reason: string
}

/** Refused pairs of a bill's ports within a period, newest first, and how many there are. */
export async function refusedPairs(
  { sql }: Store,
  scope: Scope,
  { billId, fromS, toS }: ExplainedSpan,
  limit: number,
): Promise<{ readonly count: number; readonly pairs: RefusedRecord[] }> {
  const rows = await sql<(RefusedRecord & { readonly count: number })[]>`
      select r.port_id as "portId", case when ${portInScope(sql, scope)} then d.hostname end as hostname,
        case when ${portInScope(sql, scope)} then p."ifName" end as "ifName", r.reason,
        extract(epoch from r.since)::float8 as "sinceS", extract(epoch from r."timestamp")::float8 as "atS",
        (count(*) over ())::int as count
      from (select distinct port_id from (
          select port_id from bill_ports where bill_id = ${billId}
          union all select port_id from bill_ports_past where bill_id = ${billId}) m) m
        join port_refusals r using (port_id) join ports p using (port_id) join devices d using (device_id)
      where r."timestamp" > to_timestamp(${fromS}) and r.since < to_timestamp(${toS + 1})
      order by r."timestamp" desc, r.port_id limit ${limit}`
  return { count: rows[0]?.count ?? 0, pairs: rows.map(({ count, ...pair }) => pair) }
}

/** Seconds of a period in which a port is unknown, as far as its samples are still stored. */
export interface UnknownPort {
  readonly portId: number
  readonly hostname: string | null
  readonly ifName: string | null
  /** bit/s; null: unknown. */
  readonly ifSpeed: number | null
  readonly unknownS: number
}

/** Ports of a bill by unknown time between two moments, the longest first; those without any are omitted. */
export async function unknownPorts(
  { sql }: Store,
  scope: Scope,
  { billId, fromS, toS }: ExplainedSpan,
  limit: number,
): Promise<UnknownPort[]> {
  return await sql<UnknownPort[]>`
      with member as (
        select port_id, greatest(since, to_timestamp(${fromS})) as f, least(until, to_timestamp(${toS})) as t from (
          select port_id, since, 'infinity'::timestamptz as until from bill_ports where bill_id = ${billId}
          union all select port_id, since, until from bill_ports_past where bill_id = ${billId}) m
        where since < to_timestamp(${toS}) and until > to_timestamp(${fromS})
      ), gap as (
        select m.port_id, sum(extract(epoch from m.t - m.f) - coalesce(k.s, 0)) as s
        from member m cross join lateral (
          select sum(extract(epoch from least(x."time", m.t) - greatest(x."time" - x.period_ms * interval '1 ms', m.f))) as s
          from ts.port_samples_stored x where x.port_id = m.port_id and ${sql.unsafe(inChunks('port', 'x.span', 'samples', 'm.f', `m.t + interval '1 day'`))}
            and x."time" > m.f and x.in_octets is not null
            and x.out_octets is not null
            and x."time" - x.period_ms * interval '1 ms' < m.t) k
        group by 1)
      select p.port_id as "portId", case when ${portInScope(sql, scope)} then d.hostname end as hostname,
        case when ${portInScope(sql, scope)} then p."ifName" end as "ifName", p."ifSpeed" as "ifSpeed",
        round(g.s)::float8 as "unknownS"
      from gap g join ports p using (port_id) join devices d using (device_id)
      where g.s >= 10 order by g.s desc, p.port_id limit ${limit}`
}
