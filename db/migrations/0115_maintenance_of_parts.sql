-- Maintenance of a single port or sensor. The columns are not named port_id and sensor_id: rules that read ports as well
-- join tables that have such a column to the port.
alter table alert_schedulables
  add column target_port_id integer generated always as (case when alert_schedulable_type = 'port' then alert_schedulable_id end) stored
    references ports (port_id) on delete cascade,
  add column target_sensor_id integer generated always as (case when alert_schedulable_type = 'sensor' then alert_schedulable_id end) stored
    references sensors (sensor_id) on delete cascade;
create index alert_schedulables_port on alert_schedulables (target_port_id);
create index alert_schedulables_sensor on alert_schedulables (target_sensor_id);
