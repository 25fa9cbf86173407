import { meantOf } from '../../../lib/nearest.ts'
import { type Actor, SYSTEM, scopeOf } from '../../base/actor.ts'
import { recordChange } from '../../base/change-audit.ts'
import { differences } from '../../base/differences.ts'
import { absent, conflict, notFound } from '../../base/errors.ts'
import { isWithinGrants, requireGrants } from '../../base/grants-check.ts'
import { toStoreError } from '../../database/errors.ts'
import { parseBuilder } from '../../rules/builder.ts'
import { BuilderError } from '../../rules/errors.ts'
import { sentenceOf } from '../../rules/in-words.ts'
import { builderText } from '../../rules/text.ts'
import { createOperationService, type OperationDeps, type ShownOperation } from '../operations/service.ts'
import { ruleExtra } from './extra.ts'
import { RULE_PRESETS, type RulePreset, rulePreset } from './presets.ts'
import { type AlertRuleRecord, alertRuleNamed, hasRulesOrDevices, listAlertRules } from './read.ts'
import { createRuleValues, type RuleDraft } from './values.ts'
import { type AlertRuleValues, deleteAlertRule, insertAlertRule, replaceAlertRule, setRulesDisabled } from './write.ts'

/** A stored rule with its readable expression. */
export interface AlertRule extends AlertRuleRecord {
  /** `devices.os != "junos"`; empty if the builder is no longer valid. */
  readonly rule: string
  /** Who is notified, and when; null: it has no operation. Without its targets for actors who may not see them. */
  readonly operation: ShownOperation | null
}

/** The rule of a preset, applied to all devices. */
function presetRule({ name, severity, builder, delay, about }: RulePreset): RuleDraft {
  return {
    name,
    severity,
    builder: JSON.stringify(builder),
    ownQuery: null,
    extra: { ...ruleExtra(''), delay },
    disabled: false,
    proc: null,
    notes: about,
    invertMap: false,
    notify: { kind: 'keep' },
    stepDurationS: null,
    devices: [],
    groups: [],
    locations: [],
  }
}

/** Operations on alert rules, which are stored in the form that the alert engine reads and not evaluated here. */
export function createAlertRuleService({ store, settings, schedules }: OperationDeps) {
  const deps = { store, settings, ...(schedules !== undefined && { schedules }) }
  const values = createRuleValues(deps)
  const operations = createOperationService(deps)

  /** The rules with their expressions and operations. */
  async function shown(actor: Actor, records: readonly AlertRuleRecord[]): Promise<AlertRule[]> {
    const used = records.some((record) => record.alert_operation_id !== null)
    const byId = new Map((used ? await operations.ofRules(actor) : []).map((one) => [one.id, one]))
    return records.map((record) => ({
      ...record,
      rule: words(record.builder),
      operation: byId.get(record.alert_operation_id ?? 0) ?? null,
    }))
  }

  return {
    /** Rules in order of id. Role `user` sees those that apply to a granted device. */
    async list(actor: Actor): Promise<AlertRule[]> {
      return await shown(actor, await listAlertRules(store, scopeOf(actor)))
    },

    /** One rule; null: the actor may not see it, or it does not exist. */
    async find(actor: Actor, id: number): Promise<AlertRule | null> {
      const [rule] = await shown(actor, await listAlertRules(store, scopeOf(actor), id))
      return rule ?? null
    },

    /**
     * Stores a new rule. Throws `unusable` when no query can be built, `conflict` when the name is in use, `invalid`
     * for objects that do not exist, `forbidden` for a rule that exceeds the actor's grants.
     */
    async add(actor: Actor, draft: RuleDraft): Promise<number> {
      const rule = await values(actor, draft, null)
      const id = await insertAlertRule(store, rule).catch((error: unknown) => {
        throw nameTaken(error) ? conflict('Addition failed : Name has already been used') : error
      })
      const what = sentenceOf(rule.builder) || 'a query of its own'
      await recordChange(store, actor, 'alert-rule', rule.name, `Alert rule ${rule.name} added: ${what}`)
      return id
    },

    /**
     * Stores a ready-made rule. Throws `not_found` for an unknown preset, `conflict` when the rule's name is in use.
     */
    async addPreset(actor: Actor, name: string): Promise<{ readonly id: number; readonly name: string }> {
      const preset = rulePreset(name)
      if (preset === null) throw notFound(`There is no preset ${name}`)
      return { id: await this.add(actor, presetRule(preset)), name: preset.name }
    },

    /** Stores the initial rules unless there already is a rule or a device; returns their names. */
    async addInitial(): Promise<readonly string[]> {
      if (await hasRulesOrDevices(store)) return []
      const initial = RULE_PRESETS.filter((preset) => preset.initial)
      for (const preset of initial) await this.add(SYSTEM, presetRule(preset))
      return initial.map(({ name }) => name)
    },

    /** Replaces a rule; omitted members are unset. Throws as `add`, and `absent` for an unknown id. */
    async replace(actor: Actor, id: number, draft: RuleDraft): Promise<void> {
      const [before] = await listAlertRules(store, { kind: 'all' }, id)
      const rule = await values(actor, draft, before ?? null)
      await requireGrants(store, actor, { rules: [id] })
      const owner = await alertRuleNamed(store, draft.name)
      if (owner !== null && owner !== id) throw conflict('Update failed : Invalid rule id')
      if (before === undefined) throw absent('Failed to update existing alert rule')
      const done = await replaceAlertRule(store, id, rule).catch((error: unknown) => {
        throw nameTaken(error) ? conflict('Update failed : Invalid rule id') : error
      })
      if (!done) throw absent('Failed to update existing alert rule')
      // what is not given stays
      const after = rule.runbook === undefined ? { ...rule, runbook: before.runbook } : rule
      const what = differences(audited(before), audited(after))
      if (what !== '') await recordChange(store, actor, 'alert-rule', before.name, `Alert rule ${before.name}: ${what}`)
    },

    /**
     * Disables rules, which ends their open alerts without notifications, or enables them again. `refs`: names,
     * regardless of case, or ids; null: all rules. Returns those that were not so already. Throws `not_found`, and then
     * changes none, and `forbidden` for rules that exceed the actor's grants.
     */
    async setDisabled(
      actor: Actor,
      refs: readonly string[] | null,
      disabled: boolean,
    ): Promise<readonly { readonly id: number; readonly name: string }[]> {
      const all = await listAlertRules(store, scopeOf(actor))
      const found = refs === null ? all : refs.map((ref) => ruleOf(all, ref))
      const ids = [...new Set(found.map(({ id }) => id))]
      await requireGrants(store, actor, { rules: ids })
      const changed = await setRulesDisabled(store, ids, disabled)
      for (const { name } of changed)
        await recordChange(store, actor, 'alert-rule', name, `Alert rule ${name} ${disabled ? 'disabled' : 'enabled'}`)
      return changed
    },

    /** Deletes a rule and its alerts. Returns false if it does not exist or applies to devices that are not granted. */
    async delete(actor: Actor, id: number): Promise<boolean> {
      if (!(await isWithinGrants(store, actor, { rules: [id] }))) return false
      const [before] = await listAlertRules(store, { kind: 'all' }, id)
      if (!(await deleteAlertRule(store, id)) || before === undefined) return false
      const what = sentenceOf(before.builder) || 'a query of its own'
      await recordChange(store, actor, 'alert-rule', before.name, `Alert rule ${before.name} deleted: ${what}`)
      return true
    },
  }
}

/** The rule of this name, regardless of case, or else of this id. Throws `not_found`. */
function ruleOf(rules: readonly AlertRuleRecord[], ref: string): AlertRuleRecord {
  const lower = ref.toLowerCase()
  const found = rules.find(({ name }) => name.toLowerCase() === lower) ?? rules.find(({ id }) => String(id) === ref)
  if (found !== undefined) return found
  const meant = meantOf(
    ref,
    rules.map(({ name }) => name),
  )
  throw notFound(`There is no alert rule ${ref}${meant}`)
}

const nameTaken = (error: unknown) => toStoreError(error).code === '23505'

/** The members of a rule that the audit compares, with its condition as text or the SQL that overrides it. */
function audited({ builder, extra, query, ...rest }: AlertRuleRecord | AlertRuleValues) {
  const { id: _, newOperation, ...columns } = { id: 0, newOperation: null, ...rest }
  const { options, ...others } = ruleExtra(extra)
  return {
    ...columns,
    operation: newOperation?.name ?? null,
    rule: options.override_query ? query : sentenceOf(builder) || query,
    ...others,
  }
}

/** The condition as the API gives it. */
function words(builder: string): string {
  try {
    return builderText(parseBuilder(builder))
  } catch (error) {
    // a rule stored with an earlier grammar must not break the list
    if (error instanceof BuilderError) return ''
    throw error
  }
}

export type AlertRuleService = ReturnType<typeof createAlertRuleService>
