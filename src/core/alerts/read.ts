import { deviceInScope, type Scope } from '../base/scope.ts'
import type { Sql, Store } from '../database/client.ts'
import type { ListChunk } from '../database/list-chunks.ts'
import { sharedReadsOf } from '../database/shared-reads.ts'
import { ALERT_RECORD } from '../records/lists.ts'

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

/** Alerts in a chunk: about 100 kB of JSON, so that no step of the main thread handles a long list in one piece. */
const CHUNK_ALERTS = 500

const shared = sharedReadsOf<readonly ListChunk[]>()

/**
 * Alerts of devices in scope, in chunks; none if there are no alerts. Identical concurrent requests get the same
 * object, from a read that begins after they arrived. Throws StoreError.
 */
export async function listAlerts(
  store: Store,
  scope: Scope,
  filter: AlertFilter,
  order: AlertOrder,
): Promise<readonly ListChunk[]> {
  return await shared(store)(JSON.stringify([scope, filter, order]), () => readAlerts(store, scope, filter, order))
}

/** One statement, so that all chunks are of the same snapshot. `n` numbers the alerts in the order of the subquery. */
async function readAlerts(
  { sql }: Store,
  scope: Scope,
  filter: AlertFilter,
  order: AlertOrder,
): Promise<readonly ListChunk[]> {
  const direction = order.descending ? 'desc nulls last' : 'asc nulls first'
  return await sql<ListChunk[]>`
      select string_agg(x.json, ',' order by x.n) as json, count(*)::int as count
      from (
        select row_to_json(t)::text as json, row_number() over () as n
        from (
          select ${sql.unsafe(ALERT_RECORD)}
          from alerts a join devices d on d.device_id = a.device_id join alert_rules r on r.id = a.rule_id
          where ${deviceInScope(sql, scope)} and ${matches(sql, filter)}
          order by ${sql.unsafe(`a."${order.column}" ${direction}, a.id ${direction}`)}
        ) t
      ) x
      group by (x.n - 1) / ${CHUNK_ALERTS}::int order by min(x.n)`
}

function matches(sql: Sql, { id, states, severity, ruleId }: AlertFilter) {
  return sql`${id === undefined ? sql`true` : sql`a.id = ${id}`}
    and ${states === undefined ? sql`true` : sql`a.state = any(${`{${states.join()}}`}::int4[])`}
    and ${severity === undefined ? sql`true` : sql`r.severity = ${severity}`}
    and ${ruleId === undefined ? sql`true` : sql`a.rule_id = ${ruleId}`}`
}
