-- 1: a limit of the sensor was guessed from its first value, because neither agent nor definition gives one.
alter table sensors add column limits_guessed smallint not null default 0;
-- A lower limit of temperature was guessed ten degrees below the first value and an upper one twenty above it. Rooms cool
-- down further than that every night, so none is guessed any more.
update sensors set limits_guessed = 1, sensor_limit_low = null
where sensor_class = 'temperature' and sensor_custom = 'No' and sensor_limit_warn is null and sensor_limit_low_warn is null
  and abs(sensor_limit - sensor_limit_low - 30) < 0.000001;
