import { deviceInScope, type Scope } from '../base/scope.ts'
import type { Store } from '../database/client.ts'
import { integers } from '../database/pg-array.ts'
import { ASYNC_COMMIT, IN_ORDER, withIndexPlans } from '../database/with-index-plans.ts'
import { openConfig } from './transports/write.ts'

/** A notification to send, claimed by this process. */
export interface OutboxItem {
  readonly id: number
  /** Idempotency key, the same at every attempt. */
  readonly key: string
  readonly alert_id: number | null
  readonly rule_id: number | null
  readonly device_id: number | null
  readonly transport_id: number
  readonly transport_name: string
  readonly transport_type: string
  /** Settings of the transport, with secrets. */
  readonly transport_config: Readonly<Record<string, unknown>>
  readonly kind: string
  readonly context: Readonly<Record<string, unknown>>
  /** This one included. */
  readonly attempts: number
  /** ms since it was stored. */
  readonly age: number
  /** The template mapped to its rule, the oldest if there are several, else the stored default; null: there is none. */
  readonly template: OutboxTemplate | null
}

/** Texts of a notification, as people wrote them. */
export interface OutboxTemplate {
  readonly id: number
  readonly template: string
  readonly title: string | null
  /** For recoveries. */
  readonly title_rec: string | null
}

/** Name of LibreNMS's template for rules without one; it exists here only if it was imported. */
const DEFAULT_TEMPLATE = 'Default Alert Template'

/** Text of the template of a notification in row `c` of the outbox, as JSON. Contains no values from outside. */
export const ITEM_TEMPLATE = `(
  select json_build_object('id', w.id, 'template', w.template, 'title', w.title, 'title_rec', w.title_rec)
  from alert_templates w left join alert_template_map m on m.alert_templates_id = w.id and m.alert_rule_id = c.rule_id
  where m.alert_rule_id is not null or w.name = '${DEFAULT_TEMPLATE}'
  order by m.alert_rule_id is null, w.id limit 1)`

/** How many more notifications each transport can take; transports that are not listed can take `others`. */
export interface Capacities {
  readonly ids: readonly number[]
  readonly capacities: readonly number[]
  readonly others: number
  /** Transports whose attempts are counted, because their rate is limited. Default: none. */
  readonly counted?: readonly number[]
}

/**
 * How many notifications of a rule are looked at to fill the capacity of a transport: PLENTY times its share, since other
 * rules may have fewer, and at least LEAST_LOOKED_AT, enough to tell a rule with few from one with many. Reading as many as
 * the capacity for each of a hundred rules would read a hundred times what is claimed.
 */
const PLENTY = 4
const LEAST_LOOKED_AT = 4

/**
 * Rules with few notifications go first, so that while they have new ones at the rate of the transport, those of a rule
 * with many would wait without end. What waits longest goes before all others in this share of the claims once it has
 * waited for so many minutes.
 */
const OLDEST_SHARE = 0.25
const LONG_MINUTES = 10

/**
 * Claims notifications that are due, at most one for each alert and transport: the next one waits until it is sent or
 * given up. A transport gets one notification of each rule, then the second of each, and so on, starting with the rules
 * that have the fewest, so that a rule with a thousand devices hardly delays the others; among rules that all have many,
 * chance decides. What has waited long goes first now and then. Times are those of the database's clock.
 */
export async function claimOutbox(
  { sql }: Store,
  { ids, capacities, others, counted = [] }: Capacities,
): Promise<OutboxItem[]> {
  const due = sql`o.sent_at is null and o.dead_at is null and o.claimed_at is null and o.message_id is null`
  const items = await withIndexPlans(
    sql,
    (tx) => tx<OutboxItem[]>`
      with recursive pairs as (
        (select o.transport_id, coalesce(o.rule_id, 0) as rule from alert_outbox o where ${due}
          order by o.transport_id, coalesce(o.rule_id, 0) limit 1)
        union all
        select n.* from pairs p cross join lateral (
          select o.transport_id, coalesce(o.rule_id, 0) from alert_outbox o
          where ${due} and (o.transport_id, coalesce(o.rule_id, 0)) > (p.transport_id, p.rule)
          order by o.transport_id, coalesce(o.rule_id, 0) limit 1) n
      ), given as (
        select p.*, coalesce(r.capacity, ${others}::int) as capacity, random() as chance,
          greatest(${LEAST_LOOKED_AT}, ${PLENTY} * coalesce(r.capacity, ${others}::int) / count(*) over (partition by p.transport_id)) as most
        from pairs p left join unnest(${integers(ids)}::text::int[], ${integers(capacities)}::text::int[]) r (transport_id, capacity) using (transport_id)
      ), candidates as (
        select g.transport_id, g.capacity, c.id, c.next_at, row_number() over (partition by g.transport_id, g.rule order by c.next_at, c.id) as turn,
          count(*) over (partition by g.transport_id, g.rule) as size, g.most, g.chance,
          g.chance < ${OLDEST_SHARE} and c.next_at < now() - ${LONG_MINUTES} * interval '1 minute'
            and row_number() over (partition by g.transport_id order by c.next_at, c.id) = 1 as waits_long
        from given g cross join lateral (
          select o.id, o.next_at from alert_outbox o
          where ${due} and o.transport_id = g.transport_id and coalesce(o.rule_id, 0) = g.rule and o.next_at <= now()
            and (o.alert_id is null or o.id = (select e.id from alert_outbox e
              where e.alert_id = o.alert_id and e.transport_id = o.transport_id and e.sent_at is null and e.dead_at is null
              order by e.alert_id, e.transport_id, e.id limit 1))
          order by o.next_at, o.id limit least(g.capacity, g.most)) c
        where g.capacity > 0
      ), chosen as materialized (
        select id, place from (select id, capacity, row_number() over (partition by transport_id
            order by not waits_long, turn, size, case when size < most then 0 else chance end, next_at, id) as place
          from candidates) c where place <= capacity
      ), claimed as (
        -- neither a join nor the condition of a partial index, so that only the primary key can find the rows
        update alert_outbox o set claimed_at = now()
        where o.id = any(array(select id from chosen)) and coalesce(o.claimed_at, o.sent_at, o.dead_at) is null returning o.*
      ), attempted as (
        insert into alert_attempts (transport_id, outbox_id, began_at)
        select transport_id, id, now() from claimed where transport_id = any(${integers(counted)}::text::int[])
      )
      select c.id, c.key, c.alert_id, c.rule_id, c.device_id, c.transport_id, t.transport_name, t.transport_type,
        t.transport_config, c.kind, c.context, c.attempts + 1 as attempts, (extract(epoch from clock_timestamp() - c.created_at) * 1000)::float8 as age,
        ${sql.unsafe(ITEM_TEMPLATE)} as template
      from claimed c join alert_transports t using (transport_id) join chosen h using (id) order by h.place, c.id`,
    // after a crash, claims are released anyway
    { ...IN_ORDER, ...ASYNC_COMMIT },
  )
  return items.map((item) => ({ ...item, transport_config: openConfig(item.transport_config) }))
}

/**
 * Makes claimed notifications and messages due again, except those under way here: they were claimed by a process that has ended, or
 * the answer to the claim was lost. Only the serving process may call this.
 */
export async function releaseClaims(
  { sql }: Store,
  underWay: readonly number[],
  messages: readonly number[] = [],
): Promise<void> {
  await sql`
      update alert_outbox set claimed_at = null
      where claimed_at is not null and sent_at is null and dead_at is null
        and id <> all(${integers(underWay)}::text::bigint[])`
  await sql`
      update alert_messages set claimed_at = null
      where claimed_at is not null and ended_at is null and id <> all(${integers(messages)}::text::bigint[])`
  await sql`
      update alert_attempts set ended_at = now()
      where ended_at is null and coalesce(outbox_id, 0) <> all(${integers(underWay)}::text::bigint[])
        and coalesce(message_id, 0) <> all(${integers(messages)}::text::bigint[])`
}

/** How many notifications wait, and how many were given up. */
export async function outboxCounts({ sql }: Store): Promise<{ waiting: number; dead: number }> {
  const [row] = await sql<{ waiting: number; dead: number }[]>`
      select (select count(*)::int from alert_outbox where sent_at is null and dead_at is null) as waiting,
        (select count(*)::int from alert_outbox where dead_at is not null) as dead`
  return row ?? { waiting: 0, dead: 0 }
}

/** A notification that was given up. */
export interface DeadLetter {
  readonly id: number
  readonly transport: string
  readonly kind: string
  /** Hostname; null: it is not about a device, or the device was deleted. */
  readonly device: string | null
  readonly title: string
  /** When the change that it reports was stored. */
  readonly created_at: Date
  readonly dead_at: Date
  readonly attempts: number
  /** Of the last attempt. */
  readonly error: string
}

/** Notifications about devices in scope that were given up, newest first. */
export async function deadLetters({ sql }: Store, scope: Scope, limit: number): Promise<DeadLetter[]> {
  return await sql<DeadLetter[]>`
      select o.id, t.transport_name as transport, o.kind, d.hostname as device,
        coalesce(o.context ->> 'title', o.kind) as title, o.created_at, o.dead_at, o.attempts, coalesce(o.last_error, '') as error
      from alert_outbox o join alert_transports t using (transport_id) left join devices d using (device_id)
      where o.dead_at is not null and ${scope.kind === 'all' ? sql`true` : deviceInScope(sql, scope)}
      order by o.dead_at desc, o.id desc limit ${limit}`
}

/**
 * Makes notifications that were given up due again, as if they had just been stored; `ids` null: all. Returns how many.
 * The running server sends them.
 */
export async function resendDeadLetters({ sql }: Store, ids: readonly number[] | null): Promise<number> {
  return await sql.begin(async (tx) => {
    const rows = await tx`
      update alert_outbox set dead_at = null, claimed_at = null, message_id = null, attempts = 0, created_at = now(), next_at = now()
      where dead_at is not null and (${ids === null} or id = any(${integers(ids ?? [])}::text::bigint[]))`
    return rows.count
  })
}

/** Deletes notifications that were sent or given up more than these numbers of days ago. */
export async function dropOldOutbox(
  { sql }: Store,
  { sentDays, deadDays }: { readonly sentDays: number; readonly deadDays: number },
): Promise<void> {
  await sql`
      delete from alert_outbox where sent_at < now() - ${sentDays} * interval '1 day'
        or dead_at < now() - ${deadDays} * interval '1 day'`
}
