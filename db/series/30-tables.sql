-- Tables besides the series that src/series/kinds declares.

-- Deltas instead of raw counters or rates: exact sums without wrap logic in SQL. They span period_ms of the agent's
-- clock and end at `time`. The BRIN index serves "all ports in the last hour" in a few kilobytes a day, without a
-- second B-tree.
create index if not exists port_samples_time on ts.port_samples using brin ("time") with (pages_per_range = 32);
-- The same for "all ports in the last hours" from roll-ups.
create index if not exists port_1h_bucket on ts.port_1h using brin (bucket) with (pages_per_range = 32);

-- Raw counters of a device's ports at its last poll, which the next poll subtracts from, also after a restart. Arrays
-- by port; `counters` is column-major (counter c of port i of n at c * n + i, from 0), 64 bits in two's complement, as
-- one octet string in network byte order. Bit c of present[i]: counter c was read.
create table if not exists ts.port_state (
  device_id int primary key,
  "time" timestamptz not null,
  port_id int[] not null,
  ticks bigint[] not null,
  present int[] not null,
  counters bytea not null
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.1, autovacuum_analyze_scale_factor = 1);
-- Stored out of line and uncompressed: compressing 5 kB at each poll costs seven times the rest of the update.
alter table ts.port_state alter counters set storage external;

create or replace function ts.counter_at(counters bytea, cell int) returns numeric language sql immutable strict parallel safe as $f$
  select case when v < 0 then v + 18446744073709551616 else v end
  from (select ('x' || encode(substring(counters from cell * 8 + 1 for 8), 'hex'))::bit(64)::bigint::numeric as v) x $f$;
