import type { Log } from '../../observe/log.ts'

/** Work that runs while this process is the leader. */
export interface LeaderOnly<Work> {
  /** The work; null: another process is the leader, or the work has not started. */
  now(): Work | null
  /** This process became the leader, or is it no longer: starts or stops the work, in the order of the calls. */
  setLeader(isLeader: boolean): void
  stop(): Promise<void>
}

/**
 * Prepares the work, which starts when this process becomes the leader. `what` names it in the log, e.g. `cluster-wide
 * work`.
 */
export function leaderOnly<Work extends { stop(): Promise<void> }>(
  begin: () => Work,
  what: string,
  log: Log,
): LeaderOnly<Work> {
  let work: Work | null = null
  let wanted = false
  let turning: Promise<void> = Promise.resolve()

  async function turn(): Promise<void> {
    if (wanted && work === null) work = begin()
    else if (!wanted && work !== null) {
      const ending = work
      work = null
      await ending.stop()
    }
  }

  function change(isLeader: boolean): Promise<void> {
    wanted = isLeader
    turning = turning
      .then(turn)
      .catch((error: unknown) => log.error({ err: error }, `${what} could not be started or stopped`))
    return turning
  }

  return { now: () => work, setLeader: (isLeader) => void change(isLeader), stop: () => change(false) }
}
