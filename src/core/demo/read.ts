import type { Store } from '../database/client.ts'
import { storedRows } from '../series/stored-rows.ts'
import { UNKNOWN_NETWORK } from './settings.ts'

/** Attribute of devices added by `serve --demo`: `added`, then `history` once their history is stored. */
export const DEMO_ATTRIBUTE = 'demo'

/** A demo device. */
export interface DemoDeviceRecord {
  readonly device_id: number
  readonly hostname: string
  readonly location_id: number | null
  /** Its history is stored. */
  readonly history: boolean
  /** When it was added, epoch ms. */
  readonly insertedMs: number
}

/** Demo devices by id. Throws StoreError. */
export async function demoDevices({ sql }: Store): Promise<DemoDeviceRecord[]> {
  return await sql<DemoDeviceRecord[]>`
      select d.device_id, d.hostname, d.location_id, a.attrib_value = 'history' as history,
        floor(extract(epoch from coalesce(d.inserted, now())) * 1000)::float8 as "insertedMs"
      from devices d join devices_attribs a on a.device_id = d.device_id and a.attrib_type = ${DEMO_ATTRIBUTE}
      order by d.device_id`.then((rows) => [...rows])
}

/** Devices that were found in the demo's network and accepted. Throws StoreError. */
export async function foundDevices({ sql }: Store) {
  return await sql<{ device_id: number; hostname: string; location_id: number | null; address: string }[]>`
      select device_id, hostname, location_id, host(ip) as address from devices where ip <<= ${UNKNOWN_NETWORK}::cidr
      order by device_id`
}

/** Whether there are devices that do not belong to the demo. Throws StoreError. */
export async function hasOwnDevices({ sql }: Store): Promise<boolean> {
  const rows = await sql`
      select from devices d where not exists (select from devices_attribs a where a.device_id = d.device_id and a.attrib_type = ${DEMO_ATTRIBUTE})
        and (d.ip is null or not d.ip <<= ${UNKNOWN_NETWORK}::cidr) limit 1`
  return rows.length > 0
}

/** When the real samples of a device begin, and the result of its first poll. */
export interface RealStart {
  /** When the counters that the first port sample subtracts from were read, epoch ms. */
  readonly endMs: number
  /** Duration of the first answered poll, ms. */
  readonly tookMs: number
  readonly requests: number
}

/** Samples of a kind since the device was added, to be joined with `devices d`. */
const since = (base: string): string => storedRows(base, 'samples', 'd.inserted', 'now()')

/** Null: the device has not been discovered yet, or not polled since. Throws StoreError. */
export async function realStartOf({ sql }: Store, deviceId: number): Promise<RealStart | null> {
  const rows = await sql<
    {
      stateMs: number | null
      firstMs: number | null
      tookMs: number | null
      requests: number | null
    }[]
  >`
      select (select extract(epoch from s."time") * 1000 from ts.port_state s where s.device_id = d.device_id)::float8 as "stateMs",
        (select min(extract(epoch from x."time") * 1000 - x.period_ms) from ${sql.unsafe(since('port'))} x
          join ports p on p.port_id = x.port_id where p.device_id = d.device_id and x."time" >= d.inserted)::float8 as "firstMs",
        first.took_ms as "tookMs", first.requests
      from devices d
      left join lateral (
        select x.took_ms, x.requests from ${sql.unsafe(since('device'))} x
        where x.device_id = d.device_id and x."time" >= d.inserted and x.uptime_s is not null
        order by x."time" limit 1) first on true
      where d.device_id = ${deviceId} and d.last_discovered is not null`
  const row = rows[0]
  if (row === undefined || row.stateMs === null) return null
  return {
    endMs: Math.round(row.firstMs ?? row.stateMs),
    tookMs: row.tookMs ?? 20,
    requests: row.requests ?? 1,
  }
}
