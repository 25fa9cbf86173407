import type { Store, Tx } from '../../database/client.ts'
import type { EngineFault } from './evolve.ts'
import type { AcknowledgedUntil, FaultState, Severity } from './fault.ts'
import type { FaultKind } from './subject.ts'
import type { FaultWrite } from './writes.ts'

interface Row {
  readonly rule_id: number
  readonly device_id: number
  readonly id: number
  readonly key: string
  readonly kind: FaultKind | null
  readonly subject_id: number | null
  readonly state: FaultState
  readonly severity: Severity
  readonly message: string
  readonly began: number
  readonly ended: number | null
  readonly ended_how: EngineFault['endedHow']
  readonly until: AcknowledgedUntil | null
  readonly until_at: number | null
  readonly count: number | null
  readonly ack_severity: Severity | null
  readonly muted: number | null
  readonly speaks: number
  readonly told: number | null
  readonly recovery_told: number | null
  readonly begins: readonly number[]
}

const ms = (column: string) => `(extract(epoch from f.${column}) * 1000)::float8`
const TIMES = [
  ['began_at', 'began'],
  ['ended_at', 'ended'],
  ['acknowledged_until_at', 'until_at'],
  ['muted_until', 'muted'],
  ['told_at', 'told'],
  ['recovery_told_at', 'recovery_told'],
]
  .map(([column = '', name]) => `${ms(column)} as ${name}`)
  .join()

/** Names the alert of a rule on a device in maps. */
export const alertKey = (ruleId: number, deviceId: number): string => `${ruleId} ${deviceId}`

/** The faults that the engine still needs, by alert. `ruleIds` and `deviceIds`: arrays of PostgreSQL, of equal length. */
export async function liveFaults(
  tx: Tx,
  ruleIds: string,
  deviceIds: string,
): Promise<ReadonlyMap<string, readonly EngineFault[]>> {
  const rows = await tx<Row[]>`
    select f.rule_id, f.device_id, f.id, f.key, f.kind, f.subject_id, f.state, f.severity, f.message, f.ended_how, f.speaks,
      f.begins, case when f.acknowledged_at is not null then coalesce(f.acknowledged_until, 'clear') end as until,
      f.acknowledged_count as count, f.acknowledged_severity as ack_severity, ${tx.unsafe(TIMES)}
    from faults f where f.live = 1 and f.alert_id = any(array(
      select a.id from unnest(${ruleIds}::text::int[], ${deviceIds}::text::int[]) x (rule_id, device_id)
        join alerts a on a.rule_id = x.rule_id and a.device_id = x.device_id))
    order by f.id`
  const faults = new Map<string, EngineFault[]>()
  for (const row of rows) {
    const alert = alertKey(row.rule_id, row.device_id)
    const own = faults.get(alert)
    if (own === undefined) faults.set(alert, [faultOf(row)])
    else own.push(faultOf(row))
  }
  return faults
}

function faultOf(row: Row): EngineFault {
  return {
    id: row.id,
    key: row.key,
    subject: { kind: row.kind, id: row.subject_id },
    state: row.state,
    severity: row.severity,
    message: row.message,
    beganAt: row.began,
    endedAt: row.ended,
    endedHow: row.ended_how,
    acknowledged:
      row.until === null
        ? null
        : { until: row.until, untilAt: row.until_at, count: row.count, severity: row.ack_severity },
    mutedUntil: row.muted,
    mustNotify: row.speaks === 1,
    toldAt: row.told,
    recoveryToldAt: row.recovery_told,
    begins: row.begins,
    live: true,
  }
}

/** Names of the columns of a definition list. */
export const namesOf = (columns: string): string => columns.replaceAll(/\s\w+(?=,|$)/g, '')

const COLUMNS = `rule_id int4, device_id int4, id int8, changed bool, key text, kind text, subject_id int4, state int2, severity text,
  message text, began float8, ended float8, ended_how text, until text, until_at float8, count int4, ack_severity text,
  muted float8, speaks int2, told float8, recovery_told float8, begins jsonb, live int2, why text`

/**
 * Common table expressions that store the faults of alerts in `written`, given as $2 and $5 by `faultRows`. Those without an
 * id begin. Of those that did not change, the row is stored if it did.
 */
export const FAULT_WRITES = `given_faults as materialized (
    select x.*, nullif(x.row_text, '')::jsonb as "row"
    from rows from (jsonb_to_recordset($2::text::jsonb) as (${COLUMNS}), unnest($5::text[])) as x(${namesOf(COLUMNS)}, row_text)
  ), begun_faults as (
    insert into faults (rule_id, device_id, alert_id, key, kind, subject_id, state, severity, message, began_at, ended_at,
      ended_how, muted_until, speaks, told_at, recovery_told_at, begins, live, row_began, acknowledged_at,
      acknowledged_until, acknowledged_until_at, acknowledged_count, acknowledged_severity)
    select g.rule_id, g.device_id, w.id, g.key, g.kind, g.subject_id, g.state, g.severity, g.message, to_timestamp(g.began / 1000),
      to_timestamp(g.ended / 1000), g.ended_how, to_timestamp(g.muted / 1000), g.speaks, to_timestamp(g.told / 1000),
      to_timestamp(g.recovery_told / 1000), array(select jsonb_array_elements_text(g.begins)::bigint), g.live, g."row",
      case when g.until is not null then now() end, g.until, to_timestamp(g.until_at / 1000), g.count, g.ack_severity
    from given_faults g join written w using (rule_id, device_id) where g.id is null
    order by g.rule_id, g.device_id, g.key
  ), changed_faults as (
    -- it began later than now if the clock was ahead then
    update faults f set began_at = case when to_timestamp(g.began / 1000) < f.began_at - interval '1 second'
        then to_timestamp(g.began / 1000) else f.began_at end, state = g.state, severity = g.severity, message = g.message,
      ended_at = to_timestamp(g.ended / 1000), ended_how = g.ended_how, muted_until = to_timestamp(g.muted / 1000),
      speaks = g.speaks, told_at = to_timestamp(g.told / 1000), recovery_told_at = to_timestamp(g.recovery_told / 1000),
      begins = array(select jsonb_array_elements_text(g.begins)::bigint), live = g.live,
      row_now = case when g."row" is null then f.row_now when g."row" is distinct from f.row_began then g."row" end,
      acknowledged_by = case when g.until is not null then f.acknowledged_by end,
      acknowledged_at = case when g.until is not null then f.acknowledged_at end,
      acknowledged_note = case when g.until is not null then f.acknowledged_note end,
      acknowledged_until = g.until, acknowledged_until_at = to_timestamp(g.until_at / 1000),
      acknowledged_count = g.count, acknowledged_severity = g.ack_severity
    from given_faults g
    -- so that only the primary key can find the rows
    where f.id = any(array(select id from given_faults where id is not null)) and f.id = g.id
      and (g.changed or g."row" is distinct from coalesce(f.row_now, f.row_began))
  ), noted_faults as (
    insert into fault_history (fault_id, what, note)
    select id, 'acknowledgement ended', why from given_faults where id is not null and why is not null
  )`

/** The faults of alerts, as FAULT_WRITES takes them: `json` for $2, and for $5 their rows as JSON, '' for none. */
export function faultRows(
  writes: readonly {
    readonly ruleId: number
    readonly deviceId: number
    readonly faultWrites: readonly FaultWrite[]
  }[],
): { readonly json: string; readonly rows: readonly string[] } {
  const faults = writes.flatMap(({ ruleId, deviceId, faultWrites }) =>
    faultWrites.map(({ fault, changed, acknowledgementEnded }) => ({
      rule_id: ruleId,
      device_id: deviceId,
      id: fault.id,
      changed,
      key: fault.key,
      kind: fault.subject.kind,
      subject_id: fault.subject.id,
      state: fault.state,
      severity: fault.severity,
      message: fault.message,
      began: fault.beganAt,
      ended: fault.endedAt,
      ended_how: fault.endedHow,
      until: fault.acknowledged?.until ?? null,
      until_at: fault.acknowledged?.untilAt ?? null,
      count: fault.acknowledged?.count ?? null,
      ack_severity: fault.acknowledged?.severity ?? null,
      muted: fault.mutedUntil,
      speaks: fault.mustNotify ? 1 : 0,
      told: fault.toldAt,
      recovery_told: fault.recoveryToldAt,
      begins: fault.begins,
      live: fault.live ? 1 : 0,
      why: acknowledgementEnded,
    })),
  )
  const rows = writes.flatMap(({ faultWrites }) =>
    faultWrites.map(({ row }) => (row === null ? '' : JSON.stringify(row))),
  )
  return { json: JSON.stringify(faults), rows }
}

/** Ends the faults of rules that were disabled, without notifications. */
export async function endFaultsOfDisabled(tx: Tx): Promise<void> {
  await tx`
    update faults f set state = 0, ended_at = coalesce(f.ended_at, now()), ended_how = coalesce(f.ended_how, 'gone'),
      speaks = 0, live = 0, muted_until = null
    from alert_rules r where r.id = f.rule_id and r.disabled = 1 and f.live = 1`
}

/** Makes the alerts due whose rules have another severity than their faults, because acknowledgements depend on it. */
export async function noteSeverities({ sql }: Store): Promise<void> {
  await sql`
    update alerts set next_at = to_timestamp(0) where id in (
      select a.id from alerts a where exists (select from faults f join alert_rules r on r.id = f.rule_id
        where f.live = 1 and f.state <> 0 and f.severity <> r.severity and a.id = f.alert_id)
      order by a.rule_id, a.device_id for no key update)`
}
