import type { Store } from '../database/client.ts'
import { operationJson } from './operations/read.ts'

/** A rule as the engine reads it. */
export interface EngineRuleRow {
  readonly id: number
  readonly name: string
  readonly severity: 'ok' | 'warning' | 'critical'
  /** JSON text. */
  readonly extra: string
  readonly builder: string
  readonly disabled: number
  readonly proc: string | null
  readonly notes: string | null
  /** Address of the page that says what to do; null: none. */
  readonly runbook: string | null
  /** 1: all devices except the mapped ones. */
  readonly invert_map: number
  /** It has devices, groups or locations. */
  readonly mapped: boolean
  /** 1: nobody is notified. */
  readonly silenced: number
  /** JSON, for `storedOperation`; null: it has no operation. */
  readonly operation: unknown
}

/** NOTIFY channel for changes of rules and alerts that the engine has to handle. Payload: `rule ID` or `alert ID`. */
export const ALERT_CHANNEL = 'portlight_alerts'

/** Every rule, disabled ones included, by id. */
export async function engineRules({ sql }: Store): Promise<EngineRuleRow[]> {
  return await sql<EngineRuleRow[]>`
      select r.id, r.name, r.severity, r.extra, r.builder, r.disabled, r.proc, r.notes, r.runbook, r.invert_map,
        exists (select from alert_device_map m where m.rule_id = r.id)
          or exists (select from alert_group_map m where m.rule_id = r.id)
          or exists (select from alert_location_map m where m.rule_id = r.id) as mapped,
        r.silenced, ${sql.unsafe(operationJson('r.alert_operation_id'))} as operation
      from alert_rules r order by r.id`
}

/**
 * Why a rule cannot be run, or is run apart from the others. `unusable`: it is not in a form that this program runs.
 * `invalid`: the database refuses it. `timeout`: it takes too long. `slow`: it takes long, so it is run by itself and less
 * often.
 */
export interface RuleFailure {
  readonly kind: 'unusable' | 'invalid' | 'timeout' | 'slow'
  readonly detail: string
}

/** Stores that a rule cannot be run, or (null) that it can. Ignored if the rule is gone. */
export async function writeRuleFailure({ sql }: Store, ruleId: number, failure: RuleFailure | null): Promise<void> {
  if (failure === null) await sql`delete from alert_rule_failures where rule_id = ${ruleId}`
  else
    await sql`
        insert into alert_rule_failures (rule_id, kind, detail)
        select id, ${failure.kind}, ${failure.detail.slice(0, 1000)} from alert_rules where id = ${ruleId}
        on conflict (rule_id) do update set kind = excluded.kind, detail = excluded.detail`
}

/** What was reported of rules before this process evaluated them, by rule. */
export async function storedFailures({ sql }: Store): Promise<Map<number, RuleFailure>> {
  const rows = await sql<({ rule_id: number } & RuleFailure)[]>`select rule_id, kind, detail from alert_rule_failures`
  return new Map(rows.map(({ rule_id, ...failure }) => [rule_id, failure]))
}

/** A rule that cannot be run, by name. */
export interface BrokenRule extends RuleFailure {
  readonly id: number
  readonly name: string
  readonly since: Date
}

export async function brokenRules({ sql }: Store): Promise<BrokenRule[]> {
  return await sql<BrokenRule[]>`
      select r.id, r.name, f.kind, f.detail, f.since
      from alert_rule_failures f join alert_rules r on r.id = f.rule_id where r.disabled = 0 order by r.id`
}
