-- Number of rows of each log, as the sum of its lines: the API sends it with every page of all devices, and a month has
-- thousands of lines in log_counts. Those who write lines there write these with them, whichever version of the program it is.
create table log_totals (
  log text not null,
  "rows" bigint not null
);
lock table log_counts in share row exclusive mode;
insert into log_totals (log, "rows") select log, sum("rows") from log_counts group by log;
create function add_log_total() returns trigger language plpgsql as $$
begin
  insert into log_totals (log, "rows")
  select log, sum(case tg_op when 'DELETE' then -"rows" else "rows" end) from changed group by log;
  return null;
end $$;
create trigger log_counts_added after insert on log_counts
  referencing new table as changed for each statement execute function add_log_total();
create trigger log_counts_removed after delete on log_counts
  referencing old table as changed for each statement execute function add_log_total();
