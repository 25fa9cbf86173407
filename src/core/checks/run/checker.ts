import type { Settings } from '../../../config/schema.ts'
import { steadyNow } from '../../../lib/steady.ts'
import type { Log } from '../../../observe/log.ts'
import { createSchedule, type Schedule, type ScheduleStats } from '../../../poller/scheduler.ts'
import type { Store } from '../../database/client.ts'
import { toStoreError } from '../../database/errors.ts'
import type { CheckPlan } from '../plan.ts'
import { findPlugin, pluginFolders } from '../types.ts'
import { type CheckedService, type ServiceSelection, servicesToCheck, writeCheckedStates } from '../write-results.ts'
import { writeServiceSamples } from '../write-samples.ts'
import type { Checked, CheckPool } from './pool.ts'
import { createReloader } from './reloader.ts'
import { createResultQueue, type ResultQueueStats } from './results.ts'
import { agentOf, isChecked, nameOf, planOf, storedState } from './service.ts'
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

interface Entry {
  service: CheckedService
  plan: CheckPlan
  state: ServiceState
}

/** Columns that identify what is checked, and all columns that a check depends on. */
const DECIDING = ['service_type', 'service_param', 'service_ip'] as const
const CONFIGURED = [
  ...DECIDING,
  ...(['device_id', 'service_name', 'service_desc', 'service_disabled', 'hostname', 'overwrite_ip'] as const),
  ...(['device_disabled', 'device_status', 'port', 'snmpver', 'community', 'authlevel', 'authname'] as const),
  ...(['authpass', 'authalgo', 'cryptopass', 'cryptoalgo'] as const),
] as const
const TICK_MS = 100
/** How long the result of a search for a plugin is cached, ms. */
const KEEP_PROGRAM_MS = 60_000
/** Severity of the event of a change to ok, warning, critical, unknown. */
const SEVERITY = [1, 4, 5, 4] as const
const STATUS = ['ok', 'warning', 'critical', 'unknown'] as const

export function createChecker(deps: CheckerDeps): Checker {
  const { store, settings, log, pool, written, tickMs = TICK_MS } = deps
  const entries = new Map<number, Entry>()
  const schedules = { builtin: createSchedule(freed), plugin: createSchedule(freed) }
  /** When services that failed are checked again, epoch ms. */
  const retries = new Map<number, number>()
  const programs = new Map<string, { readonly path: Promise<string | null>; readonly until: number }>()
  const values = createValues()
  const times = createCheckTimes()
  let lost = 0
  let stopped = false
  let ticker: ReturnType<typeof setInterval> | null = null
  let filling = false
  let unlisten: () => void = () => undefined

  const results = createResultQueue({
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
  const reloader = createReloader({ load, log, everyMs: 5000 })

  async function load(which: ServiceSelection): Promise<void> {
    const found = new Map((await servicesToCheck(store, which)).map((service) => [service.service_id, service]))
    const asked =
      which === 'all'
        ? [...entries.keys()]
        : 'services' in which
          ? which.services
          : [...entries.values()].flatMap(({ service }) =>
              which.devices.includes(service.device_id) ? [service.service_id] : [],
            )
    for (const id of asked) if (!found.has(id)) forget(id)
    for (const service of found.values()) await take(service)
  }

  async function take(service: CheckedService): Promise<void> {
    const known = entries.get(service.service_id)
    if (known !== undefined && CONFIGURED.every((field) => known.service[field] === service[field])) return
    const plan = await planned(service)
    const entry: Entry = known ?? { service, plan, state: storedState(service) }
    const other = DECIDING.some((field) => entry.service[field] !== service[field])
    // results of a different check do not apply
    if (other) entry.state = { ...entry.state, attempt: 0, checked: false }
    const up = entry.service.device_status !== 1 && service.device_status === 1
    const enabled = !isChecked(entry.service) && isChecked(service)
    entry.service = service
    entry.plan = plan
    entries.set(service.service_id, entry)
    place(entry, !entry.state.checked || up || enabled)
  }

  async function planned(service: CheckedService): Promise<CheckPlan> {
    return planOf(service, await program(service.service_type), settings.get('services.prefer'))
  }

  function program(type: string): Promise<string | null> {
    const now = steadyNow()
    const known = programs.get(type)
    if (known !== undefined && known.until > now) return known.path
    const path = findPlugin(pluginFolders(settings), type)
    if (programs.size > 1000) programs.clear()
    programs.set(type, { path, until: now + KEEP_PROGRAM_MS })
    return path
  }

  function scheduleOf({ plan }: Entry): Schedule {
    return plan.kind === 'plugin' ? schedules.plugin : schedules.builtin
  }

  function place(entry: Entry, soon: boolean): void {
    const id = entry.service.service_id
    const intervalS = settings.get('services.interval')
    const own = scheduleOf(entry)
    for (const schedule of Object.values(schedules)) if (schedule !== own) schedule.remove(id)
    if (!isChecked(entry.service) || intervalS === 0) {
      own.remove(id)
      retries.delete(id)
    } else own.set(id, intervalS * 1000, steadyNow(), soon)
  }

  function forget(id: number): void {
    entries.delete(id)
    retries.delete(id)
    values.forget(id)
    for (const schedule of Object.values(schedules)) schedule.remove(id)
  }

  function tick(): void {
    const now = steadyNow()
    for (const [id, due] of retries) {
      if (due > now) continue
      retries.delete(id)
      const entry = entries.get(id)
      if (entry !== undefined) scheduleOf(entry).hasten(id, now)
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
    const plan = await planned(service)
    const job = { plan, timeoutMs: settings.get('services.timeout') * 1000, agent: agentOf(service, plan) }
    const checked = await pool.run(job)
    if (checked === null) lost++
    // while it was checked, the service may have been changed or deleted, or its device may have gone down
    if (stopped || checked === null || entries.get(id)?.service !== service) return
    times.observe(service.service_type, plan.kind, checked.tookMs)
    keep(entry, checked, Date.now())
    if ((plan.kind === 'plugin') !== (entry.plan.kind === 'plugin')) {
      entry.plan = plan
      place(entry, false)
    }
  }

  function keep(entry: Entry, { result, tookMs }: Checked, atMs: number): void {
    const { service } = entry
    const { service_id: serviceId, device_id: deviceId } = service
    const rule = { attempts: settings.get('services.attempts'), atS: Math.floor(atMs / 1000) }
    const { state, changedFrom } = settle(entry.state, result, rule)
    entry.state = state
    if (state.attempt > 0) retries.set(serviceId, steadyNow() + settings.get('services.retry_interval') * 1000)
    else retries.delete(serviceId)
    const was = changedFrom === null ? '' : STATUS[changedFrom]
    const { status, changed, message, attempt } = state
    results.add({
      state: {
        ...{ serviceId, status, changed, message, attempt, at: atMs, tookMs },
        ...{ ds: unitsOf(result.measured), lastStatus: result.status, lastMessage: result.message },
      },
      event:
        changedFrom === null
          ? null
          : {
              ...{ serviceId, deviceId, at: atMs, severity: SEVERITY[status] },
              message: `Service ${nameOf(service)} changed from ${was} to ${STATUS[status]}: ${message}`,
            },
      reading:
        result.measured.length === 0
          ? null
          : { serviceId, time: atMs, values: values.of(serviceId, result.measured, atMs) },
    })
  }

  function again(): void {
    programs.clear()
    for (const entry of entries.values()) place(entry, false)
  }

  return {
    times,
    start() {
      reloader.ask('all')
      unlisten = settings.onChange(again)
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
    hasten(serviceId) {
      const entry = entries.get(serviceId)
      if (entry !== undefined && isChecked(entry.service)) scheduleOf(entry).hasten(serviceId, steadyNow())
    },
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
      const byStatus: [number, number, number, number] = [0, 0, 0, 0]
      let held = 0
      for (const { service, state } of entries.values()) {
        if (!isChecked(service)) continue
        if (service.device_status !== 1) held++
        byStatus[state.status]++
      }
      return {
        builtin: schedules.builtin.stats(now),
        plugins: schedules.plugin.stats(now),
        held,
        byStatus,
        lost,
        died: pool.died,
        results: results.stats(),
      }
    },
  }
}
