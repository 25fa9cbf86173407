-- What rules know from the past about a value of a thing: what is usual at each hour of the week (168, Monday from 0:00 in
-- the server's zone), how far it usually is from that, and how much it changes in a day; of a bill, what its period will
-- end with. null: unknown.
create table learned_values (
  kind text not null,
  line text not null,
  subject_id integer not null,
  device_id integer not null references devices (device_id) on delete cascade,
  usual real[],
  spread real[],
  -- null: not learned; then nothing is known either
  usual_at timestamp with time zone,
  per_day double precision,
  trend_at timestamp with time zone,
  at_end double precision,
  ends timestamp with time zone,
  end_at timestamp with time zone,
  primary key (kind, line, subject_id)
);
create index learned_values_device on learned_values (device_id);
