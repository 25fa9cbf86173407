import { and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { deviceRelationships } from '../../../db/schema/index.ts'
import { deviceInScopeText, type Scope } from '../base/scope.ts'
import type { DbTx, Store } from '../database/client.ts'

/**
 * Key of the advisory lock that serialises changes of dependencies. Two concurrent ones could close a loop that neither
 * sees.
 */
const PARENTS_LOCK = 0x706172

/** Replaces the parents of a device that are in scope. Returns false and changes nothing if that would make a loop. */
export async function replaceParents(
  { db }: Store,
  scope: Scope,
  deviceId: number,
  parentIds: readonly number[],
): Promise<boolean> {
  return await db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${PARENTS_LOCK})`)
    if (await closesLoop(tx, deviceId, parentIds)) return false
    await tx.delete(deviceRelationships).where(and(eq(deviceRelationships.child_device_id, deviceId), inScope(scope)))
    if (parentIds.length > 0) {
      const rows = parentIds.map((id) => ({ parent_device_id: id, child_device_id: deviceId }))
      await tx.insert(deviceRelationships).values(rows)
    }
    await updateDepths(tx)
    return true
  })
}

/** Removes parents in scope from a device; without `parentIds` all of them. Returns the number removed. */
export async function removeParents(
  { db }: Store,
  scope: Scope,
  deviceId: number,
  parentIds: readonly number[] | null,
): Promise<number> {
  return await db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${PARENTS_LOCK})`)
    const child = and(eq(deviceRelationships.child_device_id, deviceId), inScope(scope))
    const gone = await tx
      .delete(deviceRelationships)
      .where(parentIds === null ? child : and(child, inArray(deviceRelationships.parent_device_id, [...parentIds])))
      .returning({ id: deviceRelationships.parent_device_id })
    await updateDepths(tx)
    return gone.length
  })
}

/** Condition on dependencies: the parent is in scope. */
function inScope(scope: Scope): SQL | undefined {
  if (scope.kind === 'all') return undefined
  return sql`exists (select from devices d where d.device_id = ${deviceRelationships.parent_device_id}
    and ${sql.raw(deviceInScopeText(scope, 'd'))})`
}

/** Whether one of the parents is the device itself, or already depends on it. */
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
 * Updates devices.max_depth from the dependencies: 0 for a device without any, 1 for one that only has children,
 * otherwise one more than its deepest parent. Source: contract SCHEMA.md, Device.
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
