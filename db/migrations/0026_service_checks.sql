-- The last check of each service: what counts towards a change of its state survives a restart.
create table service_checks (
  service_id integer primary key references services (service_id) on delete cascade,
  checked_at timestamp with time zone not null,
  took_ms real not null,
  attempt smallint not null default 0,
  last_status smallint not null,
  last_message text not null
);
