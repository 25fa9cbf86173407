-- The roll-up mechanism, driven by ts.field.

-- The query that aggregates `source` into the columns of a roll-up, for rows that satisfy `cond`. `source` is the
-- roll-up's source or a query with the same columns. Weights: a counter's rate is its sum over its known time; a
-- gauge's average counts known samples. `known` holds these weights per field if they differ from the row's own
-- (period_ms, or n), otherwise null.
drop function if exists ts.aggregate_sql(ts.rollup, text);
-- The weight of each field of a kind in a row, as SQL: `weight` if the field is known; null or 0 if not.
create or replace function ts.weights(base text, weight text, raw bool) returns table ("position" int, w text)
    language sql stable as $f$
  select f.position, case when raw then format('case when %I is not null then %s end', f.name, weight)
    else format('case when %I is not null then coalesce(known[%s], %s) end', f.name, f.position, weight) end
  from ts.field f where f.base = weights.base $f$;

create or replace function ts.aggregate_sql(roll ts.rollup, source text, cond text) returns text language plpgsql stable as $f$
declare
  s ts.series;
  counters bool;
  raw bool;
  weight text;
  parts text;
  weights text;
  same text;
begin
  select * into strict s from ts.series x where x.rel = roll.src;
  raw := s.level = 'samples';
  counters := exists (select from ts.field f where f.base = roll.base and f.role = 'counter');
  weight := case when counters then 'period_ms' when raw then '1' else 'n' end;
  select
    string_agg(format('sum(%s)', w), ', ' order by position),
    string_agg(format('coalesce(sum(%s) = sum(%s), true)', w, weight), ' and ' order by position)
  into weights, same from ts.weights(roll.base, weight, raw);
  -- In the order of the roll-up's columns, which is that of their making.
  -- Columns that a kind no longer has stay in the table, without values.
  select string_agg(coalesce(c.expression, format('null::%s as %I', format_type(a.atttypid, a.atttypmod), a.attname)), ', '
      order by a.attnum) into parts
  from pg_catalog.pg_attribute a left join (
    select 'bucket' as name, format('date_bin(%L, %I, timestamptz %L) as bucket', roll.width, s.time_col, '2000-01-03 00:00+00') as expression
    union all select s.key_col, quote_ident(s.key_col)
    union all select 'n', case when raw then 'count(*)::int as n' else 'sum(n)::int as n' end
    union all select 'period_ms', 'sum(period_ms)::bigint as period_ms' where counters
    union all select 'known', format('case when %s then null else array[%s]::bigint[] end as known', same, weights)
    union all select f.name, case
        when f.role in ('counter', 'total') then format('case when sum(%1$I) is not null then least(sum(%1$I), %2$s)::%3$s end as %1$I',
          f.name, case f.type when 'int' then '2147483647' else '9223372036854775807' end, f.type)
        when raw then format('avg(%1$I)::%2$s as %1$I', f.name, f.type)
        else format('(sum(%1$I::float8 * (%2$s)) / nullif(sum(%2$s), 0))::%3$s as %1$I', f.name, w.w, f.type) end
      from ts.field f join ts.weights(roll.base, weight, raw) w using (position) where f.base = roll.base
    union all select e.name, format('%s(%s) as %I', e.fn, case
        when not raw then quote_ident(e.name)
        when f.role = 'counter' then format('(%I * 1000.0::float8 / period_ms)::real', f.name)
        else quote_ident(f.name) end, e.name)
      from ts.field f, lateral (values (f.name || '_min', 'min', f.has_min), (f.name || '_max', 'max', f.has_max)) e(name, fn, kept)
      where f.base = roll.base and e.kept) c on c.name = a.attname
  where a.attrelid = roll.dst and a.attnum > 0 and not a.attisdropped;
  return format('select %s from %s where %s group by 1, 2', parts, source, cond);
end $f$;

-- The columns of a table in their order. A column that a kind has gained later is the last one, wherever its field is.
drop function if exists ts.columns_of(regclass);
create or replace function ts.columns_of(rel regclass, alias text default null) returns text language sql stable as $f$
  select string_agg(coalesce(alias || '.', '') || quote_ident(attname), ', ' order by attnum) from pg_catalog.pg_attribute
  where attrelid = rel and attnum > 0 and not attisdropped $f$;

-- Creates a view, or replaces it also where PostgreSQL does not, because its columns are in another order. A view that
-- other views use stays as it is then.
create or replace function ts.make_view(name text, query text) returns void language plpgsql as $f$
begin
  execute format('create or replace view %s as %s', name, query);
exception when invalid_table_definition then
  begin
    execute format('drop view %s', name);
    execute format('create view %s as %s', name, query);
  exception when dependent_objects_still_exist then
    raise warning 'view % keeps its columns, because other views use it', name;
  end;
end $f$;

-- Subjects that were deleted; ts.forget_gone() removes their rows in steps.
create table if not exists ts.gone (base text not null, id int not null, primary key (base, id));
-- They are removed twice, some time apart: a poll in progress may store samples just after the deletion.
alter table ts.gone add column if not exists again_at timestamptz;

create or replace function ts.note_gone() returns trigger language plpgsql as $f$
begin
  execute format('insert into ts.gone select %L, %I from old_rows on conflict do nothing', tg_argv[0], tg_argv[1]);
  return null;
end $f$;
-- Declares a series: `<base>_samples` and its roll-ups `<base>_1h` and `<base>_1d`.
-- fields: name:type:role[:min][:max], in order.
create or replace function ts.define(base text, key_col text, chunk interval, fields text[]) returns void language plpgsql as $f$
declare
  counters bool := fields::text like '%:counter%';
  lag constant interval := interval '10 minutes';
  samples regclass;
  hourly regclass;
  daily regclass;
  rolled text;
  missing record;
begin
  delete from ts.field f where f.base = define.base;
  insert into ts.field
    select define.base, o, p[1], p[2], p[3], 'min' = any(p), 'max' = any(p)
    from unnest(fields) with ordinality as u(text, o), string_to_array(u.text, ':') as p;
  select format('bucket timestamptz not null, %I int not null, n int not null, %s known bigint[], %s', key_col,
      case when counters then 'period_ms bigint not null,' else '' end,
      string_agg(format('%I %s', name, type)
        || case when has_min then format(', %I %s', name || '_min', case role when 'counter' then 'real' else type end) else '' end
        || case when has_max then format(', %I %s', name || '_max', case role when 'counter' then 'real' else type end) else '' end,
        ', ' order by position))
    into rolled from ts.field f where f.base = define.base;
  samples := (select ts.create_table(define.base, 'samples',
      format('"time" timestamptz not null, %I int not null, %s %s', key_col,
        case when counters then 'period_ms int not null check (period_ms > 0),' else '' end,
        string_agg(format('%I %s', name, type), ', ' order by position)),
      key_col, 'time', chunk, interval '30 days', interval '1 day')
    from ts.field f where f.base = define.base);
  hourly := ts.create_table(define.base, '1h', rolled, key_col, 'bucket', interval '14 days', interval '400 days', interval '7 days');
  daily := ts.create_table(define.base, '1d', rolled, key_col, 'bucket', interval '364 days', interval '3650 days', interval '7 days');
  -- Late samples change roll-ups for 7 days. Databases of an earlier version have other values.
  update ts.series x set compress_after = case x.level when 'samples' then interval '1 day' else interval '7 days' end
    where x.base = define.base;
  -- Tables of an earlier version may lack columns that a kind has gained since.
  for missing in
    select x.rel, n.name, n.type
    from ts.series x join ts.field f on f.base = x.base, lateral (
      select f.name, f.type, true as kept
      union all select f.name || '_min', case f.role when 'counter' then 'real' else f.type end, f.has_min and x.level <> 'samples'
      union all select f.name || '_max', case f.role when 'counter' then 'real' else f.type end, f.has_max and x.level <> 'samples') n
    where x.base = define.base and n.kept and not exists (
      select from pg_catalog.pg_attribute a where a.attrelid = x.rel and a.attname = n.name and not a.attisdropped)
  loop
    execute format('alter table %s add column %I %s', missing.rel, missing.name, missing.type);
  end loop;
  -- The writer calls ts.late only for hours that ended before the lag, so no younger hour may begin as complete.
  insert into ts.rollup values
    (hourly, samples, define.base, interval '1 hour', lag, date_bin('1 hour', now() - lag, timestamptz '2000-01-03 00:00+00')),
    (daily, hourly, define.base, interval '1 day', interval '0', date_bin('1 day', now() - lag, timestamptz '2000-01-03 00:00+00'))
  on conflict do nothing;
end $f$;

-- Called by the writer in the transaction of samples whose hour may already be rolled up: marks these hours to be
-- redone. Unconditional, because a roll-up running at this moment does not see the samples yet.
create or replace function ts.late(base text, hours timestamptz[]) returns void language sql as $f$
  insert into ts.dirty select r.dst, date_bin(r.width, h, timestamptz '2000-01-03 00:00+00')
  from ts.rollup r join ts.series s on s.rel = r.dst, unnest(hours) h
  where r.base = late.base and s.level = '1h'
  on conflict do nothing $f$;

-- Aggregates one bucket, for the first time or again. Once the rows of a bucket are packed, the rows beside are those that
-- came late, and only their subjects are aggregated again.
create or replace function ts.roll_bucket(roll ts.rollup, start timestamptz) returns void language plpgsql as $f$
declare
  s ts.series;
  d ts.series;
  sets text;
  cond text;
  late int[];
begin
  select * into strict s from ts.series x where x.rel = roll.src;
  select * into strict d from ts.series x where x.rel = roll.dst;
  select string_agg(format('%1$I = excluded.%1$I', attname), ', ') into sets from pg_catalog.pg_attribute
    where attrelid = roll.dst and attnum > 0 and not attisdropped and attname not in ('bucket', d.key_col);
  perform ts.ensure_partitions(roll.dst, start) where ts.kind(roll.dst) = 'native' and not ts.has_partition(roll.dst, start);
  -- Literals instead of parameters, so that the planner excludes partitions and chunks.
  cond := format('%1$I >= %2$L and %1$I < %3$L', s.time_col, start, start + roll.width);
  if ts.is_packed(roll.src, start, start + roll.width) or ts.is_packed(roll.dst, start, start + roll.width) then
    execute format('select array_agg(distinct %I) from %s where %s', s.key_col, roll.src, cond) into late;
    if late is null then return; end if;
    perform ts.unpack_rows(roll.dst, late, start, start + roll.width);
    cond := cond || format(' and %I = any(%L::int[])', s.key_col, late);
  end if;
  execute format('insert into %s (%s) %s on conflict (%I, bucket) do update set %s', roll.dst,
    ts.columns_of(roll.dst), ts.aggregate_sql(roll, ts.stored_between(roll.src, start, start + roll.width), cond), d.key_col, sets);
end $f$;

create or replace function ts.has_partition(rel regclass, moment timestamptz) returns bool language sql stable as $f$
  select exists (
    select from pg_catalog.pg_inherits i join pg_catalog.pg_class c on c.oid = i.inhrelid
    where i.inhparent = rel
      and moment >= substring(pg_get_expr(c.relpartbound, c.oid) from $r$FROM \('([^']+)'\)$r$)::timestamptz
      and moment < substring(pg_get_expr(c.relpartbound, c.oid) from $r$TO \('([^']+)'\)$r$)::timestamptz) $f$;

-- Rolls up at most `most` buckets of one roll-up: first those changed by late samples, then those that have closed.
-- Returns how many; 0: nothing to do, or another process is working on it.
create or replace function ts.roll(target regclass, most int default 24) returns int language plpgsql as $f$
declare
  roll ts.rollup;
  src ts.series;
  upto timestamptz;
  start timestamptz;
  done int := 0;
begin
  select * into roll from ts.rollup r where r.dst = target for update skip locked;
  if not found then return 0; end if;
  select * into strict src from ts.series s where s.rel = roll.src;
  for start in
    delete from ts.dirty d using (select x.bucket from ts.dirty x where x.dst = roll.dst order by x.bucket limit most) due
    where d.dst = roll.dst and d.bucket = due.bucket returning d.bucket
  loop
    -- Once retention has begun to remove the source, the existing roll-up is more complete than the source.
    if start >= now() - src.keep then
      perform ts.roll_bucket(roll, start);
      insert into ts.dirty select n.dst, date_bin(n.width, start, timestamptz '2000-01-03 00:00+00')
        from ts.rollup n where n.src = roll.dst and n.watermark > start on conflict do nothing;
    end if;
    done := done + 1;
  end loop;
  upto := least(now() - roll.lag, (select r.watermark from ts.rollup r where r.dst = roll.src));
  -- A clock that was ahead has closed buckets that have not ended, which would otherwise stay as they were then.
  start := least(roll.watermark, date_bin(roll.width, upto, timestamptz '2000-01-03 00:00+00'));
  while done < most and start + roll.width <= upto loop
    perform ts.roll_bucket(roll, start);
    start := start + roll.width;
    done := done + 1;
  end loop;
  if start <> roll.watermark then update ts.rollup r set watermark = start where r.dst = roll.dst; end if;
  return done;
end $f$;
