-- What the tables hold, from the catalogues and a few pages of each, however large they are: numbers of rows are
-- estimates, sizes are those on disk with indexes and TOAST.

drop function if exists ts.parts(regclass);

-- What is stored of a series, by chunk and form: `rows`, `packed` (arrays), `columnstore`. A chunk with late rows has two.
-- The rows of packed ones are estimated from the first pages of the newest chunks.
create or replace function ts.stored_chunks(target regclass) returns table (part regclass, since timestamptz, upto timestamptz,
    form text, octets bigint, row_count float8) language plpgsql stable as $f$
declare
  s ts.series;
  newest regclass;
  each_has float8;
begin
  select * into strict s from ts.series x where x.rel = target;
  if ts.kind(target) = 'native' then
    return query select c.part, c.since, c.upto, 'rows', x.octets, x.row_count from ts.chunks_of(target) c,
      lateral (select sum(pg_total_relation_size(t.relid))::bigint as octets, sum(ts.row_estimate(t.relid)) as row_count
        from pg_partition_tree(c.part) t where t.isleaf) x; -- some are divided
  else
    return query execute 'select c.part, c.since, c.upto, case when z.chunk_id is null then ''rows'' else ''columnstore'' end,
          pg_total_relation_size(c.part) + coalesce(z.compressed_heap_size + z.compressed_toast_size + z.compressed_index_size, 0),
          case when z.chunk_id is null then ts.row_estimate(c.part) else z.numrows_pre_compression end
        from ts.all_chunks_of($1) c join pg_catalog.pg_class r on r.oid = c.part join pg_catalog.pg_namespace n on n.oid = r.relnamespace
          left join _timescaledb_catalog.chunk k on k.schema_name = n.nspname and k.table_name = r.relname
          left join _timescaledb_catalog.compression_chunk_size z on z.chunk_id = k.id' using target;
  end if;
  if s.packed is null then return; end if;
  for newest in select p.part from ts.partitions_of(s.packed) p order by p.since desc limit 3
  loop
    execute format('select avg(pack_n) from (select pack_n from %s where ctid < ''(64,0)'') x', newest) into each_has;
    exit when each_has is not null;
  end loop;
  return query select p.part, p.since, p.upto, 'packed', pg_total_relation_size(p.part),
      -- They change seldom, and what statistics count of an insert may be counted twice for a while.
      case when c.reltuples > 0 then c.reltuples else ts.row_estimate(p.part) end * coalesce(each_has, 0)
    from ts.partitions_of(s.packed) p join pg_catalog.pg_class c on c.oid = p.part;
end $f$;

-- Rows of a table, as the server estimates them; a small one that it knows nothing of, as after a crash, is counted.
create or replace function ts.row_estimate(part regclass) returns float8 language plpgsql stable as $f$
declare
  n float8 := (select greatest(c.reltuples, pg_stat_get_live_tuples(c.oid), 0) from pg_catalog.pg_class c where c.oid = part);
begin
  if n = 0 and pg_relation_size(part) between 1 and 1048576 then
    begin
      execute format('select count(*) from %s', part) into n;
    exception when undefined_table then n := 0; -- removed meanwhile
    end;
  end if;
  return n;
end $f$;

-- One row per table. `octets`, `row_count` and `parts` are of all forms; of these, `long` ones are of chunks that were
-- packed or moved to the columnstore (`form`; null: the table is kept as rows), where the columnstore has `before` for
-- what they took as rows. `waiting` chunks are to be, the oldest since `waiting_since`; `overdue` of them for longer than a
-- chunk lasts. `day_rows`: rows of a day in the newest closed chunks; null: none has closed. `oldest`: time of the oldest
-- row in the first pages of the oldest chunk. `behind`: the time that a roll-up lacks; null for samples.
drop function if exists ts.status();
create or replace function ts.status() returns table (base text, level text, keep interval, form text, octets bigint, row_count float8,
    parts int, long_octets bigint, long_rows float8, long_parts int, before bigint, waiting int, waiting_since timestamptz, overdue int,
    day_rows float8, oldest timestamptz, behind interval) language plpgsql stable as $f$
declare
  s ts.series;
  long_form text;
  first_parts regclass[];
  first_starts timestamptz[];
  first_columns text[];
begin
  for s in select * from ts.series x order by x.base, array_position(array['samples', '1h', '1d'], x.level) loop
    base := s.base;
    level := s.level;
    keep := s.keep;
    long_form := case when s.compress_after is null then null when ts.edition() <> 'tsl' then 'packed'
      when ts.kind(s.rel) = 'hyper' then 'columnstore' end;
    form := long_form;
    with stored as materialized (select * from ts.stored_chunks(s.rel)),
      closed as (select x.since, x.upto, sum(x.row_count) as row_count from stored x where x.upto <= now()
        group by 1, 2 having sum(x.row_count) > 0 order by 1 desc limit 3),
      due as (select x.since, x.upto from stored x where long_form = 'packed' and x.form = 'rows' and x.upto <= now() - ts.pack_after(s)
          and not exists (select from stored p where p.form = 'packed' and p.since = x.since)
        union all select x.since, x.upto from stored x where long_form = 'columnstore' and x.part in (select ts.chunks_to_compress(s.rel)))
      select coalesce(sum(x.octets), 0), coalesce(sum(x.row_count), 0), count(*),
          coalesce(sum(x.octets) filter (where x.form <> 'rows'), 0), coalesce(sum(x.row_count) filter (where x.form <> 'rows'), 0),
          count(*) filter (where x.form <> 'rows'),
          (select count(*) from due), (select min(d.since) from due d),
          (select count(*) from due d where d.upto <= now() - case long_form when 'packed' then ts.pack_after(s) else s.compress_after end - s.chunk),
          (select sum(d.row_count) / nullif(sum(extract(epoch from d.upto - d.since)) / 86400, 0) from closed d),
          array(select c.part from stored c order by c.since, c.form limit 3),
          array(select case when c.form = 'columnstore' then c.since end from stored c order by c.since, c.form limit 3),
          array(select case c.form when 'packed' then 'pack_first' else s.time_col end from stored c order by c.since, c.form limit 3)
        into octets, row_count, parts, long_octets, long_rows, long_parts, waiting, waiting_since, overdue, day_rows,
          first_parts, first_starts, first_columns from stored x;
    before := 0;
    if long_form = 'columnstore' then
      execute 'select coalesce(sum(z.uncompressed_heap_size + z.uncompressed_toast_size + z.uncompressed_index_size), 0)
        from _timescaledb_catalog.compression_chunk_size z
        join _timescaledb_catalog.chunk c on c.id = z.chunk_id
        join _timescaledb_catalog.hypertable h on h.id = c.hypertable_id
        where format(''%I.%I'', h.schema_name, h.table_name)::regclass = $1'
        into before using s.rel;
    end if;
    oldest := null;
    for i in 1 .. cardinality(first_parts) loop
      oldest := first_starts[i];
      exit when oldest is not null;
      begin
        execute format('select min(%I) from %s where ctid < ''(256,0)''', first_columns[i], first_parts[i]) into oldest;
      exception when undefined_table then null; -- removed meanwhile
      end;
      exit when oldest is not null;
    end loop;
    -- A bucket is rolled up some minutes after its end.
    behind := (select greatest(date_bin(r.width, now() - interval '20 minutes', timestamptz '2000-01-03 00:00+00') - r.watermark,
        interval '0') from ts.rollup r where r.dst = s.rel);
    return next;
  end loop;
end $f$;

-- The size of the database, noted once a day at the same point of the day: when nothing waits to be packed. `settled`: a
-- day's growth is not that of rows that will still be packed.
create table if not exists ts.size_note (
  day date primary key,
  noted_at timestamptz not null default now(),
  octets bigint not null,
  settled bool not null);

-- Notes the size if the day has no note yet. True if it did.
create or replace function ts.note_size() returns bool language plpgsql as $f$
declare
  today date := (now() at time zone 'UTC')::date;
  waits bool;
  has_long bool;
begin
  if exists (select from ts.size_note n where n.day = today) then return false; end if;
  select coalesce(sum(s.waiting), 0) > 0, coalesce(sum(s.long_parts) filter (where s.level = 'samples'), 0) > 0
    into waits, has_long from ts.status() s;
  -- Late in the day it is noted all the same.
  if waits and extract(hour from now() at time zone 'UTC') < 20 then return false; end if;
  insert into ts.size_note (day, octets, settled) values (today, pg_database_size(current_database()),
      not waits and (has_long or exists (select from ts.size_note n where n.noted_at < now() - interval '5 days')))
    on conflict do nothing;
  delete from ts.size_note n where n.day < today - 400;
  return true;
end $f$;

-- States that were announced by an event, until they end.
create table if not exists ts.notice (name text primary key, since timestamptz not null default now(), reason text not null);

-- Older data that is being packed, as after an upgrade: since when, and how many chunks waited then, or more.
create table if not exists ts.packing_run (
  is_only bool primary key default true check (is_only),
  began timestamptz not null default now(),
  total int not null);
