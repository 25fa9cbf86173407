import type { Reader } from '../../modules/run.ts'
import { type AgentProfile, newProfile } from '../../snmp/profile.ts'
import type { Session } from '../../snmp/session.ts'
import { assembleRows, readAs } from '../../snmp/table.ts'
import type { SnmpTarget } from '../../snmp/target.ts'
import type { SnmpValue } from '../../snmp/value.ts'
import type { Agents } from './agent.ts'

/**
 * What modules read through: sessions with one agent, one for each context, opened when it is first asked for. `opened`
 * gives those, for their costs.
 */
export function openReader(
  agents: Agents,
  target: SnmpTarget,
  profile: AgentProfile,
  leftMs: () => number,
): { reader: Reader; opened: () => Iterable<Session> } {
  const sessions = new Map<string, Session>()
  const sessionIn = (context: string | null): Session => {
    const key = context ?? ''
    let session = sessions.get(key)
    if (session === undefined) {
      session = openIn(agents, target, profile, context, leftMs())
      sessions.set(key, session)
    }
    return session
  }
  return { reader: readerOf(sessionIn), opened: () => sessions.values() }
}

/**
 * A session in a context: contextName for v3; v1 and v2c agents take it as a suffix of the community (`public@10`). It
 * has a profile of its own, because the agent's other contexts may answer otherwise; the v3 engine is the same.
 */
function openIn(
  agents: Agents,
  target: SnmpTarget,
  profile: AgentProfile,
  context: string | null,
  deadlineMs: number,
): Session {
  if (context === null) return agents.open(target, profile, { deadlineMs })
  const own = { ...newProfile(target.transport === 'udp6' ? 6 : 4), engine: profile.engine }
  // Cisco's VLANs are numbers in the community, and `vlan-10` as contextName.
  const contextName = /^\d+$/.test(context) ? `vlan-${context}` : context
  if (target.snmpver === 'v3') return agents.open(target, own, { deadlineMs, context: contextName })
  return agents.open({ ...target, community: `${target.community ?? ''}@${context}` }, own, { deadlineMs })
}

function readerOf(sessionIn: (context: string | null) => Session): Reader {
  return {
    async table(need, context) {
      const walked = await sessionIn(context).walkColumns(need.table, need.columns)
      let complete = true
      let supported = false
      const cells = new Map<string, ReadonlyMap<string, SnmpValue>>()
      for (const [name, outcome] of walked) {
        if (outcome.kind === 'unsupported') continue
        supported = true
        if (outcome.kind === 'truncated') complete = false
        cells.set(name, outcome.cells)
      }
      return {
        supported,
        complete,
        rows: assembleRows(need.table, cells as Parameters<typeof assembleRows<typeof need.table>>[1]),
      }
    },
    async scalars(list, context) {
      const answer = await sessionIn(context).get(list.map((s) => s.oid))
      if (answer.kind === 'error') return { complete: true, values: list.map(() => undefined) }
      if (answer.kind !== 'answer') return { complete: false, values: list.map(() => undefined) }
      return {
        complete: true,
        values: list.map((s, i) => {
          const value = answer.varbinds[i]?.value
          return value === undefined ? undefined : readAs(value, s.syntax)
        }),
      }
    },
  }
}
