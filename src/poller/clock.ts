import { steadyNow } from '../lib/steady.ts'

/** The clocks of the poller; a test can pass its own, so that it need not wait. */
export interface Clock {
  /** The wall clock, ms since 1970: for what is stored or shown. */
  now(): number
  /** Ms by a clock that nobody sets: for schedules and waiting times. */
  steady(): number
}

export const SYSTEM_CLOCK: Clock = { now: () => Date.now(), steady: steadyNow }
