-- What a device reported and could not be stored, until it can be.
create table discovery_failures (
  device_id integer not null references devices (device_id) on delete cascade,
  -- a kind of rows; everything: the whole discovery
  subject text not null,
  reason text not null,
  since timestamp with time zone not null default now(),
  -- the last attempt, and the number of them in a row
  tried_at timestamp with time zone not null default now(),
  tries integer not null default 1,
  primary key (device_id, subject)
);
