import type { ProbeOutcome, RunSummary, SnmpTarget } from '../domain/gateway.ts'
import type { Observation } from '../modules/observation.ts'
import { secondLook } from '../modules/second-look.ts'
import { writeDiscovery, writePortChanges } from '../store/writers/inventory.ts'
import { writeModules } from '../store/writers/modules.ts'
import { writeReboot, writeStatus } from '../store/writers/status.ts'
import { type DeviceEntry, factsOf, targetOf } from './device.ts'
import { ingest } from './ingest.ts'
import { judge, pauseAfter } from './liveness.ts'
import type { Core } from './poller.ts'
import type { JobAnswer } from './pool.ts'
import type { DiscoveryOutcome, ModuleCost, PollOutcome } from './protocol.ts'
import { skippedModules, switchesOf } from './switches.ts'

/** Runs of devices: each poll and discovery from the worker's answer to the store. Never two of one device at a time. */
export interface Runs {
  /** Polls a device that the schedule gave out. */
  poll(id: number): void
  /** Discovers a device that the schedule gave out. */
  discover(id: number): void
  /** Polls now; resolves when it is stored. */
  pollNow(id: number): Promise<RunSummary>
  /** Discovers now; resolves when it is stored. */
  discoverNow(id: number): Promise<RunSummary>
  probe(target: SnmpTarget): Promise<ProbeOutcome>
  /** Decides from the checks whether the device is up, and stores it when that changed. */
  settle(entry: DeviceEntry, at: number): void
  stats(): RunsStats
}

export interface RunsStats {
  readonly polls: number
  readonly silent: number
  readonly incomplete: number
  readonly discoveries: number
  readonly lost: number
  /** Seconds that polls took, all devices together. */
  readonly tookS: number
  /** Values that were cut or dropped before they were stored. */
  readonly cleaned: number
  /** Counter pairs that gave no delta, by reason. */
  readonly refused: Readonly<Record<string, number>>
}

const NOTHING: RunSummary = { outcome: 'failed', tookMs: 0, modules: [] }
/** Pause between discoveries that a changed interface list asks for, ms. */
const STALE_PAUSE_MS = 600_000
/** When a discovery that missed rows is made again, ms. */
const SECOND_LOOK_MS = 60_000

export function createRuns(core: Core): Runs {
  const { log, pool, settings, store } = core
  const counts = { polls: 0, silent: 0, incomplete: 0, discoveries: 0, lost: 0, tookS: 0, cleaned: 0 }
  const refused: Record<string, number> = {}
  const sent = new Map<number, number>()
  const staleAt = new Map<number, number>()
  /** Modules that the last discovery of a device had no time for. */
  const unfinished = new Map<number, readonly string[]>()

  function exclusive(id: number, work: (entry: DeviceEntry, end: () => void) => void): boolean {
    const entry = core.entries.get(id)
    if (entry === undefined) return false
    const begin = (): void => {
      entry.busy = true
      work(entry, () => {
        entry.busy = false
        entry.waiting.shift()?.()
      })
    }
    if (entry.busy) entry.waiting.push(begin)
    else begin()
    return true
  }

  function askPoll(entry: DeviceEntry, done: (outcome: PollOutcome | 'lost') => void): void {
    const { plan, version, id } = entry
    const at = Date.now()
    const nothing = { tookMs: 0, requests: 0, timeouts: 0 }
    if (plan === null) {
      done({ kind: 'refused', at, cost: nothing, reason: 'the name does not resolve' })
      return
    }
    const deadlineS = settings.get('poller.deadline') || Math.min(120, core.intervalMs(entry) / 1000)
    const known = sent.get(id) === version
    sent.set(id, version)
    const job = {
      kind: 'poll',
      deviceId: id,
      version,
      deadlineMs: deadlineS * 1000,
      quick: entry.failures > 0,
    } as const
    pool.run(id, { ...job, plan: known ? null : plan }, (answer) => {
      if (answer.kind === 'polled' && answer.outcome.kind === 'planless') {
        pool.run(id, { ...job, plan }, (again) => done(pollAnswer(again)))
      } else done(pollAnswer(answer))
    })
  }

  function pollAnswer(answer: JobAnswer): PollOutcome | 'lost' {
    if (answer.kind === 'polled') return answer.outcome
    if (answer.kind === 'failed') log.error({ reason: answer.message }, 'poll failed')
    return 'lost'
  }

  function runPoll(id: number, done: (summary: RunSummary) => void): void {
    const found = exclusive(id, (entry, end) => {
      const { version } = entry
      askPoll(entry, (outcome) => {
        const summary = core.entries.get(id) === entry ? taken(entry, version, outcome) : NOTHING
        core.polls.done(id, Date.now(), pauseAfter(entry.failures))
        end()
        done(summary)
      })
    })
    if (!found) done(NOTHING)
  }

  /** Polls at once, not an interval later: the device did nothing wrong. It counts as running until its answer is dealt with. */
  function again(entry: DeviceEntry): void {
    setTimeout(() => core.polls.hasten(entry.id, Date.now()), 0)
  }

  function taken(entry: DeviceEntry, version: number, outcome: PollOutcome | 'lost'): RunSummary {
    counts.polls++
    if (outcome === 'lost' || outcome.kind === 'planless') {
      counts.lost++
      sent.delete(entry.id)
      again(entry)
      return NOTHING
    }
    counts.tookS += outcome.cost.tookMs / 1000
    if (outcome.kind !== 'answered') {
      counts.silent++
      entry.failures++
      entry.checks.snmp = 'failed'
      core.writer
        .batch()
        .addDevice({ deviceId: entry.id, time: outcome.at, ...costOf(outcome), answered: false, uptimeS: null })
      core.writer.filled()
      settle(entry, outcome.at)
      const reason = outcome.kind === 'refused' ? outcome.reason : 'no answer'
      log.debug({ deviceId: entry.id, reason, failures: entry.failures, ...outcome.cost }, 'poll failed')
      return { outcome: 'unreachable', tookMs: outcome.cost.tookMs, modules: [] }
    }
    if (!outcome.complete) {
      counts.incomplete++
      log.debug({ deviceId: entry.id, ...outcome.cost }, 'poll incomplete')
    }
    entry.failures = 0
    entry.checks.snmp = 'ok'
    // a plan that was replaced meanwhile numbers its rows otherwise
    if (version !== entry.version) again(entry)
    else absorb(entry, outcome)
    settle(entry, outcome.at)
    return {
      outcome: outcome.complete ? 'ok' : 'partial',
      tookMs: outcome.cost.tookMs,
      modules: [
        {
          name: 'poll',
          rows: entry.ports.length + entry.gauges.length,
          requests: outcome.cost.requests,
          tookMs: outcome.cost.tookMs,
          note: '',
        },
      ],
    }
  }

  function absorb(entry: DeviceEntry, outcome: Extract<PollOutcome, { kind: 'answered' }>): void {
    const result = ingest(entry, outcome, core.writer.batch(), core.intervalMs(entry))
    core.writer.filled()
    for (const [reason, n] of Object.entries(result.refused)) refused[reason] = (refused[reason] ?? 0) + n
    if (result.portChanges.length > 0) core.changes.push('ports', () => writePortChanges(store, result.portChanges))
    const { rebootAfterS } = result
    if (rebootAfterS !== null) core.changes.push('reboot', () => writeReboot(store, entry.id, rebootAfterS, outcome.at))
    if (outcome.observations.length > 0) {
      const found = look(entry, 'poll', outcome.observations)
      core.changes.push('poll', async () => {
        counts.cleaned += (await writeDiscovery(store, entry.id, found)).cleaned
      })
    }
    if (entry.stored.last_discovered === null) core.discoveries.hasten(entry.id, outcome.at)
    else if (result.stale && outcome.at - (staleAt.get(entry.id) ?? 0) > STALE_PAUSE_MS) {
      staleAt.set(entry.id, outcome.at)
      core.discoveries.hasten(entry.id, outcome.at)
    }
  }

  /** Rows that are missing for the first or second time are told once more, and looked for again soon. */
  function look(entry: DeviceEntry, phase: 'discover' | 'poll', observations: readonly Observation[]): Observation[] {
    const looked = secondLook(observations, entry.seen[phase])
    entry.seen[phase] = looked.memory
    if (phase === 'discover' && looked.missing > 0) {
      setTimeout(() => core.discoveries.hasten(entry.id, Date.now()), SECOND_LOOK_MS)
    }
    return looked.observations
  }

  function settle(entry: DeviceEntry, at: number): void {
    const now = judge(entry.checks)
    if (now === null || (now.up === entry.up && now.reason === entry.reason)) return
    entry.up = now.up
    entry.reason = now.reason
    log.info({ deviceId: entry.id, up: now.up, reason: now.reason }, 'device status changed')
    const considerMaintenance = core.settings.get('graphing.availability_consider_maintenance')
    core.changes.push('status', () => writeStatus(store, { deviceId: entry.id, ...now, at, considerMaintenance }))
  }

  function runDiscovery(id: number, done: (summary: RunSummary) => void): void {
    const found = exclusive(id, (entry, end) => {
      const finish = (summary: RunSummary): void => {
        core.discoveries.done(id, Date.now())
        end()
        done(summary)
      }
      const { plan, stored } = entry
      if (plan === null) return finish(NOTHING)
      const job = {
        kind: 'discover',
        target: targetOf(stored, plan.target.address),
        facts: factsOf(stored, plan.facts.settings),
        skip: skippedModules(switchesOf(stored, settings)),
        unfinished: unfinished.get(id) ?? [],
        deadlineMs: settings.get('discovery.deadline') * 1000,
      } as const
      pool.run(id, job, (answer) => {
        if (answer.kind === 'failed') log.error({ deviceId: id, reason: answer.message }, 'discovery failed')
        if (answer.kind !== 'discovered') return finish(NOTHING)
        // polls go on while the store is away: what was found waits for it on its own
        core.discoveries.done(id, Date.now())
        end()
        void discovered(entry, answer.outcome, job).then(done)
      })
    })
    if (!found) done(NOTHING)
  }

  /** The deadline has passed: the modules that it cut off are first in another discovery, soon. */
  function goOn(id: number, modules: readonly ModuleCost[]): void {
    const left = modules.filter((module) => !module.complete).map(({ name }) => name)
    unfinished.set(id, left)
    if (left.length > 0) setTimeout(() => core.discoveries.hasten(id, Date.now()), SECOND_LOOK_MS)
  }

  async function discovered(
    entry: DeviceEntry,
    outcome: DiscoveryOutcome,
    { skip, deadlineMs }: { readonly skip: readonly string[]; readonly deadlineMs: number },
  ): Promise<RunSummary> {
    counts.discoveries++
    const { tookMs } = outcome.cost
    if (outcome.kind !== 'answered') {
      entry.failures++
      entry.checks.snmp = 'failed'
      settle(entry, Date.now())
      return { outcome: 'unreachable', tookMs, modules: [] }
    }
    if (tookMs >= deadlineMs) goOn(entry.id, outcome.modules)
    else unfinished.delete(entry.id)
    const found = look(entry, 'discover', outcome.observations)
    const stored = Promise.withResolvers<void>()
    core.changes.push('discovery', async () => {
      const written = await writeDiscovery(store, entry.id, found, { tookMs, complete: outcome.complete })
      counts.cleaned += written.cleaned
      await writeModules(store, entry.id, [...outcome.modules, ...skip.map(notRun)])
      await core.reload([entry.id])
      stored.resolve()
    })
    await Promise.race([stored.promise, core.changes.flush()])
    entry.failures = 0
    entry.checks.snmp = 'ok'
    settle(entry, Date.now())
    // the first counters at once, so that the first rates come with the first regular poll
    if (entry.state === null) core.polls.hasten(entry.id, Date.now())
    return { outcome: outcome.complete ? 'ok' : 'partial', tookMs, modules: outcome.modules }
  }

  return {
    settle,
    poll: (id) => runPoll(id, () => undefined),
    discover: (id) => runDiscovery(id, () => undefined),
    async pollNow(id) {
      const summary = await new Promise<RunSummary>((resolve) => runPoll(id, resolve))
      await core.writer.flush()
      return summary
    },
    discoverNow: (id) => new Promise((resolve) => runDiscovery(id, resolve)),
    probe(target) {
      return new Promise((resolve) => {
        pool.run(Math.floor(Math.random() * pool.size), { kind: 'probe', target }, (answer) => {
          if (answer.kind === 'probed') return resolve(answer.outcome)
          resolve({ kind: 'refused', reason: answer.kind === 'failed' ? answer.message : 'the worker died' })
        })
      })
    },
    stats: () => ({ ...counts, refused: { ...refused } }),
  }
}

/** A module that is switched off: it found nothing because nobody asked. */
function notRun(name: string): ModuleCost {
  return { name, rows: 0, requests: 0, tookMs: 0, note: '', complete: true }
}

function costOf(outcome: {
  readonly cost: { readonly tookMs: number; readonly requests: number; readonly timeouts: number }
}) {
  const { tookMs, requests, timeouts } = outcome.cost
  return { tookMs, requests, timeouts }
}
