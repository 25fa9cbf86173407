import { and, eq, inArray, sql } from 'drizzle-orm'
import { deviceRelationships } from '../../../db/schema/index.ts'
import type { DbTx, Store } from '../client.ts'
import { guarded } from '../errors.ts'

/** Key of the advisory lock that orders changes of dependencies: two at once could close a loop that neither sees. */
const PARENTS_LOCK = 0x706172

/** Makes these the parents of a device, in place of those it had. Returns false, and changes nothing, when that is a loop. */
export function replaceParents({ db }: Store, deviceId: number, parentIds: readonly number[]): Promise<boolean> {
  return guarded(() =>
    db.transaction(async (tx) => {
      await tx.execute(sql`select pg_advisory_xact_lock(${PARENTS_LOCK})`)
      if (await closesLoop(tx, deviceId, parentIds)) return false
      await tx.delete(deviceRelationships).where(eq(deviceRelationships.child_device_id, deviceId))
      if (parentIds.length > 0) {
        const rows = parentIds.map((id) => ({ parent_device_id: id, child_device_id: deviceId }))
        await tx.insert(deviceRelationships).values(rows)
      }
      await updateDepths(tx)
      return true
    }),
  )
}

/** Takes parents from a device, all without `parentIds`. Returns how many it had of them. */
export function removeParents({ db }: Store, deviceId: number, parentIds: readonly number[] | null): Promise<number> {
  return guarded(() =>
    db.transaction(async (tx) => {
      await tx.execute(sql`select pg_advisory_xact_lock(${PARENTS_LOCK})`)
      const child = eq(deviceRelationships.child_device_id, deviceId)
      const gone = await tx
        .delete(deviceRelationships)
        .where(parentIds === null ? child : and(child, inArray(deviceRelationships.parent_device_id, [...parentIds])))
        .returning({ id: deviceRelationships.parent_device_id })
      await updateDepths(tx)
      return gone.length
    }),
  )
}

/** Whether one of the parents is the device, or depends on it already. */
async function closesLoop(tx: DbTx, deviceId: number, parentIds: readonly number[]): Promise<boolean> {
  if (parentIds.length === 0) return false
  const rows = await tx.execute(sql`
    with recursive below as (
      select ${deviceId}::int as device_id
      union
      select r.child_device_id from below b join device_relationships r on r.parent_device_id = b.device_id)
    select from below where ${inArray(sql`device_id`, [...parentIds])} limit 1`)
  return rows.length > 0
}

/**
 * Brings devices.max_depth to what the dependencies say: 0 for a device without any, 1 for one that only has children,
 * else one more than its deepest parent. Source: contract SCHEMA.md, Device.
 */
export async function updateDepths(tx: DbTx): Promise<void> {
  await tx.execute(sql`
    with recursive steps as (
      select distinct r.parent_device_id as device_id, 1 as depth from device_relationships r
      where not exists (select from device_relationships u where u.child_device_id = r.parent_device_id)
      union
      select r.child_device_id, s.depth + 1 from steps s join device_relationships r on r.parent_device_id = s.device_id
    ), depths as (select device_id, max(depth) as depth from steps group by device_id)
    update devices d set max_depth = coalesce(x.depth, 0)
    from devices o left join depths x on x.device_id = o.device_id
    where d.device_id = o.device_id and o.max_depth <> coalesce(x.depth, 0)`)
}
