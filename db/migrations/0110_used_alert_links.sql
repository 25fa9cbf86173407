-- Links in notifications that acknowledge without signing in, and were used. notification_id: of alert_outbox, without a
-- reference, because a link stays used when its notification is deleted; used_by: the person or transport it was sent to;
-- used_from: address of the client; expires_at: when the link expires, so that the row can be deleted.
create table used_alert_links (
  notification_id bigint primary key,
  used_at timestamptz not null default now(),
  used_by text not null,
  used_from text not null default '',
  expires_at timestamptz not null
);
create index used_alert_links_expires on used_alert_links (expires_at);
