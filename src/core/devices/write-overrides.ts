import type { Store } from '../database/client.ts'

/** Sets the seconds between polls of a device; null: as the setting says. */
export async function setPollInterval({ sql }: Store, deviceId: number, seconds: number | null): Promise<void> {
  await sql`update devices set poll_interval = ${seconds} where device_id = ${deviceId}`
}

/** Whether answers of a device are accepted from any address and port. */
export async function acceptsAnySource({ sql }: Store, deviceId: number): Promise<boolean> {
  const rows = await sql`select from devices where device_id = ${deviceId} and snmp_any_source = 1`
  return rows.length > 0
}

/** A switch of a module for one device: attribute `discover_{module}` or `poll_{module}`; null removes it. */
export interface ModuleAttribute {
  readonly name: string
  readonly on: boolean | null
}

/** Stores these switches. */
export async function setModuleAttributes(
  { sql: query }: Store,
  deviceId: number,
  attributes: readonly ModuleAttribute[],
): Promise<void> {
  const gone = attributes.filter(({ on }) => on === null).map(({ name }) => name)
  const kept = attributes.filter(({ on }) => on !== null)
  await query.begin(async (tx) => {
    await tx`delete from devices_attribs where device_id = ${deviceId} and attrib_type = any(${gone}::text[])`
    for (const { name, on } of kept) {
      await tx`insert into devices_attribs (device_id, attrib_type, attrib_value)
          values (${deviceId}, ${name}, ${on === true ? '1' : '0'})
          on conflict (device_id, attrib_type) do update set attrib_value = excluded.attrib_value, updated = now()`
    }
  })
}
