/** How often a process reports to the database, ms. */
export const BEAT_MS = 2000
/**
 * The server ends the session of a process that is silent for this long, which frees its locks, and a process that could
 * not report for this long counts itself as without them, ms.
 */
export const LEASE_MS = 8000

/** What a report to the database found. */
export interface Beat {
  /** When it was sent, on this process's monotonic clock, ms. */
  readonly sentMs: number
  /** This session holds the lock of the lead. */
  readonly locked: boolean
  /** Ms since another process last confirmed that it leads, by the database's clock; null: none did, or it ended in order. */
  readonly otherLedMs: number | null
}

/** Whether this process leads, by its own clock only: no answer of the database is needed to stop. */
export interface Lead {
  /** Takes the result of a report. */
  beat(beat: Beat): void
  /** Whether it leads at this time of the monotonic clock. */
  leads(nowMs: number): boolean
}

/**
 * The lead is held for LEASE_MS from the moment a successful report was sent. One who gets the lock waits until that time
 * of the former holder is over, so that there are never two, however long either was paused.
 */
export function createLead(): Lead {
  let until = Number.NEGATIVE_INFINITY
  return {
    beat({ sentMs, locked, otherLedMs }) {
      if (!locked) until = Number.NEGATIVE_INFINITY
      else if (sentMs < until || otherLedMs === null || otherLedMs > LEASE_MS) until = sentMs + LEASE_MS
    },
    leads: (nowMs) => nowMs < until,
  }
}
