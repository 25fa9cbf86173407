import { ALERT_IS_OPEN } from '../base/alert-states.ts'
import { type BinaryArray, texts } from '../database/binary-array.ts'
import type { Store, Tx } from '../database/client.ts'
import { withSettings } from '../database/local-settings.ts'
import { integers } from '../database/pg-array.ts'
import { BY_INDEX } from '../database/with-index-plans.ts'
import { endFaultsOfDisabled, FAULT_WRITES, faultRows, namesOf } from './faults/write-engine.ts'
import type { FaultWrite } from './faults/writes.ts'
import type { Recipients, Runs } from './operations/plan.ts'
import {
  type AlertRecipients,
  nobodyOnCall,
  type OnCall,
  recipientsOf,
  transportsOfRule,
} from './operations/read-recipients.ts'
import { type AlertSubject, subjectsOf } from './read-subjects.ts'
import type { RunnableRule } from './write-evaluation.ts'

/** Values of an alert to store. Times in epoch ms. */
export interface AlertWrite {
  readonly deviceId: number
  readonly state: number
  readonly open: boolean
  readonly alerted: number
  readonly digest: string | null
  readonly faults: Readonly<Record<string, number>>
  readonly changedAt: number
  readonly beganAt: number | null
  readonly begins: readonly number[]
  readonly notified: number
  readonly notifiedAt: number | null
  readonly nextAt: number | null
  readonly held: string | null
  readonly steps: Runs | null
  /** Matched rows, shown by the log as `rule` and by the notification as `faults`. */
  readonly shown: readonly Readonly<Record<string, unknown>>[]
  /** Row of the alert log, to which `rule` is added; null: none. */
  readonly log: object | null
  readonly faultWrites: readonly FaultWrite[]
  /** null: none. `to` null: the rule's transports. `faults`, `id`, `alert_id` and `transport` are added. */
  readonly notification: { readonly kind: string; readonly to: Recipients | null; readonly context: object } | null
}

/** Number of alerts and of outbox rows written. */
export interface Applied {
  readonly alerts: number
  readonly notifications: number
}

/** Alerts of one rule on some devices that may have to change, and the function that decides. */
export interface AlertTransition {
  readonly rule: Pick<RunnableRule, 'id' | 'mapped' | 'invertMap'>
  /** Its severity and the time, epoch ms, for those who are on call. */
  readonly severity: string
  readonly now: number
  readonly deviceIds: readonly number[]
  work(subjects: readonly AlertSubject[]): readonly AlertWrite[]
}

/**
 * Changes alerts in one transaction: locks them, lets `work` decide, and writes states, log and notifications
 * together. Rules that no longer exist are skipped. Throws StoreError.
 */
export async function changeAlerts(
  { sql }: Store,
  changes: readonly AlertTransition[],
  onCall: OnCall = nobodyOnCall,
): Promise<Applied> {
  const wanted = changes.toSorted((a, b) => a.rule.id - b.rule.id)
  return await sql.begin(async (tx) => {
    const [rules, subjects] = await withSettings(tx, BY_INDEX, () => {
      const locking = tx<{ id: number }[]>`
        select id from alert_rules where id = any(${integers(wanted.map(({ rule }) => rule.id))}::text::int[])
        order by id for key share`.execute()
      return Promise.all([locking, subjectsOf(tx, wanted, { lock: true })])
    })
    const kept = new Set(rules.map(({ id }) => id))
    const writes: StoredWrite[] = []
    for (const { rule, severity, now, work } of wanted) {
      if (!kept.has(rule.id)) continue
      const given = subjects.get(rule.id) ?? []
      const own = work(given)
      if (own.length === 0) continue
      const recipients = await recipientsOf(tx, own, given, { onCall, severity, now })
      for (const one of own) writes.push({ ...one, ruleId: rule.id, recipients: recipients.get(one.deviceId) })
    }
    // together, because a device that goes down changes the alerts of many rules
    return await write(tx, writes)
  })
}

/** Rows of objects, beside texts that are stored as they are: to parse those within the objects would take them apart twice. */
const COLUMNS = `rule_id int4, device_id int4, state int2, open int2, alerted int2, digest text, faults jsonb, changed float8,
  began float8, begins jsonb, notified int4, notified_at float8, next_at float8, held text, steps jsonb, told jsonb, "to" jsonb,
  log text, kind text`

/** JSON of an object that has members, without its last brace, so that more can be added: of two that are the same, the last is stored. */
const openObject = (value: object): string => JSON.stringify(value).slice(0, -1)

/** $3: shown rows as JSON, and $4: contexts as `openObject` makes them, in the order of $1, whose `log` is one as well. */
const WRITE = `
  with given as materialized (
    select * from rows from (jsonb_to_recordset($1::text::jsonb) as (${COLUMNS}), unnest($3::text[]), unnest($4::text[]))
      as x(${namesOf(COLUMNS)}, shown, context)
  ), written as (
    insert into alerts as a (device_id, rule_id, state, open, alerted, digest, faults, "timestamp", began_at, begins,
      notified, notified_at, next_at, held, steps, told)
    select device_id, rule_id, state, open, alerted, digest, faults, to_timestamp(changed / 1000), to_timestamp(began / 1000),
      array(select jsonb_array_elements_text(begins)::bigint), notified, to_timestamp(notified_at / 1000),
      to_timestamp(next_at / 1000), held, nullif(steps, 'null'), array(select jsonb_array_elements_text(told)::int)
    from given order by rule_id, device_id
    on conflict (device_id, rule_id) do update set state = excluded.state, open = excluded.open,
      alerted = excluded.alerted, digest = excluded.digest, faults = excluded.faults, "timestamp" = excluded."timestamp",
      began_at = excluded.began_at, begins = excluded.begins, notified = excluded.notified,
      notified_at = excluded.notified_at, next_at = excluded.next_at, held = excluded.held,
      steps = excluded.steps, told = excluded.told,
      note = case when excluded.state = 0 then '' else a.note end, info = case when excluded.state = 0 then '' else a.info end
    returning a.id, a.rule_id, a.device_id
  ), logged as (
    insert into alert_log (rule_id, device_id, state, details, time_logged)
    select rule_id, device_id, state, concat(log, ',"rule":', shown, '}')::jsonb, to_timestamp(changed / 1000)
    from given where log is not null order by rule_id, device_id
  ), ${FAULT_WRITES}, transports as materialized (
    select r.rule_id, t.* from (select distinct rule_id from given where kind is not null and "to" is null) r
    cross join lateral (${transportsOfRule('r.rule_id')}) t
  ), sent as (
    insert into alert_outbox (key, alert_id, rule_id, device_id, transport_id, kind, context)
    select gen_random_uuid()::text, w.id, g.rule_id, g.device_id, t.transport_id, g.kind,
      concat(g.context, ',"faults":', g.shown, ',"id":', w.id, ',"alert_id":', w.id, ',"transport":',
        to_json(t.transport_name), '}')::jsonb
    from given g join written w using (rule_id, device_id) cross join lateral (
      select t.transport_id, t.transport_name from transports t where g."to" is null and t.rule_id = g.rule_id
      union all
      select t.transport_id, t.transport_name from jsonb_array_elements_text(g."to") x
        join alert_transports t on t.transport_id = x::int) t
    where g.kind is not null
      and (g.kind <> 'repeat' or not exists (select from alert_outbox o
        where o.alert_id = w.id and o.transport_id = t.transport_id and o.sent_at is null and o.dead_at is null))
    order by g.rule_id, g.device_id, t.transport_id
    returning 1
  )
  select (select count(*)::int from written) as alerts, (select count(*)::int from sent) as notifications`

/** The last instant that may be stored: rules may have any delay. */
const END_OF_TIME_MS = 253_402_300_799_000

interface StoredWrite extends AlertWrite {
  readonly ruleId: number
  readonly recipients: AlertRecipients | undefined
}

async function write(tx: Tx, writes: readonly StoredWrite[]): Promise<Applied> {
  if (writes.length === 0) return { alerts: 0, notifications: 0 }
  const rows = writes.map((w) => ({
    rule_id: w.ruleId,
    device_id: w.deviceId,
    state: w.state,
    open: w.open ? 1 : 0,
    alerted: w.alerted,
    digest: w.digest,
    faults: w.faults,
    changed: w.changedAt,
    began: w.beganAt,
    begins: w.begins,
    notified: w.notified,
    notified_at: w.notifiedAt,
    next_at: w.nextAt === null ? null : Math.min(w.nextAt, END_OF_TIME_MS),
    held: w.held,
    steps: w.steps,
    told: w.recipients?.told ?? [],
    to: w.recipients?.to ?? null,
    log: w.log === null ? null : openObject(w.log),
    kind: w.notification?.kind ?? null,
  }))
  const shown = writes.map((w) => (w.log === null && w.notification === null ? '[]' : JSON.stringify(w.shown)))
  const contexts = writes.map(({ notification }) => openObject(notification?.context ?? { none: 0 }))
  const faults = faultRows(writes)
  const binary = ({ value, type }: BinaryArray) => tx.typed(value, type)
  const [applied] = await tx.unsafe<Applied[]>(
    WRITE,
    [JSON.stringify(rows), faults.json, binary(texts(shown)), binary(texts(contexts)), binary(texts(faults.rows))],
    { prepare: true },
  )
  return applied ?? { alerts: 0, notifications: 0 }
}

/** Alerts of these rules with something due at an instant (epoch ms): the devices by rule, at most `limit` alerts. */
export async function dueAlerts(
  { sql }: Store,
  ruleIds: readonly number[],
  at: number,
  limit: number,
): Promise<Map<number, number[]>> {
  const rows = await sql<{ rule_id: number; device_id: number }[]>`
      select rule_id, device_id from alerts
      where next_at is not null and next_at <= to_timestamp(${at / 1000})
        and rule_id = any(${integers(ruleIds)}::text::int[])
      order by next_at limit ${limit}`
  const byRule = new Map<number, number[]>()
  for (const { rule_id, device_id } of rows) {
    const devices = byRule.get(rule_id)
    if (devices === undefined) byRule.set(rule_id, [device_id])
    else devices.push(device_id)
  }
  return byRule
}

/** Ends the alerts of rules that were disabled, without notifications. */
export async function endDisabled({ sql }: Store): Promise<void> {
  await sql.begin(async (tx) => {
    // in the order in which people lock them; the log refers to their rules and devices
    await tx`
      select from alerts a join alert_rules r on r.id = a.rule_id join devices d on d.device_id = a.device_id
      where r.disabled = 1 and (${sql.unsafe(ALERT_IS_OPEN)} or a.next_at is not null
        or exists (select from faults f where f.alert_id = a.id and f.live = 1))
      order by a.rule_id, a.device_id for key share of r, d for no key update of a`
    await tx`
      with gone as (
        update alerts a set steps = null, state = 0, open = 0, alerted = 0, digest = null, faults = '{}', next_at = null, held = null,
          note = '', info = '', "timestamp" = now()
        from alert_rules r where r.id = a.rule_id and r.disabled = 1 and (${sql.unsafe(ALERT_IS_OPEN)} or a.next_at is not null)
        returning a.rule_id, a.device_id)
      insert into alert_log (rule_id, device_id, state, details)
      select rule_id, device_id, 0, '{"rule": [], "contacts": {}}' from gone`
    await endFaultsOfDisabled(tx)
  })
}
