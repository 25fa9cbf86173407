-- Transports whose latest attempts failed. `failed_at`: when the transport counted as failing; null: it works, as far as
-- known. `told_at`: when that was told by another transport; null: it has not been, or the transport works again.
create table alert_paths (
  transport_id integer primary key references alert_transports on delete cascade,
  failures integer not null default 0,
  since timestamptz,
  last_error text,
  failed_at timestamptz,
  told_at timestamptz,
  last_told_at timestamptz
);

-- Notifications about a transport.
alter table alert_outbox add column about_transport_id integer references alert_transports on delete cascade;
create index alert_outbox_about on alert_outbox (about_transport_id) where about_transport_id is not null;
