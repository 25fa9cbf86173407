-- Pairs of monitored devices that are one by what discovery read of them; device_id is the smaller.
create table device_doubles (
  device_id integer not null references devices on delete cascade,
  other_id integer not null references devices on delete cascade,
  reason text not null,
  first_seen timestamp with time zone not null default now(),
  primary key (device_id, other_id),
  check (device_id < other_id)
);
create index device_doubles_other on device_doubles (other_id);
