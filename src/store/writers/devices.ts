import type { Store } from '../client.ts'
import { type Tx, writeAudit } from './audit.ts'

/** Values of columns of `devices`, by column name. The caller guarantees names and types. */
export type DeviceValues = Readonly<Record<string, string | number | null>>

/** Stores a new device; returns its id. Throws a unique violation (23505) when the hostname was taken meanwhile. */
export async function insertDevice(
  { sql }: Store,
  values: DeviceValues,
  location: string | null,
  username: string,
): Promise<number> {
  return await sql.begin(async (tx) => {
    const located = location === null ? values : { ...values, location_id: await locationId(tx, location) }
    const [row] = await tx<{ device_id: number; hostname: string }[]>`
      insert into devices ${tx(located)} returning device_id, hostname`
    if (!row) throw new Error('insert returned no row')
    await writeAudit(tx, {
      deviceId: row.device_id,
      message: `Device ${row.hostname} has been created`,
      type: 'system',
      reference: String(row.device_id),
      username,
      severity: 3,
    })
    return row.device_id
  })
}

/** Changes columns of a device. A `location` name takes the place of location_id; it is created when new. */
export async function updateDevice(
  { sql }: Store,
  deviceId: number,
  values: DeviceValues,
  location: string | null | undefined,
): Promise<void> {
  await sql.begin(async (tx) => {
    const changes =
      location === undefined
        ? values
        : { ...values, location_id: location === null ? null : await locationId(tx, location) }
    if (Object.keys(changes).length === 0) return
    await tx`update devices set ${tx(changes)} where device_id = ${deviceId}`
  })
}

/** Gives a device another hostname. Throws a unique violation (23505) when it is taken. */
export async function renameDevice(
  { sql }: Store,
  deviceId: number,
  values: DeviceValues,
  message: string,
  username: string,
): Promise<void> {
  await sql.begin(async (tx) => {
    await tx`update devices set ${tx(values)} where device_id = ${deviceId}`
    await writeAudit(tx, {
      deviceId,
      message,
      type: 'system',
      reference: String(deviceId),
      username,
      severity: 3,
    })
  })
}

/**
 * Removes a device with everything that belongs to it: foreign keys take the inventory along, its events and series go
 * here. Returns false when there was none.
 */
export async function deleteDevice(
  { sql }: Store,
  deviceId: number,
  hostname: string,
  username: string,
): Promise<boolean> {
  return await sql.begin(async (tx) => {
    const gone = await tx`delete from devices where device_id = ${deviceId}`
    if (gone.count === 0) return false
    await tx`delete from eventlog where device_id = ${deviceId}`
    await writeAudit(tx, {
      deviceId: null,
      message: `Device ${hostname} has been removed`,
      type: 'system',
      reference: String(deviceId),
      username,
      severity: 3,
    })
    return true
  })
}

/** Asks for discovery: last_discovered becomes null. Returns how many rows changed: 0 when it was null already. */
export async function requestDiscovery({ sql }: Store, deviceId: number): Promise<number> {
  const result = await sql`
    update devices set last_discovered = null where device_id = ${deviceId} and last_discovered is not null`
  return result.count
}

/** The location of that name, whatever its case; created when new. */
async function locationId(tx: Tx, name: string): Promise<number> {
  const [row] = await tx<{ id: number }[]>`
    insert into locations (location) values (${name})
    on conflict (lower(location)) do update set location = locations.location returning id`
  if (!row) throw new Error('insert returned no row')
  return row.id
}
