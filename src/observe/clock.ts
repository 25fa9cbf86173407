import { steadyNow } from '../lib/steady.ts'
import type { Log } from './log.ts'

/** The wall clock was set. */
export interface ClockStep {
  /** Seconds by which it was set forward; negative: back. */
  readonly byS: number
  /** When, by the new time, epoch ms. */
  readonly at: number
  /** It undoes what steps since the start of this process had set it forward: the times in between were wrong. */
  readonly undone: boolean
}

export interface ClockWatch {
  /** The last step; null: none since the start of this process. */
  last(): ClockStep | null
  /** Whether the clock has been left alone for so long that its time may be trusted with what cannot be undone. */
  isSettled(): boolean
  stop(): void
}

const LOOK_MS = 1000
/** A difference that a time service does not make slowly, ms. */
const STEP_MS = 5000
/** Time after a large step until data may be removed by its age, ms. */
const SETTLE_MS = 3_600_000
const LARGE_MS = 600_000

/** Where the time comes from. */
export interface Clocks {
  readonly wall: () => number
  readonly steady: () => number
}

/** What a sequence of readings of both clocks says: pure, so that any history can be tried. */
export function createStepFinder({ wall, steady }: Clocks): { step(): ClockStep | null; settled(): boolean } {
  const first = wall() - steady()
  let offset = first
  let unsettledUntil = Number.NEGATIVE_INFINITY
  return {
    step() {
      const at = wall()
      const now = at - steady()
      const by = now - offset
      const ahead = offset - first
      // what a time service corrects slowly is followed, so that it never adds up to a step
      offset = now
      if (Math.abs(by) < STEP_MS) return null
      if (Math.abs(by) >= LARGE_MS) unsettledUntil = steady() + SETTLE_MS
      return { byS: Math.round(by / 1000), at, undone: by < 0 && ahead >= -by - STEP_MS }
    },
    settled: () => steady() >= unsettledUntil,
  }
}

/** Watches for steps of the wall clock, which also moves forward while the machine is suspended. */
export function watchClock(
  stepped: (step: ClockStep) => void,
  log: Log,
  clocks: Clocks = { wall: Date.now, steady: steadyNow },
): ClockWatch {
  const finder = createStepFinder(clocks)
  let last: ClockStep | null = null
  const timer = setInterval(() => {
    const step = finder.step()
    if (step === null) return
    last = step
    log.warn({ seconds: step.byS }, stepText(step))
    stepped(step)
  }, LOOK_MS)
  timer.unref()
  return { last: () => last, isSettled: () => finder.settled(), stop: () => clearInterval(timer) }
}

/** One sentence about a step. */
export function stepText({ byS }: ClockStep): string {
  return byS > 0
    ? `The clock of this machine was set forward by ${byS} s, or the machine was suspended`
    : `The clock of this machine was set back by ${-byS} s`
}
