import { and, eq, inArray, sql } from 'drizzle-orm'
import {
  alertOperationSegments,
  alertOperations,
  alertOperationTransportMap,
  alertRules,
  alerts,
} from '../../../../db/schema/index.ts'
import { WAITING_STATES } from '../../base/alert-states.ts'
import type { DbTx, Store } from '../../database/client.ts'
import { ALERT_CHANNEL } from '../read-engine-rules.ts'
import type { Operation } from './operation.ts'

/** Stores an operation; returns its id. */
export async function insertOperation(tx: DbTx, { name, stepDurationS, suppressed, segments }: Operation) {
  const [row] = await tx
    .insert(alertOperations)
    .values({
      name,
      default_operation_step_duration_seconds: stepDurationS,
      notifications_suppressed: suppressed ? 1 : 0,
    })
    .returning({ id: alertOperations.id })
  if (!row) throw new Error('insert returned no row')
  await insertSegments(tx, row.id, segments)
  return row.id
}

/** Stores an operation in a transaction of its own. */
export async function addOperation({ db }: Store, operation: Operation): Promise<number> {
  return await db.transaction(async (tx) => await insertOperation(tx, operation))
}

/** Replaces an operation. Returns false when the id does not exist. */
export async function replaceOperation({ db }: Store, id: number, operation: Operation): Promise<boolean> {
  const { name, stepDurationS, suppressed, segments } = operation
  return await db.transaction(async (tx) => {
    const changed = await tx
      .update(alertOperations)
      .set({
        name,
        default_operation_step_duration_seconds: stepDurationS,
        notifications_suppressed: suppressed ? 1 : 0,
      })
      .where(eq(alertOperations.id, id))
      .returning({ id: alertOperations.id })
    if (changed.length === 0) return false
    await tx.delete(alertOperationSegments).where(eq(alertOperationSegments.alert_operation_id, id))
    await insertSegments(tx, id, segments)
    await announce(tx, id)
    return true
  })
}

/** Changes how long a step of an operation takes; null: the setting's time. */
export async function setStepDuration(tx: DbTx, id: number, seconds: number | null): Promise<void> {
  await tx
    .update(alertOperations)
    .set({ default_operation_step_duration_seconds: seconds })
    .where(eq(alertOperations.id, id))
  await announce(tx, id)
}

/** Deletes an operation that no rule uses. Returns false when there is none, or a rule uses it. */
export async function deleteOperation({ sql }: Store, id: number): Promise<boolean> {
  const gone = await sql`
      delete from alert_operations o where o.id = ${id}
        and not exists (select from alert_rules r where r.alert_operation_id = o.id) returning o.id`
  return gone.length > 0
}

async function insertSegments(tx: DbTx, id: number, segments: Operation['segments']): Promise<void> {
  for (const [position, segment] of segments.entries()) {
    const [row] = await tx
      .insert(alertOperationSegments)
      .values({
        alert_operation_id: id,
        position,
        operation_phase: segment.phase,
        escalation_step_from: segment.from,
        escalation_step_to: segment.to,
        start_in_seconds: segment.startS,
        step_duration_seconds: segment.durationS,
      })
      .returning({ id: alertOperationSegments.id })
    const rows = segment.targets.map((target) => ({
      segment_id: row?.id ?? 0,
      transport_or_group_id: target.id,
      target_type: target.type,
    }))
    if (rows.length > 0) await tx.insert(alertOperationTransportMap).values(rows).onConflictDoNothing()
  }
}

/** Wakes the alert engine for the rules that use the operation, when the transaction is committed. */
async function announce(tx: DbTx, id: number): Promise<void> {
  const rules = await tx.select({ id: alertRules.id }).from(alertRules).where(eq(alertRules.alert_operation_id, id))
  await wakeAlerts(
    tx,
    rules.map((rule) => rule.id),
  )
  for (const rule of rules) await tx.execute(sql`select pg_notify(${ALERT_CHANNEL}, ${`rule ${rule.id}`})`)
}

/** Makes open alerts of rules due, because their operation may have another next step. */
export async function wakeAlerts(tx: DbTx, rules: readonly number[]): Promise<void> {
  if (rules.length === 0) return
  const due = and(inArray(alerts.rule_id, [...rules]), inArray(alerts.state, [...WAITING_STATES]))
  await tx.execute(sql`select from ${alerts} where ${due} order by rule_id, device_id for no key update`)
  await tx.update(alerts).set({ next_at: sql`to_timestamp(0)` }).where(due)
}
