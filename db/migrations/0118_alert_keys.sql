-- Faults and notifications are deleted with their alert, and that with its rule or its device: their own keys were checked
-- for each of them without adding anything. They are written in the transaction that writes the alert, which holds both.
alter table faults drop constraint faults_rule_id_fkey, drop constraint faults_device_id_fkey;
alter table alert_outbox drop constraint alert_outbox_rule_id_fkey, drop constraint alert_outbox_device_id_fkey;
drop index alert_outbox_rule;
drop index alert_outbox_device;
-- When an alert is deleted, its notifications, sent ones too, were looked for in the whole table.
create index alert_outbox_of_alert on alert_outbox (alert_id);
