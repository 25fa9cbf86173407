import { insertUrgentEvent } from '../core/base/write-events.ts'
import type { Store } from '../core/database/client.ts'
import type { Log } from '../observe/log.ts'
import type { SpaceChange } from '../postgres/space.ts'

/** Waits between attempts: the database may be too busy or too full for this row as well. */
const WAITS_MS = [1000, 5000, 30_000, 120_000]

/** Records in the event log that the database stopped accepting writes, or accepts them again. */
export function recordSpace(store: Store, { full, freeMib }: SpaceChange, log: Log): void {
  const message = full
    ? `The disk of the database is full (${freeMib} MiB free): writes are paused until there is room, samples are kept in memory`
    : `There is room on the disk of the database again (${freeMib} MiB free): writes have resumed`
  const datetime = new Date()
  const event = { device_id: null, message, type: 'system', reference: null, username: '', severity: full ? 5 : 1 }
  const write = (tries: number): void => {
    insertUrgentEvent(store, { ...event, datetime }).catch((error: unknown) => {
      const waitMs = WAITS_MS[tries]
      if (waitMs === undefined) log.warn({ err: error }, 'could not store the event')
      else setTimeout(write, waitMs, tries + 1).unref()
    })
  }
  write(0)
}
