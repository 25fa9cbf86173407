import type { Store } from '../database/client.ts'
import { integers } from '../database/pg-array.ts'

/** The devices that a rule with these maps applies to; the caller has checked that there is one. */
export async function mappedDevices(
  { sql }: Store,
  maps: {
    readonly devices: readonly number[]
    readonly groups: readonly number[]
    readonly locations: readonly number[]
    readonly invertMap: boolean
  },
): Promise<number[]> {
  const rows = await sql<{ device_id: number }[]>`
      select d.device_id from devices d
      where (d.device_id = any(${integers(maps.devices)}::text::int[])
        or d.location_id = any(${integers(maps.locations)}::text::int[])
        or exists (select from device_group_device g where g.device_id = d.device_id
          and g.device_group_id = any(${integers(maps.groups)}::text::int[]))) <> ${maps.invertMap}`
  return rows.map(({ device_id }) => device_id)
}

/** Display names, or hostnames, of devices by id. */
export async function deviceNames({ sql }: Store, ids: readonly number[]): Promise<Map<number, string>> {
  const rows = await sql<{ device_id: number; name: string }[]>`
      select device_id, coalesce(nullif(display, ''), hostname) as name from devices
      where device_id = any(${integers(ids)}::text::int[])`
  return new Map(rows.map(({ device_id, name }) => [device_id, name]))
}

/** Hostnames of devices, by id. */
export async function hostnames({ sql }: Store, ids: readonly number[]): Promise<string[]> {
  const rows = await sql<{ hostname: string }[]>`
      select hostname from devices where device_id = any(${integers(ids)}::text::int[]) order by device_id`
  return rows.map(({ hostname }) => hostname)
}
