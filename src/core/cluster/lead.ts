/** Interval of heartbeats to the database, ms. */
export const BEAT_MS = 2000
/**
 * The database ends the session of a process that is silent for this long, which releases its locks, and a process
 * whose heartbeats have failed for this long considers its locks lost, ms.
 */
export const LEASE_MS = 8000

/** Result of a heartbeat. */
export interface Beat {
  /** Time at which it was sent, on this process's monotonic clock, ms. */
  readonly sentMs: number
  /** Whether this session holds the leader's lock. */
  readonly locked: boolean
  /**
   * Time since another process last confirmed its lead, by the database's clock, ms; null: none did, or it shut down
   * cleanly.
   */
  readonly otherLedMs: number | null
}

/** Whether this process leads, by its own clock only, so that it stops leading even if the database does not answer. */
export interface Lead {
  /** Takes the result of a heartbeat. */
  beat(beat: Beat): void
  /** Whether it leads at this time of the monotonic clock. */
  leads(nowMs: number): boolean
}

/**
 * The lead is held for LEASE_MS from the time a successful heartbeat was sent. A process that gets the lock waits until
 * the former holder's lease has expired, so that there are never two leaders, however long either was paused.
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
