import type { Observation } from '../../modules/observation.ts'
import { MODULES } from '../../modules/registry.ts'
import { type Reader, runModules } from '../../modules/run.ts'
import { type AgentProfile, newProfile } from '../../snmp/profile.ts'
import type { Session } from '../../snmp/session.ts'
import { assembleRows, readAs } from '../../snmp/table.ts'
import type { SnmpTarget } from '../../snmp/target.ts'
import type { SnmpValue } from '../../snmp/value.ts'
import type { DiscoveryOutcome, ModuleCost, ToWorker } from '../protocol.ts'
import type { Agents } from './agent.ts'

type Job = Extract<ToWorker, { kind: 'discover' }>

const SYS_OBJECT_ID = '1.3.6.1.2.1.1.2.0'

/** Runs the modules' discovery against one device; a device that does not answer costs one request and its repetitions. */
export async function discover(agents: Agents, profile: AgentProfile, job: Job): Promise<DiscoveryOutcome> {
  const began = performance.now()
  const deadline = began + job.deadlineMs
  const sessions = new Map<string, Session>()
  const sessionIn = (context: string | null): Session => {
    const key = context ?? ''
    let session = sessions.get(key)
    if (session === undefined) {
      session = openIn(agents, job.target, profile, context, deadline - performance.now())
      sessions.set(key, session)
    }
    return session
  }
  const spent = (): { requests: number; timeouts: number } => {
    let requests = 0
    let timeouts = 0
    for (const { stats } of sessions.values()) {
      requests += stats.requests
      timeouts += stats.timeouts
    }
    return { requests, timeouts }
  }
  const cost = () => ({ tookMs: performance.now() - began, ...spent() })

  const first = await sessionIn(null).get([SYS_OBJECT_ID])
  if (first.kind === 'refused') return { kind: 'refused', cost: cost(), reason: first.reason }
  if (first.kind !== 'answer' && first.kind !== 'error') return { kind: 'silent', cost: cost() }

  const observations: Observation[] = []
  const modules: ModuleCost[] = []
  const wanted = MODULES.filter((m) => !job.skip.includes(m.name))
  let complete = true
  let mark = { at: performance.now(), requests: spent().requests }
  for await (const run of runModules(wanted, 'discover', job.facts, readerOf(sessionIn))) {
    observations.push(...run.observations)
    const now = { at: performance.now(), requests: spent().requests }
    const notes = [
      ...(run.truncated.length > 0 ? [`cut short: ${run.truncated.join(', ')}`] : []),
      ...(run.unsupported.length > 0 ? [`not there: ${run.unsupported.join(', ')}`] : []),
    ]
    if (run.truncated.length > 0) complete = false
    modules.push({
      name: run.name,
      rows: rowsIn(run.observations),
      requests: now.requests - mark.requests,
      tookMs: now.at - mark.at,
      note: notes.join('; '),
    })
    mark = now
  }
  return { kind: 'answered', cost: cost(), observations, modules, complete }
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
  if (target.snmpver === 'v3') return agents.open(target, own, { deadlineMs, context })
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

function rowsIn(observations: readonly Observation[]): number {
  let rows = 0
  for (const o of observations) rows += 'rows' in o ? o.rows.length : 1
  return rows
}
