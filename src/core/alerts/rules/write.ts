import { and, eq, inArray, sql } from 'drizzle-orm'
import {
  alertDeviceMap,
  alertGroupMap,
  alertLocationMap,
  alertRules,
  alerts,
  alertTemplateMap,
  alertTemplates,
} from '../../../../db/schema/index.ts'
import { WAITING_STATES } from '../../base/alert-states.ts'
import type { DbTx, Store } from '../../database/client.ts'
import { integers } from '../../database/pg-array.ts'
import type { Operation } from '../operations/operation.ts'
import { transportsOfRule } from '../operations/read-recipients.ts'
import { insertOperation, setStepDuration, wakeAlerts } from '../operations/write.ts'
import { ALERT_CHANNEL } from '../read-engine-rules.ts'

/** A complete rule; absent members are stored as not set. */
export interface AlertRuleValues {
  readonly severity: 'ok' | 'warning' | 'critical'
  readonly extra: string
  readonly disabled: 0 | 1
  readonly name: string
  readonly query: string
  readonly builder: string
  readonly proc: string | null
  readonly invert_map: 0 | 1
  readonly notes: string | null
  readonly alert_operation_id: number | null
  readonly silenced: 0 | 1
  /** Stored with the rule, which then uses it; null: none. */
  readonly newOperation: Operation | null
  /** New duration of a step of its operation, seconds; null: unchanged. */
  readonly stepDurationS: number | null
  /** undefined: stays as it is. */
  readonly runbook: string | null | undefined
  readonly devices: readonly number[]
  readonly groups: readonly number[]
  readonly locations: readonly number[]
}

/** Stores a rule; returns its id. Throws 23505 when the name is taken. */
export async function insertAlertRule({ db }: Store, { devices, groups, locations, ...values }: AlertRuleValues) {
  return await db.transaction(async (tx) => {
    const rule = await withOperation(tx, values)
    const [row] = await tx.insert(alertRules).values(rule).returning({ id: alertRules.id })
    if (!row) throw new Error('insert returned no row')
    await setMaps(tx, row.id, { devices, groups, locations })
    await announce(tx, row.id)
    return row.id
  })
}

/** Replaces a rule. Returns false when the id does not exist; throws 23505 when another rule has the name. */
export async function replaceAlertRule(
  { db }: Store,
  id: number,
  { devices, groups, locations, ...values }: AlertRuleValues,
): Promise<boolean> {
  return await db.transaction(async (tx) => {
    const rule = await withOperation(tx, values)
    await lockRule(tx, id, devices)
    if (rule.alert_operation_id !== null) await rememberTold(tx, id)
    const changed = await tx.update(alertRules).set(rule).where(eq(alertRules.id, id)).returning({ id: alertRules.id })
    if (changed.length === 0) return false
    await tx.delete(alertDeviceMap).where(eq(alertDeviceMap.rule_id, id))
    await tx.delete(alertGroupMap).where(eq(alertGroupMap.rule_id, id))
    await tx.delete(alertLocationMap).where(eq(alertLocationMap.rule_id, id))
    await setMaps(tx, id, { devices, groups, locations })
    // alerts that were not notified while the rule was muted
    await tx
      .update(alerts)
      .set({ open: 1, next_at: sql`to_timestamp(0)` })
      .where(and(eq(alerts.rule_id, id), eq(alerts.alerted, 0), inArray(alerts.state, [...WAITING_STATES])))
    await tx.execute(sql`
      with silent as (
        update faults set speaks = 1 where rule_id = ${id} and live = 1 and state = 1 and told_at is null returning alert_id)
      update alerts set next_at = to_timestamp(0) where id in (select alert_id from silent)`)
    if (rule.alert_operation_id !== null) await wakeAlerts(tx, [id])
    await announce(tx, id)
    return true
  })
}

/**
 * Disables rules or enables them again, and wakes the engine, which ends the open alerts of disabled ones without
 * notifications. Returns those that were not so already, in order of id.
 */
export async function setRulesDisabled(
  { sql }: Store,
  ids: readonly number[],
  disabled: boolean,
): Promise<{ readonly id: number; readonly name: string }[]> {
  const off = disabled ? 1 : 0
  return await sql.begin(async (tx) => {
    const changed = await tx<{ id: number; name: string }[]>`
      update alert_rules set disabled = ${off}
      where id = any(${integers(ids)}::text::int[]) and disabled is distinct from ${off} returning id, name`
    for (const { id } of changed) await tx`select pg_notify(${ALERT_CHANNEL}, ${`rule ${id}`})`
    return changed.toSorted((a, b) => a.id - b.id)
  })
}

/**
 * Locks a rule, the devices that it will be mapped to, and its alerts with their devices: in this order, as the engine and
 * whoever deletes one of them does. Of two people who change a rule, the second waits here.
 */
async function lockRule(tx: DbTx, id: number, deviceIds: readonly number[]): Promise<void> {
  await tx.execute(sql`select from alert_rules where id = ${id} for no key update`)
  await tx.execute(sql`
    select from devices where device_id = any(${integers(deviceIds)}::text::int[])
      or device_id in (select device_id from alerts where rule_id = ${id}) order by device_id for key share`)
  await tx.execute(sql`select from alerts where rule_id = ${id} order by device_id for no key update`)
}

/** Stores the operation that comes with a rule, or its new duration of a step. Returns the columns of the rule. */
async function withOperation(
  tx: DbTx,
  { newOperation, stepDurationS, ...rule }: Omit<AlertRuleValues, 'devices' | 'groups' | 'locations'>,
) {
  if (newOperation !== null) return { ...rule, alert_operation_id: await insertOperation(tx, newOperation) }
  if (stepDurationS !== null && rule.alert_operation_id !== null)
    await setStepDuration(tx, rule.alert_operation_id, stepDurationS)
  return rule
}

/** For a rule that gets an operation: whoever has been notified of its open alerts is notified of their recovery. */
async function rememberTold(tx: DbTx, id: number): Promise<void> {
  await tx.execute(sql`
    update alerts a set told = array(${sql.raw(transportsOfRule('r.id', 't.transport_id'))} order by 1)
    from alert_rules r where r.id = ${id} and r.alert_operation_id is null and r.silenced = 0 and a.rule_id = r.id
      and a.state <> 0 and a.alerted <> 0`)
}

/** Wakes the alert engine when the transaction is committed. */
async function announce(tx: DbTx, id: number): Promise<void> {
  await tx.execute(sql`select pg_notify(${ALERT_CHANNEL}, ${`rule ${id}`})`)
}

async function setMaps(
  tx: DbTx,
  ruleId: number,
  maps: Pick<AlertRuleValues, 'devices' | 'groups' | 'locations'>,
): Promise<void> {
  const devices = [...new Set(maps.devices)].map((id) => ({ rule_id: ruleId, device_id: id }))
  const groups = [...new Set(maps.groups)].map((id) => ({ rule_id: ruleId, group_id: id }))
  const locations = [...new Set(maps.locations)].map((id) => ({ rule_id: ruleId, location_id: id }))
  if (devices.length > 0) await tx.insert(alertDeviceMap).values(devices)
  if (groups.length > 0) await tx.insert(alertGroupMap).values(groups)
  if (locations.length > 0) await tx.insert(alertLocationMap).values(locations)
}

/** Deletes a rule with its alerts, their log and its maps. Returns false when the id does not exist. */
export async function deleteAlertRule({ db }: Store, id: number): Promise<boolean> {
  const gone = await db.transaction((tx) =>
    tx.delete(alertRules).where(eq(alertRules.id, id)).returning({ id: alertRules.id }),
  )
  return gone.length > 0
}

/** Texts of a template, and the rules that use it. */
export interface AlertTemplateValues {
  readonly name: string
  readonly template: string
  readonly title: string | null
  readonly title_rec: string | null
  readonly ruleIds: readonly number[]
}

/** Stores a template; returns its id. */
export async function insertAlertTemplate(
  { db }: Store,
  { ruleIds, ...template }: AlertTemplateValues,
): Promise<number> {
  return await db.transaction(async (tx) => {
    const [row] = await tx.insert(alertTemplates).values(template).returning({ id: alertTemplates.id })
    if (!row) throw new Error('insert returned no row')
    await setRules(tx, row.id, ruleIds)
    return row.id
  })
}

/** Replaces a template and its rules. Returns false when the id does not exist. */
export async function replaceAlertTemplate(
  { db }: Store,
  id: number,
  { ruleIds, ...template }: AlertTemplateValues,
): Promise<boolean> {
  return await db.transaction(async (tx) => {
    const where = eq(alertTemplates.id, id)
    const changed = await tx.update(alertTemplates).set(template).where(where).returning({ id: alertTemplates.id })
    if (changed.length === 0) return false
    await tx.delete(alertTemplateMap).where(eq(alertTemplateMap.alert_templates_id, id))
    await setRules(tx, id, ruleIds)
    return true
  })
}

/** Deletes a template that no rule uses. Returns false when there is none, or a rule uses it. */
export async function deleteAlertTemplate({ sql }: Store, id: number): Promise<boolean> {
  const gone = await sql`
      delete from alert_templates t where t.id = ${id}
        and not exists (select from alert_template_map m where m.alert_templates_id = t.id) returning t.id`
  return gone.length > 0
}

/** Skips rules that were deleted meanwhile and locks the others until the transaction ends. */
async function setRules(tx: DbTx, templateId: number, ruleIds: readonly number[]): Promise<void> {
  if (ruleIds.length === 0) return
  const there = await tx
    .select({ id: alertRules.id })
    .from(alertRules)
    .where(inArray(alertRules.id, [...ruleIds]))
    .for('key share')
  const rows = there.map(({ id }) => ({ alert_templates_id: templateId, alert_rule_id: id }))
  if (rows.length > 0) await tx.insert(alertTemplateMap).values(rows)
}
