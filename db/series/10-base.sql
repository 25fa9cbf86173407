-- Time series, with the same names and results on plain PostgreSQL (15 or newer) and on both editions of TimescaleDB.
-- Every file here is idempotent. All run in one transaction whenever their text or the edition changes.
create schema if not exists ts;

-- Edition of the server: plain (no extension), apache, or tsl (with the columnstore).
create or replace function ts.edition() returns text language plpgsql stable as $f$
begin
  if not exists (select from pg_catalog.pg_extension where extname = 'timescaledb') then return 'plain'; end if;
  return case when current_setting('timescaledb.license', true) = 'timescale' then 'tsl' else 'apache' end;
end $f$;

-- How a table was created: native (partitions) or hyper (hypertable). Maintenance depends on this and not on the
-- edition, so installing the extension later breaks nothing.
create or replace function ts.kind(rel regclass) returns text language plpgsql stable as $f$
begin
  return case (select relkind from pg_catalog.pg_class where oid = rel) when 'p' then 'native' else 'hyper' end;
end $f$;

-- time_bucket() for users' own SQL where the extension is missing; our code uses date_bin(). It has its own schema: put
-- ts_shim at the end of the search_path. Widths below a month count from Monday 2000-01-03, others from 2000-01-01.
do $d$
begin
  if ts.edition() <> 'plain' then
    -- Next to the extension's own function it would break chunk exclusion.
    drop schema if exists ts_shim cascade;
    return;
  end if;
  create schema if not exists ts_shim;
  create or replace function ts_shim.time_bucket(bucket_width interval, ts timestamptz) returns timestamptz
    language sql immutable parallel safe as $s$ select date_bin(bucket_width, ts, timestamptz '2000-01-03 00:00:00+00') $s$;
  create or replace function ts_shim.time_bucket(bucket_width interval, ts timestamp) returns timestamp
    language sql immutable parallel safe as $s$ select date_bin(bucket_width, ts, timestamp '2000-01-03 00:00:00') $s$;
  create or replace function ts_shim.time_bucket(bucket_width interval, ts timestamptz, origin timestamptz) returns timestamptz
    language sql immutable parallel safe as $s$ select date_bin(bucket_width, ts, origin) $s$;
  create or replace function ts_shim.time_bucket(bucket_width interval, ts timestamptz, timezone text) returns timestamptz
    language sql immutable parallel safe as $s$
    select case
      when extract(year from bucket_width) * 12 + extract(month from bucket_width) = 0
        then date_bin(bucket_width, ts at time zone timezone, timestamp '2000-01-03 00:00:00')
      else (select make_timestamp(floor(m / 12)::int, (m % 12)::int + 1, 1, 0, 0, 0)
            from (select floor((extract(year from l) * 12 + extract(month from l) - 1 - 24000) / w) * w + 24000 as m
                  from (select ts at time zone timezone as l,
                               extract(year from bucket_width) * 12 + extract(month from bucket_width) as w) a) b)
    end at time zone timezone $s$;
end $d$;

-- Every physical table of samples or roll-ups.
create table if not exists ts.series (
  rel regclass primary key,
  base text not null,             -- port, sensor, ...
  level text not null,            -- samples, 1h, 1d
  key_col text not null,
  time_col text not null,
  chunk interval not null,
  keep interval not null,
  compress_after interval,        -- time from the end of a chunk to its compression
  unique (base, level));

-- Their columns. role: counter (a delta over period_ms; rolled up by sum), gauge (by average), total (by sum).
create table if not exists ts.field (
  base text not null,
  position int not null,
  name text not null,
  type text not null,
  role text not null check (role in ('counter', 'gauge', 'total')),
  has_min bool not null,
  has_max bool not null,
  primary key (base, position));

-- Roll-ups: all buckets before the watermark are complete, except those in ts.dirty.
create table if not exists ts.rollup (
  dst regclass primary key,
  src regclass not null,
  base text not null,
  width interval not null,
  lag interval not null,
  watermark timestamptz not null);
create table if not exists ts.dirty (dst regclass not null, bucket timestamptz not null, primary key (dst, bucket));

-- History that was imported as whole days: days before `upto` may have no hours.
create table if not exists ts.coarse (base text primary key, upto timestamptz not null);

create or replace function ts.watermark(dst regclass) returns timestamptz language sql stable as $f$
  select watermark from ts.rollup r where r.dst = $1 $f$;

-- Creates a table of samples or roll-ups, partitioned as the server supports. Maintenance enables compression where the
-- edition has it, because the edition may change after the table was made.
create or replace function ts.create_table(base text, level text, columns text, key_col text, time_col text,
    chunk interval, keep interval, compress_after interval) returns regclass language plpgsql as $f$
declare
  name text := format('ts.%I', base || '_' || level);
  edition text := ts.edition();
  rel regclass := to_regclass(name);
begin
  if rel is not null then return rel; end if;
  execute format('create table %s (%s, primary key (%I, %I))%s', name, columns, key_col, time_col,
    case when edition = 'plain' then format(' partition by range (%I)', time_col) else '' end);
  rel := to_regclass(name);
  if edition <> 'plain' then
    execute format('select create_hypertable(%L::regclass, by_range(%L, interval %L), create_default_indexes => false)',
      rel, time_col, chunk);
  end if;
  insert into ts.series values (rel, base, level, key_col, time_col, chunk, keep, compress_after);
  perform ts.ensure_partitions(rel, now());
  return rel;
end $f$;

-- A time in seconds: sums with days are in the session's time zone, where some have 23 or 25 hours.
create or replace function ts.exact(span interval) returns interval language sql immutable parallel safe as $f$
  select make_interval(secs => extract(epoch from span)::float8) $f$;

-- Creates the partitions for a moment and a few after it; hypertables create their own. The writer calls it when a row
-- has no partition. A day of samples is divided once more: each port adds to a page of the index of its own, which goes
-- to the WAL in full after each checkpoint, and the index of a few hours has fewer pages.
create or replace function ts.ensure_partitions(rel regclass, moment timestamptz) returns int language plpgsql as $f$
declare
  s ts.series;
  made int := 0;
  start timestamptz;
  part text;
  hours constant int := 4;
  divided bool;
begin
  if ts.kind(rel) <> 'native' then return 0; end if;
  select * into strict s from ts.series x where x.rel = ensure_partitions.rel;
  divided := s.level = 'samples' and s.chunk = interval '1 day';
  perform pg_advisory_xact_lock(hashtext('ts.ensure_partitions'), rel::oid::int);
  for i in 0 .. case when s.chunk <= interval '1 day' then 3 else 1 end loop
    start := date_bin(s.chunk, moment, timestamptz '2000-01-03 00:00+00') + i * ts.exact(s.chunk);
    part := format('%s_%s_p%s', s.base, s.level, to_char(start at time zone 'UTC', 'YYYYMMDD'));
    if to_regclass(format('ts.%I', part)) is null then
      -- Created detached, then attached: ATTACH does not block readers and writers of the parent.
      execute format('create table ts.%I (like %s including defaults including constraints)%s', part, rel,
        case when divided then format(' partition by range (%I)', s.time_col) else '' end);
      for h in 0 .. case when divided then 23 else -1 end by hours loop
        execute format('create table ts.%I partition of ts.%I for values from (%L) to (%L)', part || '_h' || h, part,
          start + h * interval '1 hour', start + (h + hours) * interval '1 hour');
      end loop;
      execute format('alter table %s attach partition ts.%I for values from (%L) to (%L)', rel, part, start, start + ts.exact(s.chunk));
      made := made + 1;
    end if;
  end loop;
  return made;
end $f$;
