-- The last backup that was made of this database, for metrics and alerts.
create table last_backup (
  one boolean primary key default true,
  -- of the snapshot
  made timestamp with time zone not null,
  octets bigint not null,
  seconds real not null
);
