import type { Store, Tx } from '../../database/client.ts'
import { withIndexPlans } from '../../database/with-index-plans.ts'
import { type SendingResult, storedError } from './result.ts'
import type { HealthRules } from './transport-health.ts'
import { noteHealth } from './write-transport-health.ts'

/** Results of attempts by id. */
export interface Results {
  readonly notifications: ReadonlyMap<number, SendingResult>
  readonly messages: ReadonlyMap<number, SendingResult>
}

/**
 * Stores results of attempts, and what they say about their transports. `now`: epoch ms; null: the database's clock.
 * Throws StoreError.
 */
export async function finishSending(
  { sql }: Store,
  results: Results,
  rules: HealthRules,
  now: number | null,
): Promise<void> {
  await withIndexPlans(sql, async (tx) => {
    const at = instantSql(tx, now)
    await finishNotifications(tx, rowsOf(results.notifications), at)
    await finishMessages(tx, rowsOf(results.messages), at)
    await noteHealth(tx, [...results.notifications.values(), ...results.messages.values()], rules, now)
  })
}

type Rows = ReturnType<typeof rowsOf>
type Instant = ReturnType<typeof instantSql>

/** SQL of the time at which the results are stored. */
const instantSql = (tx: Tx, now: number | null) => (now === null ? tx`now()` : tx`to_timestamp(${now / 1000}::float8)`)

function rowsOf(results: ReadonlyMap<number, SendingResult>) {
  return [...results].map(([id, { result }]) => ({
    id,
    kind: result.kind,
    after: result.kind === 'again' ? result.afterMs : 0,
    error: result.kind === 'sent' ? null : storedError(result.error),
  }))
}

async function finishNotifications(tx: Tx, rows: Rows, at: Instant): Promise<void> {
  if (rows.length === 0) return
  const json = JSON.stringify(rows)
  await tx`
    update alert_outbox o set claimed_at = null, attempts = o.attempts + 1, last_error = r.error,
      sent_at = case when r.kind = 'sent' then ${at} end,
      dead_at = case when r.kind = 'dead' then ${at} end,
      next_at = case when r.kind = 'again' then ${at} + r.after * interval '1 millisecond' else o.next_at end
    from jsonb_to_recordset(${json}::text::jsonb) as r(id bigint, kind text, after float8, error text)
    where o.id = r.id`
  await tx`
    update alert_attempts set ended_at = ${at} where ended_at is null
      and outbox_id in (select (r ->> 'id')::bigint from jsonb_array_elements(${json}::text::jsonb) r)`
}

async function finishMessages(tx: Tx, rows: Rows, at: Instant): Promise<void> {
  if (rows.length === 0) return
  const json = JSON.stringify(rows)
  await tx`
    update alert_outbox o set attempts = o.attempts + 1, last_error = r.error,
      sent_at = case when r.kind = 'sent' then ${at} end,
      dead_at = case when r.kind = 'dead' then ${at} end
    from jsonb_to_recordset(${json}::text::jsonb) as r(id bigint, kind text, after float8, error text)
    where o.message_id = r.id and o.sent_at is null and o.dead_at is null`
  await tx`
    update alert_messages m set claimed_at = null, ended_at = case when r.kind <> 'again' then ${at} end,
      next_at = case when r.kind = 'again' then ${at} + r.after * interval '1 millisecond' else m.next_at end
    from jsonb_to_recordset(${json}::text::jsonb) as r(id bigint, kind text, after float8, error text)
    where m.id = r.id`
  await tx`
    update alert_attempts set ended_at = ${at} where ended_at is null
      and message_id in (select (r ->> 'id')::bigint from jsonb_array_elements(${json}::text::jsonb) r)`
}
