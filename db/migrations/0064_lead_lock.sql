-- Anybody who may connect can take any advisory lock, also a role that may only read. The lock of the lead is therefore
-- one whose key can be replaced: a process that finds it held by a session without the right to lead takes another key,
-- which nobody else knows yet, and stores that.
create table cluster_lead (
  one boolean primary key default true,
  key bigint not null
);

-- Whether sessions of this role may be processes of this program: its members, or roles that may write its tables.
create function is_cluster_role(role oid) returns boolean language sql stable as $$
  select pg_has_role(role, c.relowner, 'member') or has_table_privilege(role, c.oid, 'update')
  from pg_class c where c.oid = 'poller_cluster'::regclass
$$;

-- Takes the lead for this session; false: another process has it. The row's lock makes attempts follow one another.
create function take_lead() returns boolean language plpgsql as $$
declare
  known bigint;
  fresh bigint;
begin
  select key into known from cluster_lead for update;
  if known is null then
    -- the key that earlier versions use, so that a process of one of them is still recognised as the lead
    known := 1886350444;
    insert into cluster_lead (key) values (known) on conflict do nothing;
  end if;
  if pg_try_advisory_lock(known) then return true; end if;
  if not exists (select from pg_locks l join pg_stat_activity a on a.pid = l.pid
      where l.locktype = 'advisory' and l.granted and l.objsubid = 1
        and l.classid::bigint = (known >> 32) & 4294967295 and l.objid::bigint = known & 4294967295
        and l.database = (select d.oid from pg_database d where d.datname = current_database())
        and not is_cluster_role(a.usesysid)) then
    return false;
  end if;
  fresh := ('x' || left(replace(gen_random_uuid()::text, '-', ''), 12))::bit(48)::bigint;
  if not pg_try_advisory_lock(fresh) then return false; end if;
  update cluster_lead set key = fresh;
  return true;
end $$;

revoke execute on function is_cluster_role(oid), take_lead() from public;
