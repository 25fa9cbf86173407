/**
 * Devices whose responses stalled a worker. The schedule skips them, twice as long each time, so that they do not stall
 * one worker after another; runs requested by users still take place. Pure: time is passed in as epoch milliseconds.
 */
export interface Quarantine {
  /** Records a stall; returns the time for which the device is not polled, milliseconds. */
  strike(id: number, nowMs: number): number
  /** Remaining milliseconds; 0: not in quarantine. */
  heldMs(id: number, nowMs: number): number
  /** Ends the quarantine, because the device was discovered completely or was deleted. */
  release(id: number): void
  size(nowMs: number): number
}

const FIRST_MS = 600_000
const MAX_MS = 6 * 3_600_000

export function createQuarantine(): Quarantine {
  const held = new Map<number, { readonly strikes: number; readonly untilMs: number }>()
  const left = (untilMs: number, nowMs: number): number => Math.max(0, untilMs - nowMs)
  return {
    strike(id, nowMs) {
      const strikes = (held.get(id)?.strikes ?? 0) + 1
      const pauseMs = Math.min(MAX_MS, FIRST_MS * 2 ** (strikes - 1))
      held.set(id, { strikes, untilMs: nowMs + pauseMs })
      return pauseMs
    },
    heldMs: (id, nowMs) => left(held.get(id)?.untilMs ?? 0, nowMs),
    release(id) {
      held.delete(id)
    },
    size: (nowMs) => held.values().reduce((n, { untilMs }) => n + (left(untilMs, nowMs) > 0 ? 1 : 0), 0),
  }
}
