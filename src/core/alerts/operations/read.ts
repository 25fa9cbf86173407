import type { Sql, Store } from '../../database/client.ts'
import { type StoredOperation, storedOperation, targetText } from './operation.ts'

/** SQL of an operation as JSON, for `storedOperation`. `id`: an expression for its id. */
export const operationJson = (id: string): string => `(
  select json_build_object('id', o.id, 'name', o.name, 'step', o.default_operation_step_duration_seconds,
    'suppressed', o.notifications_suppressed = 1, 'segments', coalesce((
      select json_agg(json_build_object('id', s.id, 'position', s.position, 'phase', s.operation_phase,
        'from', s.escalation_step_from, 'to', s.escalation_step_to, 'start', s.start_in_seconds,
        'duration', s.step_duration_seconds, 'targets', coalesce((
          select json_agg(json_build_object('type', m.target_type, 'id', m.transport_or_group_id) order by m.id)
          from alert_operation_transport_map m where m.segment_id = s.id), '[]')) order by s.position, s.id)
      from alert_operation_segments s where s.alert_operation_id = o.id), '[]'))
  from alert_operations o where o.id = ${id})`

/** An operation and the rules that use it, ascending. */
export interface UsedOperation extends StoredOperation {
  readonly rules: readonly number[]
}

/** Operations by name, or the one with an id. */
export async function listOperations({ sql }: Pick<Store, 'sql'>, id: number | null = null): Promise<UsedOperation[]> {
  const rows = await sql<{ operation: unknown; rules: number[] }[]>`
      select ${sql.unsafe(operationJson('p.id'))} as operation,
        array(select r.id from alert_rules r where r.alert_operation_id = p.id order by r.id) as rules
      from alert_operations p where ${id === null ? sql`true` : sql`p.id = ${id}`} order by lower(p.name), p.id`
  return rows.flatMap(({ operation, rules }) => {
    const stored = storedOperation(operation)
    return stored === null ? [] : [{ ...stored, rules }]
  })
}

/** An operation other than `id` with this name, whatever its case: its id; null: there is none. */
export async function operationNamed(
  { sql }: Pick<Store, 'sql'>,
  name: string,
  id: number | null,
): Promise<number | null> {
  const [row] = await sql<{ id: number }[]>`
      select id from alert_operations where lower(name) = lower(${name}) and id <> ${id ?? 0} limit 1`
  return row?.id ?? null
}

/** What can be notified: names of transports and groups of them, by `targetText`; kinds of groups are ''. */
export interface TargetNames {
  readonly name: string
  readonly kind: string
}

/** Names of transports and groups by `targetText`. Schedules are named by their own service. */
export async function targetNames({ sql }: { readonly sql: Sql }): Promise<ReadonlyMap<string, TargetNames>> {
  const rows = await sql<{ type: 'single' | 'group'; id: number; name: string; kind: string }[]>`
      select 'single' as type, transport_id as id, transport_name as name, transport_type as kind from alert_transports
      union all
      select 'group', transport_group_id, transport_group_name, '' from alert_transport_groups`
  return new Map(rows.map(({ type, id, name, kind }) => [targetText({ type, id }), { name, kind }]))
}
