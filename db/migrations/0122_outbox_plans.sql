-- Notifications in a message are not due by themselves.
drop index alert_outbox_due;
create index alert_outbox_due on alert_outbox (transport_id, coalesce(rule_id, 0), next_at, id)
  where sent_at is null and dead_at is null and claimed_at is null and message_id is null;
