import type { Store } from '../client.ts'
import { guarded } from '../errors.ts'

/** `intervalS`: seconds between polls of a device that has no interval of its own. */
export interface CountingOptions {
  readonly intervalS: number
}

/**
 * Counts bills up to now: adds a row to `bill_data` for each 5 minutes of clock time from the samples of their ports.
 * Returns the number of rows. The first row of a bill has no traffic; a bill without ports gets no rows. A sample is
 * spread over the time it covers, in whole octets, so the rows add up to the stored total. Counting stays two polling
 * intervals behind, to have all samples of the time it counts. A longer sample (after failed polls) is counted whole at
 * its end, because the time before is already counted. After a pause of more than an hour one row stands for everything
 * older. Source: contract BEHAVIOUR.md 14.
 */
export async function countBills({ sql }: Store, { intervalS }: CountingOptions): Promise<number> {
  const rows = await guarded(
    () => sql`
      with bill as (
        select x.bill_id, array_agg(x.port_id) as ids, 2 * max(coalesce(d.poll_interval, ${intervalS}::int)) as behind
        from bill_ports x join ports p using (port_id) join devices d using (device_id) group by x.bill_id
      ), due as (
        select b.*, date_bin('5 minutes', now() - b.behind * interval '1 second', 'epoch') as upto,
          (select max(r."timestamp") from bill_data r where r.bill_id = b.bill_id) as last
        from bill b
      ), span as (
        select bill_id, ids, behind, s, e from due cross join lateral (
          select coalesce(lag(e) over (order by e), last) as s, e
          from generate_series(greatest(last + interval '5 minutes', upto - interval '1 hour'), upto, '5 minutes') e) x
        where last is not null
        union all
        select bill_id, ids, behind, null, upto from due where last is null
      )
      insert into bill_data (bill_id, "timestamp", period, delta, in_delta, out_delta)
      select bill_id, e, coalesce(extract(epoch from e - s), 0)::int, i + o, i, o
      from span cross join lateral (
        select coalesce(sum(round(in_octets * upto_e) - round(in_octets * upto_s)), 0)::bigint as i,
          coalesce(sum(round(out_octets * upto_e) - round(out_octets * upto_s)), 0)::bigint as o
        from (
          select x.in_octets, x.out_octets,
            case when late then (x."time" <= e)::int
              else greatest(0, least(1, 1 - extract(epoch from x."time" - e) * 1000 / x.period_ms)) end as upto_e,
            case when late then 0
              else greatest(0, least(1, 1 - extract(epoch from x."time" - s) * 1000 / x.period_ms)) end as upto_s
          from ts.port_samples x cross join lateral (select x.period_ms > (behind - 30) * 1000 as late) l
          where x.port_id = any(ids) and x."time" > s and x."time" <= e + behind * interval '1 second') y) counted
      on conflict do nothing returning 1`,
  )
  return rows.length
}

/** A bill whose figures are out of date. */
export interface DueBill {
  readonly bill_id: number
  readonly bill_type: 'cdr' | 'quota'
  readonly bill_day: number
  readonly limit: number
  readonly dir_95th: 'in' | 'out' | 'agg'
  /** Epoch seconds of the first row of bill_data; null: no rows. */
  readonly first: number | null
  /** Starts of the periods whose figures are final, epoch seconds. */
  readonly done: readonly number[]
}

/**
 * Bills whose figures are missing or older than an hour, longest waiting first. The figures of a period are final when
 * they were calculated at least `settledS` seconds after its end.
 */
export async function dueBills({ sql }: Store, limit: number, settledS: number): Promise<DueBill[]> {
  return await guarded(
    () => sql<DueBill[]>`
      select b.bill_id, b.bill_type, b.bill_day, b.dir_95th,
        coalesce(case b.bill_type when 'cdr' then b.bill_cdr else b.bill_quota end, 0) as "limit",
        (select extract(epoch from min(r."timestamp"))::float8 from bill_data r where r.bill_id = b.bill_id) as first,
        array(select extract(epoch from h.bill_datefrom)::float8 from bill_history h
          where h.bill_id = b.bill_id and h.updated >= h.bill_dateto + ${settledS} * interval '1 second') as done
      from bills b
      where b.bill_last_calc < now() - interval '1 hour'
        or not exists (select from bill_history h where h.bill_id = b.bill_id)
      order by b.bill_last_calc, b.bill_id limit ${limit}`,
  )
}

/** The figures of a period as stored: rates in bits per second, traffic in octets. */
export interface PeriodFigures {
  readonly fromS: number
  readonly toS: number
  readonly rate95thIn: number
  readonly rate95thOut: number
  readonly rate95th: number
  readonly dir95th: string
  readonly totalIn: number
  readonly totalOut: number
  readonly averageIn: number
  readonly averageOut: number
  readonly average: number
  readonly peakIn: number
  readonly peakOut: number
  readonly used: number
  readonly overuse: number
  /** Percent of the limit, 2 decimals. */
  readonly percent: number
}

/** Stores the figures of a bill's periods. The first is the current period, which the bill itself shows. */
export function writeBillFigures({ sql }: Store, bill: DueBill, periods: readonly PeriodFigures[]): Promise<void> {
  return guarded(async () => {
    await sql.begin(async (tx) => {
      const [current] = periods
      if (current !== undefined) {
        await tx`
          update bills set rate_95th_in = ${current.rate95thIn}, rate_95th_out = ${current.rate95thOut},
            rate_95th = ${current.rate95th}, dir_95th = ${current.dir95th}, total_data_in = ${current.totalIn},
            total_data_out = ${current.totalOut}, total_data = ${current.totalIn + current.totalOut},
            rate_average_in = ${current.averageIn}, rate_average_out = ${current.averageOut},
            rate_average = ${current.average}, bill_last_calc = now()
          where bill_id = ${bill.bill_id}`
      }
      for (const one of periods) {
        await tx`
          insert into bill_history (bill_id, bill_datefrom, bill_dateto, bill_type, bill_allowed, bill_used, bill_overuse,
            bill_percent, rate_95th_in, rate_95th_out, rate_95th, dir_95th, rate_average, rate_average_in, rate_average_out,
            traf_in, traf_out, traf_total, bill_peak_in, bill_peak_out)
          select ${bill.bill_id}::int, to_timestamp(${one.fromS}), to_timestamp(${one.toS}),
            ${bill.bill_type === 'cdr' ? 'CDR' : 'Quota'}, ${bill.limit}::bigint, ${one.used}::bigint, ${one.overuse}::bigint,
            ${one.percent}::numeric, ${one.rate95thIn}::bigint, ${one.rate95thOut}::bigint, ${one.rate95th}::bigint,
            ${one.dir95th}, ${one.average}::bigint, ${one.averageIn}::bigint, ${one.averageOut}::bigint,
            ${one.totalIn}::bigint, ${one.totalOut}::bigint, ${one.totalIn + one.totalOut}::bigint,
            ${one.peakIn}::bigint, ${one.peakOut}::bigint
          from bills where bill_id = ${bill.bill_id}
          on conflict (bill_id, bill_datefrom, bill_dateto) do update set updated = now(), bill_type = excluded.bill_type,
            bill_allowed = excluded.bill_allowed, bill_used = excluded.bill_used, bill_overuse = excluded.bill_overuse,
            bill_percent = excluded.bill_percent, rate_95th_in = excluded.rate_95th_in,
            rate_95th_out = excluded.rate_95th_out, rate_95th = excluded.rate_95th, dir_95th = excluded.dir_95th,
            rate_average = excluded.rate_average, rate_average_in = excluded.rate_average_in,
            rate_average_out = excluded.rate_average_out, traf_in = excluded.traf_in, traf_out = excluded.traf_out,
            traf_total = excluded.traf_total, bill_peak_in = excluded.bill_peak_in, bill_peak_out = excluded.bill_peak_out`
      }
    })
  })
}
