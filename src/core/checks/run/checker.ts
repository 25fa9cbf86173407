import type { Settings } from '../../../config/schema.ts'
import { steadyNow } from '../../../lib/steady.ts'
import type { Log } from '../../../observe/log.ts'
import type { Schedule, ScheduleStats } from '../../../poller/scheduler.ts'
import type { Store } from '../../database/client.ts'
import { toStoreError } from '../../database/errors.ts'
import { type ServiceSelection, writeCheckedStates } from '../write-results.ts'
import { writeServiceSamples } from '../write-samples.ts'
import { type CheckedEntry, createCheckedServices } from './checked-services.ts'
import type { Checked, CheckPool } from './pool.ts'
import { createReloader } from './reloader.ts'
import { type CheckRecord, createResultQueue, type ResultQueueStats } from './results.ts'
import { agentOf, isChecked, nameOf } from './service.ts'
import { type ServiceState, settle } from './state.ts'
import { createCheckTimes } from './times.ts'
import { createValues, unitsOf } from './values.ts'

export interface CheckerDeps {
  readonly store: Store
  readonly settings: Settings
  readonly log: Log
  readonly pool: CheckPool
  /** Called after results of checks of these devices were stored. */
  readonly written: (deviceIds: readonly number[], what: readonly string[]) => void
  /** Interval at which due checks are started, ms. */
  readonly tickMs?: number
}

export interface CheckerStats {
  readonly builtin: ScheduleStats
  readonly plugins: ScheduleStats
  /** Services that are not checked because their device is down. */
  readonly held: number
  readonly byStatus: readonly [ok: number, warning: number, critical: number, unknown: number]
  readonly lost: number
  readonly died: number
  readonly results: ResultQueueStats
}

/** Checks the services in the store, each at its own phase of `services.interval`, and stores the results. */
export interface Checker {
  /** Starts. Loads the services, retrying while the database is unavailable. */
  start(): void
  /** The poller stored something about these devices; their status may have changed. */
  changed(deviceIds: readonly number[], what: readonly string[]): void
  /** Reads services again after a change. */
  reload(which: ServiceSelection): void
  /** Resolves when all reloads requested so far are done. */
  reloaded(): Promise<void>
  /** Checks the service now; resolves when the result is stored. Does nothing if checks of it are off. */
  checkNow(serviceId: number): Promise<void>
  /** Checks the service at the next tick, ahead of schedule. Does nothing if checks of it are off. */
  hasten(serviceId: number): void
  stop(graceMs: number): Promise<void>
  stats(): CheckerStats
  readonly times: ReturnType<typeof createCheckTimes>
}

const TICK_MS = 100
/** Severity of the event of a change to ok, warning, critical, unknown. */
const SEVERITY = [1, 4, 5, 4] as const
const STATUS = ['ok', 'warning', 'critical', 'unknown'] as const

export function createChecker(deps: CheckerDeps): Checker {
  const { store, settings, log, pool, tickMs = TICK_MS } = deps
  const values = createValues()
  const services = createCheckedServices({ store, settings, freed, forgotten: (id) => values.forget(id) })
  const { entries, schedules, retries } = services
  const times = createCheckTimes()
  let lost = 0
  let stopped = false
  let ticker: ReturnType<typeof setInterval> | null = null
  let filling = false
  let unlisten: () => void = () => undefined

  const results = createResults(deps, entries)
  const reloader = createReloader({ load: services.load, log, everyMs: 5000 })

  function tick(): void {
    const now = steadyNow()
    for (const [id, due] of retries) {
      if (due > now) continue
      retries.delete(id)
      services.hasten(id)
    }
    run(schedules.plugin, settings.get('services.processes'), now)
    run(schedules.builtin, settings.get('services.concurrency'), now)
  }

  function run(schedule: Schedule, limit: number, now: number): void {
    for (const id of schedule.take(now, limit - schedule.running)) {
      check(id)
        .catch((error: unknown) => log.error({ err: error, serviceId: id }, 'check failed'))
        .finally(() => schedule.done(id, steadyNow()))
    }
  }

  /** Starts due checks as soon as one has ended instead of waiting for the next tick. */
  function freed(): void {
    const due = Math.min(...Object.values(schedules).map((schedule) => schedule.next() ?? Number.POSITIVE_INFINITY))
    if (filling || due > steadyNow()) return
    filling = true
    setImmediate(() => {
      filling = false
      if (ticker !== null) tick()
    })
  }

  async function check(id: number): Promise<void> {
    const entry = entries.get(id)
    // the state of services on a device that is down is unknown, so it is left unchanged
    if (entry === undefined || entry.service.device_status !== 1) return
    const { service } = entry
    const plan = await services.planned(service)
    const job = { plan, timeoutMs: settings.get('services.timeout') * 1000, agent: agentOf(service, plan) }
    const checked = await pool.run(job)
    if (checked === null) lost++
    // while it was checked, the service may have been changed or deleted, or its device may have gone down
    if (stopped || checked === null || entries.get(id)?.service !== service) return
    times.observe(service.service_type, plan.kind, checked.tookMs)
    keep(entry, checked, Date.now())
    if ((plan.kind === 'plugin') !== (entry.plan.kind === 'plugin')) {
      entry.plan = plan
      services.place(entry, false)
    }
  }

  function keep(entry: CheckedEntry, checked: Checked, atMs: number): void {
    const { result } = checked
    const { service_id: serviceId } = entry.service
    const rule = { attempts: settings.get('services.attempts'), atS: Math.floor(atMs / 1000) }
    const { state, changedFrom } = settle(entry.state, result, rule)
    entry.state = state
    if (state.attempt > 0) retries.set(serviceId, steadyNow() + settings.get('services.retry_interval') * 1000)
    else retries.delete(serviceId)
    const measured = result.measured.length === 0 ? null : values.of(serviceId, result.measured, atMs)
    results.add({
      ...changeOf(entry, checked, changedFrom, atMs),
      reading: measured === null ? null : { serviceId, time: atMs, values: measured },
    })
  }

  return {
    times,
    start() {
      reloader.ask('all')
      unlisten = settings.onChange(services.replan)
      ticker = setInterval(tick, tickMs)
    },
    changed(deviceIds, what) {
      if (what.includes('status')) reloader.ask({ devices: deviceIds })
    },
    reload: (which) => reloader.ask(which),
    reloaded: () => reloader.idle(),
    async checkNow(serviceId) {
      await check(serviceId)
      await results.flush()
    },
    hasten: services.hasten,
    async stop(graceMs) {
      stopped = true
      if (ticker !== null) clearInterval(ticker)
      ticker = null
      unlisten()
      await Promise.all([reloader.stop(), pool.stop()])
      await results.stop(graceMs)
    },
    stats() {
      const now = steadyNow()
      return {
        builtin: schedules.builtin.stats(now),
        plugins: schedules.plugin.stats(now),
        ...countStates(entries.values()),
        lost,
        died: pool.died,
        results: results.stats(),
      }
    },
  }
}

/** What is stored of the state of a service after a check; an event if it changed. */
function changeOf(
  { service, state }: CheckedEntry,
  { result, tookMs }: Checked,
  changedFrom: ServiceState['status'] | null,
  at: number,
): Pick<CheckRecord, 'state' | 'event'> {
  const { service_id: serviceId, device_id: deviceId } = service
  const { status, changed, message, attempt } = state
  const stored = {
    ...{ serviceId, status, changed, message, attempt, at, tookMs },
    ...{ ds: unitsOf(result.measured), lastStatus: result.status, lastMessage: result.message },
  }
  if (changedFrom === null) return { state: stored, event: null }
  const text = `Service ${nameOf(service)} changed from ${STATUS[changedFrom]} to ${STATUS[status]}: ${message}`
  return { state: stored, event: { serviceId, deviceId, at, severity: SEVERITY[status], message: text } }
}

/** The queue that stores results, and says of which devices it did. */
function createResults({ store, settings, log, written }: CheckerDeps, entries: ReadonlyMap<number, CheckedEntry>) {
  return createResultQueue({
    async writeStates(states, events) {
      await writeCheckedStates(store, states, events)
      const devices = new Set(states.flatMap(({ serviceId }) => entries.get(serviceId)?.service.device_id ?? []))
      if (devices.size > 0) written([...devices], ['services'])
    },
    writeReadings: (readings) => writeServiceSamples(store, readings),
    retryable: (error) => toStoreError(error).retryable,
    log,
    bufferValues: settings.get('poller.buffer_rows'),
  })
}

function countStates(entries: Iterable<CheckedEntry>): Pick<CheckerStats, 'held' | 'byStatus'> {
  const byStatus: [number, number, number, number] = [0, 0, 0, 0]
  let held = 0
  for (const { service, state } of entries) {
    if (!isChecked(service)) continue
    if (service.device_status !== 1) held++
    byStatus[state.status]++
  }
  return { held, byStatus }
}
