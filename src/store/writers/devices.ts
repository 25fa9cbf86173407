import { and, eq, isNotNull, sql } from 'drizzle-orm'
import { devices, eventlog, locations } from '../../../db/schema/index.ts'
import type { DbTx, Store } from '../client.ts'
import { guarded } from '../errors.ts'
import { writeAudit } from './audit.ts'
import { INVENTORY_CHANNEL } from './groups.ts'
import { updateDepths } from './parents.ts'

/** Values of columns of `devices`, by column name. The caller guarantees names and types. */
export type DeviceValues = Readonly<Record<string, string | number | null>>

/** Stores a new device; returns its id. Throws a unique violation (23505) when the hostname was taken meanwhile. */
export function insertDevice(
  { db }: Store,
  values: DeviceValues,
  location: string | null,
  username: string,
): Promise<number> {
  return guarded(() =>
    db.transaction(async (tx) => {
      const located = location === null ? values : { ...values, location_id: await locationId(tx, location) }
      const [row] = await tx
        .insert(devices)
        .values(columns<typeof devices.$inferInsert>(located))
        .returning({ device_id: devices.device_id, hostname: devices.hostname })
      if (!row) throw new Error('insert returned no row')
      await writeAudit(tx, {
        deviceId: row.device_id,
        message: `Device ${row.hostname} has been created`,
        type: 'system',
        reference: String(row.device_id),
        username,
        severity: 3,
      })
      await tellGroups(tx)
      return row.device_id
    }),
  )
}

/** Changes columns of a device. A `location` name takes the place of location_id; it is created when new. */
export function updateDevice(
  { db }: Store,
  deviceId: number,
  values: DeviceValues,
  location: string | null | undefined,
): Promise<void> {
  return guarded(() =>
    db.transaction(async (tx) => {
      const changes =
        location === undefined
          ? values
          : { ...values, location_id: location === null ? null : await locationId(tx, location) }
      if (Object.keys(changes).length > 0) await change(tx, deviceId, changes)
    }),
  )
}

/** Gives a device another hostname. Throws a unique violation (23505) when it is taken. */
export function renameDevice(
  { db }: Store,
  deviceId: number,
  values: DeviceValues,
  message: string,
  username: string,
): Promise<void> {
  return guarded(() =>
    db.transaction(async (tx) => {
      await change(tx, deviceId, values)
      await writeAudit(tx, {
        deviceId,
        message,
        type: 'system',
        reference: String(deviceId),
        username,
        severity: 3,
      })
    }),
  )
}

/**
 * Removes a device with everything that belongs to it: foreign keys take the inventory along, its events and series go
 * here. Returns false when there was none.
 */
export function deleteDevice({ db }: Store, deviceId: number, hostname: string, username: string): Promise<boolean> {
  return guarded(() =>
    db.transaction(async (tx) => {
      const gone = await tx.delete(devices).where(eq(devices.device_id, deviceId)).returning({ id: devices.device_id })
      if (gone.length === 0) return false
      await updateDepths(tx)
      await tx.delete(eventlog).where(eq(eventlog.device_id, deviceId))
      await writeAudit(tx, {
        deviceId: null,
        message: `Device ${hostname} has been removed`,
        type: 'system',
        reference: String(deviceId),
        username,
        severity: 3,
      })
      return true
    }),
  )
}

/** Asks for discovery: last_discovered becomes null. Returns how many rows changed: 0 when it was null already. */
export async function requestDiscovery({ db }: Store, deviceId: number): Promise<number> {
  const changed = await guarded(() =>
    db
      .update(devices)
      .set({ last_discovered: null })
      .where(and(eq(devices.device_id, deviceId), isNotNull(devices.last_discovered)))
      .returning({ id: devices.device_id }),
  )
  return changed.length
}

async function change(tx: DbTx, deviceId: number, values: DeviceValues): Promise<void> {
  await tx
    .update(devices)
    .set(columns<Partial<typeof devices.$inferInsert>>(values))
    .where(eq(devices.device_id, deviceId))
  await tellGroups(tx)
}

/** Devices are other than they were: groups that follow rules look again. It is heard when the transaction is committed. */
async function tellGroups(tx: DbTx): Promise<void> {
  await tx.execute(sql`select pg_notify(${INVENTORY_CHANNEL}, '')`)
}

/** The values as the table's own type. Their names and types are the caller's promise (`DeviceValues`). */
function columns<T>(values: DeviceValues): T {
  return values as T
}

/** The location of that name, whatever its case; created when new. */
async function locationId(tx: DbTx, name: string): Promise<number> {
  const [made] = await tx
    .insert(locations)
    .values({ location: name })
    .onConflictDoNothing()
    .returning({ id: locations.id })
  if (made) return made.id
  const [found] = await tx
    .select({ id: locations.id })
    .from(locations)
    .where(sql`lower(${locations.location}) = lower(${name})`)
  if (!found) throw new Error('location was removed at this moment')
  return found.id
}
