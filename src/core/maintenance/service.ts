import type { Settings } from '../../config/schema.ts'
import type { Actor } from '../base/actor.ts'
import { recordChange } from '../base/change-audit.ts'
import { invalid, notFound } from '../base/errors.ts'
import { type Reach, requireGrants } from '../base/grants-check.ts'
import type { Store } from '../database/client.ts'
import { toStoreError } from '../database/errors.ts'
import { partOperations } from './parts.ts'
import {
  type AlertMaintenance,
  type DeviceMaintenance,
  isUnderMaintenance,
  listSchedules,
  maintenanceOf,
  type OpenMaintenance,
  type ScheduleRecord,
} from './read.ts'
import { deviceOfSensor, type MaintainedPart } from './read-parts.ts'
import { endSchedule, nextOccurrences, type Occurrence } from './read-upcoming.ts'
import { type MaintenanceRequest, minuteText, period, repeated, requestOf } from './schedule.ts'
import {
  deleteSchedule,
  insertSchedule,
  type NewSchedule,
  type RepeatedWindow,
  repeatedTimes,
  scheduleTargets,
  updateSchedule,
} from './write.ts'

export type {
  AlertMaintenance,
  DeviceMaintenance,
  MaintainedPart,
  MaintenanceRequest,
  Occurrence,
  OpenMaintenance,
  ScheduleRecord,
}
export { requestOf }

const BEHAVIORS = [1, 2, 3] as const

/** Objects that a maintenance window affects, by kind of target. */
const TARGETS = {
  device: 'devices',
  device_group: 'deviceGroups',
  location: 'locations',
  port: 'ports',
  // a sensor is granted with its device
  sensor: 'devices',
} as const satisfies Record<NewSchedule['target']['kind'], keyof Reach>

/** Operations on maintenance windows. */
export function createMaintenanceService({ store, settings }: { readonly store: Store; readonly settings: Settings }) {
  /** The values to store for a repeated window. Throws `invalid` when it never begins. */
  async function times(window: RepeatedWindow, now: Date) {
    const { repeat, zone, durationS, days, until } = window
    const ends = await repeatedTimes(store, window, now.getTime()).catch((error: unknown) => {
      // the database may know fewer time zones
      throw toStoreError(error).code === '22023' ? invalid(`Unknown time zone: ${zone}`) : error
    })
    if (ends === null) throw invalid(`Invalid last day: ${until} is before the start`)
    return { ...ends, recurring: 1 as const, recurring_day: days, repeat, zone, duration_s: durationS }
  }

  /** The values to store for a request, except its target. Throws `invalid`. */
  async function scheduleValues(request: MaintenanceRequest, name: string, now: Date) {
    const usual = settings.get('alert.scheduled_maintenance_default_behavior')
    const asked = BEHAVIORS.find((behavior) => behavior === request.behavior)
    return {
      ...(request.repeat === undefined ? period(request, now) : await times(repeated(request, request.repeat), now)),
      title: request.title ?? name,
      notes: request.notes,
      behavior: asked ?? BEHAVIORS.find((behavior) => behavior === usual) ?? 1,
    }
  }

  /** The title of a window; '' if there is none. */
  const titleOf = async (id: number) =>
    (await listSchedules(store)).find((window) => window.schedule_id === id)?.title ?? ''

  /** Records a change of a window in the audit. */
  const record = (actor: Actor, title: string, what: string) =>
    recordChange(store, actor, 'maintenance', title, `Maintenance ${title}: ${what}`)

  return {
    ...partOperations(store),

    /** Whether a window of the device, of one of its groups or of its location is active now. */
    async isUnder(deviceId: number): Promise<boolean> {
      return await isUnderMaintenance(store, deviceId, Date.now())
    },

    /** Those of these devices that are under maintenance, and until when. Callers check access. */
    async of(deviceIds: readonly number[], nowMs: number): Promise<ReadonlyMap<number, DeviceMaintenance>> {
      const rows = await maintenanceOf(store, deviceIds, nowMs)
      return new Map(rows.map((row) => [row.device_id, row]))
    },

    /** Maintenance windows in order of start. */
    async list(): Promise<ScheduleRecord[]> {
      return await listSchedules(store)
    },

    /** Times at which windows are active in the next days, earliest first; at most 300. */
    async upcoming(nowMs: number, days: number): Promise<Occurrence[]> {
      return await nextOccurrences(store, nowMs, nowMs + days * 86_400_000)
    },

    /**
     * Changes a window; its targets stay, and so does its title if none is given. Throws `invalid`, `not_found`, or
     * `forbidden` when a target has devices that are not granted.
     */
    async change(actor: Actor, id: number, request: MaintenanceRequest): Promise<void> {
      const stored = (await listSchedules(store)).find((window) => window.schedule_id === id)
      if (stored === undefined) throw notFound(`Maintenance ${id} does not exist`)
      await requireTargets(store, actor, id)
      const changed = await scheduleValues(request, stored.title, new Date())
      if (!(await updateSchedule(store, id, changed))) throw notFound(`Maintenance ${id} does not exist`)
      await record(actor, changed.title, 'changed')
    },

    /** Ends a window now; it stays in the list with its end. Throws `not_found`, `forbidden` as `change`. */
    async end(actor: Actor, id: number): Promise<void> {
      const title = await titleOf(id)
      await requireTargets(store, actor, id)
      if (!(await endSchedule(store, id))) throw notFound(`Maintenance ${id} does not exist, or has ended`)
      await record(actor, title, 'ended')
    },

    /** Deletes a maintenance window. Throws `not_found`, `forbidden` as `change`. */
    async delete(actor: Actor, id: number): Promise<void> {
      const title = await titleOf(id)
      await requireTargets(store, actor, id)
      if (!(await deleteSchedule(store, id))) throw notFound(`Maintenance ${id} does not exist`)
      await record(actor, title, 'deleted')
    },

    /**
     * Stores a maintenance window and returns its id; without a title, `name` is used. Appends the notes to those of the device, or of the
     * devices at the location, if the user has set that preference. Throws `invalid` (start, duration), `not_found`
     * (the target has just been deleted) or `forbidden` (it has devices that are not granted).
     */
    async schedule(
      actor: Actor,
      target: NewSchedule['target'] & { readonly name: string },
      request: MaintenanceRequest,
    ): Promise<number> {
      await requireTarget(store, actor, target)
      const now = new Date()
      const schedule = {
        ...(await scheduleValues(request, target.name, now)),
        target: { kind: target.kind, id: target.id },
      }
      const line = `${minuteText(now)} Alerts delayed: ${request.notes}`
      const note = request.notes === '' || actor.userId === null ? null : { userId: actor.userId, line }
      let id: number
      try {
        id = await insertSchedule(store, schedule, note)
      } catch (error) {
        const known = toStoreError(error)
        if (known.code === '23503') throw notFound(`${target.name} not found`)
        throw known
      }
      await record(actor, schedule.title, `added for ${target.kind.replace('_', ' ')} ${target.name}`)
      return id
    },
  }
}

export type MaintenanceService = ReturnType<typeof createMaintenanceService>

/** Throws `forbidden` when the actor may not change what the target covers. */
async function requireTarget(store: Store, actor: Actor, { kind, id }: NewSchedule['target']): Promise<void> {
  const ref = kind === 'sensor' ? ((await deviceOfSensor(store, id)) ?? 0) : id
  await requireGrants(store, actor, { [TARGETS[kind]]: [ref] })
}

/** Throws `forbidden` when the actor may not change what a window covers. */
async function requireTargets(store: Store, actor: Actor, id: number): Promise<void> {
  for (const target of await scheduleTargets(store, id)) await requireTarget(store, actor, target)
}
