import { calledText } from '../../base/device-name.ts'
import { deviceInScope, type Scope } from '../../base/scope.ts'
import type { Sql, Store, Tx } from '../../database/client.ts'
import { integers } from '../../database/pg-array.ts'
import type { AcknowledgedUntil, Fault, FaultFilter, HistoryEntry, HistoryKind } from './fault.ts'

/** Faults are counted up to this number, and later ones are never listed. */
export const MAX_LISTED = 10_000

interface Row extends Omit<Fault, 'acknowledgement' | 'assigned_to'> {
  readonly by: string | null
  readonly at: Date | null
  readonly note: string | null
  readonly until: AcknowledgedUntil | null
  readonly until_at: Date | null
  readonly user_id: number | null
  readonly username: string | null
}

const COLUMNS = `f.id, f.rule_id, r.name as rule, f.alert_id, f.device_id, d.hostname,
  ${calledText('d')} as device, f.key, f.kind, f.subject_id, f.state, f.severity, f.message,
  f.began_at, f.ended_at, f.ended_how, f.row_began, coalesce(f.row_now, f.row_began) as row_now,
  f.acknowledged_by as by, f.acknowledged_at as at, f.acknowledged_note as note, f.acknowledged_until as until,
  f.acknowledged_until_at as until_at, f.muted_until, u.user_id, u.username, f.told_at, f.recovery_told_at`
const FROM = `faults f join devices d on d.device_id = f.device_id join alert_rules r on r.id = f.rule_id
  left join users u on u.user_id = f.assigned_to`

function faultOf({ by, at, note, until, until_at, user_id, username, ...row }: Row): Fault {
  return {
    ...row,
    acknowledgement: at === null ? null : { by, at, note: note ?? '', until: until ?? 'clear', untilAt: until_at },
    assigned_to: user_id === null ? null : { user_id, username: username ?? '' },
  }
}

/** Condition on faults `f`. */
function wanted(sql: Sql, scope: Scope, q: FaultFilter) {
  const open = q.states !== undefined && !q.states.includes(0)
  const parts = [
    deviceInScope(sql, scope),
    q.states !== undefined && sql`f.state = any(${integers(q.states)}::text::int[])`,
    // as the index of open ones has it
    open && sql`f.state <> 0`,
    q.severity !== undefined && sql`f.severity = ${q.severity}`,
    q.ruleId !== undefined && sql`f.rule_id = ${q.ruleId}`,
    q.deviceId !== undefined && sql`f.device_id = ${q.deviceId}`,
    q.alertId !== undefined && sql`f.alert_id = ${q.alertId}`,
    q.kind !== undefined && sql`f.kind = ${q.kind}`,
    q.subjectId !== undefined && sql`f.subject_id = ${q.subjectId}`,
    q.assignedTo !== undefined && sql`f.assigned_to = ${q.assignedTo}`,
    q.since !== undefined && sql`(f.ended_at is null or f.ended_at >= ${new Date(q.since)})`,
    q.until !== undefined && sql`f.began_at <= ${new Date(q.until)}`,
  ].filter((part) => part !== false)
  return parts.reduce((all, part) => sql`${all} and ${part}`)
}

/** Faults in scope, the latest first, and their number up to MAX_LISTED. */
export async function listFaults(
  { sql }: Store,
  scope: Scope,
  filter: FaultFilter,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<{ readonly rows: Fault[]; readonly total: number }> {
  const left = Math.max(0, Math.min(limit, MAX_LISTED - offset))
  const [rows, [count]] = await Promise.all([
    sql<Row[]>`select ${sql.unsafe(COLUMNS)} from ${sql.unsafe(FROM)} where ${wanted(sql, scope, filter)}
      order by f.began_at desc, f.id desc offset ${offset} limit ${left}`,
    sql<{ n: number }[]>`select count(*)::int as n from (
      select from faults f join devices d on d.device_id = f.device_id where ${wanted(sql, scope, filter)} limit ${MAX_LISTED}) x`,
  ])
  return { rows: rows.map(faultOf), total: count?.n ?? 0 }
}

/** Faults in scope by their ids, in that order; those that are not there are left out. `run`: a transaction. */
export async function findFaults(
  { sql }: Store,
  scope: Scope,
  ids: readonly number[],
  run: Sql | Tx = sql,
): Promise<Fault[]> {
  const rows = await run<Row[]>`
    select ${sql.unsafe(COLUMNS)} from ${sql.unsafe(FROM)}
    where f.id = any(${integers(ids)}::text::bigint[]) and ${deviceInScope(sql, scope)}`
  const byId = new Map(rows.map((row) => [row.id, faultOf(row)]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

/** What people did with a fault, and acknowledgements that ended by themselves, the oldest first. */
export async function faultEntries({ sql }: Store, id: number, limit: number): Promise<HistoryEntry[]> {
  return await sql<{ at: Date; what: HistoryKind; by: string | null; note: string }[]>`
    select at, what, "by", note from fault_history where fault_id = ${id} order by id limit ${limit}`
}

/** The name of a user who may see a device; null: there is no such user, or they may not. */
export async function userWhoSees({ sql }: Store, userId: number, deviceId: number, dynamicGroups: boolean) {
  const granted: Scope = { kind: 'granted', userId, dynamicGroups }
  const [row] = await sql<{ username: string }[]>`
    select u.username from users u, devices d
    where u.user_id = ${userId} and d.device_id = ${deviceId} and (${deviceInScope(sql, granted)} or exists (
      select from model_has_roles m join roles r on r.id = m.role_id
      where m.model_id = u.user_id and r.name in ('admin', 'global-read')))`
  return row?.username ?? null
}
