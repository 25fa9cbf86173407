import { and, eq, inArray, sql as text } from 'drizzle-orm'
import { deviceGroupDevice, deviceGroups, portGroupPort, portGroups } from '../../../db/schema/index.ts'
import type { DbTx, Store } from '../database/client.ts'
import { integers } from '../database/pg-array.ts'
import type { RuleQuery } from '../rules/read-matches.ts'

/** Writable columns of a device group. */
export interface DeviceGroupValues {
  readonly name: string
  readonly desc: string | null
  readonly type: 'static' | 'dynamic'
  readonly rules: string | null
}

/** Creates a group with these members; returns its id. Throws 23505 (name taken) or 23503 (no such device). */
export async function insertDeviceGroup(
  { db }: Store,
  group: DeviceGroupValues,
  members: readonly number[],
): Promise<number> {
  return await db.transaction(async (tx) => {
    await keepDevices(tx, members)
    const [row] = await tx.insert(deviceGroups).values(group).returning({ id: deviceGroups.id })
    if (!row) throw new Error('insert returned no row')
    await addMembers(tx, row.id, members)
    return row.id
  })
}

/** Changes a group; `members` null keeps them. Throws as `insertDeviceGroup`. */
export async function updateDeviceGroup(
  { db }: Store,
  id: number,
  changes: Partial<DeviceGroupValues>,
  members: readonly number[] | null,
): Promise<void> {
  return await db.transaction(async (tx) => {
    // of two people who replace the members, the second waits here
    await tx.select({ id: deviceGroups.id }).from(deviceGroups).where(eq(deviceGroups.id, id)).for('no key update')
    if (members !== null) await keepDevices(tx, members)
    if (Object.keys(changes).length > 0) await tx.update(deviceGroups).set(changes).where(eq(deviceGroups.id, id))
    if (members === null) return
    await tx.delete(deviceGroupDevice).where(eq(deviceGroupDevice.device_group_id, id))
    await addMembers(tx, id, members)
  })
}

/** Locks devices before the rows that refer to them, as whoever deletes one does. */
async function keepDevices(tx: DbTx, deviceIds: readonly number[]): Promise<void> {
  await tx.execute(
    text`select from devices where device_id = any(${integers(deviceIds)}::text::int[]) order by device_id for key share`,
  )
}

async function addMembers(tx: DbTx, groupId: number, deviceIds: readonly number[]): Promise<void> {
  const rows = [...new Set(deviceIds)].map((device_id) => ({ device_group_id: groupId, device_id }))
  if (rows.length > 0) await tx.insert(deviceGroupDevice).values(rows).onConflictDoNothing()
}

/** Adds members; existing ones are kept. Throws 23503 (no such device). */
export async function insertDeviceGroupMembers(
  { db }: Store,
  groupId: number,
  deviceIds: readonly number[],
): Promise<void> {
  return await db.transaction(async (tx) => {
    await keepDevices(tx, deviceIds)
    await addMembers(tx, groupId, deviceIds)
  })
}

/** Removes members; ids that are not members are ignored. */
export async function deleteDeviceGroupMembers(
  { db }: Store,
  groupId: number,
  deviceIds: readonly number[],
): Promise<void> {
  if (deviceIds.length === 0) return
  await db
    .delete(deviceGroupDevice)
    .where(and(eq(deviceGroupDevice.device_group_id, groupId), inArray(deviceGroupDevice.device_id, [...deviceIds])))
}

/** Deletes a group with its members and grants. Returns false when it does not exist. */
export async function deleteDeviceGroup({ db }: Store, id: number): Promise<boolean> {
  const gone = await db.transaction((tx) =>
    tx.delete(deviceGroups).where(eq(deviceGroups.id, id)).returning({ id: deviceGroups.id }),
  )
  return gone.length > 0
}

/** Statement timeout for the rule of one group. */
const RULE_TIMEOUT_MS = 30_000

/**
 * Sets the members of a dynamic group to the devices that its rule matches now, in one statement; returns the number
 * added and removed. Throws StoreError, also if the rule is invalid (22…, 42…) or takes longer than 30 s (57014).
 */
export async function syncDynamicMembers({ sql }: Store, groupId: number, rule: RuleQuery): Promise<number> {
  return await sql.begin(async (tx) => {
    await tx`select set_config('statement_timeout', ${String(RULE_TIMEOUT_MS)}, true)`
    // Lock the group: two concurrent runs would add the same members. It may also be deleted or static by now.
    const [group] = await tx`
        select 1 from device_groups where id = ${groupId} and type = 'dynamic' for no key update`
    if (group === undefined) return 0
    // a device that is deleted meanwhile is left out
    const id = `$${rule.params.length + 1}::text::int`
    const [changes] = await tx.unsafe<{ changed: number }[]>(
      `with found as materialized (${rule.members}),
          gone as (delete from device_group_device where device_group_id = ${id}
            and device_id not in (select device_id from found) returning 1),
          come as (insert into device_group_device (device_group_id, device_id)
            select ${id}, device_id from devices where device_id in (select device_id from found)
              and device_id not in (select device_id from device_group_device where device_group_id = ${id})
            order by device_id for key share on conflict do nothing returning 1)
        select ((select count(*) from gone) + (select count(*) from come))::int as changed`,
      [...rule.params, String(groupId)],
    )
    return changes?.changed ?? 0
  })
}

/** Creates a port group; returns its id. Throws 23505 (name taken). */
export async function insertPortGroup({ db }: Store, name: string, desc: string | null): Promise<number> {
  const [row] = await db.insert(portGroups).values({ name, desc }).returning({ id: portGroups.id })
  if (!row) throw new Error('insert returned no row')
  return row.id
}

/** Changes name and description of a port group; false: there is none. Throws 23505 (name taken). */
export async function updatePortGroup(
  { db }: Store,
  id: number,
  values: { readonly name: string; readonly desc: string | null },
): Promise<boolean> {
  const rows = await db.update(portGroups).set(values).where(eq(portGroups.id, id)).returning({ id: portGroups.id })
  return rows.length > 0
}

/** Deletes a port group; false: there is none. */
export async function deletePortGroup({ db }: Store, id: number): Promise<boolean> {
  const rows = await db.delete(portGroups).where(eq(portGroups.id, id)).returning({ id: portGroups.id })
  return rows.length > 0
}

/** Adds ports to a group; existing ones are kept. Throws 23503 (no such port). */
export async function insertPortGroupMembers(
  { db }: Store,
  groupId: number,
  portIds: readonly number[],
): Promise<void> {
  const rows = [...new Set(portIds)].map((port_id) => ({ port_group_id: groupId, port_id }))
  if (rows.length > 0) await db.insert(portGroupPort).values(rows).onConflictDoNothing()
}

/** Removes ports from a group; ids that are not members are ignored. */
export async function deletePortGroupMembers(
  { db }: Store,
  groupId: number,
  portIds: readonly number[],
): Promise<void> {
  if (portIds.length === 0) return
  await db
    .delete(portGroupPort)
    .where(and(eq(portGroupPort.port_group_id, groupId), inArray(portGroupPort.port_id, [...portIds])))
}
