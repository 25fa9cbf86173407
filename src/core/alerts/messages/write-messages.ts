import { calledOf, calledText } from '../../base/device-name.ts'
import type { Store, Tx } from '../../database/client.ts'
import { withSettings } from '../../database/local-settings.ts'
import { integers } from '../../database/pg-array.ts'
import { BY_INDEX } from '../../database/with-index-plans.ts'
import { openConfig } from '../transports/write.ts'
import { ITEM_TEMPLATE, type OutboxTemplate } from '../write-outbox.ts'
import type { Held, HeldWhy } from './plan.ts'
import { HEALTH_DEVICE, HEALTH_RULE } from './transport-health.ts'

/** What a message shows of one notification, without secrets. */
export interface MessagePart {
  readonly id: number
  readonly alert_id: number | null
  readonly kind: string
  /** When the change that it reports was decided, epoch ms. */
  readonly decided: number
  readonly title: string
  readonly device_id: number | null
  /** Display name. */
  readonly device: string
  /** Display name of the device that it is reached through; null: none is known. */
  readonly parent: string | null
  readonly rule_id: number | null
  readonly rule: string
  readonly severity: string
  /** Duration of the problem so far, `2h 5m`. */
  readonly elapsed: string
  readonly faults: number
  /** Of the first faults: sentences, or summaries. */
  readonly lines: readonly string[]
  readonly note: string
  /** Number of devices that are unreachable because this one is down. */
  readonly behind: number
  readonly location: string | null
}

/** A message to send, claimed by this process. */
export interface ClaimedMessage {
  readonly id: number
  /** The same at every attempt. */
  readonly key: string
  readonly transport_id: number
  readonly transport_name: string
  readonly transport_type: string
  /** Settings of the transport, with secrets. */
  readonly transport_config: Readonly<Record<string, unknown>>
  /** This one included. */
  readonly attempts: number
  readonly held: Held | null
  /** When it was formed, epoch ms. */
  readonly formed: number
  /** In the order in which they were stored. Of an alert with very many, the first and the last. */
  readonly parts: readonly MessagePart[]
  /** The whole notification, if there is only one. */
  readonly single: {
    /** Of the outbox. */
    readonly id: number
    readonly key: string
    readonly context: Readonly<Record<string, unknown>>
    readonly template: OutboxTemplate | null
  } | null
}

/** The last fault, from 0, whose sentence or summary a message gets for each alert. */
const LAST_LINE = '4'

/** Maximum number of notifications that are read for a message; an alert has one that began it and one that tells how it is. */
const MAX_PARTS = 20_000
const LEAST_OF_ALERT = 2

/**
 * Makes a message of these notifications and claims it. Null: none of them waits any more. `counted`: the attempt counts
 * against the rate of the transport. `now` in epoch ms.
 */
export async function formMessage(
  { sql }: Store,
  given: {
    readonly transportId: number
    readonly ids: readonly number[]
    readonly alerts: number
    readonly held: Held | null
    readonly counted: boolean
    readonly now: number
  },
): Promise<ClaimedMessage | null> {
  const { transportId, ids, alerts, held, counted, now } = given
  return await sql.begin((tx) =>
    withSettings(tx, BY_INDEX, async () => {
      const waiting = await tx<{ id: number }[]>`
        select o.id from unnest(${integers(ids)}::text::bigint[]) wanted (id) join alert_outbox o on o.id = wanted.id
        where o.sent_at is null and o.dead_at is null and o.message_id is null and o.claimed_at is null
        order by o.id for update of o`
      if (waiting.length === 0) return null
      const [row] = await tx<{ id: number }[]>`
        insert into alert_messages (transport_id, alerts, formed_at, held, held_for, next_at)
        values (${transportId}, ${alerts}, to_timestamp(${now / 1000}::float8), ${held?.why ?? null},
          ${Math.min(held?.seconds ?? 0, 2_000_000_000)}, to_timestamp(${now / 1000}::float8)) returning id`
      const id = row?.id ?? 0
      await tx`update alert_outbox set message_id = ${id} where id = any(${integers(waiting.map((one) => one.id))}::text::bigint[])`
      return await claim(tx, id, counted, now)
    }),
  )
}

/** Claims a message for its next attempt; null: it is no longer to be sent. */
export async function claimMessage(
  { sql }: Store,
  id: number,
  counted: boolean,
  now: number,
): Promise<ClaimedMessage | null> {
  return await sql.begin((tx) => withSettings(tx, BY_INDEX, () => claim(tx, id, counted, now)))
}

async function claim(tx: Tx, id: number, counted: boolean, now: number): Promise<ClaimedMessage | null> {
  type Row = Omit<ClaimedMessage, 'held' | 'parts' | 'single'> & {
    held: HeldWhy | null
    held_for: number
    alerts: number
  }
  const [message] = await tx<Row[]>`
    update alert_messages m set claimed_at = to_timestamp(${now / 1000}::float8), attempts = m.attempts + 1
    from alert_transports t
    where m.id = ${id} and m.ended_at is null and t.transport_id = m.transport_id
    returning m.id, m.key, m.transport_id, t.transport_name, t.transport_type, t.transport_config, m.attempts, m.held, m.held_for, m.alerts,
      (extract(epoch from m.formed_at) * 1000)::float8 as formed`
  if (message === undefined) return null
  const parts = await partsOf(tx, id, message.alerts)
  const [first] = parts
  // its alerts, its rules or its devices were deleted
  if (first === undefined) {
    await tx`update alert_messages set ended_at = to_timestamp(${now / 1000}::float8), claimed_at = null where id = ${id}`
    return null
  }
  if (counted)
    await tx`insert into alert_attempts (transport_id, message_id, began_at)
      values (${message.transport_id}, ${id}, to_timestamp(${now / 1000}::float8))`
  const { held, held_for: seconds, alerts: _, ...shown } = message
  return {
    ...shown,
    transport_config: openConfig(message.transport_config),
    held: held === null ? null : { why: held, seconds },
    parts,
    single: parts.length === 1 ? await wholeOf(tx, first.id) : null,
  }
}

/** The device of a stored notification. */
const CALLED = calledOf(`o.context ->> 'hostname'`, `o.context ->> 'display'`, `o.context ->> 'sysName'`)

async function partsOf(tx: Tx, messageId: number, alerts: number): Promise<MessagePart[]> {
  const ofAlert = Math.max(LEAST_OF_ALERT, Math.floor(MAX_PARTS / (2 * Math.max(1, alerts))))
  const kept = await tx<{ id: number }[]>`
    select id from (
      select id, row_number() over (partition by coalesce(alert_id, -id) order by id) as nth,
        row_number() over (partition by coalesce(alert_id, -id) order by id desc) as nth_last
      from alert_outbox where message_id = ${messageId} and sent_at is null and dead_at is null
    ) numbered where nth <= ${ofAlert} or nth_last <= ${ofAlert}`
  return await tx<MessagePart[]>`
    select o.id, o.alert_id, o.kind,
      case when jsonb_typeof(o.context -> 'time') = 'number' then (o.context ->> 'time')::float8
        else (extract(epoch from o.created_at) * 1000)::float8 end as decided,
      coalesce(o.context ->> 'title', o.kind) as title, o.device_id,
      coalesce(${tx.unsafe(CALLED)},
        case when o.about_transport_id is not null then ${HEALTH_DEVICE}::text end, '') as device,
      (select ${tx.unsafe(calledText('p'))} from devices p
        where p.device_id::text = o.context ->> 'parent_id') as parent,
      o.rule_id, coalesce(o.context ->> 'name', case when o.about_transport_id is not null then ${HEALTH_RULE}::text end, '') as rule, coalesce(o.context ->> 'severity', 'critical') as severity,
      coalesce(o.context ->> 'elapsed', '') as elapsed,
      case when o.context ->> 'fault_count' ~ '^[0-9]{1,9}$' then (o.context ->> 'fault_count')::int else 0 end as faults,
      array(select jsonb_array_elements_text(case when o.context @? '$.began[0].sentence'
        then jsonb_path_query_array(o.context, 'lax $.began[0 to ${tx.unsafe(LAST_LINE)}].sentence')
        else jsonb_path_query_array(o.context, 'lax $.faults[0 to ${tx.unsafe(LAST_LINE)}].string') end)) as lines,
      coalesce(o.context ->> 'alert_notes', '') as note,
      case when o.context ->> 'behind' ~ '^[0-9]{1,9}$' then (o.context ->> 'behind')::int else 0 end as behind,
      o.context ->> 'location' as location
    from alert_outbox o where o.id = any(${integers(kept.map((one) => one.id))}::text::bigint[]) order by o.id`
}

async function wholeOf(tx: Tx, outboxId: number): Promise<ClaimedMessage['single']> {
  const [row] = await tx<
    { id: number; key: string; context: Readonly<Record<string, unknown>>; template: OutboxTemplate | null }[]
  >`
    select c.id, c.key, c.context, ${tx.unsafe(ITEM_TEMPLATE)} as template from alert_outbox c where c.id = ${outboxId}`
  return row ?? null
}

/** Deletes messages that ended more than this number of days ago, and attempts that no rate counts any more. */
export async function dropOldMessages({ sql }: Store, days: number): Promise<void> {
  await sql`delete from alert_messages where ended_at < now() - ${days} * interval '1 day'`
  await sql`delete from alert_attempts where ended_at < now() - interval '10 minutes'`
}
