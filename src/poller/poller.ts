import { cpus } from 'node:os'
import type { Settings } from '../config/schema.ts'
import type { Contact, Gateway } from '../core/base/gateway.ts'
import type { Upstream } from '../core/pollers/upstream.ts'
import type { DevicePlan } from '../core/polling/read-plan.ts'
import { slices } from '../lib/slices.ts'
import { steadyNow } from '../lib/steady.ts'
import { createYielder } from '../lib/yield-thread.ts'
import { FOLDER_SETTING } from '../modules/loaded/discover.ts'
import type { Log } from '../observe/log.ts'
import type { Metric } from '../observe/metrics.ts'
import type { Trace } from '../observe/trace.ts'
import type { DeviceClaim, DevicePoll, SampleBatch } from '../series/samples.ts'
import { type ChangeQueue, createChangeQueue } from './change-queue.ts'
import { pingNow, tryDevice } from './contact.ts'
import type { PollerContext } from './context.ts'
import { createRepeats } from './discovery-retries.ts'
import { createEchoRounds, type EchoRounds } from './echo-rounds.ts'
import { createJobRunner, type Runs } from './job-runner.ts'
import type { RunsStats } from './job-stats.ts'
import { checkAfter } from './liveness.ts'
import { createLookups, lastAddress, type NameLookup } from './lookups.ts'
import { MODULE_SETTINGS } from './module-settings.ts'
import { switchesOf } from './module-toggles.ts'
import { addressOf, nameOf, newEntry, type PolledDevice, readdress, replan, usesSnmp } from './polled-device.ts'
import { createPool, type Pool, type PoolStats } from './pool.ts'
import type { SnmpLimits } from './protocol.ts'
import { createReloads } from './reloads.ts'
import { createResolver, type Resolver } from './resolve.ts'
import { resync } from './resync.ts'
import { createSampleCounts } from './sample-counts.ts'
import { catchUpAt, createSchedule, type ScheduleStats } from './scheduler.ts'
import { createTakeovers } from './takeover.ts'
import { writeTraced } from './traced.ts'
import { createUnstoredDiscoveries } from './unstored.ts'
import { createWriterQueue, type WriterQueueStats } from './writer-queue.ts'

export interface PollerDeps {
  readonly upstream: Upstream
  readonly settings: Settings
  readonly log: Log
  /** Default: no spans are recorded. */
  readonly trace?: Trace
  /** Worker threads started earlier; the poller stops them. */
  readonly pool?: Pool
  /**
   * Called when something about devices was stored: a kind of samples, or `polled`, `status`, `ports`, `observed`,
   * `discovered`.
   */
  readonly written?: (deviceIds: readonly number[], what: readonly string[]) => void
  /** Called when polls were stored. */
  readonly polled?: (polls: readonly DevicePoll[]) => void
  /** Folder of compiled definitions. Default: none. */
  readonly definitions?: string
  /** Resolver of hostnames. Default: one that caches addresses for 5 minutes. */
  readonly resolver?: Resolver
}

export interface PollerStats {
  readonly polls: ScheduleStats
  readonly discoveries: ScheduleStats
  readonly runs: RunsStats
  readonly pool: PoolStats
  readonly writer: WriterQueueStats
  /** Rows stored by kind. */
  readonly samples: readonly Metric[]
  readonly changes: { readonly waiting: number; readonly dropped: number }
  /** Results of polls and pings, and changes, that were not stored because another poller had claimed the device. */
  readonly fenced: { readonly samples: number; readonly changes: number }
}

/** Polls every device in the store: schedules polls, runs them in workers, and stores the results. */
export interface Poller extends Gateway {
  /** Tries to reach one of its own devices; null: it does not have the device. */
  tryOwn(deviceId: number): Promise<Contact | null>
  /** Prepares single runs without a schedule: waits until the workers have started. */
  open(): Promise<void>
  /** Loads the devices and starts the schedule. Throws StoreError when they cannot be loaded. */
  start(): Promise<void>
  /** True if started, not stopped, and the schedule was processed recently. */
  isRunning(): boolean
  /** Finishes running jobs and writes their samples, for at most `graceMs`. */
  stop(graceMs: number): Promise<void>
  /** Reloads all devices from the store, after changes by other processes. */
  resync(): Promise<void>
  /** Releases devices that are no longer its own and takes over those that now are. Throws StoreError. */
  rebalance(): Promise<void>
  /** Whether it currently polls the device. */
  has(deviceId: number): boolean
  /** Polls all devices now, as fast as the workers can; resolves when they are stored. For benchmarks. */
  pollAll(): Promise<void>
  stats(): PollerStats
  readonly pool: Pool
}

const TICK_MS = 50
/** A schedule not processed for this long counts as stopped, ms. */
const TICK_LATE_MS = 5000

/**
 * Starts the poller's worker threads: the number in `poller.workers`, or one, with more added under load, up to one per
 * core. They take a quarter of a second to load, so `serve` starts them before its database.
 */
export function startPool(settings: Settings, log: Log): Pool {
  const workers = settings.get('poller.workers')
  return createPool(
    { inflight: settings.get('poller.inflight'), logFormat: settings.get('log.format'), limits: limitsOf(settings) },
    { min: workers || 1, max: workers || cpus().length, stallMs: () => settings.get('poller.stall') * 1000, log },
  )
}

/** What each kind of change stores, by its name in the queue. */
const WRITTEN_BY: Readonly<Record<string, string>> = {
  ports: 'ports',
  status: 'status',
  poll: 'observed',
  discovery: 'discovered',
}

/** The devices in a batch, and the kinds of its samples. */
function writtenOf({ polls, series, ports }: SampleBatch): [deviceIds: number[], what: string[]] {
  const kinds = Object.entries(series).flatMap(([kind, rows]) => (rows.id.length > 0 ? [kind] : []))
  const devices = new Set([...polls.map(({ deviceId }) => deviceId), ...(series.icmp?.id ?? [])])
  return [[...devices], ['polled', ...kinds, ...(ports.length > 0 ? ['port'] : [])]]
}

export function createPoller(deps: PollerDeps): Poller {
  const { upstream: centre, settings, log, trace } = deps
  const pool = deps.pool ?? startPool(settings, log)
  const retryable = (error: unknown): boolean => centre.retryable(error)
  const samples = createSampleCounts()
  const takeovers = createTakeovers(centre)
  const fenced = { samples: 0, changes: 0 }
  const queue = createChangeQueue({
    retryable,
    log,
    done(change, deviceId) {
      const what = WRITTEN_BY[change]
      if (what !== undefined) deps.written?.([deviceId], [what])
    },
  })
  /** Drops changes of devices that another poller has claimed in the meantime. */
  const changes: ChangeQueue = {
    ...queue,
    push(name, key, run) {
      const claim = context.devices.get(key)?.claim
      if (claim === undefined) return queue.push(name, key, run)
      return queue.push(name, key, async () => {
        if (!centre.isShared() || (await centre.holds(claim))) return await run()
        fenced.changes++
      })
    },
  }
  const context: PollerContext = {
    upstream: centre,
    settings,
    ...(trace !== undefined && { trace }),
    log,
    pool,
    resolver: deps.resolver ?? createResolver(),
    polls: createSchedule(freed),
    discoveries: createSchedule(),
    repeats: createRepeats({
      again: (id, afterMs) => setTimeout(() => context.discoveries.hasten(id, steadyNow()), afterMs).unref(),
      times: () => ({ firstS: settings.get('discovery.repeat'), regularS: settings.get('discovery.interval') }),
    }),
    unstored: createUnstoredDiscoveries(log, () => settings.get('discovery.interval') * 1000),
    writer: createWriterQueue({
      async write(batch) {
        const { stored, lost } = await (trace === undefined ? centre.samples(batch) : writeTraced(trace, centre, batch))
        samples.add(stored)
        deps.written?.(...writtenOf(stored))
        deps.polled?.(stored.polls)
        for (const claim of lost) again(claim)
      },
      retryable,
      reported: (error) => centre.reported(error),
      log,
      bufferRows: settings.get('poller.buffer_rows'),
    }),
    changes,
    reloads: createReloads(changes, reload),
    devices: new Map(),
    locate,
    checked,
    intervalMs: (device) => (device.stored.poll_interval ?? settings.get('poller.interval')) * 1000,
  }
  const runs: Runs = createJobRunner(context)
  pool.onFlood((address) => runs.flooded(address))
  const echo: EchoRounds = createEchoRounds(context, runs)
  let timer: ReturnType<typeof setInterval> | null = null
  let tickedAt = performance.now()
  let filling = false
  /**
   * Another poller has claimed devices of this one, so the known division of devices among pollers may be out of date.
   */
  let outdated = false
  const lookUp = createLookups(context.resolver)
  /** Number of the last reload. */
  let reloads = 0
  let unlisten: () => void = () => undefined

  /** Drops and reloads a device that another poller has claimed, because its state here is out of date. */
  function again({ deviceId, claim }: DeviceClaim): void {
    fenced.samples++
    if (context.devices.get(deviceId)?.claim.claim !== claim) return
    log.debug({ deviceId }, 'another poller has claimed the device')
    outdated = true
    forget(deviceId)
    void context.reloads.ask(deviceId)
  }

  /** `read`: digests that were read before; devices without one are read once more by `resync`. */
  async function reload(deviceIds: readonly number[], read?: ReadonlyMap<number, string>): Promise<void> {
    if (outdated) {
      outdated = false
      await centre.learn().catch((error: unknown) => {
        outdated = true
        throw error
      })
    }
    const reading = ++reloads
    const before = new Map(deviceIds.map((id) => [id, context.devices.get(id)]))
    // first, so that what changes in between is read again
    const digests = read ?? (await centre.digests(deviceIds))
    const found = new Map((await centre.plans(deviceIds)).map((d) => [d.device_id, d]))
    const taken = new Set<number>()
    const fresh = (): number[] => [...found.keys()].filter((id) => !context.devices.has(id))
    await takeovers.take(fresh, ({ claim, states }) => {
      for (const id of fresh()) {
        const stored = found.get(id)
        if (stored === undefined) continue
        context.devices.set(id, newEntry(stored, claim, states.get(id) ?? null))
        taken.add(id)
      }
    })
    const lookups = await lookUp(found)
    const rest = createYielder()
    for (const id of deviceIds) {
      await rest()
      const stored = found.get(id)
      const device = context.devices.get(id)
      // an entry that was taken over or read again in the meantime is newer than this reading
      if (stored === undefined) {
        if (device === before.get(id)) forget(id)
      } else if (device !== undefined && device.readBy <= reading) {
        device.readBy = reading
        device.digest = digests.get(id) ?? null
        const lookup = lookups.get(id)
        plan(device, stored, lookup?.address === undefined ? lastAddress(device, stored) : lookup.address)
        place(device)
        if (lookup?.address === undefined) locatedLater(device, lookup)
        else located(device)
        if (taken.has(id)) catchUp(device)
        if (taken.has(id) && stored.truncated) context.repeats.resumed(id)
      }
    }
  }

  /**
   * Polls a device taken over from another poller early if it has missed a poll. Not done when this poller starts
   * alone, because then all devices have missed polls, and keep to their phases.
   */
  function catchUp(device: PolledDevice): void {
    const { id, state } = device
    if (state === null || (timer === null && !centre.isShared())) return
    const now = steadyNow()
    const at = catchUpAt(id, context.intervalMs(device), now - (Date.now() - state.time), now)
    if (at !== null) context.polls.hasten(id, at)
  }

  /** Sets the address once the look-up ends, for a device whose name servers were too slow to wait for. */
  function locatedLater(device: PolledDevice, lookup: NameLookup | undefined): void {
    const { stored } = device
    void lookup?.done.then((address) => {
      if (context.devices.get(device.id) !== device || device.stored !== stored) return
      if (address !== device.address) readdress(device, address)
      located(device)
    })
  }

  async function locate(device: PolledDevice): Promise<void> {
    const { stored } = device
    const address = await addressOf(context.resolver, stored)
    if (context.devices.get(device.id) !== device || device.stored !== stored || address === device.address) return
    readdress(device, address)
    located(device)
  }

  function checked(device: PolledDevice, check: 'icmp' | 'snmp', passed: boolean): void {
    const before = device.streaks[check]
    const streak = passed ? Math.max(0, before) + 1 : Math.min(0, before) - 1
    device.streaks[check] = streak
    const steadiness = { downAfter: settings.get('status.down_after'), upAfter: settings.get('status.up_after') }
    const now = checkAfter(device.checks[check], device.up, { passed, streak: Math.abs(streak) }, steadiness)
    device.checks[check] = now
    if (now === (passed ? 'ok' : 'failed')) return
    const schedule = check === 'snmp' ? context.polls : echo
    setTimeout(() => schedule.hasten(device.id, steadyNow()), settings.get('status.retry') * 1000).unref()
  }

  /** Applies a look-up's result: without an address all checks fail; with one again, the device is checked at once. */
  function located(device: PolledDevice): void {
    const { checks, stored, address } = device
    const now = Date.now()
    const made = (['icmp', 'snmp'] as const).filter((check) => checks[check] !== 'off')
    if (stored.disabled === 1 || made.length === 0) return
    if (address === null) {
      for (const check of made) checks[check] = 'failed'
      runs.note(device, { kind: 'unresolved', hostname: nameOf(stored) }, now)
      runs.settle(device, now)
    } else if (device.failure?.kind === 'unresolved') {
      for (const check of made) checks[check] = 'unknown'
      runs.note(device, null, now)
      context.polls.hasten(device.id, steadyNow())
      echo.hasten(device.id, steadyNow())
    }
  }

  function plan(device: PolledDevice, stored: DevicePlan, address: string | null): void {
    const moduleSettings = {
      ...Object.fromEntries(MODULE_SETTINGS.map((n) => [n, settings.get(n)])),
      [FOLDER_SETTING]: deps.definitions ?? '',
    }
    replan(device, stored, address, {
      isOn: switchesOf(stored, settings),
      nonunicast: settings.get('poller.nonunicast'),
      settings: moduleSettings,
    })
  }

  function place(device: PolledDevice): void {
    const now = steadyNow()
    const { stored, id } = device
    if (stored.disabled === 1) {
      context.polls.remove(id)
      context.discoveries.remove(id)
      echo.remove(id)
      return
    }
    if (usesSnmp(stored)) {
      if (device.checks.snmp === 'off') device.checks.snmp = 'unknown'
      context.polls.set(id, context.intervalMs(device), now)
      context.unstored.place(stored, context.discoveries, now)
    } else {
      context.polls.remove(id)
      context.discoveries.remove(id)
      device.checks.snmp = 'off'
      if (device.failure !== null && device.failure.kind !== 'unresolved')
        runs.note(device, null, Date.now(), { event: false })
    }
    echo.place(device, now)
  }

  function forget(id: number): void {
    context.devices.delete(id)
    context.polls.remove(id)
    context.discoveries.remove(id)
    echo.remove(id)
    runs.forget(id)
    pool.tell({ kind: 'forget', deviceId: id })
  }

  function tick(): void {
    const now = steadyNow()
    const slots = settings.get('poller.concurrency') * pool.max
    const running = context.polls.running + context.discoveries.running
    for (const id of context.polls.take(now, slots - running)) runs.poll(id)
    const room = Math.max(2, Math.ceil(slots / 8))
    if (!runs.isBehind())
      for (const id of context.discoveries.take(now, room - context.discoveries.running)) runs.discover(id)
    echo.tick(now)
    tickedAt = performance.now()
  }

  /** Called when a poll ended, so that others that are due need not wait for the next tick. */
  function freed(): void {
    if (filling || (context.polls.next() ?? Number.POSITIVE_INFINITY) > steadyNow()) return
    filling = true
    setImmediate(() => {
      filling = false
      if (timer !== null) tick()
    })
  }

  async function rebalance(): Promise<void> {
    await reloadAll((await ownIds()).filter((id) => !context.devices.has(id)))
  }

  /** Ids of this poller's devices according to the store; drops all others. */
  async function ownIds(): Promise<number[]> {
    const ids = await centre.deviceIds()
    const own = new Set(ids)
    for (const id of context.devices.keys()) if (!own.has(id)) forget(id)
    return ids
  }

  async function reloadAll(ids: readonly number[]): Promise<void> {
    // digests take as long as the rows, and a start waits for this
    for (const part of slices(ids, RELOADED_AT_ONCE)) await reload(part, new Map())
  }

  async function open(): Promise<void> {
    await pool.ready
  }

  return {
    pool,
    refresh: (deviceId) => void context.reloads.ask(deviceId),
    resync: () => resync({ upstream: centre, devices: context.devices, ownIds, reload }),
    rebalance,
    has: (deviceId) => context.devices.has(deviceId),
    open,
    async start() {
      await open()
      await reloadAll(await ownIds())
      unlisten = settings.onChange(() => {
        pool.tell({ kind: 'limits', limits: limitsOf(settings) })
        for (const device of context.devices.values()) place(device)
      })
      tickedAt = performance.now()
      timer = setInterval(tick, TICK_MS)
      log.info({ devices: context.devices.size, workers: pool.max }, 'polling')
    },
    isRunning: () => timer !== null && performance.now() - tickedAt < TICK_LATE_MS,
    async stop(graceMs) {
      const deadline = performance.now() + graceMs
      const left = (): number => Math.max(0, deadline - performance.now())
      if (timer !== null) clearInterval(timer)
      timer = null
      unlisten()
      await pool.stop(Math.min(1500, graceMs / 2))
      await context.changes.stop(Math.min(1000, left()))
      await context.writer.stop(left())
    },
    resolve: (hostname, family) => context.resolver.resolve(hostname, family),
    ping: (address) => pingNow(address, { echo, settings }),
    probe: (target) => runs.probe(target),
    contact: () => Promise.resolve(null),
    async tryOwn(deviceId) {
      const device = context.devices.get(deviceId)
      return device === undefined ? null : await tryDevice(device, { resolver: context.resolver, echo, runs, settings })
    },
    async discover(deviceId) {
      if (!context.devices.has(deviceId)) await reload([deviceId])
      return runs.discoverNow(deviceId)
    },
    async poll(deviceId) {
      if (!context.devices.has(deviceId)) await reload([deviceId])
      return runs.pollNow(deviceId)
    },
    async pollAll() {
      const now = steadyNow()
      for (const id of context.devices.keys()) context.polls.hasten(id, now)
      tick()
      // not the number of polls, which includes those of devices that are polled twice after a discovery
      while (context.polls.running > 0 || (context.polls.next() ?? Number.POSITIVE_INFINITY) <= now) await Bun.sleep(2)
      await context.writer.flush()
    },
    stats() {
      const now = steadyNow()
      return {
        polls: context.polls.stats(now),
        discoveries: context.discoveries.stats(now),
        runs: runs.stats(),
        pool: pool.stats(),
        writer: context.writer.stats(),
        samples: samples.metrics(),
        changes: context.changes.stats(),
        fenced: { ...fenced },
      }
    },
  }
}

/** Number of devices read from the store at a time, limited because their rows take memory. */
const RELOADED_AT_ONCE = 100

function limitsOf(settings: Settings): SnmpLimits {
  return {
    timeoutMs: settings.get('snmp.timeout') * 1000,
    retries: settings.get('snmp.retries'),
    maxRepetitions: settings.get('snmp.max_repeaters'),
    maxRows: settings.get('discovery.max_rows'),
    maxPorts: settings.get('discovery.max_ports'),
    maxOctets: settings.get('discovery.max_octets'),
  }
}
