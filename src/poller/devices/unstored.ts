import type { DevicePlan } from '../../core/polling/read-plan.ts'
import type { Log } from '../../observe/log.ts'
import type { Clock } from '../clock.ts'
import type { Schedule } from '../scheduler.ts'

/** Discoveries whose results could not be stored: logs what was rejected, and spaces out attempts at a first discovery. */
export interface UnstoredDiscoveries {
  /** Logs what was rejected of a device, if it is not the same as last time. */
  report(deviceId: number, parts: readonly string[]): void
  /** A discovery of a device that was not discovered before has ended. Times are those of `Clock.steady`. */
  tried(deviceId: number, nowMs: number): void
  /** Sets when a device is due: one that was never discovered at once, unless attempts at that have failed. */
  place(device: Pick<DevicePlan, 'device_id' | 'last_discovered' | 'unstored'>, schedule: Schedule, nowMs: number): void
  /**
   * Earliest time of the next attempt at a first discovery, by `Clock.steady`; 0: at once. `stored`: attempts made before this
   * process started, or by another one.
   */
  untilMs(deviceId: number, stored: DevicePlan['unstored']): number
  delete(deviceId: number): void
}

/** Pause after the first attempt, ms; each further one is GROWTH times as long, up to the discovery interval. */
const FIRST_MS = 60_000
const GROWTH = 5

export function createUnstoredDiscoveries(log: Log, clock: Clock, intervalMs: () => number): UnstoredDiscoveries {
  /** A time of the wall clock by the steady one; a time of the future, as of a clock that was wrong, is now. */
  const steadyTime = (epochMs: number): number => clock.steady() - Math.max(0, clock.now() - epochMs)
  const reported = new Map<number, string>()
  const attempts = new Map<number, { readonly tries: number; readonly atMs: number }>()
  const endOf = (tries: number, atMs: number): number => atMs + Math.min(intervalMs(), FIRST_MS * GROWTH ** (tries - 1))
  function untilMs(deviceId: number, stored: DevicePlan['unstored']): number {
    const own = attempts.get(deviceId)
    return Math.max(
      own === undefined ? 0 : endOf(own.tries, own.atMs),
      stored == null ? 0 : endOf(stored.tries, steadyTime(stored.at)),
    )
  }

  return {
    report(deviceId, parts) {
      const text = parts.join('; ')
      if (text === '') reported.delete(deviceId)
      else if (reported.get(deviceId) !== text) {
        reported.set(deviceId, text)
        log.warn({ deviceId, parts }, 'the database rejects part of what was found on a device')
      }
    },
    tried(deviceId, nowMs) {
      attempts.set(deviceId, { tries: (attempts.get(deviceId)?.tries ?? 0) + 1, atMs: nowMs })
    },
    place({ device_id: id, last_discovered, unstored }, schedule, nowMs) {
      const isFirst = last_discovered === null
      if (!isFirst) attempts.delete(id)
      const heldMs = isFirst ? untilMs(id, unstored) : 0
      schedule.set(id, intervalMs(), nowMs, isFirst && heldMs <= nowMs)
      if (heldMs > nowMs) schedule.hasten(id, heldMs)
    },
    untilMs,
    delete(deviceId) {
      reported.delete(deviceId)
      attempts.delete(deviceId)
    },
  }
}
