import type { Store } from '../database/client.ts'
import { integers } from '../database/pg-array.ts'

/** A bill whose figures are to be computed. */
export interface DueBill {
  readonly bill_id: number
  readonly bill_day: number
  /** Epoch seconds of the first row of bill_data; null: no rows. */
  readonly first: number | null
  /** Starts of the periods whose figures are final, epoch seconds. */
  readonly done: readonly number[]
}

/**
 * Bills whose figures are out of date: those of `counted`, changed ones, and those computed more than an hour before
 * `nowS`. The mark of changed ones is cleared, so that a later change makes them due again. The figures of a period are
 * final if they were computed at least `closedS` seconds after its end, and not by a clock that was ahead.
 */
export async function dueBills(
  { sql }: Store,
  counted: readonly number[],
  { closedS, nowS }: { readonly closedS: number; readonly nowS: number },
): Promise<DueBill[]> {
  return await sql<DueBill[]>`
      with changed as (update bills set due = false where due returning bill_id),
      wanted as (
        select bill_id from bills where bill_id = any(${integers(counted)}::int[])
          or bill_last_calc < to_timestamp(${nowS}) - interval '1 hour'
        union select bill_id from changed)
      select b.bill_id, b.bill_day,
        (select extract(epoch from min(r."timestamp"))::float8 from bill_data r where r.bill_id = b.bill_id) as first,
        array(select extract(epoch from h.bill_datefrom)::float8 from bill_history h
          where h.bill_id = b.bill_id and h.updated >= h.bill_dateto + ${closedS} * interval '1 second'
            and h.updated <= to_timestamp(${nowS}) + interval '10 minutes') as done
      from bills b join wanted using (bill_id) order by b.bill_id`
}

/** A period of a bill: after `fromS`, up to and including `toS` + 1, which is the start of the next. */
export interface FiguredPeriod {
  readonly billId: number
  readonly fromS: number
  readonly toS: number
  /** The bill itself shows the figures of this period. */
  readonly current: boolean
}

/** SQL for bits per second in hundredths, rounded: whole numbers sort fast and compare exactly. */
export const HUNDREDTHS = (octets: string): string => `(${octets} * 1600 + period) / (2 * period)`
/** Position of the 95th percentile in n ascending values, from 1: round(n * 0.95) - 2 from 0, at least 0. */
export const PLACE = (n: string): string => `greatest(1, (${n} * 19 + 10) / 20 - 1)`

/** Rates of a period's 5-minute buckets. Rows of other programs are summed by bucket first. `s`: bill_id, f, t. */
export const BUCKETS = `
  select r."timestamp", r.period::bigint as period, r.in_delta, r.out_delta, r.in_delta as peak_in, r.out_delta as peak_out,
    r.unknown_s, r.unknown_octets
  from bill_data r
  where r.bill_id = s.bill_id and r."timestamp" > to_timestamp(s.f) and r."timestamp" <= to_timestamp(s.t + 1)
    and r.unknown_s is not null
  union all
  select max(r."timestamp"), sum(r.period)::bigint, sum(r.in_delta)::bigint, sum(r.out_delta)::bigint, max(r.in_delta),
    max(r.out_delta), null, null
  from bill_data r
  where r.bill_id = s.bill_id and r."timestamp" > to_timestamp(s.f) and r."timestamp" <= to_timestamp(s.t + 1)
    and r.unknown_s is null
  group by date_bin('300 s', r."timestamp", 'epoch')`

const percentile = (rate: string): string =>
  `coalesce((array_agg(${rate} order by ${rate}) filter (where period > 0))[${PLACE('count(*) filter (where period > 0)')}], 0)`

/** Rounded bits per second of octets in `seconds`; 0 without time. */
const average = (octets: string): string => `coalesce(round(${octets} * 8 / nullif(seconds, 0)), 0)::bigint`

/** Largest offset of a time zone from UTC, seconds. */
const ZONES_S = 14 * 3600

/**
 * Computes and stores the figures of these periods: 95th percentiles, totals, averages, peaks and use, in the history
 * and, for a current period, in the bill. Rates are bits per second. `nowS`: the time of the calculation. Source:
 * contract BEHAVIOUR.md 14.
 */
export async function writeFigures({ sql }: Store, periods: readonly FiguredPeriod[], nowS: number): Promise<void> {
  if (periods.length === 0) return
  const text = `
    with span as (
      select * from unnest($1::int[], $2::bigint[], $3::bigint[], $4::bool[]) s(bill_id, f, t, current)
    ), sums as materialized (
      select s.bill_id, s.f, s.t, s.current, x.*
      from span s cross join lateral (
        select ${percentile('rate_in')} as in_95, ${percentile('rate_out')} as out_95, ${percentile('rate_both')} as both_95,
          coalesce(sum(in_delta), 0) as total_in, coalesce(sum(out_delta), 0) as total_out, coalesce(sum(period), 0) as seconds,
          coalesce(max(peak_in), 0) as peak_in, coalesce(max(peak_out), 0) as peak_out
        from (
          select b.*, case when period > 0 then ${HUNDREDTHS('in_delta')} end as rate_in,
            case when period > 0 then ${HUNDREDTHS('out_delta')} end as rate_out,
            case when period > 0 then ${HUNDREDTHS('(in_delta + out_delta)')} end as rate_both
          from (${BUCKETS}) b) r) x
    ), figures as materialized (
      select x.*, b.bill_type, coalesce(case b.bill_type when 'cdr' then b.bill_cdr else b.bill_quota end, 0) as allowed,
        case when b.dir_95th = 'agg' then 'agg' when out_95 > in_95 then 'out' else 'in' end as dir,
        (in_95 + 50) / 100 as r_in, (out_95 + 50) / 100 as r_out,
        (case when b.dir_95th = 'agg' then both_95 else greatest(in_95, out_95) end + 50) / 100 as r_95,
        ${average('total_in')} as a_in, ${average('total_out')} as a_out, ${average('(total_in + total_out)')} as a_both
      from sums x join bills b using (bill_id)
    ), shown as (
      update bills b set rate_95th_in = r_in, rate_95th_out = r_out, rate_95th = r_95, dir_95th = dir,
        total_data_in = total_in, total_data_out = total_out, total_data = total_in + total_out, rate_average_in = a_in,
        rate_average_out = a_out, rate_average = a_both, bill_last_calc = to_timestamp($5)
      from figures f where b.bill_id = f.bill_id and f.current
    )
    insert into bill_history (bill_id, updated, bill_datefrom, bill_dateto, bill_type, bill_allowed, bill_used, bill_overuse,
      bill_percent, rate_95th_in, rate_95th_out, rate_95th, dir_95th, rate_average, rate_average_in, rate_average_out,
      traf_in, traf_out, traf_total, bill_peak_in, bill_peak_out)
    select bill_id, to_timestamp($5), to_timestamp(f), to_timestamp(t), case bill_type when 'cdr' then 'CDR' else 'Quota' end,
      allowed, used, greatest(0, used - allowed),
      case when allowed > 0 then least(99999999.99, round(used * 100.0 / allowed, 2)) else 0 end,
      r_in, r_out, r_95, dir, a_both, a_in, a_out, total_in, total_out, total_in + total_out, peak_in, peak_out
    from figures cross join lateral (select case bill_type when 'cdr' then r_95 else total_in + total_out end as used) u
    -- an ended period that was imported may begin and end at midnight of another time zone
    where current or not exists (select from bill_history h where h.bill_id = figures.bill_id
      and h.bill_datefrom <> to_timestamp(f) and abs(extract(epoch from h.bill_datefrom) - f) <= ${ZONES_S}
      and abs(extract(epoch from h.bill_dateto) - t) <= ${ZONES_S})
    on conflict (bill_id, bill_datefrom, bill_dateto) do update set updated = excluded.updated, bill_type = excluded.bill_type,
      bill_allowed = excluded.bill_allowed, bill_used = excluded.bill_used, bill_overuse = excluded.bill_overuse,
      bill_percent = excluded.bill_percent, rate_95th_in = excluded.rate_95th_in,
      rate_95th_out = excluded.rate_95th_out, rate_95th = excluded.rate_95th, dir_95th = excluded.dir_95th,
      rate_average = excluded.rate_average, rate_average_in = excluded.rate_average_in,
      rate_average_out = excluded.rate_average_out, traf_in = excluded.traf_in, traf_out = excluded.traf_out,
      traf_total = excluded.traf_total, bill_peak_in = excluded.bill_peak_in, bill_peak_out = excluded.bill_peak_out`
  const parameters = [
    integers(periods.map((p) => p.billId)),
    integers(periods.map((p) => p.fromS)),
    integers(periods.map((p) => p.toS)),
    `{${periods.map((p) => (p.current ? 't' : 'f')).join()}}`,
    nowS,
  ]
  await sql.unsafe(text, parameters)
}
