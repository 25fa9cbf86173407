-- The series. Samples are what one poll measured; unknown is NULL.

-- Deltas, not raw counters and not rates: exact sums, no wrap logic in SQL. They span period_ms of the agent's clock and
-- end at `time`.
select ts.define('port', 'port_id', interval '1 day', array[
  'in_octets:bigint:counter:min:max', 'out_octets:bigint:counter:min:max',
  'in_pkts:bigint:counter:max', 'out_pkts:bigint:counter:max',
  'in_err:bigint:counter:max', 'out_err:bigint:counter:max',
  'in_disc:bigint:counter', 'out_disc:bigint:counter',
  'in_bcast:bigint:counter', 'out_bcast:bigint:counter',
  'in_mcast:bigint:counter', 'out_mcast:bigint:counter']);
-- «All ports in the last hour» without a second B-tree: a few kilobytes a day.
create index if not exists port_samples_time on ts.port_samples using brin ("time") with (pages_per_range = 32);

select ts.define('sensor', 'sensor_id', interval '7 days', array['value:float8:gauge:min:max']);
select ts.define('wireless', 'sensor_id', interval '7 days', array['value:float8:gauge:min:max']);
select ts.define('processor', 'processor_id', interval '7 days', array['usage:real:gauge:min:max']);
select ts.define('mempool', 'mempool_id', interval '7 days', array[
  'used:bigint:gauge:min:max', 'free:bigint:gauge', 'total:bigint:gauge', 'perc:real:gauge:min:max']);
select ts.define('storage', 'storage_id', interval '7 days', array[
  'used:bigint:gauge:min:max', 'free:bigint:gauge', 'total:bigint:gauge', 'perc:real:gauge:min:max']);
-- uptime_s null: SNMP did not answer, or the agent has no sysUpTime.
select ts.define('device', 'device_id', interval '7 days', array[
  'uptime_s:bigint:gauge:max', 'took_ms:real:gauge:max', 'requests:int:total', 'timeouts:int:total']);
select ts.define('icmp', 'device_id', interval '7 days', array[
  'rtt_avg:real:gauge:min:max', 'rtt_min:real:gauge:min', 'rtt_max:real:gauge:max', 'sent:int:total', 'received:int:total']);

-- The raw counters of a device's ports at its last poll: what the next poll subtracts from, also after a restart.
-- Arrays by port; `counters` is column-major (counter c of port i of n at c * n + i, from 0), 64 bits in two's
-- complement, as one string of octets, most significant first. Bit c of present[i]: counter c was read.
create table if not exists ts.port_state (
  device_id int primary key,
  "time" timestamptz not null,
  port_id int[] not null,
  ticks bigint[] not null,
  present int[] not null,
  counters bytea not null
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.1, autovacuum_analyze_scale_factor = 1);
-- Out of line and as it is: to compress 5 kB at each poll costs seven times the rest of the update.
alter table ts.port_state alter counters set storage external;

-- Rows whose subject was deleted; ts.forget_gone() removes them piece by piece.
create table if not exists ts.gone (base text not null, id int not null, primary key (base, id));

create or replace function ts.note_gone() returns trigger language plpgsql as $f$
begin
  execute format('insert into ts.gone select %L, %I from old_rows on conflict do nothing', tg_argv[0], tg_argv[1]);
  return null;
end $f$;
do $d$
declare
  t text[];
begin
  foreach t slice 1 in array array[
    ['ports', 'port', 'port_id'], ['sensors', 'sensor', 'sensor_id'], ['wireless_sensors', 'wireless', 'sensor_id'],
    ['processors', 'processor', 'processor_id'],
    ['mempools', 'mempool', 'mempool_id'], ['storage', 'storage', 'storage_id'], ['devices', 'device', 'device_id']]
  loop
    execute format('create or replace trigger note_gone after delete on %I referencing old table as old_rows
      for each statement execute function ts.note_gone(%L, %L)', t[1], t[2], t[3]);
  end loop;
end $d$;

create or replace function ts.counter_at(counters bytea, cell int) returns numeric language sql immutable strict parallel safe as $f$
  select case when v < 0 then v + 18446744073709551616 else v end
  from (select ('x' || encode(substring(counters from cell * 8 + 1 for 8), 'hex'))::bit(64)::bigint::numeric as v) x $f$;
