import { ALERT_IS_OPEN } from '../base/alert-states.ts'
import { calledText } from '../base/device-name.ts'
import { deviceInScope, type Scope } from '../base/scope.ts'
import type { Sql, Store } from '../database/client.ts'
import { containing } from '../database/patterns.ts'
import { notesWith } from './notes.ts'

/** An alert that is open. */
export interface OpenAlert {
  readonly id: number
  readonly device_id: number
  /** Display name, or hostname. */
  readonly device: string
  readonly rule_id: number
  readonly rule: string
  readonly severity: 'ok' | 'warning' | 'critical'
  /** 1 active, 2 acknowledged, 3 worse, 4 better, 5 changed. */
  readonly state: number
  readonly since: Date
  /** The lines that people wrote; null: none. */
  readonly note: string | null
}

/** An open alert of the list. */
export interface ListedAlert extends OpenAlert {
  /** Why its notification waits; null: nothing waits. */
  readonly held: string | null
  /** The first matched row at the last change; null: not stored. */
  readonly fault: Readonly<Record<string, unknown>> | null
  /** How many rows match. */
  readonly faults: number
  readonly builder: string
  /** JSON text. */
  readonly extra: string
}

/** What the list shows. */
export interface AlertListQuery {
  /** `waiting`: all but the acknowledged ones; null: all. */
  readonly state: 'waiting' | 'acknowledged' | null
  readonly severity: 'critical' | 'warning' | 'ok' | null
  /** Part of the name of the device or rule; '': all. */
  readonly text: string
  /** null: of all. */
  readonly deviceId: number | null
  readonly offset: number
  readonly limit: number
}

export interface AlertCounts {
  readonly all: number
  /** Not acknowledged. */
  readonly waiting: number
  readonly critical: number
  readonly warning: number
  readonly acknowledged: number
}

function matches(sql: Sql, scope: Scope, text: string, deviceId: number | null) {
  return sql`${sql.unsafe(ALERT_IS_OPEN)} and ${deviceInScope(sql, scope)}
    and ${deviceId === null ? sql`true` : sql`a.device_id = ${deviceId}`} and ${
      text === ''
        ? sql`true`
        : sql`(d.hostname ilike ${containing(text)} or d.display ilike ${containing(text)} or d."sysName" ilike ${containing(text)} or r.name ilike ${containing(text)})`
    }`
}

/** The first matched row of row `l` of the log. Contains no values from outside. */
const FIRST_ROW = `jsonb_path_query_first(l.details, 'lax $.rule[0] ? (@.type() == "object")')`

/** Open alerts in scope: unacknowledged ones first, then the most severe, then the newest. */
export async function listedAlerts({ sql }: Store, scope: Scope, query: AlertListQuery): Promise<ListedAlert[]> {
  const { state, severity, text, deviceId, offset, limit } = query
  return await sql<ListedAlert[]>`
      with page as (
        select a.id, a.device_id, ${sql.unsafe(calledText('d'))} as device, a.rule_id, r.name as rule,
          r.severity, r.builder, r.extra, a.state, coalesce(a.began_at, a.timestamp) as since, nullif(a.note, '') as note, a.held,
          coalesce(substring(a.digest from '^[0-9]{1,9}')::int, 0) as faults
        from alerts a join devices d on d.device_id = a.device_id join alert_rules r on r.id = a.rule_id
        where ${matches(sql, scope, text, deviceId)}
          and ${state === null ? sql`true` : state === 'waiting' ? sql`a.state <> 2` : sql`a.state = 2`}
          and ${severity === null ? sql`true` : sql`r.severity = ${severity} and a.state <> 2`}
        order by (a.state = 2), array_position(array['critical', 'warning', 'ok'], r.severity), since desc, a.id desc
        limit ${limit} offset ${offset})
      select p.*, (select ${sql.unsafe(FIRST_ROW)} from alert_log l
          where l.rule_id = p.rule_id and l.device_id = p.device_id and l.state <> 2 order by l.id desc limit 1) as fault
      from page p
      order by (p.state = 2), array_position(array['critical', 'warning', 'ok'], p.severity), p.since desc, p.id desc`
}

/** Number of open alerts in scope, in all and by state and severity. */
export async function alertCounts(
  { sql }: Store,
  scope: Scope,
  { text, deviceId }: Pick<AlertListQuery, 'text' | 'deviceId'>,
): Promise<AlertCounts> {
  const [row] = await sql<AlertCounts[]>`
      select count(*)::int as all, count(*) filter (where a.state <> 2)::int as waiting,
        count(*) filter (where a.state <> 2 and r.severity = 'critical')::int as critical,
        count(*) filter (where a.state <> 2 and r.severity = 'warning')::int as warning,
        count(*) filter (where a.state = 2)::int as acknowledged
      from alerts a join devices d on d.device_id = a.device_id join alert_rules r on r.id = a.rule_id
      where ${matches(sql, scope, text, deviceId)}`
  return row ?? { all: 0, waiting: 0, critical: 0, warning: 0, acknowledged: 0 }
}

/** Open alerts in scope by rule. */
export async function openByRule({ sql }: Store, scope: Scope): Promise<Map<number, number>> {
  const rows = await sql<{ rule_id: number; n: number }[]>`
      select a.rule_id, count(*)::int as n from alerts a join devices d on d.device_id = a.device_id
      where ${sql.unsafe(ALERT_IS_OPEN)} and ${deviceInScope(sql, scope)} group by a.rule_id`
  return new Map(rows.map(({ rule_id, n }) => [rule_id, n]))
}

/** An alert in full. */
export interface AlertDetail {
  readonly id: number
  readonly device_id: number
  readonly device: string
  readonly rule_id: number
  readonly rule: string
  readonly severity: 'ok' | 'warning' | 'critical'
  /** 0 ended; the others as in ListedAlert. */
  readonly state: number
  /** When the problem began, also if it has ended; null: unknown. */
  readonly began: Date | null
  /** When the problem began; if it has ended, when it ended. */
  readonly since: Date
  readonly note: string | null
  readonly held: string | null
  readonly next_at: Date | null
  /** Notifications sent about this problem, without changes. */
  readonly notified: number
  readonly notified_at: Date | null
  readonly builder: string
  /** JSON text. */
  readonly extra: string
  readonly proc: string | null
  readonly rule_notes: string | null
  /** Address of the page that says what to do; null: none. */
  readonly runbook: string | null
  readonly hostname: string
  /** Number of transports that the rule's notifications go to. */
  readonly transports: number
  /** How many rows match. */
  readonly faults: number
  /** Matched rows at the last change, at most 100. */
  readonly rows: readonly Readonly<Record<string, unknown>>[]
}

/** An alert in scope; null: none. */
export async function alertDetail({ sql }: Store, scope: Scope, id: number): Promise<AlertDetail | null> {
  const [row] = await sql<AlertDetail[]>`
      select a.id, a.device_id, ${sql.unsafe(calledText('d'))} as device, a.rule_id, r.name as rule, r.severity,
        a.state, a.began_at as began, case when a.state = 0 then a.timestamp else coalesce(a.began_at, a.timestamp) end as since,
        nullif(a.note, '') as note, a.held, a.next_at, a.notified, a.notified_at, r.builder, r.extra, r.proc,
        r.notes as rule_notes, r.runbook, d.hostname, coalesce(substring(a.digest from '^[0-9]{1,9}')::int, 0) as faults,
        (select count(*)::int from alert_transports t where t.transport_id in (
            select m.transport_id from alert_transport_map m where m.rule_id = r.id
            union select g.transport_id from alert_transport_map m
              join transport_group_transport g on g.transport_group_id = m.transport_group_id where m.rule_id = r.id)
          or (t.is_default = 1 and not exists (select from alert_transport_map m where m.rule_id = r.id))) as transports,
        coalesce((select case when jsonb_typeof(l.details -> 'rule') = 'array' then jsonb_path_query_array(l.details, '$.rule[*] ? (@.type() == "object")') end
          from alert_log l where l.rule_id = a.rule_id and l.device_id = a.device_id and l.state <> 2
          order by l.id desc limit 1), '[]') as rows
      from alerts a join devices d on d.device_id = a.device_id join alert_rules r on r.id = a.rule_id
      where a.id = ${id} and ${deviceInScope(sql, scope)}`
  return row ?? null
}

/** A change of an alert in the log. */
export interface StoredLogRow {
  readonly id: number
  readonly at: Date
  readonly state: number
  readonly device_id: number
  readonly device: string
  readonly rule_id: number
  readonly rule: string
  readonly severity: 'ok' | 'warning' | 'critical'
  /** null: the alert itself is gone. */
  readonly alert_id: number | null
  /** Rows that matched. */
  readonly faults: number
  /** Who acknowledged it, or made it active again, and the note; null: the change was not made by a person. */
  readonly by: string | null
  readonly note: string | null
  /** The first matched row; null: not stored. */
  readonly fault: Readonly<Record<string, unknown>> | null
  readonly builder: string
  /** JSON text. */
  readonly extra: string
}

/** An earlier time at which a rule matched on a device. */
export interface StoredFormer {
  readonly began: Date
  readonly ended: Date
  /** The most rows that matched at once; 0: not stored. */
  readonly faults: number
  /** Who acknowledged it last; null: nobody did. */
  readonly by: string | null
  readonly note: string | null
  /** The first row that matched; null: not stored. */
  readonly fault: Readonly<Record<string, unknown>> | null
}

/** Rows of the log that are searched for former alerts. */
const SEARCHED = 500

/** Former alerts of a rule on a device in scope, the latest first. */
export async function formerAlerts(
  { sql }: Store,
  scope: Scope,
  { ruleId, deviceId, limit }: { readonly ruleId: number; readonly deviceId: number; readonly limit: number },
): Promise<StoredFormer[]> {
  return await sql<StoredFormer[]>`
      with latest as (
        select l.id, l.time_logged as at, l.state, l.details ->> 'by' as by, nullif(l.details ->> 'note', '') as note,
          case when jsonb_typeof(l.details -> 'rule') = 'array' then jsonb_array_length(l.details -> 'rule') else 0 end as faults,
          ${sql.unsafe(FIRST_ROW)} as fault
        from alert_log l join devices d on d.device_id = l.device_id
        where l.rule_id = ${ruleId} and l.device_id = ${deviceId} and ${deviceInScope(sql, scope)}
        order by l.id desc limit ${SEARCHED}),
      begun as (select *, count(*) filter (where state = 0) over (order by id rows between unbounded preceding and 1 preceding) as n from latest)
      select min(at) filter (where state <> 0) as began, max(at) filter (where state = 0) as ended, max(faults) as faults,
        (array_agg(by order by id desc) filter (where state = 2 and by is not null))[1] as by,
        (array_agg(note order by id desc) filter (where state = 2 and note is not null))[1] as note,
        (array_agg(fault order by id) filter (where state <> 0 and fault is not null))[1] as fault
      from begun group by n having count(*) filter (where state = 0) > 0 and count(*) filter (where state <> 0) > 0
      order by n desc limit ${limit}`
}

/** Where a page of the log begins: after the row at this time with this id. */
export interface LogKey {
  /** Epoch microseconds. */
  readonly at: number
  readonly id: number
}

export interface AlertLogPage {
  readonly of: { readonly ruleId: number; readonly deviceId: number } | null
  readonly before: LogKey | null
  readonly limit: number
}

/** Changes of alerts in scope, the latest first, with the key of each row. */
export async function alertLogPage(
  { sql }: Store,
  scope: Scope,
  { of, before, limit }: AlertLogPage,
): Promise<(StoredLogRow & { readonly key: string })[]> {
  return await sql<(StoredLogRow & { key: string })[]>`
      select l.id, l.time_logged as at, (extract(epoch from l.time_logged) * 1000000)::bigint::text as key,
        l.state, l.device_id, ${sql.unsafe(calledText('d'))} as device, l.rule_id, r.name as rule, r.severity,
        a.id as alert_id,
        case when jsonb_typeof(l.details -> 'rule') = 'array' then jsonb_array_length(l.details -> 'rule') else 0 end as faults,
        l.details ->> 'by' as by, nullif(l.details ->> 'note', '') as note, ${sql.unsafe(FIRST_ROW)} as fault, r.builder, r.extra
      from alert_log l join devices d on d.device_id = l.device_id join alert_rules r on r.id = l.rule_id
        left join alerts a on a.rule_id = l.rule_id and a.device_id = l.device_id
      where ${deviceInScope(sql, scope)}
        and ${of === null ? sql`true` : sql`l.rule_id = ${of.ruleId} and l.device_id = ${of.deviceId}`}
        and ${before === null ? sql`true` : sql`(l.time_logged, l.id) < (timestamptz 'epoch' + ${before.at}::float8 * interval '1 microsecond', ${before.id}::int)`}
      order by l.time_logged desc, l.id desc limit ${limit}`
}

/** A notification about an alert. */
export interface AlertNotification {
  readonly id: number
  readonly kind: string
  readonly transport: string
  readonly created_at: Date
  readonly sent_at: Date | null
  readonly dead_at: Date | null
  readonly next_at: Date
  readonly attempts: number
  /** Of the last attempt that failed; null: none did. */
  readonly error: string | null
}

/** Notifications about an alert, the latest first. */
export async function alertNotifications({ sql }: Store, alertId: number, limit: number): Promise<AlertNotification[]> {
  return await sql<AlertNotification[]>`
      select o.id::float8 as id, o.kind, t.transport_name as transport, o.created_at, o.sent_at, o.dead_at, o.next_at, o.attempts,
        o.last_error as error
      from alert_outbox o join alert_transports t using (transport_id)
      where o.alert_id = ${alertId} order by o.id desc limit ${limit}`
}

/** Appends a line to the note of an open alert in scope. Returns false when there is none. */
export async function addAlertNote(
  { sql }: Store,
  scope: Scope,
  { id, line }: { readonly id: number; readonly line: string },
): Promise<boolean> {
  const rows = await sql`
      update alerts a set note = ${notesWith(sql, line)}
      from devices d where d.device_id = a.device_id and a.id = ${id} and ${sql.unsafe(ALERT_IS_OPEN)} and ${deviceInScope(sql, scope)}`
  return rows.count > 0
}

/** Context of the latest notification about a device in scope; null: none is stored. */
export async function latestContext({ sql }: Store, scope: Scope): Promise<Readonly<Record<string, unknown>> | null> {
  const [row] = await sql<{ context: Record<string, unknown> }[]>`
      select o.context from alert_outbox o join devices d on d.device_id = o.device_id
      where ${deviceInScope(sql, scope)} and jsonb_typeof(o.context -> 'faults') = 'array' order by o.id desc limit 1`
  return row?.context ?? null
}
