-- What is stored, in both forms; the views below read nothing else. They are read with conditions on the time.
do $d$
declare
  s ts.series;
begin
  for s in select * from ts.series loop
    if s.packed is not null then perform ts.create_packed(s.rel); else perform ts.make_stored(s.rel); end if;
  end loop;
end $d$;

-- Views whose columns are not simply those of a kind; src/series creates the others. Rates are per second, times are
-- ends of periods.

-- One row per port and poll: octets, packets, ... per second.
create or replace view ts.port_rates as
  select s."time", d.device_id, d.hostname, s.port_id, p."ifName", p."ifAlias", s.period_ms,
    s.in_octets * 8000.0::float8 / s.period_ms as in_bps, s.out_octets * 8000.0::float8 / s.period_ms as out_bps,
    s.in_pkts * 1000.0::float8 / s.period_ms as in_pps, s.out_pkts * 1000.0::float8 / s.period_ms as out_pps,
    s.in_err * 1000.0::float8 / s.period_ms as in_errs, s.out_err * 1000.0::float8 / s.period_ms as out_errs,
    s.in_disc * 1000.0::float8 / s.period_ms as in_discs, s.out_disc * 1000.0::float8 / s.period_ms as out_discs,
    s.in_bcast * 1000.0::float8 / s.period_ms as in_bcast_pps, s.out_bcast * 1000.0::float8 / s.period_ms as out_bcast_pps,
    s.in_mcast * 1000.0::float8 / s.period_ms as in_mcast_pps, s.out_mcast * 1000.0::float8 / s.period_ms as out_mcast_pps,
    s.in_octets, s.out_octets
  from ts.port_samples_dated s join public.ports p using (port_id) join public.devices d using (device_id);
-- Columns as in src/lib/system-stats.ts.
select ts.make_view('ts.device_stats', format('select d.hostname, %s from ts.stats_samples_dated s join public.devices d using (device_id)',
  ts.columns_of('ts.stats_samples', 's')));

-- Roll-ups with their live tail: `<base>_1h_all` and `<base>_1d_all` have the columns of the tables, up to now. The
-- daily tail is built from hours with their own tail, so it includes samples of the current hour.
do $d$
declare
  r ts.rollup;
  s ts.series;
  h ts.rollup;
  tail text;
  source text;
begin
  for r in select * from ts.rollup order by width loop
    select * into strict s from ts.series x where x.rel = r.src;
    if s.level = 'samples' then
      source := r.src;
    else
      select * into strict h from ts.rollup x where x.dst = r.src;
      source := format('(select %1$s from %2$s_stored where bucket < ts.watermark(%2$L) and (span is null or span > ts.watermark(%3$L) - interval %4$L)
        union all %5$s) h', ts.columns_of(r.src), r.src, r.dst, ts.exact(s.chunk), ts.aggregate_sql(h, h.src::text, format('"time" >= ts.watermark(%L)', r.src)));
    end if;
    tail := ts.aggregate_sql(r, source, format('%I >= ts.watermark(%L)', s.time_col, r.dst));
    perform ts.make_view(r.dst || '_all', format('select %2$s from %1$s_dated where bucket < ts.watermark(%1$L) union all (%3$s)',
      r.dst, ts.columns_of(r.dst), tail));
  end loop;
end $d$;

create or replace view ts.port_rates_1h as
  select s.bucket as "time", d.device_id, d.hostname, s.port_id, p."ifName", p."ifAlias",
    s.in_octets * 8000.0::float8 / coalesce(s.known[1], s.period_ms) as in_bps,
    s.out_octets * 8000.0::float8 / coalesce(s.known[2], s.period_ms) as out_bps,
    s.in_octets_max * 8::float8 as max_in_bps, s.out_octets_max * 8::float8 as max_out_bps,
    s.in_pkts * 1000.0::float8 / coalesce(s.known[3], s.period_ms) as in_pps,
    s.out_pkts * 1000.0::float8 / coalesce(s.known[4], s.period_ms) as out_pps,
    s.in_err * 1000.0::float8 / coalesce(s.known[5], s.period_ms) as in_errs,
    s.out_err * 1000.0::float8 / coalesce(s.known[6], s.period_ms) as out_errs,
    s.in_octets, s.out_octets
  from ts.port_1h_all s join public.ports p using (port_id) join public.devices d using (device_id);
-- Data sets of service checks, in the unit of the check.
select ts.make_view('ts.service_values', $v$
  select s."time", d.device_id, d.hostname, v.service_id, v.service_name, v.service_type, x.ds, s.value
  from ts.service_samples_dated s join public.service_datasets x using (service_dataset_id)
    join public.services v using (service_id) join public.devices d using (device_id)$v$);
select ts.make_view('ts.service_values_1h', $v$
  select s.bucket as "time", d.device_id, d.hostname, v.service_id, v.service_name, v.service_type, x.ds, s.value,
    s.value_min, s.value_max
  from ts.service_1h_all s join public.service_datasets x using (service_dataset_id)
    join public.services v using (service_id) join public.devices d using (device_id)$v$);
select ts.make_view('ts.device_stats_1h', format('select s.bucket as "time", d.hostname, %s from ts.stats_1h_all s
  join public.devices d using (device_id)', ts.columns_of('ts.stats_1h', 's')));

-- Live counters of every port under the API's names: raw counter, previous value, delta and rate per second. prev,
-- delta and rate are null when the last poll gave no sample (first poll, restart of the agent). Each column is its own
-- expression, so that a query pays only for those it selects. The sample is looked up port by port (offset 0): joined
-- with all that are stored, or unpacked from more days than its own, a rule about one device would read everybody's.
do $d$
declare
  c text[];
  cols text := '';
  i int := 0;
begin
  foreach c slice 1 in array array[
    ['ifInOctets', 'in_octets'], ['ifOutOctets', 'out_octets'], ['ifInUcastPkts', 'in_pkts'], ['ifOutUcastPkts', 'out_pkts'],
    ['ifInErrors', 'in_err'], ['ifOutErrors', 'out_err'], ['ifInDiscards', 'in_disc'], ['ifOutDiscards', 'out_disc'],
    ['ifInBroadcastPkts', 'in_bcast'], ['ifOutBroadcastPkts', 'out_bcast'], ['ifInMulticastPkts', 'in_mcast'], ['ifOutMulticastPkts', 'out_mcast']]
  loop
    -- A counter below its own delta has wrapped, which only 32-bit counters do.
    cols := cols || format(', case when u.present & %1$s <> 0 then %2$s end as %3$I
      , case when u.present & %1$s <> 0 then %2$s - x.%4$I + case when %2$s < x.%4$I then 4294967296 else 0 end end as %5$I
      , x.%4$I as %6$I, x.%4$I * 1000.0::float8 / x.period_ms as %7$I',
      1 << i, format('ts.number_at(f.bytes, (f.starts[%1$s] + (u.i - 1) * f.stride)::int, f.widths[%1$s])', i + 1),
      c[1], c[2], c[1] || '_prev', c[1] || '_delta', c[1] || '_rate');
    i := i + 1;
  end loop;
  execute format('create or replace view ts.port_live as
    select u.port_id, s.device_id, extract(epoch from s."time")::float8 as poll_time,
      extract(epoch from s."time")::float8 - x.period_ms / 1000.0::float8 as poll_prev, x.period_ms / 1000.0::float8 as poll_period %s
    from ts.port_state s
    cross join lateral (
      select s.cells as bytes, s.ids, s.seen, array_agg(x.w order by k) as widths, array_agg(x.start order by k) as starts,
        get_byte(s.cells, 0) + sum(x.w) as stride
      from (select k, get_byte(s.cells, k) as w, 17 + coalesce(sum(get_byte(s.cells, k - 1)) over (order by k), 0) as start
        from generate_series(1, 12) k) x
      where cardinality(s.port_id) = 0 and s.cells is not null
      having count(*) > 0
      union all
      select s.counters, s.port_id, s.present, array_fill(8, array[12]),
        (select array_agg(k * 8 * cardinality(s.port_id) order by k) from generate_series(0, 11) k), 8
      where cardinality(s.port_id) > 0) f
    cross join lateral unnest(f.ids, f.seen) with ordinality u(port_id, present, i)
    left join lateral (select y.* from ts.port_samples_stored y where y.port_id = u.port_id and y."time" = s."time"
      and (y.span is null or (y.span > s."time" - interval %L and y.span <= s."time")) offset 0) x on true', cols,
    (select ts.exact(x.chunk) from ts.series x where x.rel = 'ts.port_samples'::regclass));
end $d$;
drop function if exists ts.counter_at(bytea, int);

-- For Grafana: create user grafana password '...' in role portlight_reader. The role can read these views, but no
-- tables and no secrets.
do $d$
begin
  if not exists (select from pg_catalog.pg_roles where rolname = 'portlight_reader') then
    create role portlight_reader nologin;
  end if;
  grant usage on schema ts to portlight_reader;
  if to_regnamespace('ts_shim') is not null then grant usage on schema ts_shim to portlight_reader; end if;
  grant select on ts.port_rates, ts.port_rates_1h, ts.device_stats, ts.device_stats_1h,
    ts.service_values, ts.service_values_1h, ts.rollup to portlight_reader;
exception
  when insufficient_privilege or duplicate_object or unique_violation then
    raise notice 'role portlight_reader: %', sqlerrm;
end $d$;
