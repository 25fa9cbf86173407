-- Live events of faults, by statement, as those of alerts.
create function live_faults() returns trigger language plpgsql as $$
declare
  noted bigint;
begin
  if tg_op = 'INSERT' then
    insert into live_events (kind, data)
    select 'fault', live_fault_data(f, 'began') from added f where f.state <> 0 order by f.id;
  else
    insert into live_events (kind, data)
    select 'fault', live_fault_data(f, case
        when o.state <> 0 and f.state = 0 then 'ended'
        when o.state <> 2 and f.state = 2 then 'acknowledged'
        when o.state = 2 and f.state = 1 then 'active'
        else 'changed' end)
    from changed f join before o on o.id = f.id
    where (o.state, o.severity, o.muted_until, o.assigned_to, o.acknowledged_at)
      is distinct from (f.state, f.severity, f.muted_until, f.assigned_to, f.acknowledged_at)
    order by f.id;
  end if;
  get diagnostics noted = row_count;
  if noted > 0 then
    perform pg_notify('portlight_live', '');
  end if;
  return null;
end $$;
-- Names are looked up by row: a join would be planned for the number of rows of the first statement.
create function live_fault_data(f faults, change text) returns jsonb language sql stable as $$
  select jsonb_strip_nulls(jsonb_build_object('device_id', f.device_id, 'fault_id', f.id, 'alert_id', f.alert_id,
    'rule_id', f.rule_id, 'change', change, 'state', f.state, 'severity', f.severity, 'kind', f.kind,
    'subject_id', f.subject_id, 'message', f.message, 'since', extract(epoch from f.began_at),
    'rule', (select r.name from alert_rules r where r.id = f.rule_id),
    'hostname', (select d.hostname from devices d where d.device_id = f.device_id)))
$$;
revoke execute on function live_fault_data(faults, text) from public;
revoke execute on function live_faults() from public;
create trigger faults_live_added after insert on faults
  referencing new table as added for each statement execute function live_faults();
create trigger faults_live_changed after update on faults
  referencing old table as before new table as changed for each statement execute function live_faults();
