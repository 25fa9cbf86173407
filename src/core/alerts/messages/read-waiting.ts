import type { Store } from '../../database/client.ts'
import type { StoredLimits } from './limits.ts'
import { PAUSE_SPAN_MS, type WaitingAlert } from './plan.ts'

/** A transport for which something waits, or whose rate is limited. Times in epoch ms. */
export interface SendingTransport extends StoredLimits {
  readonly transport_id: number
  readonly transport_type: string
  /** Of the notifications that belong to no message. null: there are none. */
  readonly oldest: number | null
  readonly newest_id: number | null
  /** When its messages of the last PAUSE_SPAN_MS were formed, ascending. */
  readonly formed: readonly number[]
  /** When its attempts of the last minute ended, ascending; those under way count as ending now. */
  readonly attempts: readonly number[]
  /** Messages that were not sent yet, the next one first. */
  readonly unsent: readonly UnsentMessage[]
}

export interface UnsentMessage {
  readonly id: number
  readonly attempts: number
  /** When it is due, epoch ms. */
  readonly at: number
  /** An attempt is under way. */
  readonly claimed: boolean
}

/** Maximum number of notifications that are looked at for one message. */
const MAX_NOTIFICATIONS = 10_000

/** What is dated later than this many seconds from now was before the clock was set back, and counts for no pause or rate. */
const AHEAD_S = 1

/** All transports at `now` (epoch ms; null: the database's clock), and that time. */
export async function sendingTransports(
  { sql }: Store,
  now: number | null,
): Promise<{ readonly now: number; readonly transports: readonly SendingTransport[] }> {
  const rows = await sql<(SendingTransport & { now: number })[]>`
    with clock as (select coalesce(${now}::float8, extract(epoch from clock_timestamp()) * 1000)::float8 as now)
    select clock.now, t.transport_id, t.transport_type, t.grouping, t.group_window, t.rate_per_minute,
      (select (extract(epoch from min(o.created_at)) * 1000)::float8 from alert_outbox o
        where o.transport_id = t.transport_id and o.sent_at is null and o.dead_at is null and o.message_id is null) as oldest,
      (select o.id from alert_outbox o where o.transport_id = t.transport_id and o.sent_at is null and o.dead_at is null
        and o.message_id is null order by o.created_at desc limit 1) as newest_id,
      array(select (extract(epoch from m.formed_at) * 1000)::float8 from alert_messages m
        where m.transport_id = t.transport_id and m.formed_at > to_timestamp((clock.now - ${PAUSE_SPAN_MS}) / 1000)
          and m.formed_at < to_timestamp(clock.now / 1000 + ${AHEAD_S}) order by m.formed_at) as formed,
      array(select case when a.ended_at is null then clock.now else (extract(epoch from a.ended_at) * 1000)::float8 end from alert_attempts a
        where a.transport_id = t.transport_id and (a.ended_at is null
          or a.ended_at > to_timestamp(clock.now / 1000 - 60) and a.ended_at < to_timestamp(clock.now / 1000 + ${AHEAD_S}))
        order by 1) as attempts,
      coalesce((select json_agg(json_build_object('id', m.id, 'attempts', m.attempts,
          'at', extract(epoch from m.next_at) * 1000, 'claimed', m.claimed_at is not null) order by m.next_at, m.id)
        from alert_messages m where m.transport_id = t.transport_id and m.ended_at is null), '[]') as unsent
    from alert_transports t cross join clock order by t.transport_id`
  return { now: rows[0]?.now ?? now ?? Date.now(), transports: rows }
}

/**
 * The alerts with notifications that wait for a transport and belong to no message. Alerts with a notification in a
 * message that was not sent yet, or that is being sent alone because the transport did not group before, are left out, so
 * that their notifications stay in order.
 */
export async function waitingAlerts({ sql }: Store, transportId: number): Promise<WaitingAlert[]> {
  const rows = await sql<
    { ids: number[]; oldest: number; ending: boolean; told: number | null; ongoing: boolean | null }[]
  >`
    with loose as (
      select o.id, o.alert_id from alert_outbox o
      where o.transport_id = ${transportId} and o.sent_at is null and o.dead_at is null and o.message_id is null
      order by o.kind in ('recovery', 'better'), o.id limit ${MAX_NOTIFICATIONS}
    ), free as materialized (
      -- once for each alert: it may have thousands of notifications
      select l.alert_id from (select distinct alert_id from loose where alert_id is not null) l
      where not exists (select from alert_outbox p where p.alert_id = l.alert_id
        and p.transport_id = ${transportId} and p.sent_at is null and p.dead_at is null
        and (p.message_id is not null or p.claimed_at is not null))
    ), whole as (
      -- all that waits of an alert, also what the limit left out
      select o.id, o.alert_id, o.kind, o.created_at from free
        join alert_outbox o on o.alert_id = free.alert_id and o.transport_id = ${transportId}
          and o.sent_at is null and o.dead_at is null and o.message_id is null
      union all
      select o.id, null, o.kind, o.created_at from loose l join alert_outbox o using (id) where l.alert_id is null
    ), by_alert as (
      select coalesce(alert_id, -id) as alert, array_agg(id order by id) as ids,
        coalesce(min(created_at) filter (where kind not in ('recovery', 'better')), min(created_at)) as oldest,
        bool_and(kind in ('recovery', 'better')) as ending
      from whole group by coalesce(alert_id, -id)
    ), last as (
      select b.*, case when b.ending then (select o.message_id from alert_outbox o
        where o.alert_id = b.alert and o.transport_id = ${transportId} and o.message_id is not null and o.sent_at is not null
        order by o.id desc limit 1) end as told
      from by_alert b
    ), groups as (
      select m.id, exists (select from alert_outbox o join alerts a on a.id = o.alert_id
        where o.message_id = m.id and (a.state <> 0 or a.open = 1)) as ongoing
      from alert_messages m where m.id in (select told from last where told is not null) and m.alerts > 1
    )
    select l.ids, (extract(epoch from l.oldest) * 1000)::float8 as oldest, l.ending, g.id as told, g.ongoing
    from last l left join groups g on g.id = l.told order by l.ids[1]`
  return rows.map(({ ids, oldest, ending, told, ongoing }) => ({
    ids,
    oldest,
    ending,
    group: told === null ? null : { id: told, ongoing: ongoing === true },
  }))
}
