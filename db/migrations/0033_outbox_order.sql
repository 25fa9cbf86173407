-- Notifications are claimed by transport and rule. Only rows that a query looks for are in the indexes of the outbox: a row
-- is changed twice while it is sent.
create index alert_outbox_due on alert_outbox (transport_id, coalesce(rule_id, 0), next_at, id)
  where sent_at is null and dead_at is null and claimed_at is null;
drop index alert_outbox_waiting;
drop index alert_outbox_sent;
create index alert_outbox_sent on alert_outbox (sent_at) where sent_at is not null;
drop index alert_outbox_dead;
create index alert_outbox_dead on alert_outbox (dead_at) where dead_at is not null;
