import type { Log } from '../../observe/log.ts'
import type { Store } from '../database/client.ts'
import { type RuleFailure, storedFailures, writeRuleFailure } from './read-engine-rules.ts'

interface RuleFailuresDeps {
  readonly store: Store
  readonly log: Log
  /** undefined: the rule is not known. */
  readonly nameOf: (ruleId: number) => string | undefined
}

/** Rules that cannot be evaluated, or only apart from the others; stored and logged when that changes. */
export function createRuleFailures({ store, log, nameOf }: RuleFailuresDeps) {
  const failures = new Map<number, RuleFailure>()

  const isSlow = (ruleId: number) => ['slow', 'timeout'].includes(failures.get(ruleId)?.kind ?? '')

  return {
    isSlow,
    has: (ruleId: number) => failures.has(ruleId),
    /** Rules that cannot be evaluated at all. */
    broken: () => [...failures.values()].filter(({ kind }) => kind !== 'slow').length,

    /** Reads those of the process that evaluated before; returns the rules that were slow. */
    async load(): Promise<readonly number[]> {
      for (const [id, failure] of await storedFailures(store)) failures.set(id, failure)
      return [...failures.keys()].filter(isSlow)
    },

    /** Forgets rules that are not among these. */
    keep(ruleIds: ReadonlySet<number>): void {
      for (const id of failures.keys()) if (!ruleIds.has(id)) failures.delete(id)
    },

    async fail(ruleId: number, failure: RuleFailure): Promise<void> {
      const before = failures.get(ruleId)
      if (before?.kind === failure.kind && before.detail === failure.detail) return
      failures.set(ruleId, failure)
      const fields = { ruleId, name: nameOf(ruleId), reason: failure.detail }
      // how long a slow rule takes varies, which is no news
      if (before?.kind === failure.kind && failure.kind !== 'invalid') log.debug(fields, 'alert rule is still slow')
      else if (failure.kind === 'slow') log.warn(fields, 'alert rule is slow')
      else log.warn(fields, 'alert rule cannot be evaluated; its alerts are left unchanged')
      await writeRuleFailure(store, ruleId, failure)
    },

    async works(ruleId: number): Promise<void> {
      if (!failures.delete(ruleId)) return
      log.info({ ruleId }, 'alert rule can be evaluated again')
      await writeRuleFailure(store, ruleId, null)
    },
  }
}

export type RuleFailures = ReturnType<typeof createRuleFailures>
