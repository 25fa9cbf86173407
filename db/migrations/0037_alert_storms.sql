-- Live events of alerts by statement instead of by row: a statement changes up to a hundred alerts.
drop trigger alerts_live_opened on alerts;
drop trigger alerts_live_deleted on alerts;
drop trigger alerts_live_changed on alerts;
drop function live_alert();

-- What an event says of an alert that was in state `before`. `now_in` is 0 for one that was deleted.
-- Names are looked up by row: a join would be planned for the number of rows of the first statement.
create function live_alert_data(a alerts, before smallint, now_in smallint, change text, rule text, severity text, host text)
returns jsonb language sql stable as $$
  select jsonb_strip_nulls(jsonb_build_object('device_id', a.device_id, 'alert_id', a.id, 'rule_id', a.rule_id,
      'change', coalesce(change, case
        when before = 0 and now_in <> 0 then 'opened'
        when before <> 0 and now_in = 0 then 'cleared'
        when now_in = 2 and before <> 2 then 'acknowledged'
        when now_in = 1 and before = 2 then 'unmuted'
        when now_in = 3 and before <> 2 then 'worse'
        when now_in = 4 and before <> 2 then 'better'
        else 'changed' end),
      'state', now_in, 'since', extract(epoch from a.timestamp), 'note', left(coalesce(a.note, ''), 500),
    'rule', rule, 'severity', severity, 'hostname', host))
$$;
revoke execute on function live_alert_data(alerts, smallint, smallint, text, text, text, text) from public;

create function live_alerts() returns trigger language plpgsql as $$
declare
  noted bigint;
begin
  if tg_op = 'INSERT' then
    insert into live_events (kind, data)
    select 'alert', live_alert_data(a, 0::smallint, a.state, null,
      (select r.name from alert_rules r where r.id = a.rule_id), (select r.severity from alert_rules r where r.id = a.rule_id),
      (select d.hostname from devices d where d.device_id = a.device_id))
    from added a where a.state <> 0 order by a.id;
  elsif tg_op = 'UPDATE' then
    insert into live_events (kind, data)
    select 'alert', live_alert_data(a, o.state, a.state, null,
      (select r.name from alert_rules r where r.id = a.rule_id), (select r.severity from alert_rules r where r.id = a.rule_id),
      (select d.hostname from devices d where d.device_id = a.device_id))
    from changed a join before o on o.id = a.id
    where (o.state, o.digest, o.note) is distinct from (a.state, a.digest, a.note) order by a.id;
  else
    insert into live_events (kind, data)
    select 'alert', live_alert_data(a, a.state, 0::smallint, 'deleted',
      (select r.name from alert_rules r where r.id = a.rule_id), (select r.severity from alert_rules r where r.id = a.rule_id),
      (select d.hostname from devices d where d.device_id = a.device_id))
    from gone a where a.state <> 0 order by a.id;
  end if;
  get diagnostics noted = row_count;
  if noted > 0 then
    perform pg_notify('portlight_live', '');
  end if;
  return null;
end $$;
revoke execute on function live_alerts() from public;
create trigger alerts_live_added after insert on alerts
  referencing new table as added for each statement execute function live_alerts();
create trigger alerts_live_changed after update on alerts
  referencing old table as before new table as changed for each statement execute function live_alerts();
create trigger alerts_live_deleted after delete on alerts
  referencing old table as gone for each statement execute function live_alerts();
