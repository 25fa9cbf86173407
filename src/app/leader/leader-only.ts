import type { Log } from '../../observe/log.ts'

/** Work that runs while this process leads. */
export interface WhileLeading<Work> {
  /** The work; null: another process leads, or the work has not started. */
  now(): Work | null
  /** The lead was taken or lost: starts or stops the work, in the order of the calls. */
  lead(leads: boolean): void
  stop(): Promise<void>
}

/**
 * Prepares the work, which starts when this process takes the lead. `what` names it in the log, e.g. `cluster-wide
 * work`.
 */
export function whileLeading<Work extends { stop(): Promise<void> }>(
  begin: () => Work,
  what: string,
  log: Log,
): WhileLeading<Work> {
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

  function change(leads: boolean): Promise<void> {
    wanted = leads
    turning = turning
      .then(turn)
      .catch((error: unknown) => log.error({ err: error }, `${what} could not be started or stopped`))
    return turning
  }

  return { now: () => work, lead: (leads) => void change(leads), stop: () => change(false) }
}
