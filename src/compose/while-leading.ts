import type { Log } from '../observe/log.ts'

/** Work that goes on while this process leads. */
export interface WhileLeading<Work> {
  /** The work; null: another process leads, or it has not begun. */
  now(): Work | null
  /** The lead was taken or lost: begins or ends the work, one after the other. */
  lead(leads: boolean): void
  stop(): Promise<void>
}

/** Prepares the work; it begins with the lead. `what` names it in the log, for example `the work that runs once`. */
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
      .catch((error: unknown) => log.error({ err: error }, `${what} could not be begun or ended`))
    return turning
  }

  return { now: () => work, lead: (leads) => void change(leads), stop: () => change(false) }
}
