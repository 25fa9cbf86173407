-- SNMP engines that send traps of version 3: receivers believe what is newer than the last boots and time that they saw.
create table trap_senders (
  engine_id text primary key,
  boots integer not null default 0,
  own boolean not null default false
);
create unique index trap_senders_own on trap_senders (own) where own;
