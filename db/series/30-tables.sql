-- Tables besides the series that src/series/kinds declares.

-- Deltas instead of raw counters or rates: exact sums without wrap logic in SQL. They span period_ms of the agent's
-- clock and end at `time`. The BRIN index serves "all ports in the last hour" in a few kilobytes a day, without a
-- second B-tree.
create index if not exists port_samples_time on ts.port_samples using brin ("time") with (pages_per_range = 32);
-- The same for "all ports in the last hours" from roll-ups.
create index if not exists port_1h_bucket on ts.port_1h using brin (bucket) with (pages_per_range = 32);

-- Raw counters of a device's ports at its last poll, which the next poll subtracts from, also after a restart: `cells`, in
-- the form that src/core/series/port-cells.ts describes, of the ports `ids`; bit c of seen[i]: counter c was read.
-- Versions before wrote arrays by port and `counters`: column-major (counter c of port i of n at c * n + i, from 0), 64 bits
-- each. These are empty where `cells` holds: to a node of such a version, the device was not polled yet.
create table if not exists ts.port_state (
  device_id int primary key,
  "time" timestamptz not null,
  port_id int[] not null,
  ticks bigint[] not null,
  present int[] not null,
  counters bytea not null
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.1, autovacuum_analyze_scale_factor = 1);
-- The last columns are those that seldom change: the end that two versions of a row share is not written to the WAL.
alter table ts.port_state add column if not exists cells bytea, add column if not exists seen int[], add column if not exists ids int[];
-- Not compressed: compressing 5 kB at each poll costs seven times the rest of the update. In the row as far as a page holds
-- it: out of line, each update would also write to a table and an index beside.
alter table ts.port_state alter counters set storage external, alter cells set storage external, set (toast_tuple_target = 8160);

-- The unsigned number of `width` octets after the first `start`.
create or replace function ts.number_at(bytes bytea, start int, width int) returns numeric language sql immutable strict parallel safe as $f$
  select case when v < 0 then v + 18446744073709551616 else v end
  from (select ('x' || lpad(encode(substring(bytes from start + 1 for width), 'hex'), 16, '0'))::bit(64)::bigint::numeric as v) x $f$;
