import type { Store } from '../client.ts'
import { guarded } from '../errors.ts'
import { integers } from '../pg-array.ts'

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
  /** The template that maps to its rule, the oldest if there are several, else a stored default; null: there is none. */
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

/** Name of the template of LibreNMS for rules without one; it exists here only if it was migrated. */
const DEFAULT_TEMPLATE = 'Default Alert Template'

/**
 * Claims notifications that are due, oldest first, at most one for each alert and transport: the next one waits until
 * it is sent or given up. `busy`: transports that have enough under way. Times are those of the database's clock.
 */
export async function claimOutbox({ sql }: Store, limit: number, busy: readonly number[]): Promise<OutboxItem[]> {
  return await guarded(
    () => sql<OutboxItem[]>`
      with due as (
        select o.id from alert_outbox o
        where o.sent_at is null and o.dead_at is null and o.claimed_at is null and o.next_at <= now()
          and o.transport_id <> all(${integers(busy)}::text::int[])
          and not exists (select from alert_outbox e
            where e.alert_id = o.alert_id and e.transport_id = o.transport_id and e.id < o.id
              and e.sent_at is null and e.dead_at is null)
        order by o.next_at, o.id limit ${limit} for update skip locked
      ), claimed as (
        update alert_outbox o set claimed_at = now(), attempts = attempts + 1
        from due where o.id = due.id returning o.*
      )
      select c.id, c.key, c.alert_id, c.rule_id, c.device_id, c.transport_id, t.transport_name, t.transport_type,
        t.transport_config, c.kind, c.context, c.attempts, (extract(epoch from clock_timestamp() - c.created_at) * 1000)::float8 as age,
        (select json_build_object('id', w.id, 'template', w.template, 'title', w.title, 'title_rec', w.title_rec)
          from alert_templates w left join alert_template_map m on m.alert_templates_id = w.id and m.alert_rule_id = c.rule_id
          where m.alert_rule_id is not null or w.name = ${DEFAULT_TEMPLATE}
          order by m.alert_rule_id is null, w.id limit 1) as template
      from claimed c join alert_transports t using (transport_id) order by c.id`,
  )
}

/**
 * Makes claimed notifications due again, except those under way here: a process that ended had claimed them, or the
 * answer to a claim was lost. Only the serving process may.
 */
export async function releaseClaims({ sql }: Store, underWay: readonly number[]): Promise<void> {
  await guarded(
    () => sql`
      update alert_outbox set claimed_at = null
      where claimed_at is not null and sent_at is null and dead_at is null
        and id <> all(${integers(underWay)}::text::bigint[])`,
  )
}

/** Result of an attempt. */
export type OutboxResult =
  | { readonly kind: 'sent' }
  | { readonly kind: 'again'; readonly afterMs: number; readonly error: string }
  | { readonly kind: 'dead'; readonly error: string }

/** Stores the result of an attempt. */
export async function finishOutbox({ sql }: Store, id: number, result: OutboxResult): Promise<void> {
  await guarded(async () => {
    if (result.kind === 'sent')
      await sql`update alert_outbox set sent_at = now(), claimed_at = null, last_error = null where id = ${id}`
    else if (result.kind === 'dead')
      await sql`update alert_outbox set dead_at = now(), claimed_at = null, last_error = ${shortened(result.error)}
        where id = ${id}`
    else
      await sql`update alert_outbox set next_at = now() + ${result.afterMs} * interval '1 millisecond', claimed_at = null,
        last_error = ${shortened(result.error)} where id = ${id}`
  })
}

const MAX_ERROR = 1000
const shortened = (text: string) => text.replaceAll('\0', '').toWellFormed().slice(0, MAX_ERROR)

/** How many notifications wait, and how many were given up. */
export async function outboxCounts({ sql }: Store): Promise<{ waiting: number; dead: number }> {
  const [row] = await guarded(
    () => sql<{ waiting: number; dead: number }[]>`
      select count(*) filter (where dead_at is null)::int as waiting, count(*) filter (where dead_at is not null)::int as dead
      from alert_outbox where sent_at is null`,
  )
  return row ?? { waiting: 0, dead: 0 }
}

/** A notification that was given up. */
export interface DeadLetter {
  readonly id: number
  readonly transport: string
  readonly kind: string
  /** Hostname; null: it is about none, or the device is gone. */
  readonly device: string | null
  readonly title: string
  /** When the change that it reports was stored. */
  readonly created_at: Date
  readonly dead_at: Date
  readonly attempts: number
  /** Of the last attempt. */
  readonly error: string
}

/** Notifications that were given up, newest first. */
export async function deadLetters({ sql }: Store, limit: number): Promise<DeadLetter[]> {
  return await guarded(
    () => sql<DeadLetter[]>`
      select o.id, t.transport_name as transport, o.kind, d.hostname as device,
        coalesce(o.context ->> 'title', o.kind) as title, o.created_at, o.dead_at, o.attempts, coalesce(o.last_error, '') as error
      from alert_outbox o join alert_transports t using (transport_id) left join devices d using (device_id)
      where o.dead_at is not null order by o.dead_at desc, o.id desc limit ${limit}`,
  )
}

/**
 * Makes notifications that were given up due again, as if they were stored now; `ids` null: all. Returns how many. The
 * running server sends them.
 */
export async function resendLetters({ sql }: Store, ids: readonly number[] | null): Promise<number> {
  const rows = await guarded(
    () => sql`
      update alert_outbox set dead_at = null, claimed_at = null, attempts = 0, created_at = now(), next_at = now()
      where dead_at is not null and (${ids === null} or id = any(${integers(ids ?? [])}::text::bigint[]))`,
  )
  return rows.count
}

/** Deletes notifications that were sent or given up so many days ago. */
export async function dropOldOutbox(
  { sql }: Store,
  { sentDays, deadDays }: { readonly sentDays: number; readonly deadDays: number },
): Promise<void> {
  await guarded(
    () => sql`
      delete from alert_outbox where sent_at < now() - ${sentDays} * interval '1 day'
        or dead_at < now() - ${deadDays} * interval '1 day'`,
  )
}
