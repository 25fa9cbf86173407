import { definitionOf } from '../../definitions/catalogue.ts'
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

/** The worker's agents, and the sessions with them. */
export interface Agents {
  of(deviceId: number, target: SnmpTarget | null): Agent | null
  forget(deviceId: number): void
  open(
    target: SnmpTarget,
    profile: AgentProfile,
    options: { deadlineMs: number; retries?: number; context?: string },
  ): Session
  limits: SnmpLimits
  /** Counts a value that is not what its object is. */
  unreadable(): void
}

/** What agents of an OS do not bear, by its definition. */
export function quirksOf(os: string | null | undefined): AgentQuirks {
  return definitionOf(os ?? null)?.quirks ?? NO_QUIRKS
}

export function createAgents(transport: Transport, limits: SnmpLimits): Agents {
  const agents = new Map<number, Agent>()
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
    },
    open(target, profile, { deadlineMs, retries, context }) {
      const asked = retries === undefined ? target : { ...target, retries }
      return openSession(transport, asked, {
        profile,
        timeoutMs: self.limits.timeoutMs,
        retries: self.limits.retries,
        maxRepetitions: self.limits.maxRepetitions,
        deadlineMs,
        ...(context !== undefined && { context }),
      })
    },
  }
  return self
}
