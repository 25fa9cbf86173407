-- Processes that share this database. A living one holds an advisory lock on its id; see docs/adr/0055.
alter table poller_cluster
  -- Made anew at each start; the connections of the process name it.
  add column instance text not null default '',
  add column host text not null default '',
  add column pid integer not null default 0,
  add column roles text[] not null default '{poller}',
  -- Poller groups that the process names; null: it names none, and serves those that no other names.
  add column named_groups integer[],
  add column started_at timestamp with time zone,
  -- null: it stopped in order.
  add column beat_at timestamp with time zone,
  -- When the process last confirmed that it leads; null: it does not, or ended that in order.
  add column lead_at timestamp with time zone,
  add column figures jsonb not null default '{}';

-- Which poller may write what about a device: the number was drawn when that poller read the device's last counters.
-- Without foreign keys: deleting a device would wait for a writer of its samples, which waits for the device.
create table device_claims (
  device_id integer primary key,
  claim bigint not null,
  poller integer,
  claimed_at timestamp with time zone not null default now()
);
create sequence device_claim_numbers;
