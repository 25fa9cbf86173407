import { Budget } from '@portlight/snmp/budget.ts'
import { type AgentProfile, type AgentQuirks, NO_QUIRKS, newProfile } from '@portlight/snmp/profile.ts'
import { openSession, type Session } from '@portlight/snmp/session.ts'
import type { SnmpTarget } from '@portlight/snmp/target.ts'
import type { Transport } from '@portlight/snmp/transport.ts'
import { DEFINITIONS } from '../../definitions/catalogue.ts'
import { createShared } from '../../lib/intern.ts'
import { createSharedText } from '../../lib/intern-text.ts'
import { loadedDefinitions } from '../../librenms/store.ts'
import { FOLDER_SETTING } from '../../modules/loaded/rules.ts'
import type { DeviceFacts } from '../../modules/module.ts'
import type { PollPlan, SnmpLimits } from '../protocol.ts'
import type { CompiledPlan } from './compile.ts'

/** A worker's cached state of a device between jobs. */
export interface Agent {
  readonly profile: AgentProfile
  version: number
  plan: Pick<PollPlan, 'modules' | 'facts'> | null
  compiled: CompiledPlan | null
  /** Address and credentials with which the profile was learned. */
  readonly target: SnmpTarget
}

type JobKind = 'poll' | 'discover'

/** The worker's agents and their sessions. */
export interface Agents {
  of(deviceId: number, target: SnmpTarget | null): Agent | null
  forget(deviceId: number): void
  open(
    target: SnmpTarget,
    profile: AgentProfile,
    options: { deadlineMs: number; owner: number; retries?: number; context?: string },
  ): Session
  /** A new budget for the walks of a poll or discovery; it is closed when the device is forgotten. */
  budget(deviceId: number, kind: JobKind): Budget
  limits: SnmpLimits
  /** Counts a value with the wrong type for its object. */
  unreadable(): void
  /**
   * Marks the work that follows as this device's, because responses of other devices may have arrived since its own.
   */
  attend(deviceId: number): void
}

/** Requests that agents of an OS cannot handle, from our own definition or else from a loaded one. */
export function quirksOf(os: string | null | undefined, settings: DeviceFacts['settings']): AgentQuirks {
  const own = DEFINITIONS.definitionOf(os ?? null)?.quirks
  if (own !== undefined) return own
  const form = loadedDefinitions(settings[FOLDER_SETTING]).form(os ?? null)
  return form === null ? NO_QUIRKS : { ...NO_QUIRKS, bulk: form.bulk, maxVarbinds: form.maxVarbinds }
}

const shared = createSharedText()
const sharedOrNull = (text: string | null): string | null => (text === null ? null : shared(text))
const sharedSettings = createShared<DeviceFacts['settings']>()
const sharedNames = createShared<readonly string[]>()

/** The target with one shared copy of credentials that many devices have, because each message carries its own copy. */
function withShared(target: SnmpTarget): SnmpTarget {
  return {
    ...target,
    community: sharedOrNull(target.community),
    authname: sharedOrNull(target.authname),
    authpass: sharedOrNull(target.authpass),
    authalgo: sharedOrNull(target.authalgo),
    cryptopass: sharedOrNull(target.cryptopass),
    cryptoalgo: sharedOrNull(target.cryptoalgo),
  }
}

/** The part of a plan that a worker keeps besides the compiled one, with one shared copy of what many devices have. */
export function keptPlan({ modules, facts }: PollPlan): NonNullable<Agent['plan']> {
  return {
    modules: sharedNames(modules.join(), modules),
    facts: {
      ...facts,
      os: sharedOrNull(facts.os),
      sysObjectID: sharedOrNull(facts.sysObjectID),
      sysDescr: sharedOrNull(facts.sysDescr),
      settings: sharedSettings(JSON.stringify(facts.settings), facts.settings),
    },
  }
}

export function createAgents(transport: Transport, limits: SnmpLimits): Agents {
  const agents = new Map<number, Agent>()
  /** Budgets of the last jobs of each device; a poll may run while a large discovery waits. */
  const budgets = { poll: new Map<number, Budget>(), discover: new Map<number, Budget>() }
  const self: Agents = {
    limits,
    unreadable() {
      transport.countUnreadable()
    },
    attend(deviceId) {
      transport.attend(deviceId)
    },
    /** The agent of a device; a new one if `target` is given and differs from the known one. */
    of(deviceId, target) {
      const known = agents.get(deviceId) ?? null
      if (target === null) return known
      if (known !== null && Bun.deepEquals(known.target, target)) return known
      const agent = {
        profile: newProfile(target.transport === 'udp6' ? 6 : 4),
        version: -1,
        plan: null,
        compiled: null,
        target: withShared(target),
      }
      agents.set(deviceId, agent)
      return agent
    },
    forget(deviceId) {
      agents.delete(deviceId)
      for (const known of Object.values(budgets)) {
        known.get(deviceId)?.close()
        known.delete(deviceId)
      }
    },
    budget(deviceId, kind) {
      const budget = new Budget(self.limits)
      budgets[kind].set(deviceId, budget)
      return budget
    },
    open(target, profile, { deadlineMs, owner, retries, context }) {
      const asked = retries === undefined ? target : { ...target, retries }
      return openSession(transport, asked, {
        profile,
        timeoutMs: self.limits.timeoutMs,
        retries: self.limits.retries,
        maxRepetitions: self.limits.maxRepetitions,
        deadlineMs,
        owner,
        ...(context !== undefined && { context }),
      })
    },
  }
  return self
}
