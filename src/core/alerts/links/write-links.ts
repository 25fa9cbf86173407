import { calledText } from '../../base/device-name.ts'
import type { Store } from '../../database/client.ts'
import { integers } from '../../database/pg-array.ts'

/** An alert as its link shows it. */
export interface LinkedAlert {
  readonly id: number
  /** Name of the device in sentences: see calledDevice. */
  readonly device: string
  readonly rule: string
  readonly severity: string
  readonly state: number
  /** When its problem began, epoch ms; null: not known. */
  readonly began: number | null
  /** Active faults that had begun when the notification was decided, and those that began later. */
  readonly meant: number
  readonly later: number
  /** Acknowledged ones that had begun then. */
  readonly acknowledged: number
}

/** Who a link was sent to. */
export interface LinkReceiver {
  readonly transport: string
  /** null: the link names no person. */
  readonly username: string | null
  readonly enabled: boolean
}

/** These alerts, those that exist, in order of id. `atS`: when the notification was decided, epoch seconds. */
export async function readLinked({ sql }: Store, ids: readonly number[], atS: number): Promise<LinkedAlert[]> {
  return await sql<LinkedAlert[]>`
      select a.id, ${sql.unsafe(calledText('d'))} as device, r.name as rule, r.severity, a.state,
        floor(extract(epoch from a.began_at) * 1000)::float8 as began, f.meant, f.later, f.acknowledged
      from alerts a join devices d on d.device_id = a.device_id join alert_rules r on r.id = a.rule_id
      cross join lateral (
        select count(*) filter (where f.state = 1 and f.began_at < to_timestamp(${atS + 1}))::int as meant,
          count(*) filter (where f.state = 1 and f.began_at >= to_timestamp(${atS + 1}))::int as later,
          count(*) filter (where f.state = 2 and f.began_at < to_timestamp(${atS + 1}))::int as acknowledged
        from faults f where f.alert_id = a.id and f.state <> 0) f
      where a.id = any(${integers(ids)}::text::int[]) order by a.id`
}

/** Who the link was sent to; null: the transport or the user was deleted. */
export async function readReceiver(
  { sql }: Store,
  transportId: number,
  userId: number | null,
): Promise<LinkReceiver | null> {
  const [row] = await sql<LinkReceiver[]>`
      select t.transport_name as transport, u.username, coalesce(u.enabled, 1) = 1 as enabled
      from alert_transports t left join users u on u.user_id = ${userId}
      where t.transport_id = ${transportId} and (${userId}::int is null or u.user_id is not null)`
  return row ?? null
}

/** A use of a link. */
export interface LinkUse {
  readonly used_at: Date
  readonly used_by: string
}

/** When and for whom a link was used; null: it was not. */
export async function readUse({ sql }: Store, notificationId: number): Promise<LinkUse | null> {
  const [row] = await sql<LinkUse[]>`
      select used_at, used_by from used_alert_links where notification_id = ${notificationId}`
  return row ?? null
}

/** Marks a link as used; false: it was before. Deletes uses of links that have expired. */
export async function insertUse(
  { sql }: Store,
  use: { notificationId: number; usedBy: string; usedFrom: string; expiresS: number },
): Promise<boolean> {
  await sql`delete from used_alert_links where expires_at < now()`
  const rows = await sql`
      insert into used_alert_links (notification_id, used_by, used_from, expires_at)
      values (${use.notificationId}, ${use.usedBy}, ${use.usedFrom}, to_timestamp(${use.expiresS}))
      on conflict do nothing returning notification_id`
  return rows.length > 0
}

/** Makes a link usable again, because what it was used for failed. */
export async function deleteUse({ sql }: Store, notificationId: number): Promise<void> {
  await sql`delete from used_alert_links where notification_id = ${notificationId}`
}
