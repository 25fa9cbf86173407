import { deviceInScopeText, type Scope } from '../base/scope.ts'
import type { Store, Tx } from '../database/client.ts'
import { integers } from '../database/pg-array.ts'
import { putInForce } from './write-computed.ts'
import { PARENTS_LOCK, writeDepths } from './write-depths.ts'

/** What a person says about the parents of a device: these; none; or nothing, so that the computed ones apply. */
export type Choice = readonly number[] | 'none' | 'computed'

/**
 * Replaces the parents of a device that were set by hand and are in scope; others by hand stay. Returns false and changes
 * nothing if that would make a loop of parents set by hand.
 */
export async function replaceParents({ sql }: Store, scope: Scope, deviceId: number, choice: Choice): Promise<boolean> {
  const parentIds = typeof choice === 'string' ? [] : choice
  return await sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(${PARENTS_LOCK})`
    if (await closesLoop(tx, deviceId, parentIds)) return false
    await tx`
      delete from device_relationships r where r.child_device_id = ${deviceId} and (r.computed = 1 or ${inScope(tx, scope)})`
    await tx`
      insert into device_relationships (parent_device_id, child_device_id)
      select id, ${deviceId} from unnest(${integers(parentIds)}::text::int[]) as x(id) on conflict do nothing`
    await settle(tx, deviceId, choice === 'none')
    return true
  })
}

/**
 * Removes parents set by hand and in scope from a device; without `parentIds` all of them. Returns the number removed.
 * Computed ones apply again once none is left, and cannot be removed.
 */
export async function removeParents(
  { sql }: Store,
  scope: Scope,
  deviceId: number,
  parentIds: readonly number[] | null,
): Promise<number> {
  return await sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(${PARENTS_LOCK})`
    const gone = await tx`
      delete from device_relationships r where r.child_device_id = ${deviceId} and r.computed = 0 and ${inScope(tx, scope)}
        and ${parentIds === null ? tx`true` : tx`r.parent_device_id = any(${integers(parentIds)}::text::int[])`}`
    if (gone.count > 0) await settle(tx, deviceId, false)
    return gone.count
  })
}

async function settle(tx: Tx, deviceId: number, none: boolean): Promise<void> {
  const flag = none ? 1 : 0
  // before its row, and those of others, as batches of samples do
  await tx`select from device_claims where device_id = ${deviceId} for update`
  await tx`update devices set no_parents = ${flag} where device_id = ${deviceId} and no_parents <> ${flag}`
  await putInForce(tx, deviceId)
  await writeDepths(tx)
}

/** Condition on dependencies `r`: the parent is in scope. */
function inScope(tx: Tx, scope: Scope) {
  return scope.kind === 'all'
    ? tx`true`
    : tx`exists (select from devices d where d.device_id = r.parent_device_id and ${tx.unsafe(deviceInScopeText(scope, 'd'))})`
}

/** Whether one of the parents is the device itself, or already depends on it by what was set by hand. */
async function closesLoop(tx: Tx, deviceId: number, parentIds: readonly number[]): Promise<boolean> {
  if (parentIds.length === 0) return false
  const rows = await tx`
    with recursive below as (
      select ${deviceId}::int as device_id
      union
      select r.child_device_id from below b join device_relationships r on r.parent_device_id = b.device_id
      where r.computed = 0)
    select from below where device_id = any(${integers(parentIds)}::text::int[]) limit 1`
  return rows.length > 0
}
