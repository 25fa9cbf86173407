import type { Evaluator } from './evaluator.ts'
import type { Written } from './rule-triggers.ts'

/** What has to be evaluated soon: devices that were written about, and single rules. */
export interface Waiting {
  /** Something about a device was written. */
  note(deviceId: number, what: Iterable<Written>): void
  /** A rule was changed, or there was no time for it before. */
  addRule(id: number): void
  /** Number of devices and of rules that are waiting. */
  devices(): number
  rules(): number
  evaluateWritten(): Promise<void>
  /** Evaluates single rules, for as long as one step may take. */
  evaluateRules(): Promise<void>
}

/** Time for changed rules in one step, ms; writes are evaluated in between. */
const SINGLE_MS = 3000
/** A batch of more devices than this is evaluated on all devices. */
const MAX_BATCH = 2000

export function createWaiting(evaluator: Pick<Evaluator, 'find' | 'rulesFor' | 'evaluate'>): Waiting {
  let waiting = new Map<number, Set<Written>>()
  const single = new Set<number>()

  function note(deviceId: number, what: Iterable<Written>): void {
    const kinds = waiting.get(deviceId)
    if (kinds === undefined) waiting.set(deviceId, new Set(what))
    else for (const kind of what) kinds.add(kind)
  }

  return {
    note,
    addRule: (id) => void single.add(id),
    devices: () => waiting.size,
    rules: () => single.size,
    async evaluateWritten() {
      if (waiting.size === 0) return
      const batch = waiting
      waiting = new Map()
      try {
        const what = new Set([...batch.values()].flatMap((kinds) => [...kinds]))
        const ids = [...batch.keys()].toSorted((a, b) => a - b)
        const rules = evaluator.rulesFor(what)
        for (const id of await evaluator.evaluate(rules, ids.length > MAX_BATCH ? null : ids)) single.add(id)
      } catch (error) {
        for (const [id, kinds] of batch) note(id, kinds)
        throw error
      }
    },
    async evaluateRules() {
      const until = performance.now() + SINGLE_MS
      for (const id of [...single]) {
        if (performance.now() > until) return
        // deleted first: the rule may be changed again while it is evaluated
        single.delete(id)
        const rule = evaluator.find(id)
        if (rule === null) continue
        const late = await evaluator.evaluate([rule], null).catch((error: unknown) => {
          single.add(id)
          throw error
        })
        for (const one of late) single.add(one)
      }
    },
  }
}
