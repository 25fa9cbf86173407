import type { EngineRule } from './engine-rule.ts'
import type { Evaluator } from './evaluator.ts'

/** Rounds: evaluations of all rules, or of those that depend on the time, on all devices, a few rules at a time. */
export interface Rounds {
  /** Starts a round if one is due, and evaluates its next rules. Returns the ids of rules for which time ran out. */
  evaluateSome(): Promise<readonly number[]>
  /** Call when no noted alert is left to change: the round is over if all its rules were evaluated. */
  endIfDone(): void
  /** Rules of the running round that have not been evaluated. */
  left(): number
  /** Makes a complete round due. */
  hasten(): void
  /** A complete round was made by other means. */
  note(tookMs: number): void
  stats(): { readonly rounds: number; readonly lastRoundS: number }
}

const TIMED_MS = 60_000
/** Rules of a round evaluated in one step; writes are evaluated between steps. */
const RULES_AT_ONCE = 20

/** `everyMs`: how often all rules are evaluated. `now`: ms by a clock that nobody sets. */
export function createRounds(
  evaluator: Pick<Evaluator, 'all' | 'timed' | 'evaluate'>,
  everyMs: () => number,
  now: () => number,
): Rounds {
  let round: EngineRule[] = []
  let began = 0
  /** Whether the running round covers all rules, not only the timed ones. */
  let complete = false
  let running = false
  let roundAt = Number.NEGATIVE_INFINITY
  let timedAt = Number.NEGATIVE_INFINITY
  const counts = { rounds: 0, lastRoundS: 0 }

  function note(tookMs: number): void {
    counts.rounds++
    counts.lastRoundS = tookMs / 1000
  }

  function begin(rules: readonly EngineRule[], all: boolean): void {
    began = performance.now()
    complete = all
    running = true
    round = [...rules]
  }

  function startIfDue(): void {
    if (running) return
    const at = now()
    if (at - roundAt >= everyMs()) {
      roundAt = at
      timedAt = at
      begin(evaluator.all(), true)
    } else if (at - timedAt >= TIMED_MS) {
      timedAt = at
      begin(evaluator.timed(), false)
    }
  }

  return {
    async evaluateSome() {
      startIfDue()
      const part = round.slice(0, RULES_AT_ONCE)
      const late = await evaluator.evaluate(part, null)
      round = round.slice(part.length)
      return late
    },
    endIfDone() {
      if (!running || round.length > 0) return
      running = false
      if (complete) note(performance.now() - began)
    },
    left: () => round.length,
    hasten() {
      roundAt = Number.NEGATIVE_INFINITY
    },
    note,
    stats: () => counts,
  }
}
