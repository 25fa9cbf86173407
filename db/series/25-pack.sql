-- Packed rows: the rows of one subject and one span of time (a chunk of the series) as one row with an array for each
-- column, in the narrowest type that gives back every value. What is read equals what was stored, NULL for NULL. It is
-- for servers without a columnstore: arrays and TOAST's compression are in every PostgreSQL.

-- Tables of packed rows: null where rows are not packed.
alter table ts.series add column if not exists packed regclass;

-- The columns of rows besides the subject and the time, in the order of the table.
create or replace function ts.value_columns(rel regclass) returns table (name text, type text, place int)
    language sql stable as $f$
  select a.attname::text, t.typname::text, a.attnum::int
  from pg_catalog.pg_attribute a join pg_catalog.pg_type t on t.oid = a.atttypid join ts.series s on s.rel = a.attrelid
  where a.attrelid = value_columns.rel and a.attnum > 0 and not a.attisdropped and a.attname not in (s.key_col, s.time_col)
  order by a.attnum $f$;

-- The forms that the values of a type take, as suffix and type. Integers: _2, _4 and _8 by width; _h has what is above
-- the 31 bits that _4 then holds. Other numbers: _2 or _4 hold them times the divisor _d, if that is exact; otherwise _f
-- holds them as they are, as it always does in a wide table. Arrays are kept as texts.
create or replace function ts.packed_forms(type text, wide bool) returns table (suffix text, form text, ord int) language sql immutable as $f$
  select f.suffix, f.form, f.ord from (values
    ('int4', '_2', 'smallint[]', 1), ('int4', '_4', 'int[]', 2),
    ('int8', '_2', 'smallint[]', 1), ('int8', '_4', 'int[]', 2), ('int8', '_h', 'smallint[]', 3), ('int8', '_8', 'bigint[]', 4),
    ('float4', '_2', 'smallint[]', 1), ('float4', '_d', 'smallint', 2), ('float4', '_f', 'real[]', 3),
    ('float8', '_2', 'smallint[]', 1), ('float8', '_4', 'int[]', 2), ('float8', '_d', 'smallint', 3), ('float8', '_f', 'float8[]', 4),
    ('_int8', '_t', 'text[]', 1)) f(type, suffix, form, ord)
  where f.type = packed_forms.type and not (wide and f.type like 'float%' and f.suffix <> '_f') $f$;

-- Whether the forms of all columns would be more than a query may have (1,664), such as the roll-ups of statistics.
create or replace function ts.is_wide(rel regclass) returns bool language sql stable as $f$
  select count(*) > 300 from ts.value_columns(rel) $f$;

-- Creates the table of packed rows of a series, or adds the columns that the series has gained since.
create or replace function ts.create_packed(target regclass) returns regclass language plpgsql as $f$
declare
  s ts.series;
  name text;
  columns text;
  missing record;
begin
  select * into strict s from ts.series x where x.rel = target;
  name := format('ts.%I', s.base || '_' || s.level || '_packed');
  if s.packed is null then
    select string_agg(format('%I %s', c.name || f.suffix, f.form), ', ' order by c.place, f.ord) into columns
    from ts.value_columns(target) c, ts.packed_forms(c.type, ts.is_wide(target)) f;
    execute format('create table if not exists %s (%I int not null, pack_span timestamptz not null, pack_n int not null,
        pack_first timestamptz not null, pack_unit bigint not null, pack_step bigint not null,
        pack_off_2 smallint[], pack_off_4 int[], pack_off_8 bigint[], %s, primary key (%I, pack_span))
        partition by range (pack_span)', name, s.key_col, columns, s.key_col);
    update ts.series x set packed = name::regclass where x.rel = target;
    perform ts.make_stored(target);
    return name::regclass;
  end if;
  for missing in
    select c.name || f.suffix as name, f.form from ts.value_columns(target) c, ts.packed_forms(c.type, ts.is_wide(target)) f
    where not exists (select from pg_catalog.pg_attribute a
      where a.attrelid = s.packed and a.attname = c.name || f.suffix and not a.attisdropped)
  loop
    execute format('alter table %s add column %I %s', s.packed, missing.name, missing.form);
  end loop;
  perform ts.make_stored(target);
  return s.packed;
end $f$;

-- The query that reads packed rows `source` as the rows they were made from: the columns of the table in their order,
-- then the span.
create or replace function ts.unpack_sql(target regclass, source text) returns text language plpgsql stable as $f$
declare
  s ts.series;
  outputs text;
  arrays text;
  names text;
  wide bool := ts.is_wide(target);
begin
  select * into strict s from ts.series x where x.rel = target;
  select string_agg(case
      when a.attname = s.key_col then format('p.%I', a.attname)
      when a.attname = s.time_col then format('p.pack_first + ((u.pack_off + (u.pack_i - 1) * p.pack_step) * p.pack_unit) * interval ''1 microsecond'' as %I', a.attname)
      when c.type = 'int8' then format('u.%1$I + coalesce(u.%2$I, 0) * 2147483648::bigint as %1$I', c.name, c.name || '_h')
      when wide and c.type like 'float%' then format('u.%I', c.name)
      when c.type = 'float4' then format('coalesce(u.%1$I, (u.%2$I / p.%3$I::float8)::real) as %1$I', c.name, c.name || '_2', c.name || '_d')
      when c.type = 'float8' then format('coalesce(u.%1$I, u.%2$I / p.%3$I::float8) as %1$I', c.name, c.name || '_2', c.name || '_d')
      when c.type = '_int8' then format('u.%1$I::bigint[] as %1$I', c.name)
      else format('u.%I', c.name) end, ', ' order by a.attnum) into outputs
    from pg_catalog.pg_attribute a left join ts.value_columns(target) c on c.name = a.attname
    where a.attrelid = target and a.attnum > 0 and not a.attisdropped;
  select
    string_agg(case c.type
      when 'int4' then format('coalesce(p.%I::int[], p.%I)', c.name || '_2', c.name || '_4')
      when 'int8' then format('coalesce(p.%I::bigint[], p.%I::bigint[], p.%I), p.%I', c.name || '_2', c.name || '_4', c.name || '_8', c.name || '_h')
      when 'float4' then format(case when wide then 'p.%I' else 'p.%I, p.%I' end, c.name || '_f', c.name || '_2')
      when 'float8' then format(case when wide then 'p.%I' else 'p.%I, coalesce(p.%I::int[], p.%I)' end, c.name || '_f', c.name || '_2', c.name || '_4')
      else format('p.%I', c.name || '_t') end, ', ' order by c.place),
    string_agg(case c.type
      when 'int8' then format('%I, %I', c.name, c.name || '_h')
      when 'float4' then format(case when wide then '%I' else '%I, %I' end, c.name, c.name || '_2')
      when 'float8' then format(case when wide then '%I' else '%I, %I' end, c.name, c.name || '_2')
      else quote_ident(c.name) end, ', ' order by c.place)
    into arrays, names from ts.value_columns(target) c;
  return format('select %s, p.pack_span from %s p cross join lateral
      unnest(coalesce(p.pack_off_2::bigint[], p.pack_off_4::bigint[], p.pack_off_8), %s) with ordinality u(pack_off, %s, pack_i)',
    outputs, source, arrays, names);
end $f$;

-- What a number is to be multiplied by so that it is whole and gives itself back: 1, 10, 100, 1000, or 0 if none does.
-- Not declared strict, so that queries contain it instead of calling it.
create or replace function ts.divisor(v float8) returns int language sql immutable parallel safe as $f$
  select case when v is null then null when not abs(v) < 2000000 then 0
    when float8send(round(v)::bigint::float8) = float8send(v) then 1
    when float8send(round(v * 10)::bigint / 10::float8) = float8send(v) then 10
    when float8send(round(v * 100)::bigint / 100::float8) = float8send(v) then 100
    when float8send(round(v * 1000)::bigint / 1000::float8) = float8send(v) then 1000
    else 0 end $f$;
create or replace function ts.divisor(v real) returns int language sql immutable parallel safe as $f$
  select case when v is null then null when not abs(v) < 32767 then 0
    when float4send(round(v)::bigint::real) = float4send(v) then 1
    when float4send((round(v::float8 * 10)::bigint / 10::float8)::real) = float4send(v) then 10
    when float4send((round(v::float8 * 100)::bigint / 100::float8)::real) = float4send(v) then 100
    when float4send((round(v::float8 * 1000)::bigint / 1000::float8)::real) = float4send(v) then 1000
    else 0 end $f$;

-- The query that packs rows `source` (with the columns of the table) of one span: a packed row for each subject. What is written
-- all at once is packed by src/core/series/pack-rows.ts, in the same forms.
create or replace function ts.pack_sql(target regclass, source text, span timestamptz) returns text language plpgsql stable as $f$
declare
  s ts.series;
  sums text;
  forms text;
  divisors text;
  wide bool := ts.is_wide(target);
begin
  select * into strict s from ts.series x where x.rel = target;
  select
    string_agg(case
      when c.type in ('int4', 'int8') then format('array_agg(%1$I order by r.pack_time) as %2$I, min(%1$I) as %3$I, max(%1$I) as %4$I',
        c.name, c.name || '_a', c.name || '_lo', c.name || '_hi')
      when wide and c.type in ('float4', 'float8') then format('array_agg(%I order by r.pack_time) as %I, count(%I) as %I', c.name, c.name || '_a', c.name, c.name || '_hi')
      when c.type in ('float4', 'float8') then format('array_agg(%1$I order by r.pack_time) as %2$I, min(%6$I) as %3$I,
        max(%6$I) as %5$I, max(abs(%1$I::float8)) as %4$I', c.name, c.name || '_a', c.name || '_lo', c.name || '_hi', c.name || '_d', c.name || '_of')
      else format('array_agg(%1$I::text order by r.pack_time) as %2$I, max(%1$I::text) as %3$I', c.name, c.name || '_a', c.name || '_hi') end,
      ', ' order by c.place),
    string_agg(case case when wide and c.type like 'float%' then 'wide' else c.type end
      when 'wide' then format('case when g.%2$I > 0 then g.%1$I end', c.name || '_a', c.name || '_hi')
      when 'int4' then format('case when g.%2$I >= -32768 and g.%3$I <= 32767 then g.%1$I::smallint[] end,
        case when g.%2$I < -32768 or g.%3$I > 32767 then g.%1$I end', c.name || '_a', c.name || '_lo', c.name || '_hi')
      when 'int8' then format('
        case when g.%2$I >= -32768 and g.%3$I <= 32767 then g.%1$I::smallint[] end,
        case when g.%2$I >= -32768 and g.%3$I <= 32767 then null
          when g.%2$I >= -2147483648 and g.%3$I <= 2147483647 then g.%1$I::int[]
          when g.%2$I >= 0 and g.%3$I < 70368744177664 then array(select (v & 2147483647)::int from unnest(g.%1$I) v) end,
        case when g.%2$I >= 0 and g.%3$I > 2147483647 and g.%3$I < 70368744177664
          then array(select (v >> 31)::smallint from unnest(g.%1$I) v) end,
        case when (g.%2$I < -2147483648 or g.%3$I > 2147483647) and (g.%2$I < 0 or g.%3$I >= 70368744177664) then g.%1$I end',
        c.name || '_a', c.name || '_lo', c.name || '_hi')
      when 'float4' then format('
        case when g.%2$I > 0 and g.%4$I * g.%3$I <= 32767 then case when g.%4$I = 1 then g.%1$I::smallint[] else array(select round(v::float8 * g.%4$I)::smallint from unnest(g.%1$I) v) end end,
        case when g.%2$I > 0 and g.%4$I * g.%3$I <= 32767 then g.%4$I end,
        case when not (g.%2$I > 0 and g.%4$I * g.%3$I <= 32767) then g.%1$I end', c.name || '_a', c.name || '_lo', c.name || '_hi', c.name || '_d')
      when 'float8' then format('
        case when g.%2$I > 0 and g.%4$I * g.%3$I <= 32767 then case when g.%4$I = 1 then g.%1$I::smallint[] else array(select round(v * g.%4$I)::smallint from unnest(g.%1$I) v) end end,
        case when g.%2$I > 0 and g.%4$I * g.%3$I > 32767 then case when g.%4$I = 1 then g.%1$I::int[] else array(select round(v * g.%4$I)::int from unnest(g.%1$I) v) end end,
        case when g.%2$I > 0 then g.%4$I end,
        case when not g.%2$I > 0 then g.%1$I end', c.name || '_a', c.name || '_lo', c.name || '_hi', c.name || '_d')
      else format('case when g.%2$I is not null then g.%1$I end', c.name || '_a', c.name || '_hi') end, ', ' order by c.place)
    into sums, forms from ts.value_columns(target) c;
  select string_agg(format(', ts.divisor(r.%I) as %I', c.name, c.name || '_of'), '' order by c.place) into divisors
    from ts.value_columns(target) c where c.type like 'float%' and not wide;
  return format($q$
    select g.%1$I, %2$L::timestamptz, g.pack_n, g.pack_first, t.unit, t.step,
      case when o.lo >= -32768 and o.hi <= 32767 then t.offs::smallint[] end,
      case when (o.lo < -32768 or o.hi > 32767) and o.lo >= -2147483648 and o.hi <= 2147483647 then t.offs::int[] end,
      case when o.lo < -2147483648 or o.hi > 2147483647 then t.offs end, %3$s
    from (
      select %1$I, count(*)::int as pack_n, min(r.pack_time) as pack_first, min(r.pack_us) as pack_begin,
        array_agg(r.pack_us order by r.pack_time) as pack_times,
        coalesce(percentile_disc(0.5) within group (order by r.pack_us - r.pack_before), 0) as pack_step, %4$s
      from (select r.*, lag(r.pack_us) over (partition by %1$I order by r.pack_time) as pack_before %7$s
        -- Microseconds of a span are whole numbers of float8. "offset 0": computed once.
        from (select r.*, r.%5$I as pack_time, (date_part('epoch', r.%5$I - %2$L::timestamptz) * 1000000)::bigint as pack_us from %6$s r offset 0) r) r
      group by %1$I) g,
    -- The unit in which the times differ from a regular step: the step itself, a millisecond or a microsecond.
    lateral (select case when g.pack_step > 0 and bool_and((v - g.pack_begin) %% nullif(g.pack_step, 0) = 0) then g.pack_step
        when bool_and((v - g.pack_begin) %% 1000 = 0) then 1000 else 1 end as unit from unnest(g.pack_times) v) w,
    lateral (select w.unit as unit, round(g.pack_step / w.unit::numeric)::bigint as step offset 0) y,
    lateral (select y.unit, y.step,
      array(select (v - g.pack_begin) / y.unit - (i - 1) * y.step from unnest(g.pack_times) with ordinality x(v, i)) as offs offset 0) t,
    lateral (select min(v) as lo, max(v) as hi from unnest(t.offs) v) o$q$,
    s.key_col, span, forms, sums, s.time_col, source, coalesce(divisors, ''));
end $f$;

-- Partitions or chunks of rows, with their bounds, oldest first.
create or replace function ts.chunks_of(target regclass) returns table (part regclass, since timestamptz, upto timestamptz)
    language plpgsql stable as $f$
begin
  if ts.kind(target) = 'native' then
    return query select c.oid::regclass,
        substring(pg_get_expr(c.relpartbound, c.oid) from $r$FROM \('([^']+)'\)$r$)::timestamptz as f,
        substring(pg_get_expr(c.relpartbound, c.oid) from $r$TO \('([^']+)'\)$r$)::timestamptz
      from pg_catalog.pg_inherits i join pg_catalog.pg_class c on c.oid = i.inhrelid where i.inhparent = target order by 2;
  else
    return query execute 'select format(''%I.%I'', c.chunk_schema, c.chunk_name)::regclass, c.range_start, c.range_end
      from timescaledb_information.chunks c
      where format(''%I.%I'', c.hypertable_schema, c.hypertable_name)::regclass = $1 order by 2' using target;
  end if;
end $f$;

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
  if s.compress_after is null or ts.edition() = 'tsl' then return; end if;
  if s.packed is null then s.packed := ts.create_packed(target); end if;
  select * into p from ts.packing x where x.rel = target;
  if found and not exists (select from pg_catalog.pg_class c where c.oid = p.part) then
    -- Its rows have become too old meanwhile.
    execute format('drop table if exists %s', p.made);
    delete from ts.packing x where x.rel = target;
    p := null;
  end if;
  if p.rel is null then
    select target, c.part, null, c.since, c.upto, -2147483648 into p from ts.chunks_of(target) c
      where c.upto <= now() - s.compress_after and ts.is_rolled(target, c.since, c.upto)
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
  execute format('select exists (select from %s where pack_span > %L::timestamptz - %L::interval and pack_span < %L)',
    s.packed, since, ts.exact(s.chunk), upto) into found;
  return found;
end $f$;

-- What to read the rows of a series from `since` to `upto` from, in whichever form they are. The condition on the time
-- stays necessary.
create or replace function ts.stored_between(rel regclass, since timestamptz, upto timestamptz) returns text language sql stable as $f$
  select case when s.packed is null then s.rel::text
    else format('(select * from ts.%I where span is null or (span > %L::timestamptz - %L::interval and span < %L)) x',
      s.base || '_' || s.level || '_stored', since, ts.exact(s.chunk), upto) end
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
-- it is where both have the same time. Returns the number of subjects; 0: there are no late rows.
create or replace function ts.pack_late(target regclass, most int default 1000) returns int language plpgsql as $f$
declare
  s ts.series;
  c record;
  keys int[];
  old text;
begin
  select * into strict s from ts.series x where x.rel = target;
  if s.packed is null or not pg_try_advisory_xact_lock(hashtext('ts.pack_step'), target::oid::int) then return 0; end if;
  for c in select x.* from ts.chunks_of(target) x
    where x.upto <= now() - s.compress_after and to_regclass(ts.packed_part(target, x.since)) is not null
      and ts.is_rolled(target, x.since, x.upto) and not exists (select from ts.packing p where p.part = x.part)
    order by x.since
  loop
    execute format('lock table %s in share row exclusive mode', c.part);
    execute format('select array_agg(k) from (select distinct %I as k from %s order by 1 limit $1) x', s.key_col, c.part) into keys using most;
    exit when keys is not null;
    perform ts.drop_part(target, c.part, c.since, c.upto);
  end loop;
  if keys is null then return 0; end if;
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

-- What is stored of a series, in both forms: the view `<base>_<level>_stored` has the columns of the table, and `span`, which is
-- null for rows and the start of the chunk for packed ones. A condition on it as well as on the time spares reading chunks.
create or replace function ts.make_stored(target regclass) returns void language plpgsql as $f$
declare
  s ts.series;
begin
  select * into strict s from ts.series x where x.rel = target;
  perform ts.make_view(format('ts.%I', s.base || '_' || s.level || '_stored'), format('select %s, null::timestamptz as span from %s', ts.columns_of(target), target)
    || case when s.packed is null then '' else format(' union all %s', ts.unpack_sql(target, s.packed::text)) end);
end $f$;
