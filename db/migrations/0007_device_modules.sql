-- What the last discovery of a device found with each module, and what that cost. A module without rows is not polled.
create table device_modules (
  device_id integer not null references devices (device_id) on delete cascade,
  module text not null,
  "rows" integer not null,
  requests integer not null,
  took_ms real not null,
  note text not null default '',
  discovered_at timestamp with time zone not null default now(),
  primary key (device_id, module)
);
