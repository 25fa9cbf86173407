import { nextDue, schedulePhase } from '../lib/schedule-phase.ts'
import { type DueEntry, DueHeap } from './due-heap.ts'

/**
 * Decides when each device is due. Pure: time is passed in as epoch milliseconds; nothing here waits or sends.
 *
 * Every device has a phase within its interval, so a thousand devices added together are spread over the interval, and
 * they keep their phase after a restart. A device is due at `phase + k * interval`; a late run does not shift later
 * ones. A device never runs twice at the same time: if it is still running at its next due time, that run is skipped
 * and counted, and the device runs again as soon as it is done.
 */
export interface Schedule {
  /** Adds a device or changes its interval. `soon`: it is due now, and at its phase after that. */
  set(id: number, intervalMs: number, nowMs: number, soon?: boolean): void
  remove(id: number): void
  /** Makes the device due now, regardless of its phase. */
  hasten(id: number, nowMs: number): void
  /** At most `limit` devices due at `nowMs`, longest overdue first; they count as running from now on. */
  take(nowMs: number, limit: number): number[]
  /**
   * Ends a run. The device is due again after `pauseIntervals` intervals (more than 1 for devices that do not answer).
   */
  done(id: number, nowMs: number, pauseIntervals?: number): void
  /** Earliest due time, epoch ms; null: no device is waiting. */
  next(): number | null
  readonly size: number
  /** Number of running devices. */
  readonly running: number
  /** Visits every waiting device, so it is for reports and not for inner loops. */
  stats(nowMs: number): ScheduleStats
}

export interface ScheduleStats {
  readonly devices: number
  readonly running: number
  /** Devices due and not yet taken. */
  readonly waiting: number
  /** Runs since the start that began more than a tenth of their interval (at least a second) after they were due. */
  readonly late: number
  /** Intervals skipped because the previous run was still running. */
  readonly skipped: number
  /** Milliseconds by which the longest waiting device is overdue. */
  readonly lagMs: number
}

interface Entry extends DueEntry {
  readonly id: number
  intervalMs: number
  running: boolean
}

/** `freed` is called when a run has ended. */
export function createSchedule(freed: () => void = () => undefined): Schedule {
  const devices = new Map<number, Entry>()
  const heap = new DueHeap<Entry>()
  let running = 0
  let late = 0
  let skipped = 0

  return {
    get size() {
      return devices.size
    },
    get running() {
      return running
    },
    set(id, intervalMs, nowMs, soon = false) {
      let e = devices.get(id)
      if (e === undefined) {
        e = { id, intervalMs, dueMs: 0, running: false, at: -1 }
        devices.set(id, e)
      } else if (e.intervalMs === intervalMs && !soon) return
      e.intervalMs = intervalMs
      if (e.running) return
      heap.pull(e)
      e.dueMs = soon ? nowMs : nextDue(id, intervalMs, nowMs)
      heap.push(e)
    },
    remove(id) {
      const e = devices.get(id)
      if (e === undefined) return
      heap.pull(e)
      if (e.running) running--
      devices.delete(id)
    },
    hasten(id, nowMs) {
      const e = devices.get(id)
      if (e === undefined || e.running) return
      heap.pull(e)
      e.dueMs = Math.min(e.dueMs, nowMs)
      heap.push(e)
    },
    take(nowMs, limit) {
      const ids: number[] = []
      while (ids.length < limit) {
        const e = heap.first
        if (e === undefined || e.dueMs > nowMs) break
        heap.pull(e)
        e.running = true
        running++
        if (nowMs - e.dueMs > Math.max(1000, e.intervalMs / 10)) late++
        ids.push(e.id)
      }
      return ids
    },
    done(id, nowMs, pauseIntervals = 1) {
      const e = devices.get(id)
      if (e === undefined || !e.running) return
      e.running = false
      running--
      const due = nextDue(id, e.intervalMs, e.dueMs)
      if (due <= nowMs) {
        // the run went past the next due time, so another begins now; missed times count as skipped, unless the run was
        // hastened and merely began shortly before its regular time
        if (nowMs - e.dueMs >= e.intervalMs) skipped += Math.max(1, Math.floor((nowMs - due) / e.intervalMs))
        e.dueMs = nowMs
      } else e.dueMs = due
      if (pauseIntervals > 1) e.dueMs = nextDue(id, e.intervalMs, nowMs + (pauseIntervals - 1) * e.intervalMs)
      heap.push(e)
      freed()
    },
    next() {
      return heap.first?.dueMs ?? null
    },
    stats(nowMs) {
      let waiting = 0
      for (const e of heap.all()) if (e.dueMs <= nowMs) waiting++
      return {
        devices: devices.size,
        running,
        waiting,
        late,
        skipped,
        lagMs: Math.max(0, nowMs - (heap.first?.dueMs ?? nowMs)),
      }
    },
  }
}

/** Devices that were taken over and have missed a poll are spread over this part of their interval. */
const CATCH_UP = 1 / 4

/**
 * When to poll a device taken over from another poller, epoch ms; null: at its next due time. A device that was not
 * polled for longer than its interval has missed a poll and gets an extra one. Devices taken over together are spread.
 * At least a quarter of the interval is left until the next due time, since counters read twice in quick succession may
 * give no delta.
 */
export function catchUpAt(id: number, intervalMs: number, polledMs: number, nowMs: number): number | null {
  if (nowMs - polledMs <= intervalMs) return null
  const at = nowMs + Math.floor(schedulePhase(id) * intervalMs * CATCH_UP)
  return nextDue(id, intervalMs, nowMs) - at < intervalMs * CATCH_UP ? null : at
}
