import { rulePreset } from '../../../core/alerts/rules/presets.ts'
import type { AlertRule } from '../../../core/alerts/rules/service.ts'
import type { Trial } from '../../../core/alerts/rules/try.ts'
import type { RuleDraft } from '../../../core/alerts/rules/values.ts'
import type { RuleTransports } from '../../../core/alerts/transports/admin.ts'
import { DomainError, notFound } from '../../../core/base/errors.ts'
import { idOf } from '../../id.ts'
import type { Form, PageRequest } from '../../page.ts'
import { can } from '../../permissions.ts'
import { EMPTY, idsOf, linesOf, ofForm, ofPreset, ofRule, type RuleFields, wantedOf } from './fields.ts'

export interface RuleData {
  /** null: a new one. */
  readonly rule: AlertRule | null
  readonly fields: RuleFields
  readonly trial: Trial
  readonly transports: RuleTransports
  /** Operations to choose from; empty for those who may not change the rule. */
  readonly operations: readonly { readonly id: number; readonly name: string }[]
  readonly choices: Choices
  readonly mayChange: boolean
}

/** What a rule can be limited to: names with their ids. */
interface Choices {
  readonly groups: ReadonlyMap<string, number>
  readonly locations: ReadonlyMap<string, number>
  readonly groupNames: readonly string[]
  readonly locationNames: readonly string[]
}

const MAX_CHOICES = 500

async function choicesOf({ services, actor }: PageRequest): Promise<Choices> {
  const [groups, locations] = await Promise.all([services.deviceGroups.list(actor), services.locations.list(actor)])
  return {
    groups: new Map(groups.map(({ id, name }) => [name.toLowerCase(), id])),
    locations: new Map(locations.map(({ id, location }) => [location.trim().toLowerCase(), id])),
    groupNames: groups.map(({ name }) => name).slice(0, MAX_CHOICES),
    locationNames: locations.map(({ location }) => location.trim()).slice(0, MAX_CHOICES),
  }
}

async function ruleOf({ services, actor, params }: PageRequest): Promise<AlertRule | null> {
  if (params['id'] === undefined) return null
  const rule = await services.alertRules.find(actor, idOf(params['id']))
  if (rule === null) throw notFound('no rule')
  return rule
}

async function namesOf({ services, actor }: PageRequest, rule: AlertRule, choices: Choices) {
  const byId = (names: ReadonlyMap<string, number>, shown: readonly string[], ids: readonly number[]) => {
    const wanted = new Set(ids)
    const byName = new Map(shown.map((name) => [name.toLowerCase(), name]))
    return [...names].flatMap(([name, id]) => (wanted.has(id) ? [byName.get(name) ?? name] : [])).join('\n')
  }
  return {
    devices: (await services.ruleTrial.deviceNames(actor, rule.devices)).join('\n'),
    groups: byId(choices.groups, choices.groupNames, rule.groups),
    locations: byId(choices.locations, choices.locationNames, rule.locations),
  }
}

/** The rule in the address, a preset, or the form that was sent, and what it matches now. */
export async function loadRule(visit: PageRequest): Promise<RuleData> {
  const { services, query } = visit
  const [rule, choices] = await Promise.all([ruleOf(visit), choicesOf(visit)])
  const mayChange = can(visit, rule === null ? 'AlertRule.create' : 'AlertRule.update')
  // whoever may not change the rule sees only what the stored one matches
  const form = mayChange ? visit.sent : null
  const preset = rulePreset(query.get('preset') ?? '')
  const fields =
    form !== null
      ? ofForm(form)
      : rule !== null
        ? ofRule(rule, await namesOf(visit, rule, choices))
        : preset !== null
          ? ofPreset(preset)
          : EMPTY
  const [trial, transports, operations] = await Promise.all([
    tried(visit, fields, choices),
    // Transports are not tied to devices, so they are shown only to users who may change the rule.
    mayChange ? services.transportAdmin.ofRule(rule?.id ?? null) : [],
    mayChange ? services.operations.names() : [],
  ])
  return { rule, fields, trial, transports: chosen(transports, form), operations, choices, mayChange }
}

/** The transports, ticked as in the form that was sent. */
function chosen(transports: RuleTransports, form: Form | null): RuleTransports {
  if (form === null) return transports
  return transports.map((one) => ({ ...one, isUsed: form.get(`transport-${one.type}-${one.id}`) === '1' }))
}

async function tried(visit: PageRequest, fields: RuleFields, choices: Choices): Promise<Trial> {
  try {
    return await visit.services.ruleTrial.run(visit.actor, {
      name: fields.name,
      builder: fields.builder,
      invert: fields.invert,
      invertMap: fields.invertMap,
      devices: linesOf(fields.devices),
      groups: idsOf('group', linesOf(fields.groups), choices.groups),
      locations: idsOf('location', linesOf(fields.locations), choices.locations),
    })
  } catch (error) {
    if (error instanceof DomainError && error.code === 'invalid') return { kind: 'broken', why: error.message }
    throw error
  }
}

/** Stores the rule in a form and its transports; returns its id. Throws DomainError. */
export async function storeRule(visit: PageRequest, form: Form): Promise<number> {
  const { services, actor } = visit
  const [before, choices] = await Promise.all([ruleOf(visit), choicesOf(visit)])
  const fields = ofForm(form)
  const wanted: RuleDraft = {
    ...wantedOf(fields, before),
    groups: idsOf('group', linesOf(fields.groups), choices.groups),
    locations: idsOf('location', linesOf(fields.locations), choices.locations),
  }
  const id = before?.id ?? (await services.alertRules.add(actor, wanted))
  if (before !== null) await services.alertRules.replace(actor, id, wanted)
  const used = (await services.transportAdmin.ofRule(id)).map(
    (one) => [one, form.get(`transport-${one.type}-${one.id}`) === '1'] as const,
  )
  await services.transportAdmin.mapRule(actor, id, used)
  return id
}
