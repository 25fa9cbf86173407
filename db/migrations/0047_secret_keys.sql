-- Ids of keys of secrets at rest, never the keys. active: new values are encrypted with it; old: some values may still be;
-- offered: a server has it.
create table secret_keys (
  key_id text primary key,
  state text not null,
  changed_at timestamp with time zone not null default now()
);
create unique index secret_keys_active on secret_keys (state) where state = 'active';
