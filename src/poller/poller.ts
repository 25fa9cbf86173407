import type { Settings } from '../config/schema.ts'
import type { Contact, Gateway } from '../core/base/gateway.ts'
import type { Upstream } from '../core/pollers/upstream.ts'
import type { Log } from '../observe/log.ts'
import type { Trace } from '../observe/trace.ts'
import type { DevicePoll } from '../series/samples.ts'
import { type Clock, SYSTEM_CLOCK } from './clock.ts'
import { createContacts } from './contact.ts'
import { createAddresses } from './devices/addresses.ts'
import { checkSoon } from './devices/check-soon.ts'
import { createDeviceChanges } from './devices/device-changes.ts'
import { createDeviceStatus } from './devices/device-status.ts'
import { createDevices } from './devices/devices.ts'
import { createRepeats } from './devices/discovery-retries.ts'
import { createPingSchedule } from './devices/ping-schedule.ts'
import type { PolledDevice } from './devices/polled-device.ts'
import { createQuarantine } from './devices/quarantine.ts'
import type { Schedules } from './devices/schedules.ts'
import { createUnstoredDiscoveries } from './devices/unstored.ts'
import { createDurations } from './durations.ts'
import { createDeviceEvents } from './events/device-events.ts'
import { createFloodEvents } from './events/flood-events.ts'
import type { PollerStats } from './poller-stats.ts'
import type { Pool } from './pool.ts'
import { createResolver, type Resolver } from './resolve.ts'
import { createDiscoveries } from './runs/discoveries.ts'
import { createDiscoveryResults } from './runs/discovery-results.ts'
import { createEchoRounds } from './runs/echo-rounds.ts'
import { createFoundRows } from './runs/found-rows.ts'
import { createPollResults } from './runs/poll-results.ts'
import { createPolls } from './runs/polls.ts'
import { createStalls } from './runs/stalls.ts'
import { createSampleWriter } from './samples/sample-writer.ts'
import { createSchedule } from './scheduler.ts'
import { limitsOf, startPool } from './start-pool.ts'
import { createTicker } from './ticker.ts'

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
  /** Default: the clocks of the machine. */
  readonly clock?: Clock
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
  /** Pings or polls a device of its own soon, because the state of others depends on it. */
  check(deviceId: number): void
  /** Whether it currently polls the device. */
  has(deviceId: number): boolean
  /** Polls all devices now, as fast as the workers can; resolves when they are stored. For benchmarks. */
  pollAll(): Promise<void>
  stats(): PollerStats
  readonly pool: Pool
}

export function createPoller(deps: PollerDeps): Poller {
  const parts = build(deps)
  const { settings, log, clock, pool, resolver, devices, registry, schedules, changes, writer } = parts
  const { polls, discoveries, contacts, ticker } = parts
  let unlisten: () => void = () => undefined

  async function open(): Promise<void> {
    await pool.ready
  }

  return {
    pool,
    refresh: (deviceId) => void registry.refresh(deviceId),
    resync: registry.resync,
    rebalance: registry.rebalance,
    check(deviceId) {
      const device = devices.get(deviceId)
      if (device !== undefined) checkSoon(device, schedules, clock.steady())
    },
    has: (deviceId) => devices.has(deviceId),
    open,
    async start() {
      await open()
      await registry.load()
      unlisten = settings.onChange(() => {
        pool.tell({ kind: 'limits', limits: limitsOf(settings) })
        registry.placeAll()
      })
      ticker.start()
      log.info({ devices: devices.size, workers: pool.max }, 'polling')
    },
    isRunning: ticker.isRunning,
    async stop(graceMs) {
      const deadline = clock.steady() + graceMs
      const left = (): number => Math.max(0, deadline - clock.steady())
      ticker.stop()
      unlisten()
      await pool.stop(Math.min(1500, graceMs / 2))
      await changes.stop(Math.min(1000, left()))
      await writer.stop(left())
    },
    resolve: (hostname, family) => resolver.resolve(hostname, family),
    ping: contacts.ping,
    probe: contacts.probe,
    identify: contacts.identify,
    contact: () => Promise.resolve(null),
    async tryOwn(deviceId) {
      const device = devices.get(deviceId)
      return device === undefined ? null : await contacts.tryDevice(device)
    },
    async discover(deviceId) {
      await registry.ensure(deviceId)
      return discoveries.now(deviceId)
    },
    async poll(deviceId) {
      await registry.ensure(deviceId)
      const summary = await polls.now(deviceId)
      await writer.flush()
      return summary
    },
    async pollAll() {
      const now = clock.steady()
      for (const id of devices.keys()) schedules.polls.hasten(id, now)
      ticker.tick()
      // not the number of polls, which includes those of devices that are polled twice after a discovery
      while (schedules.polls.running > 0 || (schedules.polls.next() ?? Number.POSITIVE_INFINITY) <= now)
        await Bun.sleep(2)
      await writer.flush()
    },
    stats: () => statsOf(parts),
  }
}

type Parts = ReturnType<typeof build>

/** Builds the parts in the order in which they need each other. */
function build(deps: PollerDeps) {
  const { upstream, settings, log, trace = null, clock = SYSTEM_CLOCK, definitions = '' } = deps
  const { written = () => undefined, polled = () => undefined, resolver = createResolver() } = deps
  const pool = deps.pool ?? startPool(settings, log)
  const devices = new Map<number, PolledDevice>()
  const schedules: Schedules = {
    polls: createSchedule(),
    discoveries: createSchedule(),
    pings: createPingSchedule(settings),
  }
  const quarantine = createQuarantine()
  const unstored = createUnstoredDiscoveries(log, clock, () => settings.get('discovery.interval') * 1000)
  const repeats = createRepeats({
    again: (id, afterMs) => setTimeout(() => schedules.discoveries.hasten(id, clock.steady()), afterMs).unref(),
    times: () => ({ firstS: settings.get('discovery.repeat'), regularS: settings.get('discovery.interval') }),
  })
  const durations = createDurations(trace)
  const base = { upstream, settings, log, clock, pool, resolver, devices, schedules }

  const changes = createDeviceChanges({ ...base, written })
  const events = createDeviceEvents(changes, log)
  const status = createDeviceStatus({ ...base, changes, quarantine })
  const addresses = createAddresses({ ...base, status })
  const known = { ...base, changes, events, status, addresses, quarantine, repeats, unstored, durations }
  const registry = createDevices({ ...known, definitions })
  const samples = createSampleWriter({ ...base, trace, lost: registry.lost, written, polled })
  const writer = samples.queue

  const found = createFoundRows(known)
  const stalls = createStalls(known)
  const pollResults = createPollResults({ ...known, writer, found, stalls })
  const polls = createPolls({ ...known, schedule: schedules.polls, stalls, results: pollResults })
  const discoveryResults = createDiscoveryResults({ ...known, registry, found })
  const discoveries = createDiscoveries({
    ...known,
    schedule: schedules.discoveries,
    stalls,
    results: discoveryResults,
  })
  const echo = createEchoRounds({ ...known, writer })
  const contacts = createContacts({ ...base, echo })
  const floods = createFloodEvents(known)
  pool.onFlood(floods.report)
  const ticker = createTicker({ ...base, workers: pool.max, polls, discoveries, discoveryResults, echo })
  const results = { pollResults, discoveryResults, found, samples, floods }
  return { ...known, ...results, registry, writer, polls, discoveries, contacts, ticker }
}

function statsOf(parts: Parts): PollerStats {
  const { clock, pool, schedules, samples, changes } = parts
  const now = clock.steady()
  const polls = parts.pollResults.stats()
  const discoveries = parts.discoveries.stats()
  return {
    polls: schedules.polls.stats(now),
    discoveries: schedules.discoveries.stats(now),
    runs: {
      ...polls,
      lost: polls.lost + discoveries.lost,
      discoveries: parts.discoveryResults.count,
      quarantined: parts.quarantine.size(now),
      floods: parts.floods.total,
      largeWaiting: discoveries.largeWaiting,
      cleaned: parts.found.cleaned,
      durations: parts.durations.metrics(),
    },
    pool: pool.stats(),
    writer: samples.queue.stats(),
    samples: samples.metrics(),
    changes: changes.stats(),
    fenced: { samples: samples.fenced, changes: changes.fenced },
  }
}
