import { type Actor, scopeOf } from '../base/actor.ts'
import { insertEvent } from '../base/write-events.ts'
import type { Store } from '../database/client.ts'
import type { DeviceKey } from '../devices/service.ts'
import { type LogList, listLog } from './read.ts'
import { type BrowsedLog, type BrowsedRow, browseLog, type LogFilter, type LogKey } from './read-page.ts'
import type { LogBound, LogName, LogPage } from './tables.ts'

export type { BrowsedLog, BrowsedRow, LogBound, LogFilter, LogKey, LogList, LogName, LogPage }

/** Maximum text lengths of an event (contract SCHEMA.md, event log). */
const MAX_LENGTHS = { message: 65_535, type: 64, reference: 64 }

/** Operations on logs. */
export function createLogService({ store }: { readonly store: Store }) {
  return {
    /** A page of a log. Role `user` sees rows of granted devices, and its own logins. */
    list(actor: Actor, name: LogName, page: LogPage): LogList {
      return listLog(store, scopeOf(actor), name, page)
    },

    /** Rows of a log for display, newest first, of devices that the actor may see. Throws StoreError. */
    browse(actor: Actor, log: BrowsedLog, filter: LogFilter): Promise<BrowsedRow[]> {
      return browseLog(store, scopeOf(actor), log, filter)
    },

    /** Stores an event posted by a client. Callers check access. */
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
        message: event.text.slice(0, MAX_LENGTHS.message).toWellFormed(),
        type: event.type.slice(0, MAX_LENGTHS.type).toWellFormed(),
        reference: event.reference?.slice(0, MAX_LENGTHS.reference).toWellFormed() ?? null,
        username: actor.username,
        severity: event.severity,
      })
    },
  }
}

export type LogService = ReturnType<typeof createLogService>
