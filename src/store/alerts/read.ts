import { deviceInScope, type Scope } from '../access/scope.ts'
import type { Sql, Store } from '../client.ts'
import { guarded } from '../errors.ts'
import { sharedReadsOf } from '../shared-reads.ts'

/** An alert with the names of its device and rule. */
export interface AlertRow {
  readonly hostname: string
  readonly id: number
  readonly device_id: number
  readonly rule_id: number
  /** 0 recovered, 1 active, 2 acknowledged, 3 worse, 4 better, 5 changed. */
  readonly state: number
  /** The state that was last notified. */
  readonly alerted: number
  /** 1: the change still has to be notified. */
  readonly open: number
  /** Lines of acknowledgements; null: none. */
  readonly note: string | null
  readonly timestamp: Date
  /** JSON text; empty before the first acknowledgement. */
  readonly info: string
  readonly severity: 'ok' | 'warning' | 'critical'
  /** These three are of the rule. */
  readonly name: string
  readonly proc: string | null
  readonly notes: string | null
}

/** Filter of alerts; empty: all. */
export interface AlertFilter {
  readonly id?: number
  readonly states?: readonly number[]
  readonly severity?: 'ok' | 'warning' | 'critical'
  readonly ruleId?: number
}

/** Columns of alerts that lists can be ordered by. */
export const ALERT_COLUMNS = [
  'id',
  'device_id',
  'rule_id',
  'state',
  'alerted',
  'open',
  'note',
  'timestamp',
  'info',
] as const
export type AlertColumn = (typeof ALERT_COLUMNS)[number]

export interface AlertOrder {
  readonly column: AlertColumn
  readonly descending: boolean
}

const shared = sharedReadsOf<readonly AlertRow[]>()

/** Alerts of devices in scope. Identical concurrent requests share a read that begins after they arrived. */
export async function listAlerts(
  store: Store,
  scope: Scope,
  filter: AlertFilter,
  order: AlertOrder,
): Promise<readonly AlertRow[]> {
  return await shared(store)(JSON.stringify([scope, filter, order]), () => readAlerts(store, scope, filter, order))
}

async function readAlerts({ sql }: Store, scope: Scope, filter: AlertFilter, order: AlertOrder): Promise<AlertRow[]> {
  const direction = order.descending ? 'desc nulls last' : 'asc nulls first'
  return await guarded(
    () => sql<AlertRow[]>`
      select d.hostname, a.id, a.device_id, a.rule_id, a.state, a.alerted, a.open, a.note, a.timestamp, a.info,
        r.severity, r.name, r.proc, r.notes
      from alerts a join devices d on d.device_id = a.device_id join alert_rules r on r.id = a.rule_id
      where ${deviceInScope(sql, scope)} and ${matches(sql, filter)}
      order by ${sql.unsafe(`a."${order.column}" ${direction}, a.id ${direction}`)}`,
  )
}

function matches(sql: Sql, { id, states, severity, ruleId }: AlertFilter) {
  return sql`${id === undefined ? sql`true` : sql`a.id = ${id}`}
    and ${states === undefined ? sql`true` : sql`a.state = any(${`{${states.join()}}`}::int4[])`}
    and ${severity === undefined ? sql`true` : sql`r.severity = ${severity}`}
    and ${ruleId === undefined ? sql`true` : sql`a.rule_id = ${ruleId}`}`
}
