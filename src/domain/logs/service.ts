import type { Store } from '../../store/client.ts'
import { type LogBound, type LogName, type LogPage, type LogRows, listLog } from '../../store/readers/logs.ts'
import { insertEvent } from '../../store/writers/logs.ts'
import { type Actor, scopeOf } from '../actor.ts'
import type { DeviceKey } from '../devices/service.ts'

export type { LogBound, LogName, LogPage, LogRows }

/** Longest texts of an event (SCHEMA of the event log). */
const MOST = { message: 65_535, type: 64, reference: 64 }

/** The verbs on logs. */
export function createLogService({ store }: { readonly store: Store }) {
  return {
    /** A page of a log; of role `user` rows of granted devices, and its own logins. */
    async list(actor: Actor, name: LogName, page: LogPage): Promise<LogRows> {
      return await listLog(store, scopeOf(actor), name, page)
    },

    /** Keeps an event that a client tells of. The caller has checked access. */
    async addEvent(
      actor: Actor,
      device: DeviceKey,
      event: {
        readonly text: string
        readonly type: string
        readonly reference: string | null
        readonly severity: number
      },
    ): Promise<void> {
      await insertEvent(store, {
        device_id: device.device_id,
        message: event.text.slice(0, MOST.message).toWellFormed(),
        type: event.type.slice(0, MOST.type).toWellFormed(),
        reference: event.reference?.slice(0, MOST.reference).toWellFormed() ?? null,
        username: actor.username,
        severity: event.severity,
      })
    },
  }
}

export type LogService = ReturnType<typeof createLogService>
