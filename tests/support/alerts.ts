import type { Store } from '../../src/core/database/client.ts'
import { mint } from './api.ts'

/** Values of an alert; by default active and not yet notified. */
export interface RaisedAlert {
  readonly deviceId: number
  readonly ruleId: number
  readonly state?: number
  readonly at?: string
  /** Rows that matched. */
  readonly faults?: readonly Readonly<Record<string, unknown>>[]
}

/** A rule for all devices, stored without the API. Returns its id and name. */
export async function storeRule(
  { sql }: Store,
  { severity = 'critical', notes = null }: { readonly severity?: string; readonly notes?: string | null } = {},
): Promise<{ ruleId: number; name: string }> {
  const name = `rule ${mint()}`
  const builder = { condition: 'AND', rules: [{ field: 'devices.status', operator: 'equal', value: '0' }] }
  const [row] = await sql<{ id: number }[]>`
    insert into alert_rules (severity, extra, name, query, builder, notes)
    values (${severity}, '{"mute":false,"count":-1,"delay":0,"invert":false,"interval":0}', ${name}, 'select 1',
      ${JSON.stringify(builder)}, ${notes})
    returning id`
  return { ruleId: row?.id ?? 0, name }
}

/** Writes an alert and its log row as the engine does when a rule begins to match. Returns the alert's id. */
export async function raiseAlert({ sql }: Store, alert: RaisedAlert): Promise<number> {
  const { deviceId, ruleId, state = 1, at = '2026-08-14 12:00:00', faults = [] } = alert
  const [row] = await sql<{ id: number }[]>`
    insert into alerts (device_id, rule_id, state, open, "timestamp")
    values (${deviceId}, ${ruleId}, ${state}, 1, ${at}::timestamptz) returning id`
  await sql`insert into alert_log (device_id, rule_id, state, details, time_logged)
    values (${deviceId}, ${ruleId}, ${state}, ${JSON.stringify({ rule: faults })}::text::jsonb, ${at}::timestamptz)`
  return row?.id ?? 0
}
