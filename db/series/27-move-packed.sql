-- Partitions for packed rows, and what a restore does with packed rows of another database, whose chunks may begin at other
-- moments: the partitions of PostgreSQL on Mondays, the chunks of TimescaleDB at multiples of their length since 1970.

-- Where chunks of a series begin and how long they are: `origin` plus a multiple of `width`.
create or replace function ts.chunk_grid(target regclass) returns table (origin timestamptz, width interval) language plpgsql stable as $f$
declare
  s ts.series;
begin
  select * into strict s from ts.series x where x.rel = target;
  origin := timestamptz '2000-01-03 00:00+00';
  width := s.chunk;
  if ts.kind(target) = 'hyper' then
    -- TimescaleDB counts from the epoch of Unix.
    origin := timestamptz '1970-01-01 00:00+00';
    execute 'select d.time_interval from timescaledb_information.dimensions d
      where format(''%I.%I'', d.hypertable_schema, d.hypertable_name)::regclass = $1 and d.dimension_number = 1' into width using target;
  end if;
  width := ts.exact(width);
  return next;
end $f$;

-- Whether a chunk of the table has exactly these bounds.
create or replace function ts.is_chunk(rel regclass, since timestamptz, upto timestamptz) returns bool language sql stable as $f$
  select date_bin(g.width, since, g.origin) = since and since + g.width = upto from ts.chunk_grid(rel) g $f$;

-- The chunks that have moments from `since` to `upto`.
create or replace function ts.chunks_between(rel regclass, since timestamptz, upto timestamptz)
    returns table (span timestamptz, ends timestamptz) language sql stable as $f$
  select m, m + g.width from ts.chunk_grid(rel) g,
    generate_series(date_bin(g.width, since, g.origin), upto - interval '1 microsecond', g.width) m $f$;

-- Makes the table for the packed rows of a chunk, not attached yet.
create or replace function ts.make_packed_part(target regclass, span timestamptz) returns regclass language plpgsql as $f$
declare
  name text := ts.packed_part(target, span);
begin
  execute format('create table %s (like %s including defaults including constraints including indexes) with (toast_tuple_target = 128)',
    name, (select s.packed from ts.series s where s.rel = target));
  return name::regclass;
end $f$;

-- Makes the partition for packed rows of a chunk, unless it is there.
create or replace function ts.attach_packed(target regclass, since timestamptz, upto timestamptz) returns void language plpgsql as $f$
begin
  if to_regclass(ts.packed_part(target, since)) is not null then return; end if;
  execute format('alter table %s attach partition %s for values from (%L) to (%L)',
    (select s.packed from ts.series s where s.rel = target), ts.make_packed_part(target, since), since, upto);
end $f$;

-- Stores rows, which a temporary table `cut` has with the start of their chunk here as `pack_cut`: packed, or as they are in
-- a chunk that ends after `packed_upto`, because the rest of it is not packed. What an earlier call packed of a subject in the
-- same chunk is packed again with it.
create or replace function ts.store_cut(target regclass, packed_upto timestamptz) returns void language plpgsql as $f$
declare
  s ts.series;
  c record;
  columns text := ts.columns_of(target);
begin
  select * into strict s from ts.series x where x.rel = target;
  perform pg_advisory_xact_lock(hashtext('ts.pack_step'), target::oid::int);
  for c in execute 'select pack_cut as span, array_agg(distinct ' || quote_ident(s.key_col) || ') as keys from cut group by 1' loop
    if c.span + ts.exact(s.chunk) > packed_upto then
      execute format('insert into %1$s (%2$s) select %2$s from cut where pack_cut = %3$L on conflict do nothing', target, columns, c.span);
      continue;
    end if;
    execute format('insert into cut select %s, %L from (%s) x', columns, c.span, ts.unpack_sql(target,
      format('(select * from %s where pack_span = %L and %I = any($1))', s.packed, c.span, s.key_col))) using c.keys;
    execute format('delete from %s where pack_span = %L and %I = any($1)', s.packed, c.span, s.key_col) using c.keys;
    execute format('insert into %s %s', s.packed, ts.pack_sql(target, format('(select %s from cut where pack_cut = %L)', columns, c.span), c.span));
  end loop;
end $f$;
