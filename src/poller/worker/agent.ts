import { DEFINITIONS } from '../../definitions/catalogue.ts'
import { Budget } from '../../snmp/budget.ts'
import { type AgentProfile, type AgentQuirks, NO_QUIRKS, newProfile } from '../../snmp/profile.ts'
import { openSession, type Session } from '../../snmp/session.ts'
import type { SnmpTarget } from '../../snmp/target.ts'
import type { Transport } from '../../snmp/transport.ts'
import type { PollPlan, SnmpLimits } from '../protocol.ts'
import type { CompiledPlan } from './compile.ts'

/** What a worker remembers of a device between jobs; all of it can be lost. */
export interface Agent {
  readonly profile: AgentProfile
  version: number
  plan: PollPlan | null
  compiled: CompiledPlan | null
  /** Credentials and address that the profile belongs to. */
  readonly key: string
}

type JobKind = 'poll' | 'discover'

/** The worker's agents, and the sessions with them. */
export interface Agents {
  of(deviceId: number, target: SnmpTarget | null): Agent | null
  forget(deviceId: number): void
  open(
    target: SnmpTarget,
    profile: AgentProfile,
    options: { deadlineMs: number; owner: number; retries?: number; context?: string },
  ): Session
  /** What the walks of a device's next poll or discovery may read; it ends when the device is forgotten. */
  budget(deviceId: number, kind: JobKind): Budget
  limits: SnmpLimits
  /** Counts a value that is not what its object is. */
  unreadable(): void
}

/** What agents of an OS do not bear, by its definition. */
export function quirksOf(os: string | null | undefined): AgentQuirks {
  return DEFINITIONS.definitionOf(os ?? null)?.quirks ?? NO_QUIRKS
}

export function createAgents(transport: Transport, limits: SnmpLimits): Agents {
  const agents = new Map<number, Agent>()
  /** Of the last jobs of each device: a large discovery that waits may be polled beside. */
  const budgets = { poll: new Map<number, Budget>(), discover: new Map<number, Budget>() }
  const self: Agents = {
    limits,
    unreadable() {
      transport.countUnreadable()
    },
    /** The agent of a device; a new one where the target is given and is not the one that was known. */
    of(deviceId, target) {
      const known = agents.get(deviceId) ?? null
      if (target === null) return known
      const key = JSON.stringify(target)
      if (known?.key === key) return known
      const agent = {
        profile: newProfile(target.transport === 'udp6' ? 6 : 4),
        version: -1,
        plan: null,
        compiled: null,
        key,
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
