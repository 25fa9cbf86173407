import type { Sql } from '../database/client.ts'
import { ZONE } from '../database/zone.ts'

/** Maximum length of a window, days; windows between two times of day of the server are shorter. */
export const MAX_DAYS = 7

/**
 * Query for the times at which schedules are active within a range (epoch seconds, both ends included), as schedule_id,
 * behavior, opens and closes. Windows begin at the local time of their zone: an hour later if the clock skips it, the
 * second time if the clock shows it twice. Windows with a duration last that long even if the clock changes; those
 * between two times of day end when the clock shows the second.
 */
export function occurrences(sql: Sql, fromS: number, toS: number) {
  const server = sql.unsafe(`'${ZONE}'`)
  return sql`
    select * from (
      with w as (
        select s.schedule_id, s.behavior, s.start, s."end", s.duration_s, x.z,
          nullif(replace(s.recurring_day, ' ', ''), '') as days,
          coalesce(s.repeat, case when s.recurring = 0 then 'once' else 'times' end) as mode,
          s.start at time zone x.z as first, s."end" at time zone x.z as last
        from alert_schedule s cross join lateral (select coalesce(s.zone, ${server}) as z) x
        where s.start <= to_timestamp(${toS}) and s."end" >= to_timestamp(${fromS})
      )
      select schedule_id, behavior, start as opens, "end" as closes from w where mode = 'once'
      union all
      select w.schedule_id, w.behavior, greatest(x.opens, w.start), least(x.closes, w."end") from w
      cross join lateral generate_series(
        greatest(w.first::date, (to_timestamp(${fromS}) at time zone w.z)::date - ${MAX_DAYS + 1}::int)::timestamp,
        least(w.last::date, (to_timestamp(${toS}) at time zone w.z)::date)::timestamp, interval '1 day') as day
      cross join lateral (select (day + w.first::time) at time zone w.z as opens) o
      cross join lateral (select o.opens, case when w.mode = 'times'
        then (day + w.last::time + case when w.last::time < w.first::time then interval '1 day' else interval '0' end)
          at time zone w.z
        else o.opens + make_interval(secs => w.duration_s) end as closes) x
      where w.mode <> 'once' and x.opens <= w."end" and (w.mode = 'times' or x.closes <= w."end")
        and case
          when w.mode = 'monthly' and w.days is null then extract(day from day) = least(extract(day from w.first),
            extract(day from date_trunc('month', day) + interval '1 month - 1 day'))
          when w.mode = 'monthly' then extract(isodow from day)::int::text = w.days
            and ceil(extract(day from day) / 7) = ceil(extract(day from w.first) / 7)
          when w.mode = 'weekly' and w.days is null then extract(isodow from day) = extract(isodow from w.first)
          else w.days is null or extract(isodow from day)::int::text = any(string_to_array(w.days, ','))
        end
    ) open where opens <= to_timestamp(${toS}) and closes >= to_timestamp(${fromS})`
}
