import { asc, eq, sql } from 'drizzle-orm'
import { pollerCluster, pollerClusterStats, pollerGroups } from '../../../db/schema/index.ts'
import { deviceInScope, type Scope } from '../base/scope.ts'
import type { Store } from '../database/client.ts'
import { epochSeconds } from '../database/instants.ts'

/** A process that polls. */
export interface PollerRow {
  readonly id: number
  readonly poller_name: string
  readonly last_polled: Date
  readonly devices: number
  /** Seconds. */
  readonly time_taken: number
}

/** Pollers by id. */
export async function listPollers({ sql }: Store): Promise<PollerRow[]> {
  return await sql<PollerRow[]>`
    select id, poller_name, last_polled, devices, time_taken
    from pollers order by id`
}

export type ClusterStatistics = typeof pollerClusterStats.$inferSelect

/** A poller as a member of a cluster; `last_report` is in seconds since 1970, exact to the microsecond. */
export interface ClusterRow {
  readonly id: number
  readonly node_id: string
  readonly poller_name: string
  readonly poller_version: string
  /** Ids of poller groups, joined by commas. */
  readonly poller_groups: string
  readonly last_report: number
  readonly master: number
  readonly stats: readonly ClusterStatistics[]
}

/** Pollers by id, living or not, with statistics of their queues. */
export async function listCluster({ db }: Store): Promise<ClusterRow[]> {
  const { id, node_id, poller_name, poller_version, poller_groups, master } = pollerCluster
  const last_report = sql<number>`${sql.raw(epochSeconds('last_report'))}`
  const members = await db
    .select({ id, node_id, poller_name, poller_version, poller_groups, last_report, master })
    .from(pollerCluster)
    .where(sql`'poller' = any(${pollerCluster.roles})`)
    .orderBy(asc(id))
  if (members.length === 0) return []
  const stats = await db.select().from(pollerClusterStats).orderBy(asc(pollerClusterStats.id))
  return members.map((member) => ({ ...member, stats: stats.filter((row) => row.parent_poller === member.id) }))
}

/** Last poll of an active device. */
export interface PollerLogRow {
  readonly hostname: string
  readonly display_name: string
  /** null: never. */
  readonly last_polled: Date | null
  /** Seconds; null: unknown. */
  readonly last_polled_timetaken: number | null
  /** Name; null: none with this id, as for group 0. */
  readonly poller_group: string | null
  readonly poller_group_id: number
}

/**
 * Active devices in scope, slowest first. `overdueS`: only those not polled for that many seconds; a device that was
 * never polled counts from its insertion.
 */
export async function listPollerLog({ sql }: Store, scope: Scope, overdueS: number | null): Promise<PollerLogRow[]> {
  const overdue =
    overdueS === null
      ? sql`true`
      : sql`coalesce(d.last_polled, d.inserted) <= now() - make_interval(secs => ${overdueS}::float8)`
  return await sql<PollerLogRow[]>`
    select d.hostname, d.display as display_name, d.last_polled, d.last_polled_timetaken,
      g.group_name as poller_group, d.poller_group as poller_group_id
    from devices d left join poller_groups g on g.id = d.poller_group
    where d.ignore = 0 and d.disabled = 0 and ${deviceInScope(sql, scope)} and ${overdue}
    order by coalesce(d.last_polled_timetaken, 0) desc, d.device_id`
}

/** A group of pollers. */
export type PollerGroupRecord = typeof pollerGroups.$inferSelect

/** Poller groups by id. */
export async function listPollerGroups({ db, sql: query }: Store, scope: Scope): Promise<PollerGroupRecord[]> {
  const all = await db.select().from(pollerGroups).orderBy(asc(pollerGroups.id))
  if (scope.kind === 'all') return all
  const beyond = await query<{ id: number }[]>`
      select d.poller_group as id from devices d group by 1 having not bool_or(${deviceInScope(query, scope)})`
  const hidden = new Set(beyond.map(({ id }) => id))
  return all.filter(({ id }) => !hidden.has(id))
}

/** The poller group with this id (digits) or case-insensitive name; null: none. */
export async function findPollerGroup({ db }: Store, ref: string): Promise<PollerGroupRecord | null> {
  const digits = /^\d+$/.test(ref)
  if (digits && Number(ref) > 2_147_483_647) return Promise.resolve(null)
  const named = digits ? eq(pollerGroups.id, Number(ref)) : sql`lower(${pollerGroups.group_name}) = lower(${ref})`
  const [row] = await db.select().from(pollerGroups).where(named).orderBy(asc(pollerGroups.id)).limit(1)
  return row ?? null
}
