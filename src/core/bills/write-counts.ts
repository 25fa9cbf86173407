import type { Store } from '../database/client.ts'
import { floats, integers } from '../database/pg-array.ts'
import { inChunks } from '../series/stored-rows.ts'
import { type CountedBill, lastBucketEnd } from './spans.ts'

/** Bills with ports. `intervalS`: seconds between polls of a device that has no interval of its own. */
export async function countedBills({ sql }: Store, intervalS: number): Promise<CountedBill[]> {
  return await sql<CountedBill[]>`
      with member as (
        select bill_id, port_id from bill_ports union select bill_id, port_id from bill_ports_past
      ), totals as (
        select m.bill_id, count(*)::int as ports, max(coalesce(d.poll_interval, ${intervalS}::int)) as interval_s,
          extract(epoch from min(l.since))::float8 as late_from, extract(epoch from max(l.until))::float8 as late_to
        from member m join ports p using (port_id) join devices d using (device_id) left join bill_late l using (port_id)
        group by m.bill_id)
      select b.bill_id as "billId", b.bill_day as "billDay", t.ports, t.interval_s as "intervalS",
        extract(epoch from b.counted_upto)::float8 as "uptoS", extract(epoch from b.counted_from)::float8 as "fromS",
        case when b.counted_upto is null
          then (select extract(epoch from max(r."timestamp"))::float8 from bill_data r where r.bill_id = b.bill_id)
        end as "newestS",
        t.late_from as "lateFromS", t.late_to as "lateToS"
      from bills b join totals t using (bill_id) order by b.bill_id`
}

/** The 5-minute buckets of a bill that end after `fromS` and up to `toS`, both multiples of 300 s. */
export interface CountSpan {
  readonly billId: number
  readonly fromS: number
  readonly toS: number
  /** The bill was never counted: buckets before any of its ports was known are not stored. */
  readonly first?: boolean
}

/**
 * SQL for the octets that the first `ms` milliseconds of a sample carried, rounded down. A bucket gets the value at its
 * end minus the value at its start, so that buckets add up to the sample. Uses numeric only where 64 bits are too few.
 */
const upto = (octets: string, ms: string): string => `case when ${ms} >= period_ms then ${octets} when ${ms} <= 0 then 0
  when ${octets} < 9223372036854775807 / period_ms then ${octets} * (${ms}) / period_ms
  else div(${octets}::numeric * (${ms}), period_ms)::bigint end`

/** A bucket that lacks less than this counts as complete, because clocks differ. */
const JITTER_MS = 10_000
/** How far samples may be ahead of our clock. */
const AHEAD_S = 3600

/** When the sample that contains the end of a span has ended: a period is an int of milliseconds, less than 25 days. */
const LONGEST_AFTER = "to_timestamp(m.t) + interval '25 days'"

/**
 * Recounts every row of these spans from the stored samples and returns the bills of which a row changed. A sample is
 * spread evenly over the time it covers. A sample without the octets of either direction is unknown, because totals must
 * cover the same time in both. Rows in which no port is known have period
 * 0; of a bill that was never counted, those before its first port was monitored are left out. A bill may occur only once. Source: contract BEHAVIOUR.md 14.
 */
export async function countSpans({ sql }: Store, spans: readonly CountSpan[]): Promise<number[]> {
  if (spans.length === 0) return []
  const fromS = Math.min(...spans.map((span) => span.fromS))
  const toS = Math.max(...spans.map((span) => span.toS))
  // Literals besides the spans' own bounds, so that the planner excludes partitions and chunks.
  const within = `x.port_id = m.port_id and x."time" > to_timestamp(${fromS}) and x.in_octets is not null and x.out_octets is not null`
  const columns = 'extract(epoch from x."time") * 1000 as end_ms, x.period_ms, x.in_octets, x.out_octets'
  const text = `
    with span as (
      select s.bill_id, s.f, s.t, s.first from unnest($1::int[], $2::bigint[], $3::bigint[], $4::bool[]) s(bill_id, f, t, first)
    ), begin as materialized (
      -- the end of a span is in the past, so a device that was added later has no usable date
      select s.bill_id, min(coalesce(extract(epoch from case when d.inserted <= to_timestamp(s.t) then least(d.inserted, k.since) end), 0)) as at
      from span s join (select bill_id, port_id from bill_ports union select bill_id, port_id from bill_ports_past) m
          on m.bill_id = s.bill_id
        join ports p using (port_id) join devices d using (device_id)
        left join lateral (select x."time" - x.period_ms * interval '1 ms' as since from ts.port_samples_stored x
          where ${within} and ${inChunks('port', 'x.span', 'samples', `to_timestamp(${fromS})`, 'now()')} order by x."time" limit 1) k on true
      where s.first group by 1
    ), member as materialized (
      select s.bill_id, m.port_id, p."ifSpeed" as speed,
        greatest(s.f, case when m.since > to_timestamp(s.f) then extract(epoch from m.since)::bigint end) as f,
        least(s.t, case when m.until < to_timestamp(s.t) then extract(epoch from m.until)::bigint end) as t
      from span s join (
        select bill_id, port_id, since, 'infinity'::timestamptz as until from bill_ports
        union all select bill_id, port_id, since, until from bill_ports_past) m
        on m.bill_id = s.bill_id and m.since < to_timestamp(s.t) and m.until > to_timestamp(s.f)
      join ports p using (port_id)
    ), sample as (
      select m.bill_id, m.port_id, m.speed, m.f, m.t, x.end_ms::bigint, x.end_ms::bigint - x.period_ms as start_ms, x.period_ms,
        x.in_octets, x.out_octets
      from member m cross join lateral (
        select ${columns} from ts.port_samples_stored x
        where ${within} and ${inChunks('port', 'x.span', 'samples', 'to_timestamp(m.f)', 'to_timestamp(m.t)')} and x."time" <= to_timestamp(${toS}) and x."time" > to_timestamp(m.f) and x."time" <= to_timestamp(m.t)
        union all
        (select ${columns} from ts.port_samples_stored x
        where ${within} and ${inChunks('port', 'x.span', 'samples', 'to_timestamp(m.t)', LONGEST_AFTER)}
          and x."time" > to_timestamp(m.t) and x."time" <= now() + interval '${AHEAD_S} seconds'
        order by x."time" limit 2)) x
      where x.end_ms - x.period_ms < m.t * 1000
    ), port_bucket as (
      select bill_id, port_id, speed, e, sum(i) as i, sum(o) as o,
        case when sum(ms) > ${300_000 - JITTER_MS} then 300000 else sum(ms) end as known_ms
      from (
        select s.bill_id, s.port_id, s.speed, e, b.e_ms - b.s_ms as ms,
          (${upto('in_octets', 'e_ms - start_ms')}) - (${upto('in_octets', 's_ms - start_ms')}) as i,
          (${upto('out_octets', 'e_ms - start_ms')}) - (${upto('out_octets', 's_ms - start_ms')}) as o
        from sample s
        cross join lateral generate_series(greatest(s.f + 300, (s.start_ms / 300000 + 1) * 300),
          least(s.t, (s.end_ms + 299999) / 300000 * 300), 300) e
        cross join lateral (select least(s.end_ms, e * 1000) as e_ms, greatest(s.start_ms, e * 1000 - 300000) as s_ms) b) piece
      group by 1, 2, 3, 4
    ), known as (
      select bill_id, e, sum(i)::bigint as i, sum(o)::bigint as o, max(known_ms) as longest_ms, sum(known_ms) as known_ms,
        sum(known_ms * speed) as known_capacity
      from port_bucket group by 1, 2
    ), expected as (
      select bill_id, e, count(*) as ports, sum(speed) as speed, bool_or(coalesce(speed, 0) <= 0) as unlimited
      from member cross join lateral generate_series(f + 300, t, 300) e group by 1, 2
    ), counted as (
      select bill_id, to_timestamp(e) as "timestamp", coalesce(round(k.longest_ms / 1000.0), 0)::int as period,
        coalesce(k.i, 0) as i, coalesce(k.o, 0) as o,
        round(ports * 300 - coalesce(k.known_ms, 0) / 1000.0)::int as unknown_s,
        case when ports * 300000 = coalesce(k.known_ms, 0) then 0 when not unlimited
          then least(9e15, round((x.speed::numeric * 300000 - coalesce(k.known_capacity, 0)) / 8000))::bigint end as unknown_octets
      from expected x left join known k using (bill_id, e) left join begin using (bill_id)
      where e > coalesce(begin.at, 0)
    ), written as (
      insert into bill_data as r (bill_id, "timestamp", period, delta, in_delta, out_delta, unknown_s, unknown_octets)
      select bill_id, "timestamp", period, i + o, i, o, unknown_s, unknown_octets from counted
      on conflict (bill_id, "timestamp") do update set period = excluded.period, delta = excluded.delta,
        in_delta = excluded.in_delta, out_delta = excluded.out_delta, unknown_s = excluded.unknown_s,
        unknown_octets = excluded.unknown_octets
      where (r.period, r.in_delta, r.out_delta, r.unknown_s, r.unknown_octets) is distinct from
        (excluded.period, excluded.in_delta, excluded.out_delta, excluded.unknown_s, excluded.unknown_octets)
      returning bill_id)
    select distinct bill_id from written`
  const parameters = [
    integers(spans.map((span) => span.billId)),
    integers(spans.map((span) => span.fromS)),
    integers(spans.map((span) => span.toS)),
    `{${spans.map((span) => span.first === true).join()}}`,
  ]
  const rows = await sql.unsafe<{ bill_id: number }[]>(text, parameters)
  return rows.map((row) => row.bill_id)
}

/** Records up to when bills are counted, and from when if that was not known. */
export async function writeCounted({ sql }: Store, spans: readonly CountSpan[]): Promise<void> {
  if (spans.length === 0) return
  await sql`
      update bills b set counted_from = coalesce(b.counted_from, to_timestamp(s.f)),
        counted_upto = greatest(b.counted_upto, to_timestamp(s.t))
      from unnest(${integers(spans.map((span) => span.billId))}::int[], ${floats(spans.map((span) => span.fromS))}::float8[],
        ${floats(spans.map((span) => span.toS))}::float8[]) s(bill_id, f, t)
      where b.bill_id = s.bill_id`
}

/** Bills counted up to more than this after now were counted while the clock was ahead, seconds. */
const CLOCKS_S = 600

/**
 * Removes what was counted while the clock was ahead of `nowS`, epoch seconds: rows and periods that have not come yet.
 * Otherwise such a bill would not be counted until they come.
 */
export async function forgetAhead({ sql }: Store, nowS: number): Promise<void> {
  const now = sql`to_timestamp(${nowS}::float8)`
  const upto = sql`to_timestamp(${lastBucketEnd(nowS)}::float8)`
  await sql`
    with ahead as (
      update bills set counted_upto = case when counted_upto > ${upto} then ${upto} else counted_upto end, due = true,
        bill_last_calc = case when bill_last_calc > ${now} then ${now} else bill_last_calc end
      where greatest(counted_upto, bill_last_calc) > ${now} + ${CLOCKS_S} * interval '1 second' returning bill_id
    ), counts as (
      delete from bill_data r using ahead where r.bill_id = ahead.bill_id and r."timestamp" > ${upto}
    )
    delete from bill_history h using ahead where h.bill_id = ahead.bill_id and h.bill_datefrom > ${now}`
}
