import type { Store } from '../client.ts'
import { guarded } from '../errors.ts'

/** The members of a port record that decide whether it counts as its device's traffic. */
export interface GraphPort {
  readonly portId: number
  readonly ifName: string | null
  readonly ifDescr: string | null
  readonly ifType: string | null
  readonly disabled: boolean
  readonly deleted: boolean
}

/** Every port of a device, deleted ones too, by port_id. */
export function graphPorts({ sql }: Store, deviceId: number): Promise<readonly GraphPort[]> {
  return guarded(
    () => sql<GraphPort[]>`
      select port_id as "portId", "ifName", "ifDescr", "ifType", disabled <> 0 as disabled, deleted <> 0 as deleted
      from ports where device_id = ${deviceId} order by port_id`,
  )
}

/** How many of each a device has, without deleted ones; the classes name each class of its sensors once, sorted. */
export interface DeviceHas {
  readonly ports: number
  readonly processors: number
  readonly mempools: number
  readonly storage: number
  readonly sensorClasses: readonly string[]
  readonly wirelessClasses: readonly string[]
  /** Supplies of a printer. */
  readonly supplies: number
  /** Graphs of statistics, without `device_`. */
  readonly statistics: readonly string[]
}

const NOTHING: DeviceHas = {
  ports: 0,
  processors: 0,
  mempools: 0,
  storage: 0,
  sensorClasses: [],
  wirelessClasses: [],
  supplies: 0,
  statistics: [],
}

export async function deviceHas({ sql }: Store, deviceId: number): Promise<DeviceHas> {
  const [row] = await guarded(
    () => sql<DeviceHas[]>`
      select (select count(*) from ports where device_id = ${deviceId} and deleted = 0)::int as ports,
        (select count(*) from processors where device_id = ${deviceId})::int as processors,
        (select count(*) from mempools where device_id = ${deviceId} and mempool_deleted = 0)::int as mempools,
        (select count(*) from storage where device_id = ${deviceId})::int as storage,
        (select coalesce(array_agg(distinct sensor_class), '{}') from sensors
          where device_id = ${deviceId} and sensor_deleted = 0) as "sensorClasses",
        (select coalesce(array_agg(distinct sensor_class), '{}') from wireless_sensors
          where device_id = ${deviceId} and sensor_deleted = 0) as "wirelessClasses",
        (select count(*) from printer_supplies where device_id = ${deviceId})::int as supplies,
        array(select graph from device_graphs where device_id = ${deviceId} and graph is not null
          union select 'fdb_count' where exists (select from ports_fdb where device_id = ${deviceId})
          order by 1) as statistics`,
  )
  return row ?? NOTHING
}

/** What a title calls it, and how often its device is polled; `pollIntervalS` null: as the setting says. */
export interface GraphSubject {
  readonly name: string
  readonly pollIntervalS: number | null
}

/** `core1 Gi0/1`; null: no such port. */
export async function portSubject({ sql }: Store, portId: number): Promise<GraphSubject | null> {
  const [row] = await guarded(
    () => sql<GraphSubject[]>`
      select coalesce(nullif(d.display, ''), d.hostname) || ' '
          || coalesce(nullif(p."ifName", ''), nullif(p."ifDescr", ''), 'port ' || p."ifIndex", 'port') as name,
        d.poll_interval as "pollIntervalS"
      from ports p join devices d using (device_id) where p.port_id = ${portId}`,
  )
  return row ?? null
}

/** null: no such device. */
export async function deviceSubject({ sql }: Store, deviceId: number): Promise<GraphSubject | null> {
  const [row] = await guarded(
    () => sql<GraphSubject[]>`
      select coalesce(nullif(display, ''), hostname) as name, poll_interval as "pollIntervalS"
      from devices where device_id = ${deviceId}`,
  )
  return row ?? null
}
