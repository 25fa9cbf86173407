-- 1: the agent has Ethernet counters of the interface (EtherLike-MIB::dot3StatsTable).
alter table ports add column etherlike smallint not null default 0;
