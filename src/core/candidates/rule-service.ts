import type { Settings } from '../../config/schema.ts'
import { type Actor, isAdmin } from '../base/actor.ts'
import { recordChange } from '../base/change-audit.ts'
import { forbidden, invalid, notFound } from '../base/errors.ts'
import { requireAllDevices } from '../base/grants-check.ts'
import { isId } from '../base/ids.ts'
import type { Store } from '../database/client.ts'
import type { SettingsService } from '../settings/service.ts'
import type { CandidateRule } from './candidate.ts'
import { LIMITS } from './limits.ts'
import { listRules } from './read-rules.ts'
import { checkedRule, ruleText, wholeNetwork } from './rules.ts'
import { deleteRule, insertRule, type RuleBody, reorderRules, updateRule } from './write-rules.ts'

interface RuleDeps {
  readonly store: Store
  readonly settings: Settings
  readonly stored: SettingsService
  /** Throws `forbidden` for those who may not add devices. */
  readonly guard: (actor: Actor) => void
}

/** What is decided about found devices by rules, and where nothing is looked for. Changes are for administrators. */
export function createCandidateRules({ store, settings, stored, guard }: RuleDeps) {
  function guardSettings(actor: Actor): void {
    guard(actor)
    if (!isAdmin(actor)) throw forbidden('Insufficient permissions: only administrators change this')
    requireAllDevices(actor)
  }

  const record = (actor: Actor, message: string) => recordChange(store, actor, 'device-edit', 'candidates', message)

  async function requireRule(id: number): Promise<CandidateRule> {
    const rule = (await listRules(store)).find((one) => one.id === id)
    if (rule === undefined) throw notFound(`Rule ${id} not found`)
    return rule
  }

  return {
    /** Adds a network to setting autodiscovery.nets-exclude, in which nothing is asked any more. Returns it as stored. */
    async excludeNetwork(actor: Actor, cidr: string): Promise<string> {
      guardSettings(actor)
      const network = wholeNetwork(cidr.trim())
      const before =
        (await stored.stored()).get('autodiscovery.nets-exclude') ?? settings.get('autodiscovery.nets-exclude')
      const list = Array.isArray(before) ? before.map(String) : []
      if (list.includes(network)) return network
      await stored.set('autodiscovery.nets-exclude', [...list, network])
      await recordChange(
        store,
        actor,
        'settings',
        'autodiscovery.nets-exclude',
        `autodiscovery.nets-exclude: ${network} added`,
      )
      return network
    },

    /** Rules in the order in which they are tried. */
    async rules(actor: Actor): Promise<CandidateRule[]> {
      guard(actor)
      requireAllDevices(actor)
      return await listRules(store)
    },

    /** Adds a rule behind the others; returns it. */
    async addRule(actor: Actor, body: RuleBody): Promise<CandidateRule> {
      guardSettings(actor)
      const rule = checkedRule(body)
      if ((await listRules(store)).length >= LIMITS.rules) throw invalid(`There are ${LIMITS.rules} rules already`)
      const id = await insertRule(store, rule)
      await record(actor, `Rule ${id} for found devices added: ${ruleText(rule)}`)
      return await requireRule(id)
    },

    async changeRule(actor: Actor, id: number, body: RuleBody): Promise<CandidateRule> {
      guardSettings(actor)
      const rule = checkedRule(body)
      if (!isId(id) || !(await updateRule(store, id, rule))) throw notFound(`Rule ${id} not found`)
      await record(actor, `Rule ${id} for found devices changed: ${ruleText(rule)}`)
      return await requireRule(id)
    },

    async deleteRule(actor: Actor, id: number): Promise<void> {
      guardSettings(actor)
      if (!isId(id) || !(await deleteRule(store, id))) throw notFound(`Rule ${id} not found`)
      await record(actor, `Rule ${id} for found devices deleted`)
    },

    /** Puts rules in the order of these ids; others follow in theirs. */
    async orderRules(actor: Actor, ids: readonly number[]): Promise<CandidateRule[]> {
      guardSettings(actor)
      if (ids.length > LIMITS.rules) throw invalid(`There are at most ${LIMITS.rules} rules`)
      const known = new Set((await listRules(store)).map(({ id }) => id))
      const unknown = ids.find((id) => !known.has(id))
      if (unknown !== undefined) throw notFound(`Rule ${unknown} not found`)
      await reorderRules(store, ids)
      await record(actor, `Rules for found devices put in order: ${ids.join(', ')}`)
      return await listRules(store)
    },
  }
}
