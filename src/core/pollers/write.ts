import { eq, sql } from 'drizzle-orm'
import { devices, pollerCluster, pollerClusterStats, pollerGroups, pollers } from '../../../db/schema/index.ts'
import type { Store } from '../database/client.ts'

/** Statistics of a poller for the last minute. */
export interface PollerReport {
  readonly name: string
  readonly devices: number
  /** Seconds of polling, all devices together. */
  readonly seconds: number
}

/** Updates the record of a poller (API: list_pollers). */
export async function writePollerReport({ db }: Store, { name, devices, seconds }: PollerReport): Promise<void> {
  const report = { last_polled: sql`now()`, devices, time_taken: seconds }
  await db
    .insert(pollers)
    .values({ poller_name: name, ...report })
    .onConflictDoUpdate({ target: pollers.poller_name, set: report })
}

/** Statistics of a poller's queue for the last minute. */
export interface QueueReport {
  readonly poller_type: 'poller' | 'discovery'
  /** Devices that are due and waiting. */
  readonly depth: number
  /** Devices done. */
  readonly devices: number
  readonly worker_seconds: number
  readonly workers: number
  /** Seconds between two runs for a device. */
  readonly frequency: number
}

/** Updates the statistics of a member's queue; nothing when it is no member. */
export async function writeQueueReport({ db }: Store, poller: number, queue: QueueReport): Promise<void> {
  await db.transaction(async (tx) => {
    const [row] = await tx.select({ id: pollerCluster.id }).from(pollerCluster).where(eq(pollerCluster.id, poller))
    if (row === undefined) return
    await tx
      .insert(pollerClusterStats)
      .values({ parent_poller: poller, ...queue })
      .onConflictDoUpdate({ target: [pollerClusterStats.parent_poller, pollerClusterStats.poller_type], set: queue })
  })
}

/** Values of a poller group set by a person. */
export interface PollerGroupValues {
  readonly group_name?: string
  readonly descr?: string
}

/** Stores a poller group; returns its id, or null when the name is taken. */
export async function insertPollerGroup({ db }: Store, group_name: string, descr: string): Promise<number | null> {
  const [row] = await db.execute<{ id: number }>(sql`
      insert into poller_groups (group_name, descr) select ${group_name}, ${descr}
      where not exists (select from poller_groups where lower(group_name) = lower(${group_name})) returning id`)
  return row?.id ?? null
}

/** Changes a poller group. */
export async function updatePollerGroup({ db }: Store, id: number, values: PollerGroupValues): Promise<void> {
  if (Object.keys(values).length === 0) return
  await db.update(pollerGroups).set(values).where(eq(pollerGroups.id, id))
}

/** Deletes a poller group; its devices move to the general one. */
export async function deletePollerGroup({ db }: Store, id: number): Promise<void> {
  return await db.transaction(async (tx) => {
    await tx.execute(sql`select from devices where poller_group = ${id} order by device_id for no key update`)
    await tx.update(devices).set({ poller_group: 0 }).where(eq(devices.poller_group, id))
    await tx.delete(pollerGroups).where(eq(pollerGroups.id, id))
  })
}
