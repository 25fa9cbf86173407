import { bulkRefusalText, bulkState, retryBulk } from '@portlight/snmp/bulk.ts'
import { type AgentProfile, applyQuirks } from '@portlight/snmp/profile.ts'
import { loadedDefinitions } from '../../librenms/store.ts'
import { merged, type Observed } from '../../modules/loaded/merge.ts'
import { formOf, withoutIgnoredBy } from '../../modules/loaded/rules.ts'
import type { Module } from '../../modules/module.ts'
import type { Observation } from '../../modules/observation.ts'
import { MODULES } from '../../modules/registry.ts'
import { runModules } from '../../modules/run.ts'
import type { DiscoveryOutcome, ModuleCost, ToWorker } from '../protocol.ts'
import { type Agents, quirksOf } from './agent.ts'
import { MAX_MALFORMED, openReader } from './reader.ts'

type Job = Extract<ToWorker, { kind: 'discover' }>

const SYS_OBJECT_ID = '1.3.6.1.2.1.1.2.0'

/** Discovers one device. One that does not answer costs a single request and its retries. */
export async function discover(
  agents: Agents,
  profile: AgentProfile,
  job: Job,
  turn: () => Promise<void>,
): Promise<DiscoveryOutcome> {
  // excludes the time spent waiting for a turn
  const clock = (): number => performance.now() - waitedMs()
  const began = performance.now()
  const deadline = began + job.deadlineMs
  const { reader, opened, waitedMs, malformed } = openReader(
    agents,
    job.target,
    profile,
    () => deadline - clock(),
    job.facts.deviceId,
    turn,
  )
  const greeting = agents.open(job.target, profile, { deadlineMs: job.deadlineMs, owner: job.facts.deviceId })
  const oneTry = agents.open(job.target, profile, { deadlineMs: job.deadlineMs, owner: job.facts.deviceId, retries: 0 })
  const spent = (): { requests: number; timeouts: number } => {
    let requests = 0
    let timeouts = 0
    for (const { stats } of [greeting, oneTry, ...opened()]) {
      requests += stats.requests
      timeouts += stats.timeouts
    }
    return { requests, timeouts }
  }
  const cost = () => ({ tookMs: clock() - began, ...spent() })

  const first = await greeting.get([SYS_OBJECT_ID])
  if (first.kind !== 'answer' && first.kind !== 'error') return { kind: 'failed', cost: cost(), failure: first }

  if (profile.bulkRefused !== null) await retryBulk(oneTry)

  const observed: Observed[] = []
  const modules: ModuleCost[] = []
  const wanted = inOrder(MODULES, job)
  let complete = true
  let mark = { at: clock(), requests: spent().requests }
  applyQuirks(profile, quirksOf(job.facts.os, job.facts.settings))
  for await (const run of runModules(wanted, 'discover', job.facts, reader)) {
    observed.push({ module: run.name, observations: run.observations })
    // the quirks of the OS found by module `system` apply to the modules after it
    for (const found of run.observations)
      if (found.kind === 'system') applyQuirks(profile, quirksOf(found.os, job.facts.settings))
    const now = { at: clock(), requests: spent().requests }
    const notes = [
      ...(run.truncated.length > 0 ? [`truncated: ${run.truncated.join(', ')}`] : []),
      ...(run.unread.length > 0 ? [`rows that cannot be read: ${run.unread.join(', ')}`] : []),
      ...(run.unsupported.length > 0 ? [`not there: ${run.unsupported.join(', ')}`] : []),
    ]
    if (run.truncated.length > 0) complete = false
    modules.push({
      name: run.name,
      rows: rowsIn(run.observations),
      requests: now.requests - mark.requests,
      tookMs: now.at - mark.at,
      note: notes.join('; '),
      complete: run.truncated.length === 0,
      limited: run.limited,
      unread: run.unread,
      truncated: run.truncated,
    })
    mark = now
  }
  const { settings } = job.facts
  const joined = merged(observed, settings['definitions.prefer'] === 'own' ? 'own' : 'loaded')
  const system = joined.find((found) => found.kind === 'system')
  const form = formOf(loadedDefinitions, { os: system?.os ?? job.facts.os, settings })
  const observations = withMalformed(withoutIgnoredBy(form, joined), malformed)
  const failure = first.kind === 'error' ? ({ kind: 'error', status: first.status } as const) : null
  const { bulkRefused } = profile
  if (bulkRefused !== null) {
    const [first] = modules
    const note = `read with GETNEXT, because GETBULK gives nothing: ${bulkRefusalText(bulkRefused)}`
    if (first !== undefined)
      modules[0] = { ...first, note: [first.note, note].filter((text) => text !== '').join('; ') }
  }
  return { kind: 'answered', cost: cost(), observations, modules, complete, failure, bulk: bulkState(profile) }
}

/**
 * The modules to run, in order: `system`, because the others need the OS; then those that the last discovery did not
 * finish, so that a device that takes longer than the deadline is discovered in several runs; then the others.
 */
export function inOrder(all: readonly Module[], { skip, unfinished }: Pick<Job, 'skip' | 'unfinished'>): Module[] {
  const rank = ({ name }: Module) => (name === 'system' ? 0 : unfinished.includes(name) ? 1 : 2)
  return all.filter((m) => !skip.includes(m.name)).sort((a, b) => rank(a) - rank(b))
}

/** The observations with what says that a sensor without a readable value is still there. */
function withMalformed(found: readonly Observation[], malformed: ReadonlySet<string>): readonly Observation[] {
  if (malformed.size === 0) return found
  return found.map((o): Observation => {
    if (o.kind !== 'sensors') return o
    // not all are known, so nothing that is missing may be removed
    return { ...o, complete: o.complete && malformed.size < MAX_MALFORMED, malformed: [...malformed] }
  })
}

function rowsIn(observations: readonly Observation[]): number {
  let rows = 0
  for (const o of observations) rows += 'rows' in o ? o.rows.length : o.os === undefined ? 0 : 1
  return rows
}
