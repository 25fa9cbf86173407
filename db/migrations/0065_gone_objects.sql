-- Since when ports, sensors and memory pools are gone from their device, so that they can be removed after some time.
create table gone_objects (
  kind text not null,
  id integer not null,
  device_id integer not null references devices (device_id) on delete cascade,
  since timestamp with time zone not null default now(),
  primary key (kind, id)
);
create index gone_objects_device on gone_objects (device_id);
create index ports_gone on ports (port_id) where deleted <> 0;
create index sensors_gone on sensors (sensor_id) where sensor_deleted <> 0;
create index wireless_sensors_gone on wireless_sensors (sensor_id) where sensor_deleted <> 0;
create index mempools_gone on mempools (mempool_id) where mempool_deleted <> 0;
