import type { Store } from '../../store/client.ts'
import { toStoreError } from '../../store/errors.ts'
import { type AlertRuleRecord, absentIds, alertRuleNamed, listAlertRules } from '../../store/readers/alert-rules.ts'
import { findDevice } from '../../store/readers/devices.ts'
import { brokenRule } from '../../store/readers/rule-matches.ts'
import {
  type AlertRuleValues,
  deleteAlertRule,
  insertAlertRule,
  replaceAlertRule,
} from '../../store/writers/alert-rules.ts'
import { type Actor, scopeOf } from '../actor.ts'
import { parseBuilder } from '../builder/builder.ts'
import { type CompiledRule, compile } from '../builder/compile.ts'
import { BuilderError } from '../builder/errors.ts'
import { builderText } from '../builder/text.ts'
import { failed, invalid } from '../errors.ts'

/** What a rule does beside matching; kept as JSON text in `extra`. Times are seconds. */
export interface RuleExtra {
  readonly mute: boolean
  /** Most notifications; -1: any number. */
  readonly count: number
  /** How long the fault must last first. */
  readonly delay: number
  readonly invert: boolean
  /** Between repeated notifications; 0: one only. */
  readonly interval: number
  readonly recovery: boolean
  readonly acknowledgement: boolean
  readonly options: { readonly override_query: boolean }
}

/** A rule as somebody wants it. */
export interface WantedRule {
  readonly name: string
  readonly severity: 'ok' | 'warning' | 'critical'
  /** JSON text. */
  readonly builder: string
  /** SQL of the operator's own, which is kept as the rule's query; null: made from the builder. */
  readonly ownQuery: string | null
  readonly extra: RuleExtra
  readonly disabled: boolean
  readonly proc: string | null
  readonly notes: string | null
  readonly invertMap: boolean
  readonly operationId: number | null
  /** Ids, hostnames or addresses. */
  readonly devices: readonly string[]
  readonly groups: readonly number[]
  readonly locations: readonly number[]
}

/** A stored rule and its expression in words. */
export interface AlertRule extends AlertRuleRecord {
  /** `devices.os != "junos"`; empty for a builder that cannot be read any more. */
  readonly rule: string
}

/** The verbs on alert rules. Evaluating them is not among these: a rule is stored as its engine will read it. */
export function createAlertRuleService({ store }: { readonly store: Store }) {
  async function values(wanted: WantedRule): Promise<AlertRuleValues> {
    const query = wanted.ownQuery ?? (await compiled(wanted.builder)).faults.all
    const { groups, locations } = wanted
    refuseAbsent('groups', await absentIds(store, 'device_groups', groups))
    refuseAbsent('locations', await absentIds(store, 'locations', locations))
    return {
      severity: wanted.severity,
      extra: JSON.stringify(wanted.extra),
      disabled: wanted.disabled ? 1 : 0,
      name: wanted.name,
      query,
      builder: wanted.builder,
      proc: wanted.proc,
      invert_map: wanted.invertMap ? 1 : 0,
      notes: wanted.notes,
      alert_operation_id: wanted.operationId,
      devices: await deviceIds(wanted.devices),
      groups,
      locations,
    }
  }

  async function compiled(builder: string): Promise<CompiledRule> {
    try {
      const rule = compile(builder)
      const fault = await brokenRule(store, rule)
      if (fault !== null) throw new BuilderError(fault)
      return rule
    } catch (error) {
      if (error instanceof BuilderError) throw failed("We couldn't parse your rule", error)
      throw error
    }
  }

  async function deviceIds(refs: readonly string[]): Promise<number[]> {
    const found = await Promise.all(refs.map((ref) => findDevice(store, ref)))
    refuseAbsent(
      'devices',
      refs.filter((_, i) => found[i] === null),
    )
    return found.flatMap((device) => device?.device_id ?? [])
  }

  return {
    /** Rules by id: of role `user` those that are for a granted device. */
    async list(actor: Actor): Promise<AlertRule[]> {
      return (await listAlertRules(store, scopeOf(actor))).map(inWords)
    },

    /** One rule; null: there is none that the actor may see. */
    async find(actor: Actor, id: number): Promise<AlertRule | null> {
      const [rule] = await listAlertRules(store, scopeOf(actor), id)
      return rule === undefined ? null : inWords(rule)
    },

    /** Stores a new rule. Throws `failed` when the builder gives no query or the name is taken, `invalid` for absent objects. */
    async add(wanted: WantedRule): Promise<number> {
      const rule = await values(wanted)
      return await insertAlertRule(store, rule).catch((error: unknown) => {
        throw nameTaken(error) ? failed('Addition failed : Name has already been used') : error
      })
    },

    /** Replaces a rule: what is not wanted is no longer set. Throws as `add`, and `failed` for an unknown id. */
    async replace(id: number, wanted: WantedRule): Promise<void> {
      const rule = await values(wanted)
      const owner = await alertRuleNamed(store, wanted.name)
      if (owner !== null && owner !== id) throw failed('Update failed : Invalid rule id')
      const done = await replaceAlertRule(store, id, rule).catch((error: unknown) => {
        throw nameTaken(error) ? failed('Update failed : Invalid rule id') : error
      })
      if (!done) throw failed('Failed to update existing alert rule')
    },

    /** Removes a rule with its alerts. Returns false when there is none. */
    async delete(id: number): Promise<boolean> {
      return await deleteAlertRule(store, id)
    },
  }
}

const nameTaken = (error: unknown) => toStoreError(error).code === '23505'

function refuseAbsent(name: string, absent: readonly (string | number)[]): void {
  if (absent.length > 0) throw invalid(`Invalid ${name}: ${absent.slice(0, 20).join(',')}`)
}

function inWords(record: AlertRuleRecord): AlertRule {
  return { ...record, rule: words(record.builder) }
}

function words(builder: string): string {
  try {
    return builderText(parseBuilder(builder))
  } catch (error) {
    // Stored when the grammar allowed it; the list must not fail over one rule.
    if (error instanceof BuilderError) return ''
    throw error
  }
}

export type AlertRuleService = ReturnType<typeof createAlertRuleService>
