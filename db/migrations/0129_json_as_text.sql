-- What is written once, read whole once and deleted soon after is kept as the text that it came as: to take it apart, sort
-- its members and put it together again took 130 µs for a notification of 4 kB, and to check the text takes 80.
alter table alert_outbox alter column context type json;
alter table live_events alter column data type json;
create or replace function live_alerts() returns trigger language plpgsql as $$
declare
  noted bigint;
begin
  if tg_op = 'INSERT' then
    insert into live_events (kind, data)
    select 'alert', json_strip_nulls(json_build_object('device_id', a.device_id, 'alert_id', a.id, 'rule_id', a.rule_id,
      'change', 'opened', 'state', a.state, 'since', extract(epoch from a.timestamp), 'note', left(coalesce(a.note, ''), 500),
      'rule', (select r.name from alert_rules r where r.id = a.rule_id),
      'severity', (select r.severity from alert_rules r where r.id = a.rule_id),
      'hostname', (select d.hostname from devices d where d.device_id = a.device_id)))
    from added a where a.state <> 0 order by a.id;
  elsif tg_op = 'UPDATE' then
    insert into live_events (kind, data)
    select 'alert', json_strip_nulls(json_build_object('device_id', a.device_id, 'alert_id', a.id, 'rule_id', a.rule_id,
      'change', case
        when o.state = 0 and a.state <> 0 then 'opened'
        when o.state <> 0 and a.state = 0 then 'cleared'
        when a.state = 2 and o.state <> 2 then 'acknowledged'
        when a.state = 1 and o.state = 2 then 'unmuted'
        when a.state = 3 and o.state <> 2 then 'worse'
        when a.state = 4 and o.state <> 2 then 'better'
        else 'changed' end,
      'state', a.state, 'since', extract(epoch from a.timestamp), 'note', left(coalesce(a.note, ''), 500),
      'rule', (select r.name from alert_rules r where r.id = a.rule_id),
      'severity', (select r.severity from alert_rules r where r.id = a.rule_id),
      'hostname', (select d.hostname from devices d where d.device_id = a.device_id)))
    from changed a join before o on o.id = a.id
    where (o.state, o.digest, o.note) is distinct from (a.state, a.digest, a.note) order by a.id;
  else
    insert into live_events (kind, data)
    select 'alert', json_strip_nulls(json_build_object('device_id', a.device_id, 'alert_id', a.id, 'rule_id', a.rule_id,
      'change', 'deleted', 'state', 0, 'since', extract(epoch from a.timestamp), 'note', left(coalesce(a.note, ''), 500),
      'rule', (select r.name from alert_rules r where r.id = a.rule_id),
      'severity', (select r.severity from alert_rules r where r.id = a.rule_id),
      'hostname', (select d.hostname from devices d where d.device_id = a.device_id)))
    from gone a where a.state <> 0 order by a.id;
  end if;
  get diagnostics noted = row_count;
  if noted > 0 then
    perform pg_notify('portlight_live', '');
  end if;
  return null;
end $$;

create or replace function live_faults() returns trigger language plpgsql as $$
declare
  noted bigint;
begin
  if tg_op = 'INSERT' then
    insert into live_events (kind, data)
    select 'fault', json_strip_nulls(json_build_object('device_id', f.device_id, 'fault_id', f.id, 'alert_id', f.alert_id,
      'rule_id', f.rule_id, 'change', 'began', 'state', f.state, 'severity', f.severity, 'kind', f.kind,
      'subject_id', f.subject_id, 'message', f.message, 'since', extract(epoch from f.began_at),
      'rule', (select r.name from alert_rules r where r.id = f.rule_id),
      'hostname', (select d.hostname from devices d where d.device_id = f.device_id)))
    from added f where f.state <> 0 order by f.id;
  else
    insert into live_events (kind, data)
    select 'fault', json_strip_nulls(json_build_object('device_id', f.device_id, 'fault_id', f.id, 'alert_id', f.alert_id,
      'rule_id', f.rule_id, 'change', case
        when o.state <> 0 and f.state = 0 then 'ended'
        when o.state <> 2 and f.state = 2 then 'acknowledged'
        when o.state = 2 and f.state = 1 then 'active'
        else 'changed' end,
      'state', f.state, 'severity', f.severity, 'kind', f.kind,
      'subject_id', f.subject_id, 'message', f.message, 'since', extract(epoch from f.began_at),
      'rule', (select r.name from alert_rules r where r.id = f.rule_id),
      'hostname', (select d.hostname from devices d where d.device_id = f.device_id)))
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
