import type { Settings } from '../../config/schema.ts'
import type { Log } from '../../observe/log.ts'
import type { Store } from '../database/client.ts'
import { changeOf, createAlertChanges, FAULT_LIMITS } from './alert-changes.ts'
import { type EngineRule, engineRule } from './engine-rule.ts'
import { noteSeverities } from './faults/write-engine.ts'
import { createNotedAlerts } from './noted-alerts.ts'
import type { OnCall } from './operations/read-recipients.ts'
import { engineRules, type RuleFailure } from './read-engine-rules.ts'
import { createRuleFailures, type RuleFailures } from './rule-failures.ts'
import type { Written } from './rule-triggers.ts'
import { createSlowEvaluation } from './slow-evaluation.ts'
import type { Moment } from './transition.ts'
import { changedFaults, type DeviceFaults, faultsOfRules } from './write-evaluation.ts'
import { type AlertTransition, dueAlerts, endDisabled } from './write-transitions.ts'

export interface EvaluatorDeps {
  readonly store: Store
  readonly settings: Settings
  readonly log: Log
  /** Epoch ms. */
  readonly now: () => number
  /** Called after notifications were stored. */
  readonly notified: () => void
  readonly limits?: EvaluatorLimits
  readonly onCall?: OnCall | undefined
}

/** Time limits of evaluations, ms. */
export interface EvaluatorLimits {
  /** One rule among others: one that takes longer is taken aside, so that it keeps no other alert waiting. */
  readonly timeoutMs: number
  /** Several rules in one statement. */
  readonly togetherMs: number
  /** All rules of one step. */
  readonly budgetMs: number
  /** A rule that was taken aside, on all devices. */
  readonly slowMs: number
}

/** Counters since the process started, and current numbers. */
export interface EvaluatorStats {
  readonly rules: number
  readonly broken: number
  /** Evaluations of single rules. */
  readonly evaluations: number
  /** Seconds spent on them. */
  readonly evaluationS: number
  readonly changes: number
  readonly notifications: number
  /** Alerts that still have to change. */
  readonly noted: number
}

/** Evaluates rules and changes alerts, one step at a time; `src/core/alerts/engine.ts` decides when. */
export interface Evaluator {
  /** Reads the rules again. */
  load(): Promise<void>
  /** Rules that read any of what was written, except broken and slow ones. */
  rulesFor(written: ReadonlySet<Written>): readonly EngineRule[]
  /** All rules, including broken ones, except slow ones. */
  all(): readonly EngineRule[]
  /** Rules whose result can change with time or by writes of other programs. */
  timed(): readonly EngineRule[]
  find(id: number): EngineRule | null
  /** The rule was changed: it is evaluated with the others again until it proves slow. */
  renewed(id: number): void
  /**
   * Evaluates rules on devices (null: all) and notes the alerts that have to change. Returns the rules for which there
   * was no time. A rule that takes too long is taken aside. Throws StoreError if the database is unavailable.
   */
  evaluate(rules: readonly EngineRule[], deviceIds: readonly number[] | null): Promise<readonly number[]>
  /** Begins to evaluate a slow rule that is due, beside everything else. */
  evaluateSlow(): void
  /** Notes alerts with something due now, at most 500. Returns whether there may be more. */
  noteDue(): Promise<boolean>
  /**
   * Changes some of the noted alerts, beginning with rules that have few, and returns whether there are more. Throws
   * StoreError; alerts that were not changed stay noted.
   */
  changeSome(): Promise<boolean>
  /** Resolves when no slow rule is being evaluated. */
  idle(): Promise<void>
  stats(): EvaluatorStats
}

const LIMITS: EvaluatorLimits = { timeoutMs: 2000, togetherMs: 5000, budgetMs: 10_000, slowMs: 30_000 }
/** Maximum number of alerts with something due that are looked up in one step. */
const DUE_AT_ONCE = 500

/** The enabled rules that this program can evaluate; the others are reported. */
async function readRules(store: Store, failures: RuleFailures): Promise<ReadonlyMap<number, EngineRule>> {
  const found = new Map<number, EngineRule>()
  const rows = await engineRules(store)
  for (const row of rows) {
    if (row.disabled === 1) continue
    const rule = engineRule(row)
    if (typeof rule === 'string') await failures.fail(row.id, { kind: 'unusable', detail: rule })
    else found.set(row.id, rule)
  }
  failures.keep(new Set(rows.map(({ id }) => id)))
  return found
}

/** Faults by rule and device. A rule that cannot be evaluated is passed to `failed`, and has no entry. */
async function foundFaults(
  store: Store,
  wanted: Parameters<typeof faultsOfRules>[1],
  timeoutMs: number,
  failed: (ruleId: number, failure: RuleFailure, limitMs: number) => Promise<void>,
): Promise<ReadonlyMap<number, ReadonlyMap<number, DeviceFaults>>> {
  const of = new Map<number, ReadonlyMap<number, DeviceFaults>>()
  for (const [ruleId, found] of await faultsOfRules(store, wanted, { ...FAULT_LIMITS, timeoutMs })) {
    if (found.kind === 'faults') of.set(ruleId, found.of)
    else await failed(ruleId, found.failure, timeoutMs)
  }
  return of
}

export function createEvaluator(deps: EvaluatorDeps): Evaluator {
  const { store, settings, log, now, limits = LIMITS } = deps
  let rules: ReadonlyMap<number, EngineRule> = new Map()
  const find = (id: number) => rules.get(id) ?? null
  const noted = createNotedAlerts()
  const counts = { evaluations: 0, evaluationS: 0 }
  const changes = createAlertChanges(deps)
  const failures = createRuleFailures({ store, log, nameOf: (id) => find(id)?.name })
  const slow = createSlowEvaluation({
    ...{ store, settings, changes, failures, counts, find, limitMs: limits.slowMs },
  })
  let loaded = false

  async function load(): Promise<void> {
    // rules that were slow for the process that led before are not tried with the others first
    for (const id of loaded ? [] : await failures.load()) slow.hold(id)
    loaded = true
    const found = await readRules(store, failures)
    await endDisabled(store)
    await noteSeverities(store)
    slow.keep(new Set(found.keys()))
    rules = found
  }

  async function evaluate(given: readonly EngineRule[], deviceIds: readonly number[] | null): Promise<number[]> {
    // one may have been taken aside since the round began
    const some = given.filter(({ id }) => !slow.has(id))
    if (some.length === 0 || deviceIds?.length === 0) return []
    const began = performance.now()
    // a rule that failed last time would make the shared statement fail for other rules too
    const [alone, sound] = [some.filter(({ id }) => failures.has(id)), some.filter(({ id }) => !failures.has(id))]
    const results = await changedFaults(store, sound, deviceIds, limits, alone)
    counts.evaluations += some.length
    counts.evaluationS += (performance.now() - began) / 1000
    const late: number[] = []
    for (const rule of some) {
      const result = results.get(rule.id)
      if (result?.kind === 'late') late.push(rule.id)
      else if (result?.kind === 'broken') await failed(rule.id, result.failure, limits.timeoutMs)
      else if (result !== undefined) {
        await failures.works(rule.id)
        noted.note(rule.id, result.changes)
      }
    }
    return late
  }

  async function changeSome(): Promise<boolean> {
    const transactions = noted.next()
    if (transactions.length === 0) return false
    const moment = await changes.moment()
    const ended = await Promise.allSettled(transactions.map((some) => changeNoted(some, moment)))
    for (const one of ended) if (one.status === 'rejected') throw one.reason
    return noted.size() > 0
  }

  /** Reads the faults again, because they may have changed since the alerts were noted. */
  async function changeNoted(some: ReadonlyMap<number, readonly number[]>, moment: Moment): Promise<void> {
    const wanted = [...some].flatMap(([ruleId, deviceIds]) => {
      const rule = rules.get(ruleId)
      return rule === undefined ? [] : [{ rule, deviceIds }]
    })
    const usable = wanted.filter(({ rule: { id } }) => !failures.has(id) && !slow.has(id))
    const found = await foundFaults(store, usable, limits.togetherMs, failed)
    const transitions = wanted.map(({ rule, deviceIds }): AlertTransition => {
      const faults = found.get(rule.id)
      // for a rule that cannot be evaluated here and now, only what is due is decided
      const faultsOn = (deviceId: number) => (faults === undefined ? undefined : (faults.get(deviceId) ?? null))
      return changeOf(rule, deviceIds, faultsOn, moment)
    })
    await changes.apply(transitions)
    noted.done(some, (ruleId) => rules.has(ruleId))
  }

  /** Takes a rule aside that took too long; any other failure is reported. */
  async function failed(ruleId: number, failure: RuleFailure, limitMs: number): Promise<void> {
    if (failure.kind !== 'timeout') return await failures.fail(ruleId, failure)
    slow.hold(ruleId)
    await failures.fail(ruleId, {
      kind: 'slow',
      detail: `took longer than ${limitMs / 1000} s: it is evaluated by itself`,
    })
  }

  return {
    load,
    evaluate,
    rulesFor: (written) =>
      [...rules.values()].filter(
        ({ id, wakers }) => !failures.has(id) && !slow.has(id) && [...written].some((what) => wakers.written.has(what)),
      ),
    // rules that share a statement are adjacent
    all: () =>
      [...rules.values()]
        .filter(({ id }) => !slow.has(id))
        .toSorted((a, b) => (a.group < b.group ? -1 : a.group > b.group ? 1 : a.id - b.id)),
    timed: () => [...rules.values()].filter(({ id, wakers }) => wakers.timed && !failures.has(id) && !slow.has(id)),
    find,
    renewed: (id) => slow.release(id),
    evaluateSlow: () => slow.turn(),
    idle: () => slow.idle(),
    async noteDue() {
      const due = await dueAlerts(store, [...rules.keys()], now(), DUE_AT_ONCE)
      return noted.noteDue(due) === DUE_AT_ONCE
    },
    changeSome,
    stats: () => ({
      rules: rules.size,
      broken: failures.broken(),
      ...counts,
      ...changes.counts,
      noted: noted.size(),
    }),
  }
}
