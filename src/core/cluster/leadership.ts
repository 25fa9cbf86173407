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
   * Time since another process last confirmed that it is the leader, by the database's clock, ms; null: none did, or it
   * shut down cleanly.
   */
  readonly otherLeaderMs: number | null
}

/** Whether this process is the leader, by its own clock only: it stops being it even if the database does not answer. */
export interface Leadership {
  /** Takes the result of a heartbeat. */
  beat(beat: Beat): void
  /** Whether it leads at this time of the monotonic clock. */
  isLeader(nowMs: number): boolean
}

/**
 * A process is the leader for LEASE_MS from the time a successful heartbeat was sent. One that gets the lock waits until
 * the former holder's lease has expired, so that there are never two leaders, however long either was paused.
 */
export function createLeadership(): Leadership {
  let until = Number.NEGATIVE_INFINITY
  return {
    beat({ sentMs, locked, otherLeaderMs }) {
      if (!locked) until = Number.NEGATIVE_INFINITY
      else if (sentMs < until || otherLeaderMs === null || otherLeaderMs > LEASE_MS) until = sentMs + LEASE_MS
    },
    isLeader: (nowMs) => nowMs < until,
  }
}
