-- Called by the application's scheduler. Each call is short, safe to run concurrently, and does nothing when there is
-- nothing to do.

-- Removes what is older than `keep`. Returns the names of the removed partitions or chunks.
create or replace function ts.drop_old(target regclass, keep interval) returns setof text language plpgsql as $f$
declare
  p record;
begin
  update ts.series s set keep = drop_old.keep where s.rel = target and s.keep <> drop_old.keep;
  if ts.kind(target) = 'hyper' then
    return query execute format('select drop_chunks(%L::regclass, %L::timestamptz)::text', target, now() - keep);
  end if;
  for p in
    select c.oid::regclass::text as part, substring(pg_get_expr(c.relpartbound, c.oid) from $r$TO \('([^']+)'\)$r$)::timestamptz as upto
    from pg_catalog.pg_inherits i join pg_catalog.pg_class c on c.oid = i.inhrelid
    where i.inhparent in (select target where ts.kind(target) = 'native' union all select s.packed from ts.series s where s.rel = target)
  loop
    if p.upto <= now() - keep then
      execute format('drop table %s', p.part);
      return next p.part;
    end if;
  end loop;
end $f$;

-- Steps of maintenance that failed at their last attempt. `rel` is the table or chunk.
create table if not exists ts.problem (
  step text not null,
  rel text not null,
  since timestamptz not null default now(),
  reason text not null,
  primary key (step, rel));

-- Series that ts.pack_step or ts.pack_late may have something to do for, also those that they failed for.
create or replace function ts.packing_due() returns setof regclass language sql stable as $f$
  select s.rel from ts.series s
  where exists (select from ts.packing p where p.rel = s.rel)
    or exists (select from ts.chunks_of(s.rel) c where c.upto <= now() - ts.pack_after(s))
    or exists (select from ts.problem p where p.step = 'packing' and p.rel = s.rel::text)
  order by s.rel::text $f$;

-- Enables the columnstore of a table where the server has it, whatever the edition was when the table was made. True if
-- that changed something.
drop function if exists ts.compress_old(regclass);
create or replace function ts.enable_compression(target regclass) returns bool language plpgsql as $f$
declare
  s ts.series;
  enabled bool;
begin
  select * into strict s from ts.series x where x.rel = target;
  if s.compress_after is null or ts.edition() <> 'tsl' or ts.kind(target) <> 'hyper' then return false; end if;
  execute 'select h.compression_enabled from timescaledb_information.hypertables h
      where format(''%I.%I'', h.hypertable_schema, h.hypertable_name)::regclass = $1' into enabled using target;
  if enabled is distinct from false then return false; end if;
  execute format('alter table %s set (timescaledb.compress, timescaledb.compress_segmentby = %L, timescaledb.compress_orderby = %L)',
    target, quote_ident(s.key_col), quote_ident(s.time_col) || ' desc');
  return true;
end $f$;

-- Chunks that are to be compressed, oldest first: closed for long enough, and not compressed or written to since then. Rows
-- beside those that were packed under another edition stay as they are until ts.pack_late has added them there.
create or replace function ts.chunks_to_compress(target regclass) returns setof regclass language plpgsql stable as $f$
declare
  s ts.series;
begin
  select * into strict s from ts.series x where x.rel = target;
  if s.compress_after is null or ts.edition() <> 'tsl' or ts.kind(target) <> 'hyper' then return; end if;
  -- Bits of the status: 1 compressed, 4 frozen, 8 compressed with rows beside.
  return query execute 'select c.chunk from (
        select format(''%I.%I'', x.chunk_schema, x.chunk_name)::regclass as chunk, x.range_end
        from timescaledb_information.chunks x
        where format(''%I.%I'', x.hypertable_schema, x.hypertable_name)::regclass = $1 and x.range_end <= $2
          and to_regclass(ts.packed_part($1, x.range_start)) is null) c,
      lateral (select _timescaledb_functions.chunk_status(c.chunk) as status) t
    where t.status & 4 = 0 and (t.status & 1 = 0 or t.status & 8 <> 0) order by c.range_end'
    using target, now() - s.compress_after;
end $f$;

-- Moves a chunk to the columnstore, also one that was written to since.
create or replace function ts.compress_chunk(chunk regclass) returns void language plpgsql as $f$
begin
  execute format('select compress_chunk(%L::regclass, if_not_compressed => true)', chunk);
end $f$;

-- Removes all samples and roll-ups of these subjects: ts.forget('port', '{1,2}').
create or replace function ts.forget(target text, ids int[]) returns bigint language plpgsql as $f$
declare
  s ts.series;
  made regclass;
  n bigint;
  total bigint := 0;
begin
  for s in select * from ts.series x where x.base = target loop
    execute format('delete from %s where %I = any(%L::int[])', s.rel, s.key_col, ids);
    get diagnostics n = row_count;
    total := total + n;
    if s.packed is not null then
      execute format('with gone as (delete from %s where %I = any(%L::int[]) returning pack_n) select coalesce(sum(pack_n), 0) from gone',
        s.packed, s.key_col, ids) into n;
      total := total + n;
      -- A chunk that is being packed: what is missing in it is noticed when it is finished.
      for made in select p.made from ts.packing p where p.rel = s.rel loop
        execute format('delete from %s where %I = any(%L::int[])', made, s.key_col, ids);
      end loop;
    end if;
  end loop;
  return total;
end $f$;
create or replace function ts.forget_ports(ids int[]) returns bigint language sql as $f$ select ts.forget('port', ids) $f$;

-- Removes samples of at most `most` deleted subjects of one kind, the first time or, at least 10 seconds later, the
-- second and last time. Returns the number of subjects.
create or replace function ts.forget_gone(most int default 500) returns int language plpgsql as $f$
<<forget_gone>>
declare
  target text;
  ids int[];
begin
  select g.base into target from ts.gone g where g.again_at is null or g.again_at <= now() limit 1;
  if not found then return 0; end if;
  with due as (select g.id from ts.gone g where g.base = target and (g.again_at is null or g.again_at <= now())
      limit most for update skip locked)
    select array_agg(id) into ids from due;
  if ids is null then return 0; end if;
  perform ts.forget(target, ids);
  if target = 'device' then
    perform ts.forget(x.base, ids) from ts.series x where x.key_col = 'device_id' and x.level = 'samples' and x.base <> 'device';
    delete from ts.port_state s where s.device_id = any(forget_gone.ids);
  end if;
  delete from ts.gone g where g.base = target and g.id = any(ids) and g.again_at is not null;
  update ts.gone g set again_at = now() + interval '10 seconds' where g.base = target and g.id = any(ids);
  return cardinality(ids);
end $f$;
