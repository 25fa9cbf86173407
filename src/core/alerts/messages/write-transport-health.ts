import type { Store, Tx } from '../../database/client.ts'
import { integers } from '../../database/pg-array.ts'
import { kindOf } from '../transports/kinds.ts'
import { type SendingResult, storedError } from './result.ts'
import {
  afterAttempt,
  HEALTHY,
  type HealthContext,
  type HealthRules,
  healthTitle,
  isDueToTell,
  type Notifier,
  notifiersFor,
  TELL_AGAIN_MS,
  type TransportHealth,
} from './transport-health.ts'

interface HealthRow {
  readonly transport_id: number
  readonly failures: number
  readonly since: number | null
  readonly last_error: string | null
  readonly failed_at: number | null
  readonly told_at: number | null
  readonly last_told_at: number | null
}

const ms = (column: string) => `(extract(epoch from ${column}) * 1000)::float8 as ${column}`
const STATE = `transport_id, failures, last_error, ${['since', 'failed_at', 'told_at', 'last_told_at'].map(ms).join(', ')}`

const stateOf = (row: HealthRow): TransportHealth => ({
  failures: row.failures,
  since: row.since,
  lastError: row.last_error,
  failedAt: row.failed_at,
  toldAt: row.told_at,
  lastToldAt: row.last_told_at,
})

/** Notes what the results say about their transports, and stores the notification that one works again. */
export async function noteHealth(
  tx: Tx,
  results: readonly SendingResult[],
  rules: HealthRules,
  given: number | null,
): Promise<void> {
  const ids = [...new Set(results.map(({ transportId }) => transportId))].toSorted((a, b) => a - b)
  if (ids.length === 0) return
  const rows = await tx<HealthRow[]>`
    select ${tx.unsafe(STATE)} from alert_paths where transport_id = any(${integers(ids)}::text::int[])
    order by transport_id for update`
  const known = new Map(rows.map((row) => [row.transport_id, stateOf(row)]))
  const now = given ?? Date.now()
  for (const id of ids) {
    const before = known.get(id) ?? HEALTHY
    let health = before
    for (const { transportId, result } of results)
      if (transportId === id) health = afterAttempt(health, result, rules, now)
    if (health === before) continue
    await store(tx, id, health)
    if (before.toldAt !== null && health.failedAt === null) await tellWorks(tx, id, before, now)
  }
}

async function store(tx: Tx, id: number, health: TransportHealth): Promise<void> {
  const at = (value: number | null) => (value === null ? null : value / 1000)
  // a transport may have been deleted meanwhile
  await tx`
    insert into alert_paths (transport_id, failures, since, last_error, failed_at, told_at, last_told_at)
    select transport_id, ${health.failures}, to_timestamp(${at(health.since)}::float8),
      ${health.lastError === null ? null : storedError(health.lastError)},
      to_timestamp(${at(health.failedAt)}::float8), to_timestamp(${at(health.toldAt)}::float8),
      to_timestamp(${at(health.lastToldAt)}::float8)
    from alert_transports where transport_id = ${id}
    on conflict (transport_id) do update set failures = excluded.failures, since = excluded.since,
      last_error = excluded.last_error, failed_at = excluded.failed_at, told_at = excluded.told_at,
      last_told_at = excluded.last_told_at`
}

/** Notifies the recovery wherever the failure was notified. Notifications of the failure that were not sent yet are dropped. */
async function tellWorks(tx: Tx, id: number, before: TransportHealth, now: number): Promise<void> {
  await dropUnsent(tx, id)
  const told = await tx<{ transport_id: number }[]>`
    select distinct transport_id from alert_outbox
    where about_transport_id = ${id} and kind = 'alert' and dead_at is null
      and created_at >= to_timestamp(${(before.failedAt ?? now) / 1000}::float8) order by 1`
  const context = await contextOf(tx, id, before, now, true)
  if (context !== null)
    await insert(
      tx,
      context,
      told.map((one) => one.transport_id),
      now,
    )
}

/** Deletes unsent notifications of a failure, except those that are being sent. */
async function dropUnsent(tx: Tx, id: number): Promise<void> {
  await tx`
    delete from alert_outbox where about_transport_id = ${id} and kind = 'alert' and sent_at is null
      and claimed_at is null and message_id is null`
}

async function contextOf(
  tx: Tx,
  id: number,
  health: TransportHealth,
  now: number,
  works: boolean,
): Promise<HealthContext | null> {
  const since = health.since ?? now
  const [row] = await tx<{ name: string; type: string; waiting: number; dead: number }[]>`
    select transport_name as name, transport_type as type,
      (select count(*)::int from alert_outbox o where o.transport_id = t.transport_id and o.sent_at is null and o.dead_at is null) as waiting,
      (select count(*)::int from alert_outbox o where o.transport_id = t.transport_id and o.dead_at >= to_timestamp(${since / 1000}::float8)) as dead
    from alert_transports t where transport_id = ${id}`
  if (row === undefined) return null
  const { name, type, waiting, dead } = row
  return {
    about: 'path',
    title: healthTitle(name, works),
    works,
    transport: name,
    type: kindOf(type)?.name ?? '',
    transportId: id,
    since,
    error: health.lastError ?? '',
    waiting,
    dead,
    time: now,
  }
}

async function insert(tx: Tx, context: HealthContext, transports: readonly number[], now: number): Promise<void> {
  await tx`
    insert into alert_outbox (key, transport_id, kind, context, about_transport_id, created_at, next_at)
    select gen_random_uuid()::text, transport_id, ${context.works ? 'recovery' : 'alert'}, ${JSON.stringify(context)}::text::jsonb,
      ${context.transportId}, to_timestamp(${now / 1000}::float8), to_timestamp(${now / 1000}::float8)
    from alert_transports where transport_id = any(${integers(transports)}::text::int[])`
}

/**
 * Notifies of failing transports through others that work, of each failure once; if those fail too before they have sent
 * it, through yet others. Returns how many notifications were stored. `given`: epoch ms; null: now.
 */
export async function tellFailing({ sql }: Store, given: number | null = null): Promise<number> {
  const [some] = await sql<{ any: boolean }[]>`
    select exists (select from alert_paths where failed_at is not null
      and (told_at is not null or last_told_at is null
        or last_told_at <= to_timestamp(${((given ?? Date.now()) - TELL_AGAIN_MS) / 1000}::float8))) as any`
  if (some?.any !== true) return 0
  return await sql.begin(async (tx) => {
    const now = given ?? Date.now()
    const rows = await tx<HealthRow[]>`
      select ${tx.unsafe(STATE)} from alert_paths where failed_at is not null order by transport_id for update`
    const due: [id: number, health: TransportHealth][] = []
    for (const row of rows) {
      const health = stateOf(row)
      const isDue =
        isDueToTell(health, now) || (health.toldAt !== null && (await isStranded(tx, row.transport_id, health)))
      if (isDue) due.push([row.transport_id, health])
    }
    if (due.length === 0) return 0
    const transports = await readNotifiers(tx)
    let stored = 0
    for (const [id, health] of due) stored += await tell(tx, id, health, notifiersFor(id, transports), now)
    return stored
  })
}

async function tell(
  tx: Tx,
  id: number,
  health: TransportHealth,
  notifiers: readonly number[],
  now: number,
): Promise<number> {
  const context = notifiers.length === 0 ? null : await contextOf(tx, id, health, now, false)
  if (context === null) return 0
  await dropUnsent(tx, id)
  await insert(tx, context, notifiers, now)
  await store(tx, id, { ...health, toldAt: now, lastToldAt: now })
  return notifiers.length
}

/** The failure was stored for other transports, none has sent it, and all of them fail themselves or gave it up. */
async function isStranded(tx: Tx, id: number, health: TransportHealth): Promise<boolean> {
  const [row] = await tx<{ stranded: boolean }[]>`
    select not exists (select from alert_outbox o left join alert_paths p on p.transport_id = o.transport_id
      where o.about_transport_id = ${id} and o.kind = 'alert' and o.created_at >= to_timestamp(${(health.failedAt ?? 0) / 1000}::float8)
        and (o.sent_at is not null or (o.dead_at is null and p.failed_at is null))) as stranded`
  return row?.stranded === true
}

async function readNotifiers(tx: Tx): Promise<readonly Notifier[]> {
  // while nothing works, this is read again and again: what those that fail sent, which nobody asks, is not looked up
  const rows = await tx<{ id: number; type: string; isDefault: boolean; failing: boolean; sentAt: number | null }[]>`
    select t.*, case when not failing then (
        select (extract(epoch from max(o.sent_at)) * 1000)::float8 from alert_outbox o where o.transport_id = t.id) end as "sentAt"
    from (
      select t.transport_id as id, t.transport_type as type, t.is_default = 1 as "isDefault",
        coalesce(p.failed_at is not null or p.failures > 0, false) as failing
      from alert_transports t left join alert_paths p using (transport_id)) t
    order by t.id`
  return rows.map(({ id, type, isDefault, failing, sentAt }) => ({
    id,
    isDefault,
    isFailing: failing || kindOf(type) === null,
    sentAt,
  }))
}

/** Notes that a transport delivered a test. The running server sends what follows from it. */
export async function noteWorks({ sql }: Store, transportId: number): Promise<void> {
  await sql.begin((tx) => noteHealth(tx, [{ transportId, result: { kind: 'sent' } }], { failures: 0 }, null))
}

/** How many transports count as failing. */
export async function failingCount({ sql }: Store): Promise<number> {
  const [row] = await sql<{ n: number }[]>`select count(*)::int as n from alert_paths where failed_at is not null`
  return row?.n ?? 0
}
