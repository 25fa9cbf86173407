import { createSlots } from '@portlight/limit/limit.ts'
import { failureText, isSameFailure, type SnmpFailure } from '@portlight/snmp/failure.ts'
import type { ProbeOutcome, RunSummary, SnmpTarget } from '../core/base/gateway.ts'
import { associationMode } from '../core/discovery/match-ports.ts'
import type { EndedDiscovery } from '../core/pollers/upstream.ts'
import { createDictionaries } from '../lib/dictionaries.ts'
import { Packed } from '../lib/packed.ts'
import { steadyNow } from '../lib/steady.ts'
import { debounceRemovals } from '../modules/debounce.ts'
import { isStored, type Observation } from '../modules/observation.ts'
import type { PollerContext } from './context.ts'
import { createDeviceEvents } from './device-events.ts'
import { createDurations } from './durations.ts'
import { afterDiscovery, afterPoll, type Standing } from './failures.ts'
import { createFloodReports } from './flood-reports.ts'
import { ingest } from './ingest.ts'
import type { RunsStats } from './job-stats.ts'
import { judge, pauseAfter } from './liveness.ts'
import { skippedModules, switchedOffCost, switchesOf } from './module-toggles.ts'
import { factsOf, nameOf, type PolledDevice, planOf, targetOf, usesSnmp } from './polled-device.ts'
import type { JobAnswer } from './pool.ts'
import type { Cost, DiscoveryOutcome, PollOutcome } from './protocol.ts'
import { createQuarantine } from './quarantine.ts'
import type { Schedule } from './scheduler.ts'

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
  note(device: PolledDevice, failure: SnmpFailure | null, at: number, options?: { readonly event: boolean }): void
  /** Reports a flood of unexpected datagrams from an address, naming the device if there is one. */
  flooded(address: string): void
  /** Decides from its checks whether the device is up, and stores a change. */
  settle(device: PolledDevice, at: number): void
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

export function createJobRunner(context: PollerContext): Runs {
  const { log, pool, settings, upstream: centre, repeats } = context
  let storing = 0
  const counts = { polls: 0, silent: 0, incomplete: 0, discoveries: 0, lost: 0, tookS: 0, cleaned: 0 }
  const durations = createDurations(context.trace ?? null)
  const refused: Record<string, number> = {}
  const sent = new Map<number, number>()
  const staleAt = new Map<number, number>()
  const quarantine = createQuarantine()
  const floods = createFloodReports()
  const turns = createSlots(() => settings.get('discovery.large_at_once'))
  const deviceEvents = createDeviceEvents(context)
  /** Rows of one device of each model, by sysObjectID, as a compression dictionary for the others. */
  const dictionaries = createDictionaries()

  /** False for a device that was deleted, or given up and taken over again, while a run waited or was under way. */
  const isCurrent = (device: PolledDevice): boolean => context.devices.get(device.id) === device

  /** Runs `work` when no other run of the device is under way. Returns false if there is no such device. */
  function exclusive(id: number, work: (device: PolledDevice, end: () => void) => void): boolean {
    const device = context.devices.get(id)
    if (device === undefined) return false
    const begin = (): void => {
      device.busy = true
      work(device, () => {
        device.busy = false
        device.waiting.shift()?.()
      })
    }
    if (device.busy) device.waiting.push(begin)
    else begin()
    return true
  }

  function requestPoll(device: PolledDevice, done: (outcome: PollOutcome | 'lost') => void): void {
    const { version, id } = device
    if (device.plan === null || device.address === null) {
      const failure = { kind: 'unresolved', hostname: nameOf(device.stored) } as const
      done({ kind: 'failed', at: Date.now(), cost: { tookMs: 0, requests: 0, timeouts: 0 }, failure })
      return
    }
    const deadlineS = settings.get('poller.deadline') || Math.min(120, context.intervalMs(device) / 1000)
    const known = sent.get(id) === version
    sent.set(id, version)
    const job = {
      kind: 'poll',
      deviceId: id,
      version,
      deadlineMs: deadlineS * 1000,
      quick: device.failures > 0,
      lastTicks: device.since === null || device.since.aheadS === null ? null : device.since.ticks,
    } as const
    pool.run(id, { ...job, plan: known ? null : planOf(device) }, (answer) => {
      if (answer.kind === 'polled' && answer.outcome.kind === 'planless') {
        pool.run(id, { ...job, version: device.version, plan: planOf(device) }, (again) => done(pollAnswer(id, again)))
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
    const found = exclusive(id, (device, end) => {
      const finish = (summary: RunSummary): void => {
        if (isCurrent(device)) context.polls.done(id, steadyNow(), pauseAfter(device.failures))
        end()
        done(summary)
      }
      if (!isCurrent(device)) return finish(LOST)
      if (!usesSnmp(device.stored)) return finish(failedRun(SNMP_OFF))
      // the run before this one may have stalled its worker
      if (scheduled && quarantine.heldMs(id, steadyNow()) > 0) return finish(LOST)
      whenLocated(device, () => {
        const { version } = device
        requestPoll(device, (outcome) => finish(isCurrent(device) ? pollEnded(device, version, outcome) : LOST))
      })
    })
    if (!found) done(LOST)
  }

  /** Waits for the look-up only if the device has no address; otherwise a new address is used from the next run on. */
  function whenLocated(device: PolledDevice, run: () => void): void {
    const located = context.locate(device)
    if (device.address === null) void located.then(run)
    else run()
  }

  /** Quarantines the device if its response stalled the worker. */
  function quarantineIfStalled(id: number, answer: JobAnswer): void {
    if (answer.kind !== 'lost' || answer.stalledBy !== id) return
    const at = Date.now()
    const minutes = quarantine.strike(id, steadyNow()) / 60_000
    const message = `A response from this device stalled a worker; the device is not polled for ${minutes} min.`
    void context.changes.push('stall', id, () => centre.event(id, message, 5, at))
    const device = context.devices.get(id)
    const until = new Date(at + minutes * 60_000).toISOString()
    if (device !== undefined) note(device, { kind: 'stalled', until }, at, { event: false })
  }

  /** True if the device is in quarantine; it is due again when the quarantine ends. */
  function postponedByQuarantine(schedule: Schedule, id: number, intervalMs: number): boolean {
    const heldMs = quarantine.heldMs(id, steadyNow())
    if (heldMs > 0) schedule.done(id, steadyNow(), 1 + Math.ceil(heldMs / intervalMs))
    return heldMs > 0
  }

  /** Repeats a lost poll, because the device is not the cause; deferred because this run still counts as running. */
  function repeatSoon(device: PolledDevice): void {
    setTimeout(() => context.polls.hasten(device.id, steadyNow()), 0)
  }

  function pollEnded(device: PolledDevice, version: number, outcome: PollOutcome | 'lost'): RunSummary {
    counts.polls++
    if (outcome === 'lost' || outcome.kind === 'planless') {
      counts.lost++
      sent.delete(device.id)
      if (quarantine.heldMs(device.id, steadyNow()) === 0) repeatSoon(device)
      return LOST
    }
    counts.tookS += outcome.cost.tookMs / 1000
    durations.poll(device, outcome)
    if (outcome.kind === 'failed') {
      const { failure } = outcome
      counts.silent++
      const batch = context.writer.batch().under(device.claim)
      batch.addDevice({ deviceId: device.id, time: outcome.at, ...costOf(outcome), answered: false, uptimeS: null })
      context.writer.filled()
      noteAnswer(device, outcome.at, false, { failure, cleanPolls: 0 })
      const reason = failureText(failure)
      log.debug({ deviceId: device.id, reason, failures: device.failures, ...outcome.cost }, 'poll failed')
      return { outcome: 'unreachable', tookMs: outcome.cost.tookMs, failure, modules: [] }
    }
    if (outcome.failure !== null) {
      counts.incomplete++
      log.debug({ deviceId: device.id, reason: failureText(outcome.failure), ...outcome.cost }, 'poll incomplete')
    }
    // if the plan has been replaced since, its rows may be in another order
    if (version !== device.version) repeatSoon(device)
    else storePoll(device, outcome)
    noteAnswer(device, outcome.at, true, afterPoll(device, outcome.failure))
    deviceEvents.polled(device.id, outcome.bulk)
    return {
      outcome: outcome.failure === null ? 'ok' : 'partial',
      tookMs: outcome.cost.tookMs,
      failure: outcome.failure,
      modules: [
        {
          name: 'poll',
          rows: device.ports.length + device.gauges.length,
          requests: outcome.cost.requests,
          tookMs: outcome.cost.tookMs,
          note: '',
        },
      ],
    }
  }

  function storePoll(device: PolledDevice, outcome: Extract<PollOutcome, { kind: 'answered' }>): void {
    const result = ingest(device, outcome, context.writer.batch().under(device.claim), context.intervalMs(device))
    context.writer.filled()
    for (const [reason, n] of Object.entries(result.refused)) refused[reason] = (refused[reason] ?? 0) + n
    if (result.portChanges.length > 0) write(device, 'ports', () => centre.portChanges(device.id, result.portChanges))
    const { rebootAfterS } = result
    if (rebootAfterS !== null)
      void context.changes.push('reboot', device.id, () => centre.reboot(device.id, rebootAfterS, outcome.at))
    const observations = outcome.observations.filter(isStored)
    if (observations.length > 0) {
      const found = debounced(device, 'poll', observations)
      void context.changes.push('poll', device.id, async () => {
        await deliver(device.id, found)
      })
    }
    if (device.stored.last_discovered === null) {
      const heldMs = context.unstored.untilMs(device.id, device.stored.unstored)
      if (!device.storing && heldMs <= steadyNow()) context.discoveries.hasten(device.id, steadyNow())
    } else if (result.stale && steadyNow() - (staleAt.get(device.id) ?? 0) > STALE_PAUSE_MS) {
      staleAt.set(device.id, steadyNow())
      context.discoveries.hasten(device.id, steadyNow())
    }
  }

  async function deliver(id: number, found: readonly Observation[], ended?: EndedDiscovery): Promise<void> {
    const { cleaned, unstored } = await centre.discovery(id, found, ended)
    counts.cleaned += cleaned
    if (ended !== undefined) context.unstored.report(id, unstored)
  }

  /** Writes what is newer than the rows that the device was read from. They are read again even if that fails. */
  function write(device: PolledDevice, what: string, run: () => Promise<void>): void {
    device.digest = null
    void context.changes.push(what, device.id, run)
  }

  /** Keeps rows that are missing for the first or second time, and schedules another discovery soon. */
  function debounced(
    device: PolledDevice,
    phase: 'discover' | 'poll',
    observations: readonly Observation[],
  ): Observation[] {
    const { seen } = device
    const last = phase === 'poll' ? seen.poll : (seen.discover?.value() ?? new Map())
    const mode = associationMode(device.stored.port_association_mode)
    const looked = debounceRemovals(observations, last, mode === 'ifIndex' ? null : mode)
    if (phase === 'poll') seen.poll = looked.memory
    else {
      const family = device.stored.sysObjectID ?? ''
      seen.discover = new Packed(looked.memory, { dictionary: (octets) => dictionaries(family, octets) })
    }
    if (phase === 'discover' && looked.missing > 0) {
      setTimeout(() => context.discoveries.hasten(device.id, steadyNow()), SECOND_LOOK_MS)
    }
    return looked.observations
  }

  function note(device: PolledDevice, failure: SnmpFailure | null, at: number, { event } = { event: true }): void {
    if (isSameFailure(device.failure, failure)) return
    device.failure = failure
    device.cleanPolls = 0
    log.info(
      { deviceId: device.id, reason: failure === null ? 'none' : failureText(failure) },
      'device failure changed',
    )
    write(device, 'failure', () => centre.failure({ deviceId: device.id, failure, at, event }))
  }

  /** Updates the SNMP check and the failure of the device after a run. */
  function noteAnswer(device: PolledDevice, at: number, answered: boolean, { failure, cleanPolls }: Standing): void {
    // a run that started before the name stopped resolving must not clear that failure
    if (device.address === null && failure?.kind !== 'unresolved') return
    context.checked(device, 'snmp', answered)
    if (answered) device.failures = 0
    // no back-off for names that do not resolve, because a look-up is cheap
    else if (failure?.kind !== 'unresolved') device.failures++
    // a manual poll does not end the quarantine
    const held = device.failure?.kind === 'stalled' && quarantine.heldMs(device.id, steadyNow()) > 0
    note(device, held ? device.failure : failure, at)
    device.cleanPolls = cleanPolls
    settle(device, at)
  }

  function settle(device: PolledDevice, at: number): void {
    const now = judge(device.checks)
    if (now === null || (now.up === device.up && now.reason === device.reason)) return
    device.up = now.up
    device.reason = now.reason
    log.info({ deviceId: device.id, up: now.up, reason: now.reason }, 'device status changed')
    const considerMaintenance = context.settings.get('graphing.availability_consider_maintenance')
    write(device, 'status', () => centre.status({ deviceId: device.id, ...now, at, considerMaintenance }))
  }

  function runDiscovery(id: number, done: (summary: RunSummary) => void): void {
    const found = exclusive(id, (device, end) => {
      const lock: Lock = { end }
      const finish = (summary: RunSummary): void => {
        if (isCurrent(device)) context.discoveries.done(id, steadyNow())
        lock.end()
        done(summary)
      }
      if (!isCurrent(device)) return finish(LOST)
      if (!usesSnmp(device.stored)) return finish(failedRun(SNMP_OFF))
      whenLocated(device, () => discoverLocated(device, lock, finish, done))
    })
    if (!found) done(LOST)
  }

  function discoverLocated(
    device: PolledDevice,
    lock: Lock,
    finish: (summary: RunSummary) => void,
    done: (summary: RunSummary) => void,
  ): void {
    const { plan, stored, address, id } = device
    if (plan === null || address === null) {
      finish(failedRun({ kind: 'unresolved', hostname: nameOf(stored) }))
      return
    }
    const job = {
      kind: 'discover',
      target: targetOf(stored, address),
      facts: factsOf(stored, device.settings),
      skip: skippedModules(switchesOf(stored, settings)),
      unfinished: repeats.unfinished(id),
      deadlineMs: settings.get('discovery.deadline') * 1000,
    } as const
    let leave: (() => void) | null = null
    let over = false
    const answered = (answer: JobAnswer) => {
      over = true
      // the walks of an entry that was replaced were ended, so its tables are truncated
      if (answer.kind !== 'discovered' || !isCurrent(device)) {
        leave?.()
        if (answer.kind === 'failed') log.error({ deviceId: id, reason: answer.message }, 'discovery failed')
        quarantineIfStalled(id, answer)
        if (answer.kind === 'lost' && answer.stalledBy !== id) {
          counts.lost++
          setTimeout(() => context.discoveries.hasten(id, steadyNow()), 0)
        }
        return finish(LOST)
      }
      // polls continue while the database is unavailable; the discovery's results wait in their own queue
      context.discoveries.done(id, steadyNow())
      lock.end()
      void discoveryEnded(device, answer.outcome, job)
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
    device: PolledDevice,
    outcome: DiscoveryOutcome,
    { skip, deadlineMs }: { readonly skip: readonly string[]; readonly deadlineMs: number },
  ): Promise<RunSummary> {
    counts.discoveries++
    durations.discovery(device, outcome)
    const { tookMs } = outcome.cost
    if (outcome.kind === 'failed') {
      const { failure } = outcome
      noteAnswer(device, Date.now(), false, { failure, cleanPolls: 0 })
      return { outcome: 'unreachable', tookMs, failure, modules: [] }
    }
    quarantine.release(device.id)
    deviceEvents.discovered(device.id, outcome.bulk, outcome.modules)
    repeats.ended(device.id, outcome.modules, tookMs >= deadlineMs)
    const found = debounced(device, 'discover', outcome.observations)
    storing++
    device.storing = true
    await context.changes.push('discovery', device.id, async () => {
      const modules = [...outcome.modules, ...skip.map(switchedOffCost)]
      const run = { tookMs, complete: outcome.complete }
      await deliver(device.id, found, { run, modules })
    })
    if (device.stored.last_discovered === null) context.unstored.tried(device.id, steadyNow())
    storing--
    await context.reloads.ask(device.id).finally(() => {
      device.storing = false
    })
    noteAnswer(device, Date.now(), true, afterDiscovery(device))
    // read the first counters at once, so that the first regular poll already gives rates
    if (device.state === null) context.polls.hasten(device.id, steadyNow())
    const { complete, failure, modules } = outcome
    return { outcome: complete ? 'ok' : 'partial', tookMs, failure, modules }
  }

  function flooded(address: string): void {
    const at = Date.now()
    if (!floods.isNews(address, steadyNow())) return
    const ids = [...context.devices.values()].filter((device) => device.address === address).map(({ id }) => id)
    log.warn({ address, deviceIds: ids }, 'an address floods this host with unexpected datagrams')
    for (const id of ids.slice(0, MAX_FLOOD_EVENTS)) {
      const message = 'This device sends more than 1,000 unexpected datagrams a second, which are dropped.'
      void context.changes.push('flood', id, () => centre.event(id, message, 4, at))
    }
  }

  return {
    note,
    settle,
    flooded,
    poll(id) {
      const device = context.devices.get(id)
      if (device === undefined || !postponedByQuarantine(context.polls, id, context.intervalMs(device)))
        runPoll(id, () => undefined, true)
    },
    discover(id) {
      if (!postponedByQuarantine(context.discoveries, id, settings.get('discovery.interval') * 1000))
        runDiscovery(id, () => undefined)
    },
    isBehind: () => storing >= MAX_STORING,
    forget(id) {
      quarantine.release(id)
      for (const known of [sent, staleAt, deviceEvents, repeats, context.unstored]) known.delete(id)
    },
    async pollNow(id) {
      const summary = await new Promise<RunSummary>((resolve) => runPoll(id, resolve))
      await context.writer.flush()
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
