-- What the application's scheduler calls. Each call is short, safe beside others, and ends without work when it has none.

-- Removes what is older than `keep`. Returns the names of what went.
create or replace function ts.drop_old(target regclass, keep interval) returns setof text language plpgsql as $f$
declare
  p record;
begin
  update ts.series s set keep = drop_old.keep where s.rel = target and s.keep <> drop_old.keep;
  if ts.kind(target) = 'hyper' then
    return query execute format('select drop_chunks(%L::regclass, %L::timestamptz)::text', target, now() - keep);
    return;
  end if;
  for p in
    select c.oid::regclass as part, substring(pg_get_expr(c.relpartbound, c.oid) from $r$TO \('([^']+)'\)$r$)::timestamptz as upto
    from pg_catalog.pg_inherits i join pg_catalog.pg_class c on c.oid = i.inhrelid where i.inhparent = target
  loop
    if p.upto <= now() - keep then
      execute format('drop table %s', p.part);
      return next p.part::text;
    end if;
  end loop;
end $f$;

-- Full edition: moves closed chunks to the columnstore, also those that late samples have reopened.
create or replace function ts.compress_old(target regclass) returns int language plpgsql as $f$
declare
  s ts.series;
  n int := 0;
begin
  select * into strict s from ts.series x where x.rel = target;
  if s.compress_after is not null and ts.edition() = 'tsl' and ts.kind(target) = 'hyper' then
    execute format('select count(compress_chunk(c, if_not_compressed => true)) from show_chunks(%L::regclass, older_than => %L::timestamptz) c',
      target, now() - s.compress_after) into n;
  end if;
  return n;
end $f$;

-- Removes every sample and roll-up of these subjects: ts.forget('port', '{1,2}').
create or replace function ts.forget(target text, ids int[]) returns bigint language plpgsql as $f$
declare
  s ts.series;
  n bigint;
  total bigint := 0;
begin
  for s in select * from ts.series x where x.base = target loop
    execute format('delete from %s where %I = any(%L::int[])', s.rel, s.key_col, ids);
    get diagnostics n = row_count;
    total := total + n;
  end loop;
  return total;
end $f$;
create or replace function ts.forget_ports(ids int[]) returns bigint language sql as $f$ select ts.forget('port', ids) $f$;

-- Forgets at most `most` deleted subjects of one kind. Returns how many it did.
create or replace function ts.forget_gone(most int default 500) returns int language plpgsql as $f$
declare
  target text;
  ids int[];
begin
  select g.base into target from ts.gone g limit 1;
  if not found then return 0; end if;
  with due as (select g.id from ts.gone g where g.base = target limit most for update skip locked)
    select array_agg(id) into ids from due;
  if ids is null then return 0; end if;
  perform ts.forget(target, ids);
  if target = 'device' then
    perform ts.forget('icmp', ids);
    perform ts.forget('stats', ids);
    delete from ts.port_state s where s.device_id = any(ids);
  end if;
  delete from ts.gone g where g.base = target and g.id = any(ids);
  return cardinality(ids);
end $f$;
