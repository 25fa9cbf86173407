/**
 * Ms since 1970 by a clock that nobody sets: the wall clock of the start of this process, and what has passed since by
 * the monotonic clock. For schedules and waiting times only; what is stored or shown has `Date.now()`.
 */
export function steadyNow(): number {
  return START_MS + performance.now()
}

/** The clocks of what has to do with both; a test passes one function for both, see `clocksOf`. Epoch ms. */
export interface TwoClocks {
  /** The wall clock: for what is stored or shown, or was given by a person. */
  readonly now: () => number
  /** `steadyNow`: for waiting times, ages and limits. A step of the wall clock must not make them months. */
  readonly steady: () => number
}

/** The clocks of the machine, or `given` for both. */
export const clocksOf = (given?: () => number): TwoClocks =>
  given === undefined ? { now: Date.now, steady: steadyNow } : { now: given, steady: given }

/** Fixed, because the runtime may compute `performance.timeOrigin` anew. */
const START_MS = Date.now() - performance.now()
