-- Accounts at OpenID Connect providers, and whom they belong to here.
create table user_identities (
  issuer text not null,
  subject text not null,
  user_id integer not null references users (user_id) on delete cascade,
  created_at timestamp with time zone not null default now(),
  seen_at timestamp with time zone,
  primary key (issuer, subject)
);
create index user_identities_user on user_identities (user_id);

-- The provider's token of a session, which names the session there when it is ended.
alter table sessions add column id_token text;

-- The audit: changes that people make, among the many events of devices.
create index eventlog_audit on eventlog (datetime, event_id)
  where type in ('settings', 'access', 'alert-rule', 'alert-template', 'transport', 'device-edit', 'maintenance');
