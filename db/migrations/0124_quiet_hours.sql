-- Quiet hours of a transport of a person: several, each with its weekdays. An array of objects: days (array of 1 Monday to
-- 7 Sunday; null: every day), from and to (minutes of the day in the zone), lets (the mildest severity that is sent).
alter table on_call_ways add column quiet jsonb not null default '[]';
update on_call_ways set quiet = jsonb_build_array(jsonb_build_object(
  'days', null, 'from', quiet_from, 'to', quiet_to, 'lets', quiet_lets))
where quiet_from is not null and quiet_to is not null;
alter table on_call_ways drop column quiet_from, drop column quiet_to, drop column quiet_lets;
