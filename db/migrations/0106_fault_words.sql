-- What to do about the alerts of a rule: the address of a page, http or https.
alter table alert_rules add column runbook text;

-- For how long a port had its previous operational state: null is not known.
alter table ports
  add column "ifOperStatus_since" timestamp with time zone,
  add column "ifOperStatus_lasted" bigint;
create function note_port_status() returns trigger language plpgsql as $$
declare
  up bigint;
begin
  if old."ifOperStatus" is null or new."ifOperStatus" is null then
    new."ifOperStatus_lasted" := null;
    new."ifOperStatus_since" := null;
    return new;
  end if;
  if old."ifOperStatus_since" is not null then
    new."ifOperStatus_lasted" := extract(epoch from now() - old."ifOperStatus_since");
  else
    -- no change was seen yet: the agent knows the uptime at its last one (IF-MIB ifLastChange, 1/100 s; 0: not known)
    select d.uptime - old."ifLastChange" / 100 into up from devices d
      where d.device_id = old.device_id and old."ifLastChange" > 0;
    new."ifOperStatus_lasted" := case when up > 0 then up end;
  end if;
  new."ifOperStatus_since" := now();
  return new;
end $$;
create trigger ports_status before update on ports for each row
  when (old."ifOperStatus" is distinct from new."ifOperStatus") execute function note_port_status();
