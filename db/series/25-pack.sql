-- Packing closed chunks, adding late rows to them, and unpacking what is to be changed.

-- The partitions of a table with their bounds, oldest first.
create or replace function ts.partitions_of(target regclass) returns table (part regclass, since timestamptz, upto timestamptz)
    language sql stable as $f$
  select c.oid::regclass,
      substring(pg_get_expr(c.relpartbound, c.oid) from $r$FROM \('([^']+)'\)$r$)::timestamptz as f,
      substring(pg_get_expr(c.relpartbound, c.oid) from $r$TO \('([^']+)'\)$r$)::timestamptz
    from pg_catalog.pg_inherits i join pg_catalog.pg_class c on c.oid = i.inhrelid where i.inhparent = target order by 2 $f$;

-- All partitions or chunks of a table of rows, with their bounds, oldest first.
create or replace function ts.all_chunks_of(target regclass) returns table (part regclass, since timestamptz, upto timestamptz, compressed bool)
    language plpgsql stable as $f$
begin
  if ts.kind(target) = 'native' then
    return query select p.*, false from ts.partitions_of(target) p;
  else
    return query execute 'select format(''%I.%I'', c.chunk_schema, c.chunk_name)::regclass, c.range_start, c.range_end, coalesce(c.is_compressed, false)
      from timescaledb_information.chunks c
      where format(''%I.%I'', c.hypertable_schema, c.hypertable_name)::regclass = $1 order by 2' using target;
  end if;
end $f$;

-- Those with rows: what the columnstore holds the Apache edition would find empty.
create or replace function ts.chunks_of(target regclass) returns table (part regclass, since timestamptz, upto timestamptz)
    language sql stable as $f$
  select c.part, c.since, c.upto from ts.all_chunks_of(target) c where not c.compressed order by 2 $f$;

-- How long after its end a chunk is packed. Samples and roll-ups that change later are unpacked and packed again, which is
-- cheap; the columnstore waits longer, because there it is not.
create or replace function ts.pack_after(s ts.series) returns interval language sql immutable as $f$
  select least(s.compress_after, interval '1 day') $f$;

-- A chunk that is being packed: its subjects up to `last_key` are in `made`, which no reader sees until all of them are.
create table if not exists ts.packing (
  rel regclass primary key,
  part regclass not null,
  made regclass not null,
  span timestamptz not null,
  upto timestamptz not null,
  last_key int not null);

-- The table of packed rows for one span: a partition, or, before it is attached, a table beside.
create or replace function ts.packed_part(target regclass, span timestamptz) returns text language sql stable as $f$
  select format('ts.%I', format('%s_%s_packed_p%s', s.base, s.level, to_char(span at time zone 'UTC', 'YYYYMMDD')))
  from ts.series s where s.rel = target $f$;

-- Packs at most `most` subjects of one closed chunk, or puts the packed rows of a chunk that is finished in the place of
-- its rows. Returns what it did: the number of subjects, and the chunk that was finished; no row: nothing is to be done.
-- Each call is a transaction; what was packed before the server stopped is not packed again.
create or replace function ts.pack_step(target regclass, most int default 1000)
    returns table (subjects int, finished text) language plpgsql as $f$
declare
  s ts.series;
  p ts.packing;
  last int;
  n int;
  empty bool;
begin
  if not pg_try_advisory_xact_lock(hashtext('ts.pack_step'), target::oid::int) then return; end if;
  select * into strict s from ts.series x where x.rel = target;
  select * into p from ts.packing x where x.rel = target;
  if found and (ts.edition() = 'tsl' or not exists (select from ts.chunks_of(target) c where c.part = p.part)) then
    -- Its rows have become too old meanwhile, or the columnstore is to have them.
    execute format('drop table if exists %s', p.made);
    delete from ts.packing x where x.rel = target;
    p := null;
  end if;
  if s.compress_after is null or ts.edition() = 'tsl' then return; end if;
  if p.rel is null then
    select target, c.part, null, c.since, c.upto, -2147483648 into p from ts.chunks_of(target) c
      where c.upto <= now() - ts.pack_after(s) and ts.is_rolled(target, c.since, c.upto)
        and to_regclass(ts.packed_part(target, c.since)) is null
      order by c.since limit 1;
    if not found then return; end if;
    execute format('select not exists (select from %s)', p.part) into empty;
    if empty then
      execute format('lock table %s in share row exclusive mode', p.part);
      execute format('select not exists (select from %s)', p.part) into empty;
      if empty then perform ts.drop_part(target, p.part, p.span, p.upto); end if;
      return query select 0, null::text;
      return;
    end if;
    perform ts.create_packed(target) where s.packed is null;
    p.made := ts.make_packed_part(target, p.span);
    insert into ts.packing select p.*;
  end if;
  execute format('select max(k) from (select distinct %1$I as k from %2$s where %1$I > $1 order by 1 limit $2) x', s.key_col, p.part)
    into last using p.last_key, most;
  if last is not null then
    execute format('insert into %s %s', p.made, ts.pack_sql(target,
      format('(select * from %1$s where %2$I > %3$s and %2$I <= %4$s)', p.part, s.key_col, p.last_key, last), p.span));
    get diagnostics n = row_count;
    update ts.packing x set last_key = last where x.rel = target;
    return query select n, null::text;
    return;
  end if;
  return query select 0, ts.finish_packing(p);
end $f$;

-- Whether all roll-ups from these rows are made, and none of them or from them is to be made again: rolling up reads and
-- writes rows more cheaply.
create or replace function ts.is_rolled(rel regclass, since timestamptz, upto timestamptz) returns bool language sql stable as $f$
  select not exists (select from ts.rollup r where r.src = is_rolled.rel and r.watermark < least(is_rolled.upto, now()))
    and not exists (select from ts.rollup r join ts.dirty d on d.dst = r.dst
      where is_rolled.rel in (r.src, r.dst) and d.bucket + r.width > is_rolled.since and d.bucket < is_rolled.upto) $f$;

-- Whether rows of a series from `since` to `upto` are packed.
create or replace function ts.is_packed(rel regclass, since timestamptz, upto timestamptz) returns bool language plpgsql stable as $f$
declare
  s ts.series;
  found bool;
begin
  select * into strict s from ts.series x where x.rel = is_packed.rel;
  if s.packed is null then return false; end if;
  execute format('select exists (select from %s where pack_span > %L and pack_span < %L)',
    s.packed, since - ts.exact(s.chunk), upto) into found;
  return found;
end $f$;

-- What to read the rows of a series from `since` to `upto` from, in whichever form they are. The condition on the time
-- stays necessary.
create or replace function ts.stored_between(rel regclass, since timestamptz, upto timestamptz) returns text language sql stable as $f$
  select case when s.packed is null then s.rel::text
    else format('(select * from ts.%I where span is null or (span > %L and span < %L)) x',
      s.base || '_' || s.level || '_stored', since - ts.exact(s.chunk), upto) end
  from ts.series s where s.rel = stored_between.rel $f$;

-- Moves packed rows of these subjects, of chunks that have some from `since` to `upto`, back to rows that can be changed;
-- ts.pack_late packs them again.
create or replace function ts.unpack_rows(target regclass, ids int[], since timestamptz, upto timestamptz) returns void language plpgsql as $f$
declare
  s ts.series;
  span timestamptz;
  source text;
begin
  select * into strict s from ts.series x where x.rel = target;
  if s.packed is null then return; end if;
  perform pg_advisory_xact_lock(hashtext('ts.pack_step'), target::oid::int);
  for span in execute format('select distinct pack_span from %s where %I = any($1) and pack_span > $2 - $4 and pack_span < $3',
    s.packed, s.key_col) using ids, since, upto, ts.exact(s.chunk)
  loop
    perform ts.ensure_partitions(target, span) where ts.kind(target) = 'native' and not ts.has_partition(target, span);
    source := format('(select * from %s where %I = any($1) and pack_span = %L)', s.packed, s.key_col, span);
    execute format('insert into %1$s (%2$s) select %2$s from (%3$s) x on conflict do nothing',
      target, ts.columns_of(target), ts.unpack_sql(target, source)) using ids;
    execute format('delete from %s where %I = any($1) and pack_span = $2', s.packed, s.key_col) using ids, span;
  end loop;
end $f$;

-- Puts the packed rows in the place of the rows. Samples that came after their subject was packed are added first.
create or replace function ts.finish_packing(p ts.packing) returns text language plpgsql as $f$
declare
  s ts.series;
  rows bigint;
  packed bigint;
  name text := p.part::text;
begin
  select * into strict s from ts.series x where x.rel = p.rel;
  execute format('lock table %s in share row exclusive mode', p.part);
  execute format('select count(*) from %s', p.part) into rows;
  execute format('select coalesce(sum(pack_n), 0) from %s', p.made) into packed;
  if rows <> packed then
    execute format('delete from %1$s m using (
        select k from (select %2$I as k, count(*) as n from %3$s group by 1) r full join (select %2$I as k, pack_n as n from %1$s) q using (k)
        where r.n is distinct from q.n) x where m.%2$I = x.k', p.made, s.key_col, p.part);
    execute format('insert into %s %s', p.made, ts.pack_sql(p.rel,
      format('(select r.* from %1$s r where not exists (select from %2$s m where m.%3$I = r.%3$I))', p.part, p.made, s.key_col), p.span));
  end if;
  execute format('alter table %s attach partition %s for values from (%L) to (%L)', s.packed, p.made, p.span, p.upto);
  perform ts.drop_part(p.rel, p.part, p.span, p.upto);
  delete from ts.packing x where x.rel = p.rel;
  return name;
end $f$;

create or replace function ts.drop_part(rel regclass, part regclass, since timestamptz, upto timestamptz) returns void language plpgsql as $f$
begin
  if ts.kind(rel) = 'native' then execute format('drop table %s', part);
  else execute format('select drop_chunks(%L::regclass, older_than => %L::timestamptz, newer_than => %L::timestamptz)', rel, upto, since);
  end if;
end $f$;

-- Adds at most `most` subjects' late rows of a chunk that was packed before to its packed rows; what is packed stays as
-- it is where both have the same time. Returns the number of subjects, 0 when a chunk is done; null: nothing is to be done.
create or replace function ts.pack_late(target regclass, most int default 1000) returns int language plpgsql as $f$
declare
  s ts.series;
  c record;
  keys int[];
  old text;
begin
  select * into strict s from ts.series x where x.rel = target;
  if s.packed is null or not pg_try_advisory_xact_lock(hashtext('ts.pack_step'), target::oid::int) then return null; end if;
  select x.* into c from ts.chunks_of(target) x
    where x.upto <= now() - ts.pack_after(s) and to_regclass(ts.packed_part(target, x.since)) is not null
      and ts.is_rolled(target, x.since, x.upto) and not exists (select from ts.packing p where p.part = x.part)
    order by x.since limit 1;
  if not found then return null; end if;
  execute format('lock table %s in share row exclusive mode', c.part);
  execute format('select array_agg(k) from (select distinct %I as k from %s order by 1 limit $1) x', s.key_col, c.part) into keys using most;
  if keys is null then
    perform ts.drop_part(target, c.part, c.since, c.upto);
    return 0;
  end if;
  old := ts.packed_part(target, c.since);
  execute format('create temporary table pack_late on commit drop as select %1$s from (%2$s) x where x.%3$I = any($1)',
    ts.columns_of(target), ts.unpack_sql(target, format('(select * from %s where %I = any($1))', old, s.key_col)), s.key_col) using keys;
  execute format('insert into pack_late select %1$s from %2$s r where r.%3$I = any($1)
      and not exists (select from pack_late l where l.%3$I = r.%3$I and l.%4$I = r.%4$I)',
    ts.columns_of(target), c.part, s.key_col, s.time_col) using keys;
  execute format('delete from %s where %I = any($1)', old, s.key_col) using keys;
  execute format('insert into %s %s', old, ts.pack_sql(target, 'pack_late', c.since));
  execute format('delete from %s where %I = any($1)', c.part, s.key_col) using keys;
  drop table pack_late;
  return cardinality(keys);
end $f$;

