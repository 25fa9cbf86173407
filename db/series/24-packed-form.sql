-- Packed rows: the rows of one subject and one span of time (a chunk of the series) as one row with an array for each
-- column, in the narrowest type that gives back every value. What is read equals what was stored, NULL for NULL. It is
-- for servers without a columnstore: arrays and TOAST's compression are in every PostgreSQL.

-- Tables of packed rows: null where rows are not packed.
alter table ts.series add column if not exists packed regclass;
-- Partitions of packed rows that the view of ts.make_dated knows.
alter table ts.series add column if not exists dated int;

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

-- The columns of a table of packed rows.
create or replace function ts.packed_columns(target regclass) returns text language sql stable as $f$
  select format('%I int not null, pack_span timestamptz not null, pack_n int not null,
      pack_first timestamptz not null, pack_unit bigint not null, pack_step bigint not null,
      pack_off_2 smallint[], pack_off_4 int[], pack_off_8 bigint[], %s', s.key_col, f.columns)
  from ts.series s, (select string_agg(format('%I %s', c.name || f.suffix, f.form), ', ' order by c.place, f.ord) as columns
    from ts.value_columns(target) c, ts.packed_forms(c.type, ts.is_wide(target)) f) f
  where s.rel = target $f$;

-- Creates the table of packed rows of a series, or adds the columns that the series has gained since.
create or replace function ts.create_packed(target regclass) returns regclass language plpgsql as $f$
declare
  s ts.series;
  name text;
  missing record;
begin
  select * into strict s from ts.series x where x.rel = target;
  name := format('ts.%I', s.base || '_' || s.level || '_packed');
  if s.packed is null then
    execute format('create table if not exists %s (%s, primary key (%I, pack_span)) partition by range (pack_span)',
      name, ts.packed_columns(target), s.key_col);
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
-- then the span. The arrays of a packed row are decompressed once (`||`), by a query that the planner cannot merge with the
-- one that takes the elements, because of its volatile column; so arrays of columns that nobody asks for are not read at all,
-- and conditions on the subject and the span still reach the index. Set-returning functions are not merged either: a row's
-- time is computed once, however often it is named, and equal calls of generate_series() are one. These are a query beside,
-- because what stands above a set-returning function gets a NULL for every row and unused array.
-- Epoch seconds as float8 hold microseconds exactly until the year 2255.
create or replace function ts.unpack_sql(target regclass, source text) returns text language plpgsql stable as $f$
declare
  s ts.series;
  outputs text;
  arrays text;
  wide bool := ts.is_wide(target);
begin
  select * into strict s from ts.series x where x.rel = target;
  select string_agg(case
      when a.attname = s.key_col then format('e.%I', a.attname)
      when a.attname = s.time_col then format('x.pack_time as %I', a.attname)
      when c.type = 'int4' then format('coalesce(e.%2$I[x.i]::int, e.%3$I[x.i]) as %1$I', c.name, c.name || '_2', c.name || '_4')
      when c.type = 'int8' then format('coalesce(e.%2$I[x.i]::bigint, e.%3$I[x.i]::bigint + coalesce(e.%4$I[x.i], 0)::bigint * 2147483648::bigint, e.%5$I[x.i]) as %1$I',
        c.name, c.name || '_2', c.name || '_4', c.name || '_h', c.name || '_8')
      when wide and c.type like 'float%' then format('e.%2$I[x.i] as %1$I', c.name, c.name || '_f')
      when c.type = 'float4' then format('coalesce(e.%2$I[x.i], (e.%3$I[x.i] / e.%4$I::float8)::real) as %1$I', c.name, c.name || '_f', c.name || '_2', c.name || '_d')
      when c.type = 'float8' then format('coalesce(e.%2$I[x.i], coalesce(e.%3$I[x.i]::int, e.%4$I[x.i]) / e.%5$I::float8) as %1$I',
        c.name, c.name || '_f', c.name || '_2', c.name || '_4', c.name || '_d')
      else format('e.%2$I[x.i]::bigint[] as %1$I', c.name, c.name || '_t') end, ', ' order by a.attnum) into outputs
    from pg_catalog.pg_attribute a left join ts.value_columns(target) c on c.name = a.attname
    where a.attrelid = target and a.attnum > 0 and not a.attisdropped;
  select string_agg(format(case when f.form like '%[]' then ', p.%1$I || ''{}''::%2$s as %1$I' else ', p.%I' end, c.name || f.suffix, f.form), '' order by c.place, f.ord)
    into arrays from ts.value_columns(target) c, ts.packed_forms(c.type, wide) f;
  return format('select %1$s, e.pack_span from (
      select p.%2$I, p.pack_span, p.pack_n, (extract(epoch from p.pack_first) * 1000000)::bigint as pack_us, p.pack_unit, p.pack_step,
        coalesce(p.pack_off_2::bigint[], p.pack_off_4::bigint[], p.pack_off_8) as pack_off%3$s, clock_timestamp() as pack_once
      from %4$s p) e,
    lateral (select generate_series(1, e.pack_n) as i,
      to_timestamp((e.pack_us + (e.pack_off[generate_series(1, e.pack_n)] + (generate_series(1, e.pack_n) - 1) * e.pack_step) * e.pack_unit)
        / 1000000::float8) as pack_time) x', outputs, s.key_col, arrays, source);
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

