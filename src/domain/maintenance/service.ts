import type { Settings } from '../../config/schema.ts'
import type { Store } from '../../store/client.ts'
import { toStoreError } from '../../store/errors.ts'
import { isUnderMaintenance, listSchedules, type ScheduleRecord } from '../../store/readers/maintenance.ts'
import { deleteSchedule, insertSchedule, type NewSchedule } from '../../store/writers/maintenance.ts'
import type { Actor } from '../actor.ts'
import { notFound } from '../errors.ts'
import { type MaintenanceRequest, minuteText, period, recurrence } from './schedule.ts'

export type { MaintenanceRequest, ScheduleRecord }

const BEHAVIORS = [1, 2, 3] as const

/** The verbs on times of maintenance. */
export function createMaintenanceService({ store, settings }: { readonly store: Store; readonly settings: Settings }) {
  return {
    /** Whether a schedule of the device, of one of its groups or of its location is active now. */
    async isUnder(deviceId: number): Promise<boolean> {
      return await isUnderMaintenance(store, deviceId, Date.now())
    },

    /** Times of maintenance by their start. */
    async list(): Promise<ScheduleRecord[]> {
      return await listSchedules(store)
    },

    /** Removes a time of maintenance. Throws `not_found`. */
    async delete(id: number): Promise<void> {
      if (!(await deleteSchedule(store, id))) throw notFound(`Maintenance ${id} does not exist`)
    },

    /**
     * Stores a time of maintenance; `name` is the title where none is given. The notes are added to those of the device,
     * or of the devices at the location, for users who prefer so. Throws `invalid` (start, duration) or `not_found` (the
     * target went at this moment).
     */
    async schedule(
      actor: Actor,
      target: NewSchedule['target'] & { readonly name: string },
      request: MaintenanceRequest,
    ): Promise<void> {
      const now = new Date()
      const usual = settings.get('alert.scheduled_maintenance_default_behavior')
      const wanted = BEHAVIORS.find((behavior) => behavior === request.behavior)
      const first = period(request, now)
      const schedule = {
        ...first,
        ...(request.weekly && recurrence(first, request.weekly)),
        title: request.title ?? target.name,
        notes: request.notes,
        behavior: wanted ?? BEHAVIORS.find((behavior) => behavior === usual) ?? 1,
        target: { kind: target.kind, id: target.id },
      }
      const line = `${minuteText(now)} Alerts delayed: ${request.notes}`
      const note = request.notes === '' || actor.userId === null ? null : { userId: actor.userId, line }
      try {
        await insertSchedule(store, schedule, note)
      } catch (error) {
        const known = toStoreError(error)
        if (known.code === '23503') throw notFound(`${target.name} not found`)
        throw known
      }
    },
  }
}

export type MaintenanceService = ReturnType<typeof createMaintenanceService>
