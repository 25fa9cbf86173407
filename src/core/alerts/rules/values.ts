import { type Actor, isAdmin } from '../../base/actor.ts'
import { forbidden, invalid, unusable } from '../../base/errors.ts'
import { requireAllDevices, requireGrants } from '../../base/grants-check.ts'
import { findDevices } from '../../devices/read.ts'
import type { CompiledRule } from '../../rules/compile.ts'
import { BuilderError } from '../../rules/errors.ts'
import { brokenRule } from '../../rules/read-matches.ts'
import { compileFor } from '../../rules/rule-reader.ts'
import type { OperationDeps } from '../operations/service.ts'
import type { RuleExtra } from './extra.ts'
import { createNotifyValues, type RuleNotify } from './notify.ts'
import { type AlertRuleRecord, absentIds } from './read.ts'
import type { AlertRuleValues } from './write.ts'

/** A rule to store. */
export interface RuleDraft {
  readonly name: string
  readonly severity: 'ok' | 'warning' | 'critical'
  /** JSON text. */
  readonly builder: string
  /** The operator's own SQL, stored as the rule's query; null: derived from the builder. */
  readonly ownQuery: string | null
  readonly extra: RuleExtra
  readonly disabled: boolean
  readonly proc: string | null
  readonly notes: string | null
  readonly invertMap: boolean
  readonly notify: RuleNotify
  /** How long a step of its operation takes from now on, seconds; null: unchanged. */
  readonly stepDurationS: number | null
  /** Address of the page that says what to do; null or '': none. Absent: stays as it is. */
  readonly runbook?: string | null
  /** Ids, hostnames or addresses. */
  readonly devices: readonly string[]
  readonly groups: readonly number[]
  readonly locations: readonly number[]
}

/** An id that no object has. */
const NO_ID = -1

/**
 * Makes the stored values of a rule. `before`: the stored rule; null: a new one. Throws `unusable` when no query can be
 * built, `invalid` for objects that do not exist, `forbidden` for a rule that exceeds the actor's grants.
 */
export function createRuleValues(deps: OperationDeps) {
  const { store, settings } = deps
  /**
   * Throws `forbidden` for a rule that exceeds the actor's grants: on all devices, on all but some, or with its own
   * SQL.
   */
  async function requireReach(actor: Actor, draft: RuleDraft, devices: readonly number[]): Promise<void> {
    const { groups, locations } = draft
    if (draft.ownQuery !== null && !isAdmin(actor)) throw forbidden('Only an administrator may write the SQL of a rule')
    if (draft.invertMap || devices.length + groups.length + locations.length === 0) requireAllDevices(actor)
    await requireGrants(store, actor, { devices, deviceGroups: groups, locations })
  }

  const notifyValues = createNotifyValues(deps)

  async function compiled(actor: Actor, builder: string): Promise<CompiledRule> {
    try {
      const rule = compileFor(actor, settings, builder)
      const fault = await brokenRule(store, rule)
      if (fault !== null) throw new BuilderError(fault)
      return rule
    } catch (error) {
      if (error instanceof BuilderError) throw unusable("We couldn't parse your rule", error)
      throw error
    }
  }

  async function deviceIds(actor: Actor, refs: readonly string[]): Promise<number[]> {
    const found = await findDevices(store, refs)
    // users must not be able to tell a device that does not exist from one that is not granted
    if (found.includes(null)) await requireGrants(store, actor, { devices: [NO_ID] })
    refuseAbsent(
      'devices',
      refs.filter((_, i) => found[i] === null),
    )
    return found.flatMap((device) => device?.device_id ?? [])
  }

  return async function values(
    actor: Actor,
    draft: RuleDraft,
    before: AlertRuleRecord | null,
  ): Promise<AlertRuleValues> {
    const devices = await deviceIds(actor, draft.devices)
    await requireReach(actor, draft, devices)
    const query = draft.ownQuery ?? (await compiled(actor, draft.builder)).faults.all
    const { groups, locations } = draft
    refuseAbsent('groups', await absentIds(store, 'device_groups', groups))
    refuseAbsent('locations', await absentIds(store, 'locations', locations))
    return {
      severity: draft.severity,
      extra: JSON.stringify(draft.extra),
      disabled: draft.disabled ? 1 : 0,
      name: draft.name,
      query,
      builder: draft.builder,
      proc: draft.proc,
      invert_map: draft.invertMap ? 1 : 0,
      notes: draft.notes,
      ...(await notifyValues(actor, draft, before)),
      runbook: draft.runbook === undefined ? undefined : runbookOf(draft.runbook),
      devices,
      groups,
      locations,
    }
  }
}

const MAX_RUNBOOK = 500

/** A link that people follow from pages and mail. Throws `invalid` for anything but http and https. */
export function runbookOf(text: string | null): string | null {
  const given = (text ?? '').trim()
  if (given === '') return null
  const url = URL.parse(given)
  if (
    given.length > MAX_RUNBOOK ||
    url === null ||
    !/^https?:$/.test(url.protocol) ||
    url.username !== '' ||
    url.password !== ''
  )
    throw invalid(
      `Runbook: enter the address of a page, at most ${MAX_RUNBOOK} characters, that begins with http:// or https:// and has no password in it`,
    )
  return url.href
}

function refuseAbsent(name: string, absent: readonly (string | number)[]): void {
  if (absent.length > 0) throw invalid(`Invalid ${name}: ${absent.slice(0, 20).join(',')}`)
}
