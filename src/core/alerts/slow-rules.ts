/** How a rule fared that was run by itself. `gone`: it was deleted or disabled. */
export type SlowRun = { readonly kind: 'ran'; readonly tookMs: number } | { readonly kind: 'timeout' | 'gone' }

export interface SlowLaneDeps {
  /** Evaluates a rule on all devices and changes its alerts. Throws StoreError if the database is unavailable. */
  readonly run: (ruleId: number) => Promise<SlowRun>
  /** Reports a rule: null, it is evaluated with the others again. */
  readonly report: (ruleId: number, state: SlowState | null) => Promise<void>
  /** Ms between evaluations of all rules. */
  readonly roundMs: () => number
  /** Monotonic, ms. */
  readonly now: () => number
}

/** A rule that is evaluated apart from the others. */
export interface SlowState {
  /** How long it took; null: longer than the limit. */
  readonly tookMs: number | null
  /** Ms until it is run again. */
  readonly againMs: number
}

/**
 * Rules that take too long to be evaluated with the others. They run one at a time, beside the others, and the less
 * often the longer they take.
 */
export interface SlowRules {
  has(ruleId: number): boolean
  /** Takes a rule aside; it runs as soon as no other one is running. */
  hold(ruleId: number): void
  /** Forgets a rule, because it was changed or no longer exists. */
  release(ruleId: number): void
  /** Forgets rules that are not among these. */
  keep(ruleIds: ReadonlySet<number>): void
  /** Runs the rule that has been due longest, unless one is running. */
  turn(): void
  /** Resolves when nothing is running. */
  idle(): Promise<void>
}

/** A rule that takes less than this is evaluated with the others again, ms. */
const QUICK_MS = 500
/** A rule may take this part of the time. */
const SHARE = 0.1
/** First and longest wait after a rule took longer than the limit, ms. */
const BACK_OFF_MS = { first: 60_000, longest: 3_600_000 }
/** Wait after the database was unavailable, ms. */
const RETRY_MS = 5000

interface Held {
  dueAt: number
  /** Of the last attempt that timed out; 0: none did. */
  backOffMs: number
}

export function createSlowRules({ run, report, roundMs, now }: SlowLaneDeps): SlowRules {
  const held = new Map<number, Held>()
  let running: Promise<void> | null = null

  async function next(ruleId: number, own: Held): Promise<void> {
    const result = await run(ruleId)
    // it was changed meanwhile
    if (held.get(ruleId) !== own) return
    if (result.kind === 'gone' || (result.kind === 'ran' && result.tookMs < QUICK_MS)) {
      held.delete(ruleId)
      await report(ruleId, null)
      return
    }
    const tookMs = result.kind === 'ran' ? result.tookMs : null
    own.backOffMs = tookMs === null ? Math.min(BACK_OFF_MS.longest, own.backOffMs * 2 || BACK_OFF_MS.first) : 0
    const againMs = tookMs === null ? own.backOffMs : Math.max(roundMs(), tookMs / SHARE)
    own.dueAt = now() + againMs
    await report(ruleId, { tookMs, againMs })
  }

  return {
    has: (ruleId) => held.has(ruleId),
    hold(ruleId) {
      if (!held.has(ruleId)) held.set(ruleId, { dueAt: now(), backOffMs: 0 })
    },
    release: (ruleId) => void held.delete(ruleId),
    keep(ruleIds) {
      for (const id of held.keys()) if (!ruleIds.has(id)) held.delete(id)
    },
    turn() {
      if (running !== null) return
      const [first] = [...held].toSorted(([, a], [, b]) => a.dueAt - b.dueAt)
      if (first === undefined || first[1].dueAt > now()) return
      const [ruleId, own] = first
      running = next(ruleId, own)
        .catch(() => {
          own.dueAt = now() + RETRY_MS
        })
        .finally(() => {
          running = null
        })
    },
    async idle() {
      await running
    },
  }
}
