import type { Sql, Store } from '../client.ts'
import { guarded } from '../errors.ts'
import { sharedReadsOf } from '../shared-reads.ts'
import { instantSql, ZONE } from './device-columns.ts'
import { deviceInScope, type Scope } from './scope.ts'

export type LogName = 'eventlog' | 'syslog' | 'alertlog' | 'authlog'

/** One end of what is wanted: an id, or local time as `Y-m-d H:i:s`. Both ends are included. */
export type LogBound = { readonly kind: 'id'; readonly id: number } | { readonly kind: 'time'; readonly local: string }

/** Which rows of a log. `offset` and `limit` are rows. */
export interface LogPage {
  /** Rows of this device only; null: of all, and those of none. */
  readonly deviceId: number | null
  readonly from: LogBound | null
  readonly to: LogBound | null
  readonly descending: boolean
  readonly offset: number
  readonly limit: number
}

/** Rows as the API sends them, and how many match without paging. */
export interface LogRows {
  readonly rows: readonly Readonly<Record<string, unknown>>[]
  readonly total: number
}

interface LogTable {
  readonly table: string
  readonly id: string
  readonly time: string
  readonly columns: readonly string[]
  /** Rows belong to devices. */
  readonly ofDevices: boolean
}

/** Names are ours, so they may stand in SQL text. */
const LOGS: Readonly<Record<LogName, LogTable>> = {
  eventlog: {
    table: 'eventlog',
    id: 'event_id',
    time: 'datetime',
    columns: ['event_id', 'device_id', 'datetime', 'message', 'type', 'reference', 'username', 'severity'],
    ofDevices: true,
  },
  syslog: {
    table: 'syslog',
    id: 'seq',
    time: 'timestamp',
    columns: ['device_id', 'facility', 'priority', 'level', 'tag', 'timestamp', 'program', 'msg', 'seq'],
    ofDevices: true,
  },
  alertlog: {
    table: 'alert_log',
    id: 'id',
    time: 'time_logged',
    columns: ['id', 'rule_id', 'device_id', 'state', 'details', 'time_logged'],
    ofDevices: true,
  },
  authlog: {
    table: 'authlog',
    id: 'id',
    time: 'datetime',
    columns: ['id', 'datetime', 'user', 'address', 'result'],
    ofDevices: false,
  },
}

const shared = sharedReadsOf<LogRows>()

/**
 * A page of a log, and how many rows match. Role `user` sees rows of granted devices, and its own logins. Those who ask
 * for the same page at the same time share a read that begins after they asked.
 */
export async function listLog(store: Store, scope: Scope, name: LogName, page: LogPage): Promise<LogRows> {
  return await shared(store)(JSON.stringify([scope, name, page]), () => readLog(store, scope, name, page))
}

async function readLog(store: Store, scope: Scope, name: LogName, page: LogPage): Promise<LogRows> {
  const rows = await logPageRows(store, scope, name, page)
  // A page that is not full tells the number itself.
  if (rows.length < page.limit && (rows.length > 0 || page.offset === 0)) {
    return { rows, total: page.offset + rows.length }
  }
  return { rows, total: await countRows(store, scope, name, page) }
}

/** Rows of a log that match. All of a log are known already (log_counts); those of a device are counted in its index. */
async function countRows({ sql }: Store, scope: Scope, name: LogName, page: LogPage): Promise<number> {
  const { table } = LOGS[name]
  const all = scope.kind === 'all' && page.deviceId === null && page.from === null && page.to === null
  const [counted] = await guarded(
    () => sql<{ total: number }[]>`
      select ${all ? sql`coalesce(sum("rows"), 0)` : sql`count(*)`}::float8 as total
      from ${all ? sql`log_counts where log = ${table}` : sql`${sql(table)} x where ${matches(sql, scope, name, page)}`}`,
  )
  return counted?.total ?? 0
}

/** The rows of a page by time, then by id: one scan of the index on both, and no more rows than are skipped or sent. */
export async function logPageRows(
  { sql }: Store,
  scope: Scope,
  name: LogName,
  page: LogPage,
): Promise<LogRows['rows']> {
  const log = LOGS[name]
  const order = page.descending ? 'desc' : 'asc'
  const direction = sql.unsafe(`x."${log.time}" ${order}, x."${log.id}" ${order}`)
  // The page is cut before the names are joined, so that the join never leads the planner away from the index.
  const names = log.ofDevices ? 'd.hostname, d."sysName", ' : ''
  const join = log.ofDevices ? 'left join devices d on d.device_id = x.device_id' : ''
  return await guarded(
    () => sql<Record<string, unknown>[]>`
      select ${sql.unsafe(names + log.columns.map((column) => expression(log, column)).join(', '))}
      from (select * from ${sql(log.table)} x where ${matches(sql, scope, name, page)} order by ${direction}
        limit ${page.limit} offset ${page.offset}) x ${sql.unsafe(join)}
      order by ${direction}`,
  )
}

/** Condition on alias `x`. */
function matches(sql: Sql, scope: Scope, name: LogName, { deviceId, from, to }: LogPage) {
  const log = LOGS[name]
  return sql`${inScope(sql, scope, log)} and ${deviceId === null ? sql`true` : sql`x.device_id = ${deviceId}`}
    and ${bound(sql, log, '>=', from)} and ${bound(sql, log, '<=', to)}`
}

function expression({ time }: LogTable, column: string): string {
  return column === time ? `${instantSql(`x."${column}"`, 'local')} as "${column}"` : `x."${column}"`
}

/** Condition on alias `x`. */
function inScope(sql: Sql, scope: Scope, { ofDevices }: LogTable) {
  if (scope.kind === 'all') return sql`true`
  if (!ofDevices) return sql`x."user" = (select username from users where user_id = ${scope.userId})`
  return sql`x.device_id in (select d.device_id from devices d where ${deviceInScope(sql, scope)})`
}

function bound(sql: Sql, { id, time }: LogTable, operator: '>=' | '<=', end: LogBound | null) {
  if (end === null) return sql`true`
  const compare = sql.unsafe(`x."${end.kind === 'id' ? id : time}" ${operator}`)
  if (end.kind === 'id') return sql`${compare} ${end.id}::bigint`
  return sql`${compare} ${end.local}::timestamp at time zone ${ZONE}`
}
