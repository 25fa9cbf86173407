import { deviceInScope, type Scope } from '../../base/scope.ts'
import type { Sql, Store } from '../../database/client.ts'

/** A stored alert rule. `extra` and `builder` are JSON text. */
export interface AlertRuleRecord {
  readonly id: number
  readonly severity: 'ok' | 'warning' | 'critical'
  readonly extra: string
  /** 0 or 1. */
  readonly disabled: number
  readonly name: string
  readonly query: string
  readonly builder: string
  readonly proc: string | null
  /** 1: the rule applies to all devices except those of its maps. */
  readonly invert_map: number
  readonly notes: string | null
  /** null: its transports are notified, or the default ones, unless `silenced` is 1. */
  readonly alert_operation_id: number | null
  readonly silenced: number
  /** Address of the page that says what to do, http or https; null: none. */
  readonly runbook: string | null
  /** Ids; all three lists empty: the rule applies to all devices. A `user` sees only granted ones. */
  readonly devices: readonly number[]
  readonly groups: readonly number[]
  readonly locations: readonly number[]
}

/** Rules by id, or one rule. A user sees the rules that apply to a device in scope. */
export async function listAlertRules({ sql }: Store, scope: Scope, id?: number): Promise<AlertRuleRecord[]> {
  return await sql<AlertRuleRecord[]>`
      select r.id, r.severity, r.extra, r.disabled, r.name, r.query, r.builder, r.proc, r.invert_map, r.notes,
        r.alert_operation_id, r.silenced, r.runbook,
        array(select m.device_id from alert_device_map m join devices d on d.device_id = m.device_id
          where m.rule_id = r.id and ${deviceInScope(sql, scope)} order by m.device_id) as devices,
        array(select m.group_id from alert_group_map m where m.rule_id = r.id and ${groupInScope(sql, scope)}
          order by m.group_id) as groups,
        array(select m.location_id from alert_location_map m where m.rule_id = r.id and ${locationInScope(sql, scope)}
          order by m.location_id) as locations
      from alert_rules r
      where ${id === undefined ? sql`true` : sql`r.id = ${id}`} and ${ruleInScope(sql, scope)}
      order by r.id`
}

/** Condition on alias `m`: a device in scope is in the group. */
function groupInScope(sql: Sql, scope: Scope) {
  if (scope.kind === 'all') return sql`true`
  return sql`exists (select from device_group_device g join devices d on d.device_id = g.device_id
    where g.device_group_id = m.group_id and ${deviceInScope(sql, scope)})`
}

/** Condition on alias `m`: a device in scope is at the location. */
function locationInScope(sql: Sql, scope: Scope) {
  if (scope.kind === 'all') return sql`true`
  return sql`exists (select from devices d where d.location_id = m.location_id and ${deviceInScope(sql, scope)})`
}

/**
 * Condition on alias `r`: the rule applies to a device in scope. Inverted rules apply to all devices outside their
 * maps.
 */
function ruleInScope(sql: Sql, scope: Scope) {
  if (scope.kind === 'all') return sql`true`
  const mapped = sql`(
    exists (select from alert_device_map m where m.rule_id = r.id and m.device_id = d.device_id)
    or exists (select from alert_location_map m where m.rule_id = r.id and m.location_id = d.location_id)
    or exists (select from alert_group_map m join device_group_device g on g.device_group_id = m.group_id
      where m.rule_id = r.id and g.device_id = d.device_id))`
  const everywhere = sql`(not exists (select from alert_device_map m where m.rule_id = r.id)
    and not exists (select from alert_location_map m where m.rule_id = r.id)
    and not exists (select from alert_group_map m where m.rule_id = r.id))`
  return sql`exists (select from devices d where ${deviceInScope(sql, scope)}
    and (${everywhere} or ${mapped} <> (r.invert_map = 1)))`
}

/** A rule with this name, case-insensitive; null: none. */
export async function alertRuleNamed({ sql }: Store, name: string): Promise<number | null> {
  const [row] = await sql<{ id: number }[]>`select id from alert_rules where lower(name) = lower(${name})`
  return row?.id ?? null
}

/** The ids that do not exist in the table. */
export async function absentIds(
  { sql }: Store,
  table: 'locations' | 'device_groups' | 'alert_rules',
  ids: readonly number[],
): Promise<number[]> {
  if (ids.length === 0) return []
  const rows = await sql<{ id: number }[]>`
      select x as id from unnest(${`{${ids.join()}}`}::int4[]) x
      where not exists (select from ${sql(table)} t where t.id = x)`
  return rows.map((row) => row.id)
}

/** Whether any alert rule or device is stored, which a new installation does not have. */
export async function hasRulesOrDevices({ sql }: Store): Promise<boolean> {
  const [row] = await sql<{ found: boolean }[]>`
      select exists (select from alert_rules) or exists (select from devices) as found`
  return row?.found !== false
}
