import { ALERT_IS_OPEN } from '../base/alert-states.ts'
import type { Store, Tx } from '../database/client.ts'
import { withSettings } from '../database/local-settings.ts'
import { integers } from '../database/pg-array.ts'
import { BY_INDEX } from '../database/with-index-plans.ts'
import type { EngineFault } from './faults/evolve.ts'
import { endFaultsOfDisabled, FAULT_WRITES, faultRows, liveFaults } from './faults/write-engine.ts'
import type { FaultWrite } from './faults/writes.ts'
import type { Recipients, Runs } from './operations/plan.ts'
import {
  type AlertRecipients,
  nobodyOnCall,
  type OnCall,
  recipientsOf,
  transportsOfRule,
} from './operations/read-recipients.ts'
import { appliesSql, type RunnableRule } from './write-evaluation.ts'

/** An alert as the engine stores it. Times in epoch ms. */
export interface AlertRow {
  readonly id: number
  readonly state: 0 | 1 | 2 | 3 | 4 | 5
  readonly open: number
  readonly alerted: 0 | 1 | 2 | 3 | 4 | 5
  readonly digest: string | null
  readonly faults: Readonly<Record<string, number>>
  readonly changed_at: number
  readonly began_at: number | null
  /** Epoch seconds. */
  readonly begins: readonly number[]
  readonly notified: number
  readonly notified_at: number | null
  readonly next_at: number | null
  readonly held: string | null
  /** How far the rule's operation is, JSON; null: nothing was sent by one. */
  readonly steps: unknown
  /** Transports that were told of the problem by an operation. */
  readonly told: readonly number[]
  readonly note: string
  /** JSON text. */
  readonly info: string
}

/** Columns of the device that notifications show. */
export interface SubjectDevice {
  readonly device_id: number
  readonly hostname: string
  readonly sysName: string | null
  readonly sysDescr: string | null
  readonly sysContact: string | null
  readonly display: string
  readonly os: string | null
  readonly type: string
  readonly ip: string | null
  readonly hardware: string | null
  readonly version: string | null
  readonly features: string | null
  readonly serial: string | null
  readonly location: string | null
  readonly purpose: string | null
  /** Of the device. */
  readonly notes: string | null
  /** Seconds. */
  readonly uptime: number | null
  readonly status: number
  readonly status_reason: string
  /** Epoch ms. */
  readonly last_ping: number | null
  /** ms. */
  readonly last_ping_timetaken: number | null
  readonly parents: readonly number[]
}

/** A device, the rule's alert on it, and what the decision depends on. */
export interface AlertSubject {
  readonly device: SubjectDevice
  /** The rule applies to the device. */
  readonly applies: boolean
  /** Its last poll failed, so values that polls read are out of date. */
  readonly unread: boolean
  readonly alert: AlertRow | null
  /** The alert's faults that the engine still needs. */
  readonly faults: readonly EngineFault[]
}

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
 * Changes alerts in one transaction: locks those of each rule in turn, lets `work` decide, and writes states, log and
 * notifications together. Rules that no longer exist are skipped. Throws StoreError.
 */
export async function changeAlerts(
  { sql }: Store,
  changes: readonly AlertTransition[],
  onCall: OnCall = nobodyOnCall,
): Promise<Applied> {
  return await sql.begin(async (tx) => {
    const ids = integers(changes.map(({ rule }) => rule.id))
    const rules = await withSettings(
      tx,
      BY_INDEX,
      () => tx<{ id: number }[]>`
          select id from alert_rules where id = any(${ids}::text::int[]) order by id for key share`,
    )
    const kept = new Set(rules.map(({ id }) => id))
    const writes: StoredWrite[] = []
    for (const { rule, severity, now, deviceIds, work } of changes.toSorted((a, b) => a.rule.id - b.rule.id)) {
      if (!kept.has(rule.id)) continue
      const given = await subjects(tx, rule, deviceIds, { lock: true })
      const own = work(given)
      if (own.length === 0) continue
      const recipients = await recipientsOf(tx, own, given, { onCall, severity, now })
      for (const one of own) writes.push({ ...one, ruleId: rule.id, recipients: recipients.get(one.deviceId) })
    }
    // together, because a device that goes down changes the alerts of many rules
    return await write(tx, writes)
  })
}

/** The devices, with the rule's alerts on them, as they are now. */
export async function alertSubjects(
  { sql }: Store,
  rule: Pick<RunnableRule, 'id' | 'mapped' | 'invertMap'>,
  deviceIds: readonly number[],
): Promise<AlertSubject[]> {
  return await sql.begin('read only', (tx) => subjects(tx, rule, deviceIds, { lock: false }))
}

/** Devices on which the rule has an open alert. */
export async function alertedDevices({ sql }: Store, ruleId: number): Promise<number[]> {
  const rows = await sql<{ device_id: number }[]>`
      select a.device_id from alerts a where a.rule_id = ${ruleId} and ${sql.unsafe(ALERT_IS_OPEN)} order by a.device_id`
  return rows.map(({ device_id }) => device_id)
}

const ms = (column: string) => `(extract(epoch from ${column}) * 1000)::float8`

async function subjects(
  tx: Tx,
  rule: Pick<RunnableRule, 'id' | 'mapped' | 'invertMap'>,
  deviceIds: readonly number[],
  { lock }: { readonly lock: boolean },
): Promise<AlertSubject[]> {
  const ids = integers(deviceIds)
  const reading = tx<({ device_id: number } & AlertRow)[]>`
    select device_id, id, state, open, alerted, digest, faults, begins, notified, held, steps, told, coalesce(note, '') as note, info,
      ${tx.unsafe(`${ms('"timestamp"')} as changed_at, ${ms('began_at')} as began_at, ${ms('notified_at')} as notified_at, ${ms('next_at')} as next_at`)}
    from alerts where rule_id = ${rule.id} and device_id = any(${ids}::text::int[])
    order by device_id ${lock ? tx`for update` : tx``}`
  const readingDevices = tx<(SubjectDevice & { applies: boolean; unread: boolean })[]>`
    select d.device_id, d.hostname, d."sysName", d."sysDescr", d."sysContact", d.display, d.os, d.type, host(d.ip) as ip,
      d.hardware, d.version, d.features, d.serial, l.location, d.purpose, d.notes, d.uptime, d.status, d.status_reason,
      ${tx.unsafe(`${ms('d.last_ping')} as last_ping`)}, d.last_ping_timetaken,
      p.ids as parents,
      (${tx.unsafe(appliesSql(rule, 'd'))}) as applies,
      (d.status = 0 or coalesce(d.last_poll_attempted > d.last_polled, false)) as unread
    from devices d left join locations l on l.id = d.location_id
    cross join lateral (
      select coalesce(array_agg(r.parent_device_id order by r.further, r.parent_device_id), '{}') as ids
      from device_relationships r
      where r.child_device_id = d.device_id) p
    where d.device_id = any(${ids}::text::int[])
    order by d.device_id ${lock ? tx`for key share of d` : tx``}`
  // sent together, run in this order
  const [alerts, devices, faults] = await Promise.all([reading, readingDevices, liveFaults(tx, rule.id, deviceIds)])
  const byDevice = new Map(alerts.map(({ device_id, ...alert }) => [device_id, alert]))
  return devices.map(({ applies, unread, ...device }) => ({
    device,
    applies,
    unread,
    alert: byDevice.get(device.device_id) ?? null,
    faults: faults.get(device.device_id) ?? [],
  }))
}

const WRITE = `
  with given as materialized (
    select * from jsonb_to_recordset($1::text::jsonb) as x(rule_id int4, device_id int4, state int2, open int2, alerted int2, digest text,
      faults jsonb, changed float8, began float8, begins jsonb, notified int4, notified_at float8, next_at float8, held text,
      steps jsonb, told jsonb, "to" jsonb, shown jsonb, log jsonb, kind text, context jsonb)
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
    select rule_id, device_id, state, log || jsonb_build_object('rule', shown), to_timestamp(changed / 1000)
    from given where log is not null order by rule_id, device_id
  ), ${FAULT_WRITES}, transports as materialized (
    select r.rule_id, t.* from (select distinct rule_id from given where kind is not null and "to" is null) r
    cross join lateral (${transportsOfRule('r.rule_id')}) t
  ), sent as (
    insert into alert_outbox (key, alert_id, rule_id, device_id, transport_id, kind, context)
    select gen_random_uuid()::text, w.id, g.rule_id, g.device_id, t.transport_id, g.kind,
      g.context || jsonb_build_object('faults', g.shown, 'id', w.id, 'alert_id', w.id, 'transport', t.transport_name)
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
    shown: w.log === null && w.notification === null ? null : w.shown,
    log: w.log,
    kind: w.notification?.kind ?? null,
    context: w.notification?.context ?? null,
  }))
  const [applied] = await tx.unsafe<Applied[]>(WRITE, [JSON.stringify(rows), faultRows(writes)], {
    prepare: true,
  })
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
