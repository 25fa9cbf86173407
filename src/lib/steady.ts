/**
 * Ms since 1970 by a clock that nobody sets: the wall clock of the start of this process, and what has passed since by
 * the monotonic clock. For schedules and waiting times only; what is stored or shown has `Date.now()`.
 */
export function steadyNow(): number {
  return START_MS + performance.now()
}

/** Fixed, because the runtime may compute `performance.timeOrigin` anew. */
const START_MS = Date.now() - performance.now()
