import { insertUrgentEvent } from '../core/base/write-events.ts'
import type { Store } from '../core/database/client.ts'
import { forgetFuture } from '../core/series/write-future.ts'
import { type ClockStep, type ClockWatch, stepText, watchClock } from '../observe/clock.ts'
import type { Log } from '../observe/log.ts'

/** Steps reported in the event log within an hour, so that a clock that jumps to and fro does not fill it. */
const MAX_EVENTS = 20

/** Samples this close to the present may be of a clock that is a little ahead, ms. */
const MARGIN_MS = 10_000

/**
 * Watches the clock of this machine, and records its steps in the event log. Samples stored while it was ahead are
 * removed when it is set back.
 */
export function followClock(store: Store, log: Log): ClockWatch {
  let recent: number[] = []
  const record = (step: ClockStep): void => {
    if (step.undone) void removeWrong(step)
    const now = performance.now()
    recent = recent.filter((at) => now - at < 3_600_000)
    if (recent.length >= MAX_EVENTS) return
    recent.push(now)
    const event = { device_id: null, type: 'system', reference: null, username: '', severity: 4 }
    insertUrgentEvent(store, { ...event, datetime: new Date(step.at), message: stepText(step) }).catch(
      (error: unknown) => log.warn({ err: error }, 'could not store the event'),
    )
  }
  async function removeWrong({ at, byS }: ClockStep): Promise<void> {
    try {
      const removed = await forgetFuture(store, at + MARGIN_MS, at - byS * 1000 + MARGIN_MS)
      if (removed > 0) log.warn({ samples: removed }, 'removed samples that were stored while the clock was ahead')
    } catch (error) {
      log.warn({ err: error }, 'could not remove samples that were stored while the clock was ahead')
    }
  }
  return watchClock(record, log)
}
