import { deviceInScope, type Scope } from '../../base/scope.ts'
import type { Store, Tx } from '../../database/client.ts'
import { integers } from '../../database/pg-array.ts'
import { ALERT_CHANNEL } from '../read-engine-rules.ts'
import { type AcknowledgedUntil, FAULT_BOUNDS, type HistoryKind } from './fault.ts'

/** Who did something, and what they wrote; '': nothing. */
export interface ByPerson {
  readonly by: string
  readonly note: string
}

/** Until when faults are acknowledged. `until` null: as before; if they were not, until they are over. */
export interface HowAcknowledged extends ByPerson {
  readonly until: AcknowledgedUntil | null
  /** Epoch ms, for `time`. */
  readonly untilAt: number | null
}

/** Faults of locked alerts: all that are open of one alert, or some. */
type Which = { readonly alertId: number } | { readonly ids: readonly number[] }

const chosen = (tx: Tx, which: Which) =>
  'alertId' in which ? tx`f.alert_id = ${which.alertId}` : tx`f.id = any(${integers(which.ids)}::text::bigint[])`

/** Acknowledges open faults; those that are acknowledged already, anew. */
export async function acknowledgeFaults(tx: Tx, which: Which, how: HowAcknowledged): Promise<void> {
  const { by, note, until, untilAt } = how
  await tx`
    with counts as (
      select o.alert_id, count(*) as n from faults o
      where o.live = 1 and o.state <> 0 and o.alert_id = any(array(select f.alert_id from faults f where ${chosen(tx, which)}))
      group by o.alert_id
    ), acknowledged as (
      update faults f set state = 2, acknowledged_until = coalesce(${until}::text, f.acknowledged_until, 'clear'),
        acknowledged_until_at = case when ${until}::text is null then f.acknowledged_until_at
          else to_timestamp(${untilAt === null ? null : untilAt / 1000}::float8) end,
        acknowledged_by = ${by}, acknowledged_at = now(), acknowledged_note = ${note},
        acknowledged_count = c.n, acknowledged_severity = f.severity
      from counts c
      where c.alert_id = f.alert_id and ${chosen(tx, which)} and f.state <> 0 and f.live = 1 returning f.id)
    insert into fault_history (fault_id, what, "by", note)
    select id, 'acknowledged', ${by}, ${note} from acknowledged
    where (select count(*) from fault_history h where h.fault_id = id) < ${FAULT_BOUNDS.history} order by id`
}

/** Makes acknowledged faults active again; they are notified again. */
export async function unacknowledgeFaults(tx: Tx, which: Which, { by, note }: ByPerson): Promise<void> {
  await tx`
    with active as (
      update faults f set state = 1, speaks = 1, acknowledged_by = null, acknowledged_at = null, acknowledged_note = null,
        acknowledged_until = null, acknowledged_until_at = null, acknowledged_count = null, acknowledged_severity = null
      where ${chosen(tx, which)} and f.state = 2 and f.live = 1 returning f.id)
    insert into fault_history (fault_id, what, "by", note)
    select id, 'unacknowledged', ${by}, ${note} from active
    where (select count(*) from fault_history h where h.fault_id = id) < ${FAULT_BOUNDS.history} order by id`
}

/** The alert of a fault, whose row is locked. */
export interface AlertOfFaults {
  readonly id: number
  readonly device_id: number
  readonly rule_id: number
  readonly state: number
  readonly info: string
  /** Of its rule. */
  readonly name: string
}

/**
 * Locks the alerts of faults in scope, so that the engine leaves them alone until the transaction ends; before each, its rule
 * and its device, as whoever deletes them does.
 */
export async function lockAlertsOf(
  { sql }: Store,
  tx: Tx,
  scope: Scope,
  ids: readonly number[],
): Promise<AlertOfFaults[]> {
  return await tx<AlertOfFaults[]>`
    select a.id, a.device_id, a.rule_id, a.state, a.info, r.name
    from alerts a join devices d on d.device_id = a.device_id join alert_rules r on r.id = a.rule_id
    where a.id in (select f.alert_id from faults f where f.id = any(${integers(ids)}::text::bigint[]))
      and ${deviceInScope(sql, scope)}
    order by a.rule_id, a.device_id for key share of r, d for update of a`
}

/** Which of these alerts have an open fault that is not acknowledged. */
export async function activeAlerts(tx: Tx, alertIds: readonly number[]): Promise<ReadonlySet<number>> {
  const rows = await tx<{ alert_id: number }[]>`
    select distinct alert_id from faults
    where alert_id = any(${integers(alertIds)}::text::int[]) and live = 1 and state = 1`
  return new Set(rows.map((row) => row.alert_id))
}

/** Lets the engine decide about these alerts as soon as the transaction is committed. */
export async function wakeEngine(tx: Tx, alertIds: readonly number[]): Promise<void> {
  await tx`update alerts set next_at = to_timestamp(0) where id = any(${integers(alertIds)}::text::int[])`
  await tx`select pg_notify(${ALERT_CHANNEL}, ${`alert ${alertIds[0] ?? 0}`})`
}

/** Adds an entry to the history of a fault. False: it is full. */
export async function noteFault(tx: Tx, id: number, what: HistoryKind, { by, note }: ByPerson): Promise<boolean> {
  const rows = await tx`
    insert into fault_history (fault_id, what, "by", note)
    select ${id}, ${what}, ${by}, ${note}
    where (select count(*) from fault_history where fault_id = ${id}) < ${FAULT_BOUNDS.history} returning id`
  return rows.length > 0
}

/** Mutes a fault until a time; null: no longer, also a thing that is over and may fail again. */
export async function muteFault(tx: Tx, id: number, until: Date | null): Promise<void> {
  await tx`update faults set muted_until = ${until} where id = ${id}`
}

export async function assignFault(tx: Tx, id: number, userId: number | null): Promise<void> {
  await tx`update faults set assigned_to = ${userId} where id = ${id}`
}

/** Adds an event about each of these faults to the event log of its device. */
export async function faultEvents(tx: Tx, ids: readonly number[], what: string, by: string): Promise<void> {
  await tx`
    insert into eventlog (device_id, message, type, reference, username, severity)
    select device_id, ${what}::text || ': ' || message, 'alert', rule_id::text, ${by}, 2
    from faults where id = any(${integers(ids)}::text::bigint[]) order by id`
}

/** Rows per statement: few enough not to block others. */
const ROWS_PER_STEP = 5000
/** The rest is left to the next run. */
const MAX_MS = 20_000

/** Deletes faults that ended more than `days` ago, with their history; 0: none. Returns how many. Throws StoreError. */
export async function dropOldFaults({ sql }: Store, days: number): Promise<number> {
  if (days === 0) return 0
  const until = performance.now() + MAX_MS
  let dropped = 0
  for (let count = ROWS_PER_STEP; count === ROWS_PER_STEP && performance.now() < until; dropped += count) {
    const gone = await sql`
      delete from faults where id = any(array(
        select id from faults where ended_at < now() - make_interval(days => ${days}) and state = 0 and speaks = 0
          and (muted_until is null or muted_until < now())
        order by ended_at limit ${ROWS_PER_STEP}))`
    count = gone.count
  }
  return dropped
}
