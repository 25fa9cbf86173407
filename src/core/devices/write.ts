import { detailOf, type SnmpFailure } from '@portlight/snmp/failure.ts'
import { and, eq, isNotNull, sql } from 'drizzle-orm'
import { deviceFailures, devices, eventlog } from '../../../db/schema/index.ts'
import { INVENTORY_CHANNEL } from '../base/channels.ts'
import { writeAudit } from '../base/write-audit.ts'
import type { DbTx, Store } from '../database/client.ts'
import { CANDIDATES_LOCK } from '../database/locks.ts'
import { DEPTHS, PARENTS_LOCK } from '../dependencies/write-depths.ts'
import { sealer } from '../secrets/values.ts'
import type { DeviceEvent } from './write-failures.ts'

/** Values of columns of `devices` by column name. The caller guarantees names and types. */
export type DeviceValues = Readonly<Record<string, string | number | null>>

/** Result of contacting a new device. */
export interface DeviceReached {
  /** Why it cannot be read yet; null: no known reason. */
  readonly failure: SnmpFailure | null
  readonly events: readonly DeviceEvent[]
}

/** Stores a new device; returns its id. Throws a unique violation (23505) if the hostname was taken meanwhile. */
export async function insertDevice(
  store: Store,
  plain: DeviceValues,
  location: string | null,
  username: string,
  reached: DeviceReached = { failure: null, events: [] },
): Promise<number> {
  const { db } = store
  const values = await sealed(store, plain)
  return await db.transaction(async (tx) => {
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
    const { failure, events } = reached
    for (const event of events)
      await writeAudit(tx, { ...event, deviceId: row.device_id, reference: String(row.device_id), username })
    if (failure !== null) {
      const stored = { device_id: row.device_id, kind: failure.kind, detail: detailOf(failure) }
      await tx.insert(deviceFailures).values(stored)
    }
    await notifyGroups(tx)
    return row.device_id
  })
}

/** Changes columns of a device. A `location` name sets location_id, and creates the location if needed. */
export async function updateDevice(
  store: Store,
  deviceId: number,
  plain: DeviceValues,
  location: string | null | undefined,
): Promise<void> {
  const { db } = store
  const values = await sealed(store, plain)
  await db.transaction(async (tx) => {
    const changes =
      location === undefined
        ? values
        : { ...values, location_id: location === null ? null : await locationId(tx, location) }
    if (Object.keys(changes).length > 0) await change(tx, deviceId, changes)
  })
}

/** Renames a device. Throws a unique violation (23505) if the hostname is taken. */
export async function renameDevice(
  { db }: Store,
  deviceId: number,
  values: DeviceValues,
  message: string,
  username: string,
): Promise<void> {
  return await db.transaction(async (tx) => {
    await change(tx, deviceId, values)
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
 * Deletes a device with all its data: foreign keys cascade to the inventory; events and series are deleted here.
 * Returns false if there was no such device.
 *
 * The device goes last: whoever waits for it must not hold a row that is still to be changed or deleted. Before it go the
 * claim, which batches of samples hold, its dependencies, and with them the depths of other devices.
 */
export async function deleteDevice(
  { db }: Store,
  deviceId: number,
  hostname: string,
  username: string,
): Promise<boolean> {
  return await db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${PARENTS_LOCK})`)
    await tx.execute(sql`delete from device_claims where device_id = ${deviceId}`)
    await tx.execute(sql`delete from device_relationships where ${deviceId} in (parent_device_id, child_device_id)`)
    await tx.execute(sql.raw(DEPTHS))
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext(${CANDIDATES_LOCK}))`)
    const gone = await tx.delete(devices).where(eq(devices.device_id, deviceId)).returning({ id: devices.device_id })
    if (gone.length === 0) return false
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
  })
}

/**
 * Requests discovery by setting last_discovered to null. Returns the number of changed rows: 0 if it was null already.
 */
export async function requestDiscovery({ db }: Store, deviceId: number): Promise<number> {
  const changed = await db
    .update(devices)
    .set({ last_discovered: null })
    .where(and(eq(devices.device_id, deviceId), isNotNull(devices.last_discovered)))
    .returning({ id: devices.device_id })
  return changed.length
}

async function change(tx: DbTx, deviceId: number, values: DeviceValues): Promise<void> {
  await tx
    .update(devices)
    .set(columns<Partial<typeof devices.$inferInsert>>(values))
    .where(eq(devices.device_id, deviceId))
  await notifyGroups(tx)
}

/** The values as they are stored: credentials encrypted where a key is in force. */
async function sealed(store: Store, values: DeviceValues): Promise<DeviceValues> {
  const names = ['community', 'authpass', 'cryptopass'] as const
  if (!names.some((name) => typeof values[name] === 'string')) return values
  const seal = await sealer(store)
  const secrets = names.flatMap((name) => {
    const value = values[name]
    return typeof value === 'string' ? [[name, seal.text(`devices.${name}`, value)] as const] : []
  })
  return { ...values, ...Object.fromEntries(secrets) }
}

/** Devices changed: dynamic groups must be evaluated again. Delivered when the transaction commits. */
async function notifyGroups(tx: DbTx): Promise<void> {
  await tx.execute(sql`select pg_notify(${INVENTORY_CHANNEL}, '')`)
}

/** Casts the values to the table's own type; the caller guarantees names and types (`DeviceValues`). */
function columns<T>(values: DeviceValues): T {
  return values as T
}

/**
 * Id of the location with this name, case-insensitive; created if missing. Locked until the transaction ends, so that
 * it is not deleted before the device refers to it.
 */
async function locationId(tx: DbTx, name: string): Promise<number> {
  const [row] = await tx.execute<{ id: number }>(sql`
    insert into locations (location) values (${name})
    on conflict (lower(location)) do update set location = locations.location returning id`)
  if (!row) throw new Error('insert returned no row')
  return row.id
}
