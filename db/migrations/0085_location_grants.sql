-- Locations whose devices were granted to users.
create table locations_perms (
  user_id integer not null references users on delete cascade,
  location_id integer not null references locations on delete cascade,
  primary key (user_id, location_id)
);
create index locations_perms_location on locations_perms (location_id);
create trigger locations_perms_notify after insert or update or delete on locations_perms
  for each statement execute function notify_grants();
create trigger devices_location_notify after update of location_id on devices
  for each row when (old.location_id is distinct from new.location_id) execute function notify_grants();
