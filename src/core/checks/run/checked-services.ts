import type { Settings } from '../../../config/schema.ts'
import { steadyNow } from '../../../lib/steady.ts'
import { createSchedule, type Schedule } from '../../../poller/scheduler.ts'
import type { Store } from '../../database/client.ts'
import type { CheckPlan } from '../plan.ts'
import { findPlugin, pluginFolders } from '../types.ts'
import { type CheckedService, type ServiceSelection, servicesToCheck } from '../write-results.ts'
import { isChecked, planOf, storedState } from './service.ts'
import type { ServiceState } from './state.ts'

/** A service with how it is checked and its state. */
export interface CheckedEntry {
  service: CheckedService
  plan: CheckPlan
  state: ServiceState
}

interface CheckedServicesDeps {
  readonly store: Store
  readonly settings: Settings
  /** Called when a check has ended, so that the next due one may start. */
  readonly freed: () => void
  /** Called when a service is no longer stored. */
  readonly forgotten: (serviceId: number) => void
}

/** Columns that identify what is checked, and all columns that a check depends on. */
const DECIDING = ['service_type', 'service_param', 'service_ip'] as const
const CONFIGURED = [
  ...DECIDING,
  ...(['device_id', 'service_name', 'service_desc', 'service_disabled', 'hostname', 'overwrite_ip'] as const),
  ...(['device_disabled', 'device_status', 'port', 'snmpver', 'community', 'authlevel', 'authname'] as const),
  ...(['authpass', 'authalgo', 'cryptopass', 'cryptoalgo'] as const),
] as const
/** How long the result of a search for a plugin is cached, ms. */
const KEEP_PROGRAM_MS = 60_000

/** The services to check, each with its plan and its place in a schedule: that of plugins or that of built-in checks. */
export function createCheckedServices({ store, settings, freed, forgotten }: CheckedServicesDeps) {
  const entries = new Map<number, CheckedEntry>()
  const schedules = { builtin: createSchedule(freed), plugin: createSchedule(freed) }
  /** When services that failed are checked again, epoch ms. */
  const retries = new Map<number, number>()
  const programs = new Map<string, { readonly path: Promise<string | null>; readonly until: number }>()

  /** Reads services again. */
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
    const entry: CheckedEntry = known ?? { service, plan, state: storedState(service) }
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

  const scheduleOf = ({ plan }: CheckedEntry): Schedule =>
    plan.kind === 'plugin' ? schedules.plugin : schedules.builtin

  function place(entry: CheckedEntry, soon: boolean): void {
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
    forgotten(id)
    for (const schedule of Object.values(schedules)) schedule.remove(id)
  }

  return {
    entries,
    schedules,
    retries,
    load,
    planned,
    place,
    /** Checks the service at the next tick, ahead of schedule. */
    hasten(id: number): void {
      const entry = entries.get(id)
      if (entry !== undefined && isChecked(entry.service)) scheduleOf(entry).hasten(id, steadyNow())
    },
    /** Applies changed settings to all services. */
    replan(): void {
      programs.clear()
      for (const entry of entries.values()) place(entry, false)
    },
  }
}
