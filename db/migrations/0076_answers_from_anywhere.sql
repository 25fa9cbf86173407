-- 1: answers to SNMP requests are accepted from any address and port, not only from where the request was sent.
alter table devices add column snmp_any_source smallint not null default 0;
