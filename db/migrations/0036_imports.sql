-- What was imported from other installations, so that an import can go on after an interruption and be repeated.
create table import_marks (
  source text not null,
  -- Table, or kind of samples and the id of their subject.
  object text not null,
  -- Rows are imported up to this id, or this instant.
  upto_id bigint,
  upto timestamptz,
  -- Size of the file that was read.
  octets bigint,
  rows bigint not null default 0,
  updated timestamptz not null default now(),
  primary key (source, object));

-- What the rows of a source became.
create table import_ids (
  source text not null,
  table_name text not null,
  source_id bigint not null,
  target_id bigint not null,
  primary key (source, table_name, source_id));
create index import_ids_target on import_ids (table_name, target_id);
