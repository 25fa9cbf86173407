import { deviceInScope, type Scope } from '../base/scope.ts'
import type { Sql, Store } from '../database/client.ts'
import { containing } from '../database/patterns.ts'
import { storedPatterns } from './event-words.ts'

/** Logs that are browsed: their rows have the same shape. */
export type BrowsedLog = 'event' | 'syslog' | 'alert'

/** Position of a row: epoch microseconds as text, and its id. */
export interface LogKey {
  readonly us: string
  readonly id: number
}

/** Which rows of a log; null: any. */
export interface LogFilter {
  readonly deviceId: number | null
  /** event: this severity or higher (0 to 5). syslog: this level or more urgent (0 emergency to 7 debug). */
  readonly severity: number | null
  /** syslog: the program; event: the type. Exact, regardless of case. */
  readonly program: string | null
  /** The message contains this, regardless of case; alert: the rule's name does. */
  readonly text: string | null
  /** Epoch seconds. */
  readonly fromS: number | null
  readonly toS: number | null
  /** Only rows before (older than) or after this one. */
  readonly key: { readonly side: 'before' | 'after'; readonly at: LogKey } | null
  readonly limit: number
}

/** A row of a log, with the name of its device. */
export interface BrowsedRow {
  readonly id: number
  readonly us: string
  readonly at: Date
  /** null: no device. */
  readonly device_id: number | null
  readonly device: string | null
  /** event: 0 to 5; syslog: 0 to 7, null: unknown; alert: the state that the alert went to. */
  readonly severity: number | null
  /** Type of the event, program of the message; alert: severity of its rule. */
  readonly program: string | null
  readonly message: string | null
  /** syslog: how far the device's clock was ahead (negative: behind), seconds; null: unknown. */
  readonly drift: number | null
  /** Who caused the event or changed the alert; null: nobody did, or it is not known. */
  readonly by: string | null
  /** For an event of a port that still exists: the port and its name. */
  readonly port_id: number | null
  readonly port: string | null
}

/** Words of syslog levels (RFC 5424 6.2.1) and those that rsyslog and syslog-ng also write. */
const LEVELS = [
  ['emerg', 'emergency', 'panic'],
  ['alert'],
  ['crit', 'critical'],
  ['err', 'error'],
  ['warning', 'warn'],
  ['notice'],
  ['info', 'informational'],
  ['debug'],
]

const LEVEL_SQL = `case lower(x.priority) ${LEVELS.map(
  (words, level) => `${words.map((word) => `when '${word}' then ${level}`).join(' ')} when '${level}' then ${level}`,
).join(' ')} end`

/** The port of an event, whose id is its reference. */
const PORT_JOIN = `left join ports p on p.device_id = x.device_id and p.deleted = 0
  and p.port_id = case when x.type = 'interface' and x.reference ~ '^[0-9]{1,9}$' then x.reference::int end`
const PORT_COLUMNS = `p.port_id, coalesce(nullif(p."ifName", ''), p."ifDescr") as port`

interface Source {
  readonly table: string
  readonly time: string
  readonly id: string
  readonly severity: string
  readonly program: string
  readonly text: string
  /** Joined to the chosen rows. */
  readonly join: string
  readonly message: string
  readonly label: string
  readonly by: string
}

/** Names are our own constants, so they are safe in SQL text. */
const SOURCES: Readonly<Record<BrowsedLog, Source>> = {
  event: {
    table: 'eventlog',
    time: 'datetime',
    id: 'event_id',
    severity: 'x.severity',
    program: 'x.type',
    text: 'x.message',
    join: '',
    message: 'x.message',
    label: 'x.type',
    by: `nullif(x.username, '')`,
  },
  syslog: {
    table: 'syslog',
    time: 'timestamp',
    id: 'seq',
    severity: LEVEL_SQL,
    program: 'x.program',
    text: 'x.msg',
    join: '',
    message: 'x.msg',
    label: 'x.program',
    by: 'null',
  },
  alert: {
    table: 'alert_log',
    time: 'time_logged',
    id: 'id',
    severity: 'x.state',
    program: '(select r.severity::text from alert_rules r where r.id = x.rule_id)',
    text: '(select r.name from alert_rules r where r.id = x.rule_id)',
    join: 'left join alert_rules r on r.id = x.rule_id',
    message: `concat_ws(': ', r.name, nullif(x.details ->> 'note', ''))`,
    label: 'r.severity::text',
    by: `x.details ->> 'by'`,
  },
}

/** Rows of a log in scope, the newest first, at most `limit`; with a key, those next to it. */
export async function browseLog(store: Store, scope: Scope, log: BrowsedLog, filter: LogFilter): Promise<BrowsedRow[]> {
  const { sql } = store
  const source = SOURCES[log]
  const ascending = filter.key?.side === 'after'
  const order = sql.unsafe(
    `x."${source.time}" ${ascending ? 'asc' : 'desc'}, x."${source.id}" ${ascending ? 'asc' : 'desc'}`,
  )
  const rows = await sql<BrowsedRow[]>`
      select ${sql.unsafe(`x."${source.id}"::float8 as id, x."${source.time}" as at`)},
        (extract(epoch from ${sql.unsafe(`x."${source.time}"`)}) * 1000000)::bigint::text as us,
        x.device_id, coalesce(nullif(d.display, ''), d.hostname) as device,
        (${sql.unsafe(source.severity)})::int as severity, ${sql.unsafe(source.label)} as program,
        ${sql.unsafe(source.message)} as message, ${sql.unsafe(log === 'syslog' ? 'x.clock_drift' : 'null::int')} as drift,
        (${sql.unsafe(source.by)})::text as by, ${log === 'event' ? sql.unsafe(PORT_COLUMNS) : sql`null::int as port_id, null::text as port`}
      from (select * from ${sql(source.table)} x where ${matches(sql, scope, log, filter)}
          order by ${order} limit ${filter.limit}) x
        left join devices d on d.device_id = x.device_id ${sql.unsafe(source.join)} ${sql.unsafe(log === 'event' ? PORT_JOIN : '')}
      order by ${order}`
  return ascending ? rows.toReversed() : rows
}

/** Condition on alias `x`. The bare comparisons of the time let the planner leave out partitions. */
function matches(sql: Sql, scope: Scope, log: BrowsedLog, filter: LogFilter) {
  const source = SOURCES[log]
  const { deviceId, severity, program, text, fromS, toS, key } = filter
  const time = sql.unsafe(`x."${source.time}"`)
  const worse = sql.unsafe(log === 'syslog' ? '<=' : '>=')
  return sql`${inScope(sql, scope)}
    and ${deviceId === null ? sql`true` : sql`x.device_id = ${deviceId}`}
    and ${severity === null || log === 'alert' ? sql`true` : sql`(${sql.unsafe(source.severity)}) ${worse} ${severity}`}
    and ${program === null ? sql`true` : sql`lower(${sql.unsafe(source.program)}) = lower(${program})`}
    and ${text === null ? sql`true` : sql`${sql.unsafe(source.text)} ilike any(${patternsOf(log, text)}::text[])`}
    and ${fromS === null ? sql`true` : sql`${time} >= to_timestamp(${fromS})`}
    and ${toS === null ? sql`true` : sql`${time} <= to_timestamp(${toS})`}
    and ${key === null ? sql`true` : beyond(sql, source, key)}`
}

const patternsOf = (log: BrowsedLog, text: string): string[] => [
  containing(text),
  ...(log === 'event' ? storedPatterns(text) : []),
]

function inScope(sql: Sql, scope: Scope) {
  if (scope.kind === 'all') return sql`true`
  return sql`x.device_id in (select d.device_id from devices d where ${deviceInScope(sql, scope)})`
}

function beyond(sql: Sql, { time, id }: Source, { side, at }: NonNullable<LogFilter['key']>) {
  const operator = side === 'before' ? '<' : '>'
  const instant = sql`(timestamptz 'epoch' + ${at.us}::text::bigint * interval '1 microsecond')`
  return sql`(${sql.unsafe(`x."${time}", x."${id}"`)}) ${sql.unsafe(operator)} (${instant}, ${at.id}::float8::bigint)
    and ${sql.unsafe(`x."${time}" ${operator}=`)} ${instant}`
}
