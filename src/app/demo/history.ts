import type { SettingsHolder } from '../../config/settings.ts'
import type { Store } from '../../core/database/client.ts'
import { type DemoDeviceRecord, demoDevices, type RealStart, realStartOf } from '../../core/demo/read.ts'
import { clearPast, finishPast, type PastEvents } from '../../core/demo/write.ts'
import { loadDevicePlan } from '../../core/polling/read-plan.ts'
import { loadPortState } from '../../core/series/read-port-state.ts'
import { writePastSamples } from '../../core/series/write.ts'
import type { DemoFleet } from '../../demo/demo.ts'
import { hash01 } from '../../demo/hash.ts'
import type { Log } from '../../observe/log.ts'
import { newEntry, type PolledDevice, planOf, replan } from '../../poller/devices/polled-device.ts'
import { switchesOf } from '../../poller/module-toggles.ts'
import { ingest } from '../../poller/runs/ingest.ts'
import { createBatch } from '../../poller/samples/batch.ts'
import type { PortCounters } from '../../series/samples.ts'
import { pastOutcome, pastPoll } from './past.ts'

export interface HistoryDeps {
  readonly store: Store
  readonly settings: SettingsHolder
  readonly fleet: DemoFleet
  readonly log: Log
  /** How the fleet's addresses, all on this host, answer ICMP; null: not at all, or ICMP is off. */
  readonly echo: Echo | null
  /** Hostname of the device whose history is stored first, if it is ready. */
  readonly first?: string
  /** Called after each device. */
  readonly progress?: (done: number, devices: number, hostname: string) => void
}

/** A round of ICMP: mean round-trip time in ms, and the number of requests. */
export interface Echo {
  readonly rttMs: number
  readonly sent: number
}

/** What was stored. `devices` 0: every device already had its history. */
export interface HistoryReport {
  readonly devices: number
  readonly samples: number
  readonly seconds: number
}

const HOUR_MS = 3_600_000
const PAST_MS = 24 * HOUR_MS
/** Time between simulated polls, and in the last hour, where graphs show more detail. */
const STEP_MS = 300_000
const FINE_MS = 60_000
const BATCH_ROWS = 12_000
/** Values computed per request: the fleet's thread also has to serve its agents. */
const VALUES_AT_ONCE = 100_000
/** Interval of checks for devices that are not discovered yet, and how long to wait for them. */
const LOOK_MS = 250
const PATIENCE_MS = 600_000

/**
 * Stores 24 hours of history for every demo device that has none, one by one as they are discovered. The fleet's values
 * are functions of the clock, so past polls can be computed; they go through the same ingest as real ones. The history
 * ends with the counters that the device's first real sample subtracts from.
 */
export function loadDemoHistory(deps: HistoryDeps): { readonly done: Promise<HistoryReport>; stop(): Promise<void> } {
  const ended = new AbortController()
  const done = loadAll(deps, ended.signal)
  return {
    done,
    async stop() {
      ended.abort()
      await done.catch(() => undefined)
    },
  }
}

async function loadAll(deps: HistoryDeps, ended: AbortSignal): Promise<HistoryReport> {
  const { store, settings, fleet, log, first, progress } = deps
  const began = performance.now()
  const named = new Set(fleet.devices.map(({ hostname }) => hostname))
  const devices = (await demoDevices(store)).filter((d) => !d.history && named.has(d.hostname))
  const waiting = new Set(devices.toSorted((a, b) => Number(b.hostname === first) - Number(a.hostname === first)))
  let samples = 0
  let loaded = 0
  while (waiting.size > 0 && !ended.aborted && performance.now() - began < PATIENCE_MS) {
    let found = false
    for (const device of waiting) {
      if (ended.aborted) break
      const past = await pastOf(store, settings, device)
      if (past === null) continue
      found = true
      waiting.delete(device)
      samples += await loadDevice(deps, device, past, ended)
      loaded++
      progress?.(loaded, devices.length, device.hostname)
      // check again whether the device shown first is ready
      if ([...waiting][0]?.hostname === first) break
    }
    if (!found && waiting.size > 0) await Bun.sleep(LOOK_MS)
  }
  const seconds = (performance.now() - began) / 1000
  if (!ended.aborted && waiting.size > 0)
    log.warn({ devices: [...waiting].map((d) => d.hostname) }, 'demo devices without history: they did not answer')
  if (loaded > 0) log.info({ devices: loaded, samples, seconds: Number(seconds.toFixed(1)) }, 'demo history stored')
  return { devices: loaded, samples, seconds }
}

/** A device whose history can be stored. */
interface Ready {
  readonly entry: PolledDevice
  readonly realStart: RealStart
  /** The counters at the real start; null if newer ones have been read since. */
  readonly state: PortCounters | null
}

/** Null: not discovered yet, or not polled since. */
async function pastOf(store: Store, settings: SettingsHolder, { device_id }: DemoDeviceRecord): Promise<Ready | null> {
  const state = await loadPortState(store, device_id)
  const realStart = await realStartOf(store, device_id)
  const [plan] = await loadDevicePlan(store, [device_id])
  if (realStart === null || plan === undefined) return null
  const entry = newEntry(plan)
  replan(entry, plan, plan.overwrite_ip, {
    isOn: switchesOf(plan, settings),
    nonunicast: settings.get('poller.nonunicast'),
    settings: {},
  })
  return { entry, realStart, state: state?.time === realStart.endMs ? state : null }
}

async function loadDevice(
  { store, fleet, echo }: HistoryDeps,
  { device_id, hostname, insertedMs }: DemoDeviceRecord,
  { entry, realStart, state }: Ready,
  ended: AbortSignal,
): Promise<number> {
  const plan = planOf(entry)
  if (plan === null) return 0
  await clearPast(store, device_id, insertedMs)
  const poll = pastPoll(plan)
  const moments = pastMoments(realStart.endMs)
  const chunks = chunked(
    moments,
    Math.max(1, Math.floor(VALUES_AT_ONCE / (poll.counters.length + poll.numbers.length))),
  )
  const ask = (chunk: Float64Array | undefined) =>
    chunk === undefined ? null : fleet.past(hostname, { ...poll, moments: chunk })
  const record = recorder(entry, entry.stored.icmp_disable ? null : echo)
  let samples = 0
  let batch = createBatch()
  let next = ask(chunks[0])
  for (const [c, chunk] of chunks.entries()) {
    const answer = await next
    if (answer === null || ended.aborted) return samples
    // the fleet's thread computes the next chunk while the database writes
    next = ask(chunks[c + 1])
    next?.catch(() => undefined)
    for (const [m, at] of chunk.entries()) {
      record.take(pastOutcome(plan, answer, m, at, realStart, at === realStart.endMs ? state : null), batch)
    }
    if (batch.rows < BATCH_ROWS && c < chunks.length - 1) continue
    samples += batch.rows
    if (!(await writePastSamples(store, device_id, batch.seal()))) return samples
    batch = createBatch()
  }
  await finishPast(store, device_id, moments[0] ?? realStart.endMs, record.events())
  return samples
}

/** Every five minutes for a day, every minute in its last hour; the last one is `endMs`. */
export function pastMoments(endMs: number): Float64Array {
  const moments: number[] = []
  for (let at = endMs - PAST_MS; at < endMs - HOUR_MS; at += STEP_MS) moments.push(at)
  for (let at = endMs - HOUR_MS; at <= endMs; at += FINE_MS) moments.push(at)
  return Float64Array.from(moments)
}

function chunked(moments: Float64Array, size: number): Float64Array[] {
  return Array.from({ length: Math.ceil(moments.length / size) }, (_, i) => moments.slice(i * size, (i + 1) * size))
}

/** Adds the polls of the past to batches in order, and collects the events they caused. */
function recorder(entry: PolledDevice, echo: Echo | null) {
  const ports: { at: number; changes: PastEvents['ports'][number]['changes'] }[] = []
  const outages: { fromMs: number; toMs: number }[] = []
  const reboots: { at: number; upS: number }[] = []
  let silentSince: number | null = null
  let polls = 0
  let before = Number.NaN
  let last = Number.NaN
  return {
    take(outcome: ReturnType<typeof pastOutcome>, batch: ReturnType<typeof createBatch>): void {
      const { at } = outcome
      if (echo !== null) batch.addIcmp(round(entry.id, at, echo))
      if (outcome.kind === 'failed') {
        // the start of an outage that began before the history is unknown
        if (polls > 0) silentSince ??= at
        last = at
        batch.addDevice({ deviceId: entry.id, time: at, answered: false, uptimeS: null, ...outcome.cost })
        return
      }
      const { portChanges, rebootAfterS } = ingest(entry, outcome, batch, Math.max(STEP_MS, at - before || 0))
      if (polls === 0 || portChanges.length > 0) ports.push({ at, changes: portChanges })
      if (silentSince !== null) outages.push({ fromMs: silentSince, toMs: at })
      if (rebootAfterS !== null) reboots.push({ at, upS: rebootAfterS })
      silentSince = null
      before = at
      polls++
    },
    events(): PastEvents {
      // every device has power in the first minutes after the start, so open outages end here
      const open = silentSince === null ? [] : [{ fromMs: silentSince, toMs: last }]
      return { ports, outages: [...outages, ...open], reboots }
    },
  }
}

/** A round of ICMP with round-trip times close to the measured ones. */
function round(deviceId: number, time: number, { rttMs, sent }: Echo) {
  const spread = (n: number): number => hash01(deviceId, 3 * Math.floor(time / FINE_MS) + n)
  const rttAvgMs = rttMs * (0.85 + 0.3 * spread(0))
  return {
    deviceId,
    time,
    sent,
    received: sent,
    rttAvgMs,
    rttMinMs: rttAvgMs * (0.6 + 0.3 * spread(1)),
    rttMaxMs: rttAvgMs * (1.2 + spread(2)),
  }
}
