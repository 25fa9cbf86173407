import type { Sql } from '../database/client.ts'

type Fragment = ReturnType<Sql>

/**
 * SQL for the availability of devices now: device_id, duration, perc (percent with three decimals) and span, the seconds
 * that it is about. `windows`: a relation of device_id and duration in seconds. (Contract BEHAVIOUR.md 7.)
 *
 * It is the part of the window, at most the device's age, that no outage covers. Open outages last until now; time that
 * several outages cover counts once. Without outages in the window it is 100 or 0, by the current status. Only a device
 * that was never down has 100, and only one that was never up has 0, however the rest is rounded.
 *
 * `withoutUnreachable` (setting graphing.availability_consider_unreachable): times in which the device was unreachable are
 * left out of the outages and of the span, unless nothing else is left.
 */
export function availabilityOf(
  sql: Sql,
  windows: Fragment,
  { withoutUnreachable }: { readonly withoutUnreachable: boolean },
): Fragment {
  return sql`
    with now_s as (select extract(epoch from now())::bigint as now), spans as (
      select w.device_id, w.duration, d.status, n.now,
        greatest(1, least(w.duration, n.now - coalesce(extract(epoch from d.inserted)::bigint, 0))) as span
      from ${windows} w join devices d using (device_id) cross join now_s n
    ), down as (
      select s.device_id, s.duration, count(o.id) as outages,
        range_agg(int8range(greatest(o.going_down, s.now - s.span),
            greatest(least(coalesce(o.up_again, s.now), s.now), greatest(o.going_down, s.now - s.span))))
          filter (where o.id is not null) as times
      from spans s left join device_outages o on o.device_id = s.device_id and o.going_down <= s.now
        and (o.up_again is null or o.up_again >= s.now - s.duration)
      group by 1, 2
    ), apart as (
      select s.device_id, s.duration, coalesce(range_agg(int8range(greatest(u.going_down, s.now - s.span),
          greatest(least(coalesce(u.up_again, s.now), s.now), greatest(u.going_down, s.now - s.span)))), '{}') as times
      from spans s join device_unreachable u on u.device_id = s.device_id and u.going_down <= s.now
        and (u.up_again is null or u.up_again >= s.now - s.duration)
      where ${withoutUnreachable} group by 1, 2
    ), known as (
      select s.device_id, s.duration, s.status, a.times as apart, s.span - coalesce((${total(sql, sql`a.times`)}), 0) as span
      from spans s left join apart a using (device_id, duration)
    ), kept as (
      select s.device_id, s.duration, s.status, case when k.span > 0 then k.span else s.span end as span,
        case when k.span > 0 then k.apart end as apart
      from spans s join known k using (device_id, duration)
    ), seconds as (
      select device_id, duration, outages, coalesce((${total(sql, sql`(times - coalesce(k.apart, '{}'))`)}), 0)::bigint as down_s
      from down join kept k using (device_id, duration)
    )
    select s.device_id, s.duration, s.span, case
        when x.outages = 0 then case when s.status = 1 then 100 else 0 end
        when x.down_s = 0 then 100
        when x.down_s >= s.span then 0
        else least(99.999, greatest(0.001, round((s.span - x.down_s) * 100.0 / s.span, 3))) end as perc
    from kept s join seconds x using (device_id, duration)`
}

/** SQL for the seconds of a multirange. */
const total = (sql: Sql, times: Fragment): Fragment =>
  sql`select sum(upper(r) - lower(r)) from unnest(${times}) r where not isempty(r)`
