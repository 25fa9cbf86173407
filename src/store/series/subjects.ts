import type { Kind } from '../../series/kind.ts'
import { KINDS, NARROW_NAMES, type NarrowName } from '../../series/kinds.ts'
import type { Store } from '../client.ts'
import { guarded } from '../errors.ts'

/** Members of a port record that decide whether it counts towards its device's traffic. */
export interface GraphPort {
  readonly portId: number
  readonly ifName: string | null
  readonly ifDescr: string | null
  readonly ifType: string | null
  readonly disabled: boolean
  readonly deleted: boolean
}

/** All ports of a device, deleted ones included, by port_id. */
export function graphPorts({ sql }: Store, deviceId: number): Promise<readonly GraphPort[]> {
  return guarded(
    () => sql<GraphPort[]>`
      select port_id as "portId", "ifName", "ifDescr", "ifType", disabled <> 0 as disabled, deleted <> 0 as deleted
      from ports where device_id = ${deviceId} order by port_id`,
  )
}

/** What can be drawn for a device, without deleted objects; each sensor class appears once, sorted. */
export interface DeviceHas {
  readonly ports: number
  /** Kinds with their own graph for which the device has subjects. */
  readonly kinds: readonly NarrowName[]
  readonly sensorClasses: readonly string[]
  readonly wirelessClasses: readonly string[]
  /** Statistics graphs, without the prefix `device_`. */
  readonly statistics: readonly string[]
}

const NOTHING: DeviceHas = { ports: 0, kinds: [], sensorClasses: [], wirelessClasses: [], statistics: [] }

/** The kinds that a device has, one after the other. */
const HAS_KINDS = NARROW_NAMES.flatMap((name) => {
  const { graphs, subject } = KINDS[name] as Kind
  if (graphs === undefined) return []
  return [
    `select '${name}' as kind where exists (select from ${subject.table} where device_id = $1 and ${subject.where ?? 'true'})`,
  ]
}).join(' union all ')

const HAS = `
  select (select count(*) from ports where device_id = $1 and deleted = 0)::int as ports,
    array(${HAS_KINDS}) as kinds,
    (select coalesce(array_agg(distinct sensor_class), '{}') from sensors
      where device_id = $1 and sensor_deleted = 0) as "sensorClasses",
    (select coalesce(array_agg(distinct sensor_class), '{}') from wireless_sensors
      where device_id = $1 and sensor_deleted = 0) as "wirelessClasses",
    array(select graph from device_graphs where device_id = $1 and graph is not null
      union select 'fdb_count' where exists (select from ports_fdb where device_id = $1)
      order by 1) as statistics`

export async function deviceHas({ sql }: Store, deviceId: number): Promise<DeviceHas> {
  const [row] = await guarded(() => sql.unsafe<DeviceHas[]>(HAS, [deviceId], { prepare: true }))
  return row ?? NOTHING
}

/** Title of a graph's subject and polling interval of its device; `pollIntervalS` null: as the setting says. */
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
