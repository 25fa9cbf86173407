-- Functions for dashboards. They run with the caller's rights and read nothing but views of this schema.

-- The width of a bucket for a range shown as `points` points: at least a poll, in steps that align with hours and days.
create or replace function grafana.step_for(range_from timestamptz, range_to timestamptz, points int) returns interval
    language sql immutable parallel safe set search_path = pg_catalog as $f$
  select coalesce((select min(w) from unnest(array[60, 300, 600, 900, 1800, 3600, 7200, 14400, 21600, 43200, 86400, 172800,
      604800, 2592000]) w where w >= extract(epoch from range_to - range_from) / greatest(least(points, 5000), 1)), 2592000)
    * interval '1 second' $f$;

-- The level of a kind (as in grafana.levels) to read for buckets of this width: the coarsest that is as fine; for a time before the oldest
-- samples the finest that is still kept.
create or replace function grafana.level_for(range_from timestamptz, step interval, kind text default 'port') returns text
    language sql stable parallel safe set search_path = pg_catalog as $f$
  select case when step >= interval '1 day'
      or range_from < now() - (select x.keep from grafana.levels x where x.kind = level_for.kind and x.level = '1h') then '_1d'
    when step >= interval '1 hour'
      or range_from < now() - (select x.keep from grafana.levels x where x.kind = level_for.kind and x.level = 'samples') then '_1h'
    else '' end $f$;

-- The query that has these columns of port_totals for a range: up to 6 hours from samples, up to 3
-- days from complete hours and the samples since, beyond from complete days (the first and last as a whole) and the
-- complete hours since.
create or replace function grafana.totals_sql(columns text, range_from timestamptz, range_to timestamptz) returns text
    language plpgsql stable set search_path = pg_catalog as $f$
declare
  span interval := range_to - range_from;
  hours timestamptz := (select complete_to from grafana.levels where kind = 'port' and level = '1h');
  days timestamptz := (select complete_to from grafana.levels where kind = 'port' and level = '1d');
begin
  if span <= interval '6 hours' then
    return format('select %s from grafana.port_totals where "time" > %L and "time" <= %L', columns, range_from, range_to);
  elsif span <= interval '3 days' then
    return format('select %1$s from grafana.port_totals_1h where "time" >= %2$L and "time" < %3$L
      union all select %1$s from grafana.port_totals where "time" >= %4$L and "time" <= %3$L',
      columns, date_bin('1 hour', range_from, '2000-01-03 00:00+00'), range_to, greatest(hours, range_from));
  end if;
  return format('select %1$s from grafana.port_totals_1d where "time" >= %2$L and "time" < %3$L
    union all select %1$s from grafana.port_totals_1h where "time" >= %4$L and "time" < %3$L',
    columns, date_bin('1 day', range_from, '2000-01-03 00:00+00'), range_to, greatest(days, range_from));
end $f$;

-- Ports with most octets (in and out together), and their average rates over the known time. From the levels of
-- totals_sql.
create or replace function grafana.top_ports(range_from timestamptz, range_to timestamptz, n int default 10)
    returns table (port_id int, device_id int, hostname text, port text, alias text, speed_bps bigint, in_octets bigint,
      out_octets bigint, in_bits_per_s float8, out_bits_per_s float8, in_utilisation_percent float8, out_utilisation_percent float8)
    language plpgsql stable set search_path = pg_catalog as $f$
begin
  return query execute format($q$
    select t.port_id, p.device_id, p.hostname, p.port, p.alias, p.speed_bps, t.i::bigint, t.o::bigint, t.i * 8 / t.si, t.o * 8 / t.so,
      t.i * 800 / t.si / nullif(p.speed_bps, 0), t.o * 800 / t.so / nullif(p.speed_bps, 0)
    from (select x.port_id, sum(x.in_octets)::float8 as i, sum(x.out_octets)::float8 as o, nullif(sum(x.in_known_s), 0)::float8 as si,
        nullif(sum(x.out_known_s), 0)::float8 as so
      from (%s) x group by 1 order by coalesce(sum(x.in_octets), 0) + coalesce(sum(x.out_octets), 0) desc, x.port_id limit %s) t
    join grafana.ports p on p.port_id = t.port_id
    order by coalesce(t.i, 0) + coalesce(t.o, 0) desc, t.port_id$q$,
    grafana.totals_sql('port_id, in_octets, out_octets, in_known_s, out_known_s', range_from, range_to), greatest(least(n, 1000), 0));
end $f$;

-- Ports that counted most errors, then discards, and at least one of them. From the levels of totals_sql.
create or replace function grafana.port_errors(range_from timestamptz, range_to timestamptz, n int default 100)
    returns table (port_id int, device_id int, hostname text, port text, alias text, speed_bps bigint, in_errors bigint,
      out_errors bigint, in_discards bigint, out_discards bigint)
    language plpgsql stable set search_path = pg_catalog as $f$
begin
  return query execute format($q$
    select t.port_id, p.device_id, p.hostname, p.port, p.alias, p.speed_bps, t.ie::bigint, t.oe::bigint, t.id::bigint, t.od::bigint
    from (select x.port_id, sum(x.in_errors) as ie, sum(x.out_errors) as oe, sum(x.in_discards) as id, sum(x.out_discards) as od
      from (%s) x where x.in_errors > 0 or x.out_errors > 0 or x.in_discards > 0 or x.out_discards > 0 group by 1
      order by coalesce(sum(x.in_errors), 0) + coalesce(sum(x.out_errors), 0) desc,
        coalesce(sum(x.in_discards), 0) + coalesce(sum(x.out_discards), 0) desc, x.port_id limit %s) t
    join grafana.ports p on p.port_id = t.port_id
    order by coalesce(t.ie, 0) + coalesce(t.oe, 0) desc, coalesce(t.id, 0) + coalesce(t.od, 0) desc, t.port_id$q$,
    grafana.totals_sql('port_id, in_errors, out_errors, in_discards, out_discards', range_from, range_to), greatest(least(n, 1000), 0));
end $f$;

-- Rates of ports in at most about `points` buckets. Averages over the known time; _max is the highest average of a
-- sample, a bucket without a sample has no row.
create or replace function grafana.port_series(ports int[], range_from timestamptz, range_to timestamptz, points int default 500)
    returns table ("time" timestamptz, port_id int, hostname text, port text, in_bits_per_s float8, out_bits_per_s float8,
      in_bits_per_s_max float8, out_bits_per_s_max float8, in_errors_per_s float8, out_errors_per_s float8,
      in_discards_per_s float8, out_discards_per_s float8, in_utilisation_percent float8, out_utilisation_percent float8)
    language plpgsql stable set search_path = pg_catalog as $f$
declare
  step interval := grafana.step_for(range_from, range_to, points);
  level text := grafana.level_for(range_from, step);
  m text := case level when '' then '' else '_max' end;
begin
  -- A column without samples has no weight of its own: rows with a null rate must not count as time without traffic.
  return query execute format($q$
    select date_bin(%1$L, s."time", '2000-01-03 00:00+00'), s.port_id, min(s.hostname), min(s.port),
      sum(s.in_bits_per_s * s.period_s) / nullif(sum(s.period_s) filter (where s.in_bits_per_s is not null), 0),
      sum(s.out_bits_per_s * s.period_s) / nullif(sum(s.period_s) filter (where s.out_bits_per_s is not null), 0),
      max(s.in_bits_per_s%6$s), max(s.out_bits_per_s%6$s),
      sum(s.in_errors_per_s * s.period_s) / nullif(sum(s.period_s) filter (where s.in_errors_per_s is not null), 0),
      sum(s.out_errors_per_s * s.period_s) / nullif(sum(s.period_s) filter (where s.out_errors_per_s is not null), 0),
      sum(s.in_discards_per_s * s.period_s) / nullif(sum(s.period_s) filter (where s.in_discards_per_s is not null), 0),
      sum(s.out_discards_per_s * s.period_s) / nullif(sum(s.period_s) filter (where s.out_discards_per_s is not null), 0),
      sum(s.in_utilisation_percent * s.period_s) / nullif(sum(s.period_s) filter (where s.in_utilisation_percent is not null), 0),
      sum(s.out_utilisation_percent * s.period_s) / nullif(sum(s.period_s) filter (where s.out_utilisation_percent is not null), 0)
    from grafana.port_rates%2$s s where s.port_id = any(%3$L) and s."time" >= %4$L and s."time" <= %5$L
    group by 1, 2 order by 1, 2$q$, step, level, ports, date_bin(step, range_from, '2000-01-03 00:00+00'), range_to, m);
end $f$;

-- Traffic of ports together, for example of a fleet; `ports` null: of all. A port without samples in a bucket adds
-- nothing to it. Buckets that are not over yet are left out: from hours and days, also the last hour or day.
create or replace function grafana.total_traffic(ports int[], range_from timestamptz, range_to timestamptz, points int default 500)
    returns table ("time" timestamptz, in_bits_per_s float8, out_bits_per_s float8, in_octets numeric, out_octets numeric)
    language plpgsql stable set search_path = pg_catalog as $f$
declare
  -- Summing over all ports reads each row: a month in days, three days in hours.
  step interval := greatest(grafana.step_for(range_from, range_to, points), case
    when ports is not null and cardinality(ports) <= 100 then interval '5 minutes' when range_to - range_from <= interval '6 hours' then interval '5 minutes'
    when range_to - range_from <= interval '3 days' then interval '1 hour' else interval '1 day' end);
  level text := grafana.level_for(range_from, step);
begin
  step := greatest(step, case level when '_1d' then interval '1 day' when '_1h' then interval '1 hour' else step end);
  return query execute format($q$
    select date_bin(%1$L, s."time", '2000-01-03 00:00+00'), sum(s.in_octets)::float8 * 8 / %2$s, sum(s.out_octets)::float8 * 8 / %2$s,
      sum(s.in_octets), sum(s.out_octets)
    from %3$s s where %4$s and s."time" >= %5$L and s."time" < %6$L group by 1 order by 1$q$,
    step, extract(epoch from step), 'grafana.port_totals' || level,
    case when ports is null then 'true' else format('s.port_id = any(%L)', ports) end,
    date_bin(step, range_from, '2000-01-03 00:00+00'), date_bin(step, least(range_to, now()), '2000-01-03 00:00+00'));
end $f$;

-- The 95th percentile of a port's rates as bills compute it: of the n known values in ascending order the one at
-- max(0, round(0.95 n) - 2), counted from 0. From samples where there are any, which are then as long as the poll
-- interval, and for older ranges from hourly averages. Null: nothing is known.
create or replace function grafana.p95(port int, range_from timestamptz, range_to timestamptz)
    returns table (in_bits_per_s float8, out_bits_per_s float8, values_known bigint)
    language plpgsql stable set search_path = pg_catalog as $f$
begin
  return query execute format($q$
    with v as (select s.in_bits_per_s as i, s.out_bits_per_s as o from grafana.port_rates%1$s s
      where s.port_id = %2$L and s."time" > %3$L and s."time" <= %4$L)
    select (select i from v where i is not null order by i
        offset greatest(0, (select floor(count(i) * 0.95 + 0.5)::int from v) - 2) limit 1),
      (select o from v where o is not null order by o
        offset greatest(0, (select floor(count(o) * 0.95 + 0.5)::int from v) - 2) limit 1),
      (select count(i) from v)$q$,
    grafana.level_for(range_from, interval '5 minutes'), port, range_from, range_to);
end $f$;

-- All of schema grafana, and no more, for the role; functions of ts are for Portlight itself. Views of ts that the role
-- could always read stay readable.
do $d$
declare
  f regprocedure;
begin
  for f in select p.oid::regprocedure from pg_catalog.pg_proc p
    where p.pronamespace in ('ts'::regnamespace, 'grafana'::regnamespace) and p.proowner = current_user::regrole
  loop
    execute format('revoke execute on function %s from public', f);
  end loop;
  -- Views call these with the rights of whoever reads the view.
  grant execute on function ts.watermark(regclass), ts.number_at(bytea, int, int) to public;
  if exists (select from pg_catalog.pg_roles where rolname = 'portlight_reader') then
    grant usage on schema grafana to portlight_reader;
    grant select on all tables in schema grafana to portlight_reader;
    grant execute on all functions in schema grafana to portlight_reader;
  end if;
  -- Whoever may connect could take the locks that keep writers in order. Only a superuser can withdraw that right.
  if (select rolsuper from pg_catalog.pg_roles where rolname = current_user) then
    for f in select p.oid::regprocedure from pg_catalog.pg_proc p
      where p.pronamespace = 'pg_catalog'::regnamespace and p.proname ~ '^pg_(try_)?advisory_(xact_)?lock'
    loop
      execute format('revoke execute on function %s from public', f);
    end loop;
  end if;
exception when insufficient_privilege then
  raise notice 'role portlight_reader: %', sqlerrm;
end $d$;
