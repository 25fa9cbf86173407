-- Each index of what waits fits one query only, whatever is known of the table when the query is planned: the statement that
-- claims may be planned while nothing waits, and is kept. By the index of what belongs to no message it would read all
-- that waits of a transport, for each rule.
drop index alert_outbox_due;
create index alert_outbox_due on alert_outbox (transport_id, coalesce(rule_id, 0), next_at, id)
  where sent_at is null and dead_at is null and claimed_at is null and message_id is null;
drop index alert_outbox_loose;
create index alert_outbox_loose on alert_outbox ((transport_id::bigint), created_at)
  where sent_at is null and dead_at is null and message_id is null;
