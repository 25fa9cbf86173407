import type { Settings } from '../../config/schema.ts'
import { slices } from '../../lib/slices.ts'
import type { Store } from '../database/client.ts'
import { type AlertChanges, changeOf, FAULT_LIMITS } from './alert-changes.ts'
import type { EngineRule } from './engine-rule.ts'
import { CHANGES_AT_ONCE } from './noted-alerts.ts'
import type { RuleFailures } from './rule-failures.ts'
import { createSlowRules, type SlowRules, type SlowRun, type SlowState } from './slow-rules.ts'
import { changedFaults, faultsOfDevices } from './write-evaluation.ts'

interface SlowEvaluationDeps {
  readonly store: Store
  readonly settings: Settings
  readonly changes: AlertChanges
  readonly failures: RuleFailures
  readonly counts: { evaluations: number; evaluationS: number }
  /** null: the rule is gone. */
  readonly find: (ruleId: number) => EngineRule | null
  /** Longest time that a rule may take on all devices, ms. */
  readonly limitMs: number
}

/** Evaluates the rules that take too long for being evaluated with the others, and changes their alerts. */
export function createSlowEvaluation(deps: SlowEvaluationDeps): SlowRules {
  const { store, settings, changes, failures, counts, find, limitMs } = deps

  async function runSlow(ruleId: number): Promise<SlowRun> {
    const rule = find(ruleId)
    if (rule === null) return { kind: 'gone' }
    const result = (await changedFaults(store, [], null, { timeoutMs: limitMs }, [rule])).get(ruleId)
    counts.evaluations++
    if (result?.kind === 'broken') {
      if (result.failure.kind === 'timeout') return { kind: 'timeout' }
      // as with any other rule, its failure is reported and found again in the next round
      await failures.fail(ruleId, result.failure)
      return { kind: 'gone' }
    }
    if (result?.kind !== 'changes') return { kind: 'gone' }
    counts.evaluationS += result.tookMs / 1000
    for (const some of slices(result.changes, CHANGES_AT_ONCE)) {
      const moment = await changes.moment()
      const ids = some.map(({ device_id }) => device_id)
      const faults = await faultsOfDevices(store, rule, ids, { ...FAULT_LIMITS, timeoutMs: limitMs })
      if (faults.kind === 'broken') return { kind: 'timeout' }
      await changes.apply([changeOf(rule, ids, (deviceId) => faults.of.get(deviceId) ?? null, moment)])
    }
    return { kind: 'ran', tookMs: result.tookMs }
  }

  async function reportSlow(ruleId: number, state: SlowState | null): Promise<void> {
    if (state === null) {
      // another failure stays reported
      if (failures.isSlow(ruleId)) await failures.works(ruleId)
      return
    }
    const minutes = Math.max(1, Math.round(state.againMs / 60_000))
    const every = minutes === 1 ? 'every minute' : `every ${minutes} minutes`
    if (state.tookMs === null) {
      const limit = `took longer than ${limitMs / 1000} s and was stopped`
      await failures.fail(ruleId, { kind: 'timeout', detail: `${limit}; tried again in ${minutes} min` })
    } else {
      // rounded, so that it is not reported anew after each evaluation
      const took = `takes about ${Math.max(1, Math.round(state.tookMs / 1000))} s`
      await failures.fail(ruleId, { kind: 'slow', detail: `${took}, so it is evaluated by itself, ${every}` })
    }
  }

  return createSlowRules({
    run: runSlow,
    report: reportSlow,
    roundMs: () => settings.get('alert.round') * 1000,
    now: () => performance.now(),
  })
}
