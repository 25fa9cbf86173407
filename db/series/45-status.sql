-- What the tables hold, from the catalogues. No table is read, so numbers of rows are the server's estimates.

-- The partitions or chunks of a table, oldest first.
create or replace function ts.parts(target regclass) returns table (part regclass, starts timestamptz)
    language plpgsql stable as $f$
begin
  if ts.kind(target) = 'native' then
    return query select c.oid::regclass, substring(pg_get_expr(c.relpartbound, c.oid) from $r$FROM \('([^']+)'\)$r$)::timestamptz
      from pg_catalog.pg_inherits i join pg_catalog.pg_class c on c.oid = i.inhrelid where i.inhparent = target order by 2;
  else
    return query execute 'select format(''%I.%I'', x.chunk_schema, x.chunk_name)::regclass, x.range_start
      from timescaledb_information.chunks x
      where format(''%I.%I'', x.hypertable_schema, x.hypertable_name)::regclass = $1 order by 2' using target;
  end if;
end $f$;

-- One row per table. Of its `parts`, `compressed` are in the columnstore: they took `before` octets and take `after`;
-- `waiting` should be there but are not. `behind`: the time that a roll-up lacks; null for samples.
create or replace function ts.status() returns table (base text, level text, rel regclass, time_col text, octets bigint,
    row_count bigint, parts int, compressed int, waiting int, before bigint, after bigint, behind interval)
    language plpgsql stable as $f$
declare
  s ts.series;
  packed bigint;
begin
  for s in select * from ts.series x order by x.base, array_position(array['samples', '1h', '1d'], x.level) loop
    base := s.base;
    level := s.level;
    rel := s.rel;
    time_col := s.time_col;
    with recursive p as (
      select i.inhrelid as oid, 1 as depth from pg_catalog.pg_inherits i where i.inhparent = s.rel
      union all select i.inhrelid, depth + 1 from p join pg_catalog.pg_inherits i on i.inhparent = p.oid)
    select coalesce(sum(pg_total_relation_size(c.oid)), 0), count(*) filter (where p.depth = 1),
        coalesce(sum(greatest(c.reltuples, pg_stat_get_live_tuples(c.oid), 0)) filter (where c.relkind <> 'p'), 0)
      into octets, parts, row_count
      from p join pg_catalog.pg_class c on c.oid = p.oid;
    compressed := 0;
    before := 0;
    after := 0;
    if ts.kind(s.rel) = 'hyper' then
      execute 'select hypertable_size($1)' into octets using s.rel;
      execute 'select count(*), coalesce(sum(z.numrows_pre_compression), 0),
          coalesce(sum(z.uncompressed_heap_size + z.uncompressed_toast_size + z.uncompressed_index_size), 0),
          coalesce(sum(z.compressed_heap_size + z.compressed_toast_size + z.compressed_index_size), 0)
        from _timescaledb_catalog.compression_chunk_size z
        join _timescaledb_catalog.chunk c on c.id = z.chunk_id
        join _timescaledb_catalog.hypertable h on h.id = c.hypertable_id
        where format(''%I.%I'', h.schema_name, h.table_name)::regclass = $1'
        into compressed, packed, before, after using s.rel;
      row_count := row_count + packed;
    end if;
    waiting := (select count(*) from ts.chunks_to_compress(s.rel));
    -- A bucket is rolled up some minutes after its end.
    behind := (select greatest(date_bin(r.width, now() - interval '20 minutes', timestamptz '2000-01-03 00:00+00') - r.watermark,
        interval '0') from ts.rollup r where r.dst = s.rel);
    return next;
  end loop;
end $f$;
