-- Views that join rows and packed rows; every reader of history uses one of them.

-- What is stored of a series, in both forms: the view `<base>_<level>_stored` has the columns of the table, and `span`,
-- which is null for rows and the start of the chunk for packed ones. A condition on it as well as on the time spares
-- reading chunks. `<base>_<level>_dated` is for queries that have no such condition.
create or replace function ts.make_stored(target regclass) returns void language plpgsql as $f$
declare
  s ts.series;
begin
  select * into strict s from ts.series x where x.rel = target;
  perform ts.make_view(format('ts.%I', s.base || '_' || s.level || '_stored'), format('select %s, null::timestamptz as span from %s', ts.columns_of(target), target)
    || case when s.packed is null then '' else format(' union all %s', ts.unpack_sql(target, s.packed::text)) end);
  perform ts.make_dated(target);
end $f$;

-- The view `<base>_<level>_dated`: what is stored, with the columns of the table. The planner cannot conclude from a
-- condition on the time which packed rows can have such times. So packed rows are divided by age into a few queries, each
-- with its times as constants: those that contradict the condition are left out (constraint_exclusion = on). Chunks that
-- were packed since it was made are in the first query.
create or replace function ts.make_dated(target regclass) returns void language plpgsql as $f$
declare
  s ts.series;
  parts timestamptz[];
  newest timestamptz;
  query text;
  unpacked text;
  i int := 1;
  size int := 1;
begin
  select * into strict s from ts.series x where x.rel = target;
  query := format('select %s from %s', ts.columns_of(target), target);
  if s.packed is not null then
    unpacked := format(' union all select %s from (%s) p where ', ts.columns_of(target), ts.unpack_sql(target, s.packed::text));
    select array_agg(p.since order by p.since desc), max(p.upto) into parts, newest from ts.partitions_of(s.packed) p;
    newest := coalesce(newest, '-infinity');
    query := query || unpacked || format('p.pack_span >= %1$L and %2$I >= %1$L', newest, s.time_col);
    while i <= coalesce(cardinality(parts), 0) loop
      -- one chunk, then three, nine, ...
      query := query || unpacked || format('p.pack_span < %1$L and %2$I < %1$L', newest, s.time_col);
      if i + size <= cardinality(parts) then
        newest := parts[i + size - 1];
        query := query || format(' and p.pack_span >= %1$L and %2$I >= %1$L', newest, s.time_col);
      end if;
      i := i + size;
      size := size * 3;
    end loop;
  end if;
  perform ts.make_view(format('ts.%I', s.base || '_' || s.level || '_dated'), query);
  update ts.series x set dated = coalesce(cardinality(parts), 0) where x.rel = target;
end $f$;

-- Series whose view does not know which chunks are packed by now.
create or replace function ts.stale_views() returns setof regclass language sql stable as $f$
  select s.rel from ts.series s where s.packed is not null
    and s.dated is distinct from (select count(*) from pg_catalog.pg_inherits i where i.inhparent = s.packed)::int $f$;

-- Needed by the views above, in new sessions. A server of others may not allow it: reading is slower there.
do $d$
begin
  if current_setting('constraint_exclusion') <> 'on' then
    execute format('alter database %I set constraint_exclusion = on', current_database());
  end if;
exception when insufficient_privilege then
  raise notice 'constraint_exclusion stays %: %', current_setting('constraint_exclusion'), sqlerrm;
end $d$;
