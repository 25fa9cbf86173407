-- Rows that are written all at once, as an import writes history: those of closed chunks go straight to packed rows.

-- For each level of a kind whose rows can be written packed: its chunks, the end of those that are closed, and whether the table
-- is a wide one. Creates the tables of packed rows. No row: not on this server, or the chunks are not as expected.
create or replace function ts.prepare_packing(target text)
    returns table (level text, origin timestamptz, width interval, closed timestamptz, wide bool) language plpgsql as $f$
declare
  s ts.series;
begin
  for s in select * from ts.series x where x.base = target and x.compress_after is not null and ts.edition() <> 'tsl' order by x.rel loop
    if s.packed is null then
      perform pg_advisory_xact_lock(hashtext('ts.pack_step'), s.rel::oid::int);
      s.packed := ts.create_packed(s.rel);
    end if;
    select g.origin, g.width into origin, width from ts.chunk_grid(s.rel) g;
    continue when exists (select from (select * from ts.chunks_of(s.rel) union all select * from ts.partitions_of(s.packed)) c
      where not ts.is_chunk(s.rel, c.since, c.upto));
    level := s.level;
    closed := date_bin(width, now() - ts.pack_after(s), origin);
    wide := ts.is_wide(s.rel);
    return next;
  end loop;
end $f$;

-- A table of this session for packed rows that ts.pack_in is to store; it is empty at the beginning of each transaction.
create or replace function ts.pack_table(target regclass) returns text language plpgsql as $f$
declare
  s ts.series;
  name text;
begin
  select * into strict s from ts.series x where x.rel = target;
  name := 'pack_in_' || s.base || '_' || s.level;
  if to_regclass(format('pg_temp.%I', name)) is null then
    execute format('create temporary table %I (like %s) with (toast_tuple_target = 128) on commit delete rows', name, s.packed);
  end if;
  return format('pg_temp.%I', name);
end $f$;

-- The partition of packed rows for this span, if readers see it.
create or replace function ts.attached_part(target regclass, span timestamptz) returns regclass language sql stable as $f$
  select i.inhrelid::regclass from pg_catalog.pg_inherits i join ts.series s on i.inhparent = s.packed
  where s.rel = target and i.inhrelid = to_regclass(ts.packed_part(target, span)) $f$;

-- Whether rows of this span of the grid can be packed at once: its chunk is closed, and is packed already or has no rows. Rows
-- of a chunk that is still to be packed, or is being packed, are packed with the others. Creates the partition that is missing.
create or replace function ts.open_packed(target regclass, span timestamptz, width interval) returns bool language plpgsql as $f$
declare
  s ts.series;
  part regclass;
  found bool;
begin
  select * into strict s from ts.series x where x.rel = target;
  if s.packed is null or span + width > now() - ts.pack_after(s) then return false; end if;
  if ts.attached_part(target, span) is not null then return true; end if;
  -- Of several transactions that need it, one creates it.
  perform pg_advisory_xact_lock(hashtext('ts.open_packed'), target::oid::int);
  if to_regclass(ts.packed_part(target, span)) is not null then return ts.attached_part(target, span) is not null; end if;
  if not ts.is_rolled(target, span, span + width) then return false; end if;
  for part, found in select c.part, c.compressed from ts.all_chunks_of(target) c where c.since < span + width and c.upto > span loop
    if not found then execute format('select exists (select from %s)', part) into found; end if;
    if found then return false; end if;
  end loop;
  perform ts.attach_packed(target, span, span + width);
  return true;
end $f$;

-- Stores packed rows: those of closed chunks as they are, others as the rows they were made from. A subject that has packed
-- rows of a chunk already gets rows beside them, which ts.pack_late adds. Their times are new ones.
create or replace function ts.pack_in(target regclass, source text) returns void language plpgsql as $f$
declare
  s ts.series;
  chunk interval := (select g.width from ts.chunk_grid(target) g);
  spans timestamptz[];
  packs timestamptz[];
  apart text;
  span timestamptz;
begin
  select * into strict s from ts.series x where x.rel = target;
  -- Chunks are packed and unpacked before or after this transaction.
  perform pg_advisory_xact_lock_shared(hashtext('ts.pack_step'), target::oid::int);
  execute format('select array(select distinct pack_span from %s order by 1)', source) into spans;
  packs := array(select x from unnest(spans) x where ts.open_packed(target, x, chunk));
  apart := format('(n.pack_span <> all(%2$L) or exists (select from %1$s p where p.%3$I = n.%3$I and p.pack_span = n.pack_span))',
    s.packed, packs, s.key_col);
  for span in execute format('select distinct n.pack_span from %s n where %s', source, apart) loop
    perform ts.ensure_partitions(target, span) where ts.kind(target) = 'native' and not ts.has_partition(target, span);
  end loop;
  if found then
    execute format('insert into %1$s (%2$s) select %2$s from (%3$s) x', target, ts.columns_of(target),
      ts.unpack_sql(target, format('(select * from %s n where %s)', source, apart)));
    execute format('delete from %s n where %s', source, apart);
  end if;
  execute format('insert into %s select * from %s', s.packed, source);
end $f$;
