import type { ProbeOutcome, RunSummary, SnmpTarget } from '../domain/gateway.ts'
import { createDictionaries } from '../lib/dictionaries.ts'
import { Packed } from '../lib/packed.ts'
import { steadyNow } from '../lib/steady.ts'
import { debounceRemovals } from '../modules/debounce.ts'
import { isStored, type Observation } from '../modules/observation.ts'
import { failureText, isSameFailure, type SnmpFailure } from '../snmp/failure.ts'
import { associationMode } from '../store/discovery/match-ports.ts'
import type { EndedDiscovery } from './centre.ts'
import type { Core } from './core.ts'
import { type DeviceEntry, factsOf, nameOf, planOf, targetOf, usesSnmp } from './device.ts'
import { createDeviceEvents } from './device-events.ts'
import { createDurations } from './durations.ts'
import { afterDiscovery, afterPoll, type Standing } from './failures.ts'
import { createFloods } from './floods.ts'
import { ingest } from './ingest.ts'
import { createLargeTurns } from './large-turns.ts'
import { judge, pauseAfter } from './liveness.ts'
import type { JobAnswer } from './pool.ts'
import type { Cost, DiscoveryOutcome, PollOutcome } from './protocol.ts'
import { createQuarantine } from './quarantine.ts'
import type { RunsStats } from './runs-stats.ts'
import type { Schedule } from './scheduler.ts'
import { notRun, skippedModules, switchesOf } from './switches.ts'

/** Runs polls and discoveries and stores their results. A device has at most one run at a time. */
export interface Runs {
  /** Polls a device that is due. */
  poll(id: number): void
  /** Discovers a device that is due. */
  discover(id: number): void
  /** Polls now; resolves when the result is stored. */
  pollNow(id: number): Promise<RunSummary>
  /** Discovers now; resolves when the result is stored. */
  discoverNow(id: number): Promise<RunSummary>
  probe(target: SnmpTarget): Promise<ProbeOutcome>
  /** True when so many discoveries wait to be stored that no more should start, because their rows take memory. */
  isBehind(): boolean
  /** Drops all state of a deleted device. */
  forget(id: number): void
  /** Sets or clears (null) the device's failure; if it changed, stores it and writes an event. */
  note(entry: DeviceEntry, failure: SnmpFailure | null, at: number, options?: { readonly event: boolean }): void
  /** Reports a flood of unexpected datagrams from an address, naming the device if there is one. */
  flooded(address: string): void
  /** Decides from its checks whether the device is up, and stores a change. */
  settle(entry: DeviceEntry, at: number): void
  stats(): RunsStats
}

/** A run's lock on its device: no other run of the device starts before `end`. */
interface Lock {
  end(): void
}

/** Summary of a run that did not take place. */
const failedRun = (failure: SnmpFailure): RunSummary => ({ outcome: 'failed', tookMs: 0, failure, modules: [] })
const LOST = failedRun({ kind: 'lost' })
const SNMP_OFF: SnmpFailure = { kind: 'invalid', message: 'the device is disabled, or SNMP is off for it' }
/** Minimum time between discoveries triggered by a changed interface list, ms. */
const STALE_PAUSE_MS = 600_000
/** Maximum number of devices with the same address that get an event about its flood. */
const MAX_FLOOD_EVENTS = 10
/** When this many discoveries wait to be stored, no more are started. */
const MAX_STORING = 8
/** Time until a discovery with missing rows or unfinished modules is repeated, ms. */
const SECOND_LOOK_MS = 60_000

export function createRuns(core: Core): Runs {
  const { log, pool, settings, centre, repeats } = core
  let storing = 0
  const counts = { polls: 0, silent: 0, incomplete: 0, discoveries: 0, lost: 0, tookS: 0, cleaned: 0 }
  const durations = createDurations(core.trace ?? null)
  const refused: Record<string, number> = {}
  const sent = new Map<number, number>()
  const staleAt = new Map<number, number>()
  const quarantine = createQuarantine()
  const floods = createFloods()
  const turns = createLargeTurns(() => settings.get('discovery.large_at_once'))
  const deviceEvents = createDeviceEvents(core)
  /** Rows of one device of each model, by sysObjectID, as a compression dictionary for the others. */
  const dictionaries = createDictionaries()

  /** False for a device that was deleted, or given up and taken over again, while a run waited or was under way. */
  const isCurrent = (entry: DeviceEntry): boolean => core.entries.get(entry.id) === entry

  /** Runs `work` when no other run of the device is under way. Returns false if there is no such device. */
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

  function requestPoll(entry: DeviceEntry, done: (outcome: PollOutcome | 'lost') => void): void {
    const { version, id } = entry
    if (entry.plan === null || entry.address === null) {
      const failure = { kind: 'unresolved', hostname: nameOf(entry.stored) } as const
      done({ kind: 'failed', at: Date.now(), cost: { tookMs: 0, requests: 0, timeouts: 0 }, failure })
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
      lastTicks: entry.since === null || entry.since.aheadS === null ? null : entry.since.ticks,
    } as const
    pool.run(id, { ...job, plan: known ? null : planOf(entry) }, (answer) => {
      if (answer.kind === 'polled' && answer.outcome.kind === 'planless') {
        pool.run(id, { ...job, version: entry.version, plan: planOf(entry) }, (again) => done(pollAnswer(id, again)))
      } else done(pollAnswer(id, answer))
    })
  }

  function pollAnswer(id: number, answer: JobAnswer): PollOutcome | 'lost' {
    if (answer.kind === 'polled') return answer.outcome
    quarantineIfStalled(id, answer)
    if (answer.kind === 'failed') log.error({ reason: answer.message }, 'poll failed')
    return 'lost'
  }

  function runPoll(id: number, done: (summary: RunSummary) => void, scheduled = false): void {
    const found = exclusive(id, (entry, end) => {
      const finish = (summary: RunSummary): void => {
        if (isCurrent(entry)) core.polls.done(id, steadyNow(), pauseAfter(entry.failures))
        end()
        done(summary)
      }
      if (!isCurrent(entry)) return finish(LOST)
      if (!usesSnmp(entry.stored)) return finish(failedRun(SNMP_OFF))
      // the run before this one may have stalled its worker
      if (scheduled && quarantine.heldMs(id, steadyNow()) > 0) return finish(LOST)
      whenLocated(entry, () => {
        const { version } = entry
        requestPoll(entry, (outcome) => finish(isCurrent(entry) ? pollEnded(entry, version, outcome) : LOST))
      })
    })
    if (!found) done(LOST)
  }

  /** Waits for the look-up only if the device has no address; otherwise a new address is used from the next run on. */
  function whenLocated(entry: DeviceEntry, run: () => void): void {
    const located = core.locate(entry)
    if (entry.address === null) void located.then(run)
    else run()
  }

  /** Quarantines the device if its response stalled the worker. */
  function quarantineIfStalled(id: number, answer: JobAnswer): void {
    if (answer.kind !== 'lost' || answer.stalledBy !== id) return
    const at = Date.now()
    const minutes = quarantine.strike(id, steadyNow()) / 60_000
    const message = `A response from this device stalled a worker; the device is not polled for ${minutes} min.`
    void core.changes.push('stall', id, () => centre.event(id, message, 5, at))
    const entry = core.entries.get(id)
    const until = new Date(at + minutes * 60_000).toISOString()
    if (entry !== undefined) note(entry, { kind: 'stalled', until }, at, { event: false })
  }

  /** True if the device is in quarantine; it is due again when the quarantine ends. */
  function postponedByQuarantine(schedule: Schedule, id: number, intervalMs: number): boolean {
    const heldMs = quarantine.heldMs(id, steadyNow())
    if (heldMs > 0) schedule.done(id, steadyNow(), 1 + Math.ceil(heldMs / intervalMs))
    return heldMs > 0
  }

  /** Repeats a lost poll, because the device is not the cause; deferred because this run still counts as running. */
  function repeatSoon(entry: DeviceEntry): void {
    setTimeout(() => core.polls.hasten(entry.id, steadyNow()), 0)
  }

  function pollEnded(entry: DeviceEntry, version: number, outcome: PollOutcome | 'lost'): RunSummary {
    counts.polls++
    if (outcome === 'lost' || outcome.kind === 'planless') {
      counts.lost++
      sent.delete(entry.id)
      if (quarantine.heldMs(entry.id, steadyNow()) === 0) repeatSoon(entry)
      return LOST
    }
    counts.tookS += outcome.cost.tookMs / 1000
    durations.poll(entry, outcome)
    if (outcome.kind === 'failed') {
      const { failure } = outcome
      counts.silent++
      const batch = core.writer.batch().under(entry.claim)
      batch.addDevice({ deviceId: entry.id, time: outcome.at, ...costOf(outcome), answered: false, uptimeS: null })
      core.writer.filled()
      noteAnswer(entry, outcome.at, false, { failure, cleanPolls: 0 })
      const reason = failureText(failure)
      log.debug({ deviceId: entry.id, reason, failures: entry.failures, ...outcome.cost }, 'poll failed')
      return { outcome: 'unreachable', tookMs: outcome.cost.tookMs, failure, modules: [] }
    }
    if (outcome.failure !== null) {
      counts.incomplete++
      log.debug({ deviceId: entry.id, reason: failureText(outcome.failure), ...outcome.cost }, 'poll incomplete')
    }
    // if the plan has been replaced since, its rows may be in another order
    if (version !== entry.version) repeatSoon(entry)
    else storePoll(entry, outcome)
    noteAnswer(entry, outcome.at, true, afterPoll(entry, outcome.failure))
    deviceEvents.polled(entry.id, outcome.bulk)
    return {
      outcome: outcome.failure === null ? 'ok' : 'partial',
      tookMs: outcome.cost.tookMs,
      failure: outcome.failure,
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

  function storePoll(entry: DeviceEntry, outcome: Extract<PollOutcome, { kind: 'answered' }>): void {
    const result = ingest(entry, outcome, core.writer.batch().under(entry.claim), core.intervalMs(entry))
    core.writer.filled()
    for (const [reason, n] of Object.entries(result.refused)) refused[reason] = (refused[reason] ?? 0) + n
    if (result.portChanges.length > 0) write(entry, 'ports', () => centre.portChanges(entry.id, result.portChanges))
    const { rebootAfterS } = result
    if (rebootAfterS !== null)
      void core.changes.push('reboot', entry.id, () => centre.reboot(entry.id, rebootAfterS, outcome.at))
    const observations = outcome.observations.filter(isStored)
    if (observations.length > 0) {
      const found = debounced(entry, 'poll', observations)
      void core.changes.push('poll', entry.id, async () => {
        await deliver(entry.id, found)
      })
    }
    if (entry.stored.last_discovered === null) {
      const heldMs = core.unstored.untilMs(entry.id, entry.stored.unstored)
      if (!entry.storing && heldMs <= steadyNow()) core.discoveries.hasten(entry.id, steadyNow())
    } else if (result.stale && steadyNow() - (staleAt.get(entry.id) ?? 0) > STALE_PAUSE_MS) {
      staleAt.set(entry.id, steadyNow())
      core.discoveries.hasten(entry.id, steadyNow())
    }
  }

  async function deliver(id: number, found: readonly Observation[], ended?: EndedDiscovery): Promise<void> {
    const { cleaned, unstored } = await centre.discovery(id, found, ended)
    counts.cleaned += cleaned
    if (ended !== undefined) core.unstored.report(id, unstored)
  }

  /** Writes what is newer than the rows that the device was read from. They are read again even if that fails. */
  function write(entry: DeviceEntry, what: string, run: () => Promise<void>): void {
    entry.digest = null
    void core.changes.push(what, entry.id, run)
  }

  /** Keeps rows that are missing for the first or second time, and schedules another discovery soon. */
  function debounced(
    entry: DeviceEntry,
    phase: 'discover' | 'poll',
    observations: readonly Observation[],
  ): Observation[] {
    const { seen } = entry
    const last = phase === 'poll' ? seen.poll : (seen.discover?.value() ?? new Map())
    const mode = associationMode(entry.stored.port_association_mode)
    const looked = debounceRemovals(observations, last, mode === 'ifIndex' ? null : mode)
    if (phase === 'poll') seen.poll = looked.memory
    else {
      const family = entry.stored.sysObjectID ?? ''
      seen.discover = new Packed(looked.memory, { dictionary: (octets) => dictionaries(family, octets) })
    }
    if (phase === 'discover' && looked.missing > 0) {
      setTimeout(() => core.discoveries.hasten(entry.id, steadyNow()), SECOND_LOOK_MS)
    }
    return looked.observations
  }

  function note(entry: DeviceEntry, failure: SnmpFailure | null, at: number, { event } = { event: true }): void {
    if (isSameFailure(entry.failure, failure)) return
    entry.failure = failure
    entry.cleanPolls = 0
    log.info({ deviceId: entry.id, reason: failure === null ? 'none' : failureText(failure) }, 'device failure changed')
    write(entry, 'failure', () => centre.failure({ deviceId: entry.id, failure, at, event }))
  }

  /** Updates the SNMP check and the failure of the device after a run. */
  function noteAnswer(entry: DeviceEntry, at: number, answered: boolean, { failure, cleanPolls }: Standing): void {
    // a run that started before the name stopped resolving must not clear that failure
    if (entry.address === null && failure?.kind !== 'unresolved') return
    core.checked(entry, 'snmp', answered)
    if (answered) entry.failures = 0
    // no back-off for names that do not resolve, because a look-up is cheap
    else if (failure?.kind !== 'unresolved') entry.failures++
    // a manual poll does not end the quarantine
    const held = entry.failure?.kind === 'stalled' && quarantine.heldMs(entry.id, steadyNow()) > 0
    note(entry, held ? entry.failure : failure, at)
    entry.cleanPolls = cleanPolls
    settle(entry, at)
  }

  function settle(entry: DeviceEntry, at: number): void {
    const now = judge(entry.checks)
    if (now === null || (now.up === entry.up && now.reason === entry.reason)) return
    entry.up = now.up
    entry.reason = now.reason
    log.info({ deviceId: entry.id, up: now.up, reason: now.reason }, 'device status changed')
    const considerMaintenance = core.settings.get('graphing.availability_consider_maintenance')
    write(entry, 'status', () => centre.status({ deviceId: entry.id, ...now, at, considerMaintenance }))
  }

  function runDiscovery(id: number, done: (summary: RunSummary) => void): void {
    const found = exclusive(id, (entry, end) => {
      const lock: Lock = { end }
      const finish = (summary: RunSummary): void => {
        if (isCurrent(entry)) core.discoveries.done(id, steadyNow())
        lock.end()
        done(summary)
      }
      if (!isCurrent(entry)) return finish(LOST)
      if (!usesSnmp(entry.stored)) return finish(failedRun(SNMP_OFF))
      whenLocated(entry, () => discoverLocated(entry, lock, finish, done))
    })
    if (!found) done(LOST)
  }

  function discoverLocated(
    entry: DeviceEntry,
    lock: Lock,
    finish: (summary: RunSummary) => void,
    done: (summary: RunSummary) => void,
  ): void {
    const { plan, stored, address, id } = entry
    if (plan === null || address === null) {
      finish(failedRun({ kind: 'unresolved', hostname: nameOf(stored) }))
      return
    }
    const job = {
      kind: 'discover',
      target: targetOf(stored, address),
      facts: factsOf(stored, entry.settings),
      skip: skippedModules(switchesOf(stored, settings)),
      unfinished: repeats.unfinished(id),
      deadlineMs: settings.get('discovery.deadline') * 1000,
    } as const
    let leave: (() => void) | null = null
    let over = false
    const answered = (answer: JobAnswer) => {
      over = true
      // the walks of an entry that was replaced were ended, so its tables are truncated
      if (answer.kind !== 'discovered' || !isCurrent(entry)) {
        leave?.()
        if (answer.kind === 'failed') log.error({ deviceId: id, reason: answer.message }, 'discovery failed')
        quarantineIfStalled(id, answer)
        if (answer.kind === 'lost' && answer.stalledBy !== id) {
          counts.lost++
          setTimeout(() => core.discoveries.hasten(id, steadyNow()), 0)
        }
        return finish(LOST)
      }
      // polls continue while the database is unavailable; the discovery's results wait in their own queue
      core.discoveries.done(id, steadyNow())
      lock.end()
      void discoveryEnded(entry, answer.outcome, job)
        .finally(() => {
          if (leave === null) return
          // free the memory of a large discovery before the next one starts
          Bun.gc(true)
          leave()
        })
        .then(done)
    }
    pool.run(id, job, answered, (go) => {
      // the discovery sends no requests until its turn, so polls may run meanwhile
      lock.end()
      lock.end = () => undefined
      leave = turns.enter(() => {
        const found = exclusive(id, (_entry, end) => {
          // its worker may have died in the meantime
          if (over) return end()
          lock.end = end
          go()
        })
        if (!found) go()
      })
    })
  }

  async function discoveryEnded(
    entry: DeviceEntry,
    outcome: DiscoveryOutcome,
    { skip, deadlineMs }: { readonly skip: readonly string[]; readonly deadlineMs: number },
  ): Promise<RunSummary> {
    counts.discoveries++
    durations.discovery(entry, outcome)
    const { tookMs } = outcome.cost
    if (outcome.kind === 'failed') {
      const { failure } = outcome
      noteAnswer(entry, Date.now(), false, { failure, cleanPolls: 0 })
      return { outcome: 'unreachable', tookMs, failure, modules: [] }
    }
    quarantine.release(entry.id)
    deviceEvents.discovered(entry.id, outcome.bulk, outcome.modules)
    repeats.ended(entry.id, outcome.modules, tookMs >= deadlineMs)
    const found = debounced(entry, 'discover', outcome.observations)
    storing++
    entry.storing = true
    await core.changes.push('discovery', entry.id, async () => {
      const modules = [...outcome.modules, ...skip.map(notRun)]
      const run = { tookMs, complete: outcome.complete }
      await deliver(entry.id, found, { run, modules })
    })
    if (entry.stored.last_discovered === null) core.unstored.tried(entry.id, steadyNow())
    storing--
    await core.reloads.ask(entry.id).finally(() => {
      entry.storing = false
    })
    noteAnswer(entry, Date.now(), true, afterDiscovery(entry))
    // read the first counters at once, so that the first regular poll already gives rates
    if (entry.state === null) core.polls.hasten(entry.id, steadyNow())
    const { complete, failure, modules } = outcome
    return { outcome: complete ? 'ok' : 'partial', tookMs, failure, modules }
  }

  function flooded(address: string): void {
    const at = Date.now()
    if (!floods.isNews(address, steadyNow())) return
    const ids = [...core.entries.values()].filter((entry) => entry.address === address).map(({ id }) => id)
    log.warn({ address, deviceIds: ids }, 'an address floods this host with unexpected datagrams')
    for (const id of ids.slice(0, MAX_FLOOD_EVENTS)) {
      const message = 'This device sends more than 1,000 unexpected datagrams a second, which are dropped.'
      void core.changes.push('flood', id, () => centre.event(id, message, 4, at))
    }
  }

  return {
    note,
    settle,
    flooded,
    poll(id) {
      const entry = core.entries.get(id)
      if (entry === undefined || !postponedByQuarantine(core.polls, id, core.intervalMs(entry)))
        runPoll(id, () => undefined, true)
    },
    discover(id) {
      if (!postponedByQuarantine(core.discoveries, id, settings.get('discovery.interval') * 1000))
        runDiscovery(id, () => undefined)
    },
    isBehind: () => storing >= MAX_STORING,
    forget(id) {
      quarantine.release(id)
      for (const known of [sent, staleAt, deviceEvents, repeats, core.unstored]) known.delete(id)
    },
    async pollNow(id) {
      const summary = await new Promise<RunSummary>((resolve) => runPoll(id, resolve))
      await core.writer.flush()
      return summary
    },
    discoverNow: (id) => new Promise((resolve) => runDiscovery(id, resolve)),
    probe(target) {
      return new Promise((resolve) => {
        pool.run(Math.floor(Math.random() * pool.max), { kind: 'probe', target }, (answer) => {
          if (answer.kind === 'probed') return resolve(answer.outcome)
          log.error({ reason: answer.kind === 'failed' ? answer.message : 'the worker died' }, 'probe failed')
          resolve({ kind: 'failed', failure: { kind: 'lost' } })
        })
      })
    },
    stats: () => ({
      ...counts,
      quarantined: quarantine.size(steadyNow()),
      floods: floods.total,
      largeWaiting: turns.waiting,
      refused: { ...refused },
      durations: durations.metrics(),
    }),
  }
}

function costOf({ cost: { tookMs, requests, timeouts } }: { readonly cost: Cost }): Cost {
  return { tookMs, requests, timeouts }
}
