import type { Store } from '../client.ts'
import { guarded } from '../errors.ts'

/** A port as graphs choose and title it. */
export interface PortFacts {
  readonly portId: number
  readonly ifName: string | null
  readonly ifDescr: string | null
  readonly ifType: string | null
  readonly disabled: boolean
  readonly deleted: boolean
}

/** All ports of a device, those that are gone as well. */
export function portFacts({ sql }: Store, deviceId: number): Promise<PortFacts[]> {
  return guarded(
    () => sql<PortFacts[]>`
      select port_id as "portId", "ifName", "ifDescr", "ifType", disabled = 1 as disabled, deleted = 1 as deleted
      from ports where device_id = ${deviceId} order by port_id`,
  )
}

/** How many ports, processors, memory pools and filesystems a device has, and the classes of its sensors. */
export async function deviceParts({ sql }: Store, deviceId: number) {
  const [row] = await guarded(
    () => sql<{ ports: number; processors: number; mempools: number; storage: number; sensorClasses: string[] }[]>`
      select (select count(*)::int from ports where device_id = ${deviceId} and deleted = 0) as ports,
        (select count(*)::int from processors where device_id = ${deviceId}) as processors,
        (select count(*)::int from mempools where device_id = ${deviceId} and mempool_deleted = 0) as mempools,
        (select count(*)::int from storage where device_id = ${deviceId}) as storage,
        array(select distinct sensor_class from sensors where device_id = ${deviceId} and sensor_deleted = 0 order by 1) as "sensorClasses"`,
  )
  return row ?? { ports: 0, processors: 0, mempools: 0, storage: 0, sensorClasses: [] }
}

/** Title of a port, for example `core1 Gi0/1`; null: no such port. */
export async function portTitle({ sql }: Store, portId: number): Promise<string | null> {
  const [row] = await guarded(
    () => sql<{ title: string }[]>`
      select concat_ws(' ', coalesce(nullif(d.display, ''), d.hostname), coalesce(nullif(p."ifName", ''), nullif(p."ifDescr", ''), p."ifIndex"::text)) as title
      from ports p join devices d using (device_id) where p.port_id = ${portId}`,
  )
  return row?.title ?? null
}

/** Title of a device; null: no such device. */
export async function deviceTitle({ sql }: Store, deviceId: number): Promise<string | null> {
  const [row] = await guarded(
    () => sql<{ title: string }[]>`
      select coalesce(nullif(display, ''), hostname) as title from devices where device_id = ${deviceId}`,
  )
  return row?.title ?? null
}

/** Seconds between polls that were set for the device of a port; null: the setting counts. */
export async function pollIntervalOfPort({ sql }: Store, portId: number): Promise<number | null> {
  const [row] = await guarded(
    () => sql<{ poll_interval: number | null }[]>`
      select d.poll_interval from ports p join devices d using (device_id) where p.port_id = ${portId}`,
  )
  return row?.poll_interval ?? null
}

/** Seconds between polls that were set for a device; null: the setting counts. */
export async function pollIntervalOfDevice({ sql }: Store, deviceId: number): Promise<number | null> {
  const [row] = await guarded(
    () => sql<{ poll_interval: number | null }[]>`select poll_interval from devices where device_id = ${deviceId}`,
  )
  return row?.poll_interval ?? null
}
