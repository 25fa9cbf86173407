import { SnmpError } from '@portlight/snmp/errors.ts'
import { newProfile } from '@portlight/snmp/profile.ts'
import type { Session } from '@portlight/snmp/session.ts'
import type { SnmpTarget } from '@portlight/snmp/target.ts'
import type { AgentIdentity } from '../../core/base/gateway.ts'
import { type AskedAgent, BoundedReader } from '../../scanner/bounded-reader.ts'
import { PROBE_OIDS, READ_LIMITS, readIdentity } from '../../scanner/read-identity.ts'
import type { Agents } from './agent.ts'

/** A user is waiting for the device to be added. */
const DEADLINE_MS = 10_000

/** Reads what identifies an agent, as scans do; null: it did not answer. */
export async function identify(agents: Agents, target: SnmpTarget): Promise<AgentIdentity | null> {
  try {
    const profile = newProfile(target.transport === 'udp6' ? 6 : 4)
    const session = agents.open(target, profile, { deadlineMs: DEADLINE_MS, owner: 0, retries: 1 })
    const reader = new BoundedReader(over(session, target.snmpver === 'v1'), { ...READ_LIMITS, ms: DEADLINE_MS })
    const probed = await reader.get(PROBE_OIDS)
    if (probed.size === 0) return null
    const { sysName, engineId, serials, baseMac, macs, addresses } = await readIdentity(reader, probed, null)
    return { sysName, engineId, serials, baseMac, macs, addresses }
  } catch (error) {
    if (error instanceof SnmpError) return null
    throw error
  }
}

/** A session as BoundedReader asks it. `tries` is not used: the session retries by itself. */
function over(session: Session, isV1: boolean): AskedAgent {
  const answer = async (asked: ReturnType<Session['get']>): ReturnType<AskedAgent['get']> => {
    const outcome = await asked
    if (outcome.kind === 'answer') return { kind: 'values', varbinds: outcome.varbinds, octets: 0 }
    const failure = outcome.kind === 'error' ? ({ kind: 'error', status: outcome.status } as const) : outcome
    return { kind: 'failed', failure }
  }
  return {
    isV1,
    get: (oids) => answer(session.get(oids)),
    next: (oid, maxRepetitions) => answer(session.getBulk([oid], 0, maxRepetitions)),
  }
}
