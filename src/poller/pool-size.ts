import type { WorkerSlot } from './worker-slot.ts'

/** How many workers of a pool get jobs, depending on its load. Time is passed in as `performance.now()`. */
export interface PoolSize {
  /** Number of workers that get jobs: those in the first slots. */
  readonly active: number
  /** Adds to the load, or with a negative number takes from it. */
  add(load: number): void
  /** A worker has died or stalled, so `max` workers run for a while. */
  worry(nowMs: number): void
  /** The worker in this slot has opened its sockets. */
  loaded(slot: WorkerSlot): void
  /** At intervals: whether a worker should start, or the last one end; null: neither. */
  adapt(slots: readonly WorkerSlot[], nowMs: number): 'start' | 'end' | null
}

export interface PoolSizeOptions {
  readonly min: number
  readonly max: number
  /** Milliseconds of low load after which a worker above `min` is ended. Default: one minute. */
  readonly quietMs?: number
}

/** Load per running worker above which another starts, and below which the last one is ended after QUIET_MS. */
const BUSY = 64
const QUIET = 16
const QUIET_MS = 60_000
/** Time for which `max` workers run after one has died or stalled. */
const CAUTION_MS = 3_600_000

export function createPoolSize({ min, max, quietMs = QUIET_MS }: PoolSizeOptions): PoolSize {
  let active = min
  let load = 0
  let quietSince = performance.now()
  let cautiousUntil = 0
  return {
    get active() {
      return active
    },
    add(weight) {
      load += weight
    },
    worry(nowMs) {
      cautiousUntil = nowMs + CAUTION_MS
    },
    loaded({ number }) {
      if (number === active) active++
    },
    adapt(slots, nowMs) {
      if (load >= QUIET * active) quietSince = nowMs
      const last = slots.length - 1
      if (nowMs < cautiousUntil || load > BUSY * active) {
        if (slots[active]?.loaded) active++
        else if (slots.length === active && active < max) return 'start'
        return null
      }
      if (last < min || nowMs - quietSince <= quietMs) return null
      // the last worker gets no more jobs, and ends once it has none
      active = Math.min(active, last)
      const slot = slots[last]
      if (slot === undefined || !slot.loaded || slot.jobs.size > 0) return null
      quietSince = nowMs
      return 'end'
    },
  }
}
