import type { Tx } from '../database/client.ts'

/**
 * Key of the advisory lock that serialises changes of dependencies. Two concurrent ones could close a loop that neither
 * sees.
 */
export const PARENTS_LOCK = 0x706172

/** Parents set by hand may close a loop with computed ones; nothing is counted deeper. */
const MAX_DEPTH = 64

/**
 * Updates devices.max_depth from the dependencies: 0 for a device without any, 1 for one that only has children,
 * otherwise one more than its deepest parent. Ways around that are not nearer to the poller do not count. Rows of devices
 * are locked in the order of their ids, as batches of samples do. Source: contract SCHEMA.md, Device.
 */
export async function writeDepths(tx: Pick<Tx, 'unsafe'>): Promise<void> {
  await tx.unsafe(DEPTHS)
}

export const DEPTHS = `
  with recursive r as materialized (
    select parent_device_id, child_device_id from device_relationships where further = 0
  ), steps as (
    select distinct r.parent_device_id as device_id, 1 as depth from r
    where not exists (select from r u where u.child_device_id = r.parent_device_id)
    union
    select r.child_device_id, s.depth + 1 from steps s join r on r.parent_device_id = s.device_id
    where s.depth < ${MAX_DEPTH}
  ), depths as (select device_id, max(depth) as depth from steps group by device_id), changed as materialized (
    select o.device_id, coalesce(x.depth, 0) as depth from devices o left join depths x on x.device_id = o.device_id
    where o.max_depth <> coalesce(x.depth, 0) order by o.device_id for no key update of o
  )
  update devices d set max_depth = c.depth from changed c where d.device_id = c.device_id`
