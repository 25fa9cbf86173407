import type { Settings } from '../../config/schema.ts'
import { slices } from '../../lib/slices.ts'
import type { Log } from '../../observe/log.ts'
import type { Store } from '../database/client.ts'
import { MAX_SHOWN_FAULTS } from './context.ts'
import { type EngineRule, engineRule } from './engine-rule.ts'
import { engineRules, type RuleFailure, storedFailures, writeRuleFailure } from './read-engine-rules.ts'
import type { Written } from './rule-triggers.ts'
import { momentOf } from './rules/preview.ts'
import { createSlowLane, type SlowRun, type SlowState } from './slow-rules.ts'
import { MAX_KEYS } from './state.ts'
import { alertWrite, type Moment } from './transition.ts'
import { changedFaults, type DeviceFaults, faultsOfDevices } from './write-evaluation.ts'
import { type AlertSubject, type AlertTransition, changeAlerts, dueAlerts, endDisabled } from './write-transitions.ts'

export interface EvaluatorDeps {
  readonly store: Store
  readonly settings: Settings
  readonly log: Log
  /** Epoch ms. */
  readonly now: () => number
  /** Called after notifications were stored. */
  readonly notified: () => void
  readonly limits?: EvaluatorLimits
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
/** Limits for one transaction: alerts, rows of faults, and rules. */
const CHANGES_AT_ONCE = 100
const ROWS_AT_ONCE = 2000
const RULES_A_CHANGE = 16
/** Assumed rows of faults of an alert that was noted because something is due: they were not counted. */
const DUE_ROWS = 40
/** Number of transactions in one step, which run concurrently; few, so that new writes are evaluated soon. */
const TRANSACTIONS_AT_ONCE = 3
const FAULT_LIMITS = { maxKeys: MAX_KEYS, maxRows: MAX_SHOWN_FAULTS }
/** Maximum number of alerts with something due that are looked up in one step. */
const DUE_AT_ONCE = 500

/** Noted devices by rule for the next transactions: rules with few devices first, and as many as fit. */
function nextChanges(pending: ReadonlyMap<number, ReadonlyMap<number, number>>): ReadonlyMap<number, number[]>[] {
  const transactions: Map<number, number[]>[] = []
  let [size, rows] = [0, 0]
  for (const [ruleId, noted] of [...pending].toSorted(([, a], [, b]) => a.size - b.size)) {
    let current = transactions.at(-1)
    if (current === undefined || current.size >= RULES_A_CHANGE || size >= CHANGES_AT_ONCE || rows >= ROWS_AT_ONCE) {
      if (transactions.length >= TRANSACTIONS_AT_ONCE) break
      current = new Map()
      transactions.push(current)
      size = 0
      rows = 0
    }
    const ids: number[] = []
    for (const [id, count] of noted) {
      rows += count
      if (ids.length > 0 && (size >= CHANGES_AT_ONCE || rows > ROWS_AT_ONCE)) break
      ids.push(id)
      size++
    }
    current.set(ruleId, ids)
  }
  return transactions
}

export function createEvaluator({ store, settings, log, now, notified, limits = LIMITS }: EvaluatorDeps): Evaluator {
  let rules: ReadonlyMap<number, EngineRule> = new Map()
  const broken = new Map<number, RuleFailure>()
  /** By rule, the devices whose alerts have to change, with the number of fault rows to read. */
  const pending = new Map<number, Map<number, number>>()
  const noted = () => [...pending.values()].reduce((sum, { size }) => sum + size, 0)
  const counts = { evaluations: 0, evaluationS: 0, changes: 0, notifications: 0 }

  const slow = createSlowLane({
    run: runSlow,
    report: reportSlow,
    roundMs: () => settings.get('alert.round') * 1000,
    now: () => performance.now(),
  })
  let loaded = false

  async function load(): Promise<void> {
    const found = new Map<number, EngineRule>()
    // rules that were slow for the process that led before are not tried with the others first
    for (const [id, failure] of loaded ? [] : await storedFailures(store)) {
      broken.set(id, failure)
      if (failure.kind === 'slow' || failure.kind === 'timeout') slow.hold(id)
    }
    loaded = true
    const rows = await engineRules(store)
    for (const row of rows) {
      if (row.disabled === 1) continue
      const rule = engineRule(row)
      if (typeof rule === 'string') await fail(row.id, { kind: 'unusable', detail: rule })
      else found.set(row.id, rule)
    }
    await endDisabled(store)
    const kept = new Set(rows.map(({ id }) => id))
    for (const id of broken.keys()) if (!kept.has(id)) broken.delete(id)
    slow.keep(new Set(found.keys()))
    rules = found
  }

  async function fail(ruleId: number, failure: RuleFailure): Promise<void> {
    const before = broken.get(ruleId)
    if (before?.kind === failure.kind && before.detail === failure.detail) return
    broken.set(ruleId, failure)
    const name = rules.get(ruleId)?.name
    // how long a slow rule takes varies, which is no news
    const known = before?.kind === failure.kind && failure.kind !== 'invalid'
    if (known) log.debug({ ruleId, name, reason: failure.detail }, 'alert rule is still slow')
    else if (failure.kind === 'slow') log.warn({ ruleId, name, reason: failure.detail }, 'alert rule is slow')
    else
      log.warn(
        { ruleId, name, reason: failure.detail },
        'alert rule cannot be evaluated; its alerts are left unchanged',
      )
    await writeRuleFailure(store, ruleId, failure)
  }

  async function works(ruleId: number): Promise<void> {
    if (!broken.delete(ruleId)) return
    log.info({ ruleId }, 'alert rule can be evaluated again')
    await writeRuleFailure(store, ruleId, null)
  }

  async function evaluate(given: readonly EngineRule[], deviceIds: readonly number[] | null): Promise<number[]> {
    // one may have been taken aside since the round began
    const some = given.filter(({ id }) => !slow.has(id))
    if (some.length === 0 || deviceIds?.length === 0) return []
    const began = performance.now()
    // a rule that failed last time would make the shared statement fail for other rules too
    const [alone, sound] = [some.filter(({ id }) => broken.has(id)), some.filter(({ id }) => !broken.has(id))]
    const results = await changedFaults(store, sound, deviceIds, limits, alone)
    counts.evaluations += some.length
    counts.evaluationS += (performance.now() - began) / 1000
    const late: number[] = []
    for (const rule of some) {
      const result = results.get(rule.id)
      if (result?.kind === 'late') late.push(rule.id)
      else if (result?.kind === 'broken') await failed(rule.id, result.failure, limits.timeoutMs)
      else if (result !== undefined) {
        await works(rule.id)
        note(rule.id, result.changes)
      }
    }
    return late
  }

  /** Takes a rule aside that took too long; any other failure is reported. */
  async function failed(ruleId: number, failure: RuleFailure, limitMs: number): Promise<void> {
    if (failure.kind !== 'timeout') return await fail(ruleId, failure)
    slow.hold(ruleId)
    await fail(ruleId, { kind: 'slow', detail: `took longer than ${limitMs / 1000} s: it is evaluated by itself` })
  }

  async function runSlow(ruleId: number): Promise<SlowRun> {
    const rule = rules.get(ruleId)
    if (rule === undefined) return { kind: 'gone' }
    const result = (await changedFaults(store, [], null, { timeoutMs: limits.slowMs }, [rule])).get(ruleId)
    counts.evaluations++
    if (result?.kind === 'broken') {
      if (result.failure.kind === 'timeout') return { kind: 'timeout' }
      // as with any other rule, its failure is reported and found again in the next round
      await fail(ruleId, result.failure)
      return { kind: 'gone' }
    }
    if (result?.kind !== 'changes') return { kind: 'gone' }
    counts.evaluationS += result.tookMs / 1000
    for (const some of slices(result.changes, CHANGES_AT_ONCE)) {
      const moment = await momentOf(store, settings, now())
      const ids = some.map(({ device_id }) => device_id)
      const faults = await faultsOfDevices(store, rule, ids, { ...FAULT_LIMITS, timeoutMs: limits.slowMs })
      if (faults.kind === 'broken') return { kind: 'timeout' }
      await apply([changeOf(rule, ids, (deviceId) => faults.of.get(deviceId) ?? null, moment)])
    }
    return { kind: 'ran', tookMs: result.tookMs }
  }

  async function reportSlow(ruleId: number, state: SlowState | null): Promise<void> {
    if (state === null) {
      const kind = broken.get(ruleId)?.kind
      // another failure stays reported
      if (kind === 'slow' || kind === 'timeout') await works(ruleId)
      return
    }
    const minutes = Math.max(1, Math.round(state.againMs / 60_000))
    const every = minutes === 1 ? 'every minute' : `every ${minutes} minutes`
    if (state.tookMs === null) {
      const limit = `took longer than ${limits.slowMs / 1000} s and was stopped`
      await fail(ruleId, { kind: 'timeout', detail: `${limit}; tried again in ${minutes} min` })
    } else {
      // rounded, so that it is not reported anew after each evaluation
      const took = `takes about ${Math.max(1, Math.round(state.tookMs / 1000))} s`
      await fail(ruleId, { kind: 'slow', detail: `${took}, so it is evaluated by itself, ${every}` })
    }
  }

  function note(ruleId: number, changes: readonly { readonly device_id: number; readonly count: number }[]): void {
    if (changes.length === 0) return
    const noted = pending.get(ruleId) ?? new Map<number, number>()
    pending.set(ruleId, noted)
    for (const { device_id, count } of changes) noted.set(device_id, Math.min(count, MAX_SHOWN_FAULTS))
  }

  async function changeSome(): Promise<boolean> {
    const transactions = nextChanges(pending)
    if (transactions.length === 0) return false
    const moment = await momentOf(store, settings, now())
    const ended = await Promise.allSettled(transactions.map((noted) => changeNoted(noted, moment)))
    for (const one of ended) if (one.status === 'rejected') throw one.reason
    return pending.size > 0
  }

  /** Reads the faults again, because they may have changed since the alerts were noted. */
  async function changeNoted(noted: ReadonlyMap<number, readonly number[]>, moment: Moment): Promise<void> {
    const changes: AlertTransition[] = []
    for (const [ruleId, deviceIds] of noted) {
      const rule = rules.get(ruleId)
      if (rule === undefined) continue
      const faults = broken.has(ruleId) || slow.has(ruleId) ? null : await faultsOf(rule, deviceIds)
      // for a rule that cannot be evaluated here and now, only what is due is decided
      const faultsOn = (deviceId: number) => (faults === null ? undefined : (faults.get(deviceId) ?? null))
      changes.push(changeOf(rule, deviceIds, faultsOn, moment))
    }
    await apply(changes)
    for (const [ruleId, deviceIds] of noted) {
      const left = pending.get(ruleId)
      if (left === undefined) continue
      for (const id of deviceIds) left.delete(id)
      if (left.size === 0 || !rules.has(ruleId)) pending.delete(ruleId)
    }
  }

  /** The change of a rule's alerts on these devices; `faultsOn` undefined: they were not read. */
  function changeOf(
    rule: EngineRule,
    deviceIds: readonly number[],
    faultsOn: (deviceId: number) => DeviceFaults | null | undefined,
    moment: Moment,
  ): AlertTransition {
    const work = (subjects: readonly AlertSubject[]) =>
      subjects.flatMap((subject) => {
        const write = alertWrite(rule, subject, faultsOn(subject.device.device_id), moment)
        return write === null ? [] : [write]
      })
    return { rule, deviceIds, work }
  }

  async function apply(changes: readonly AlertTransition[]): Promise<void> {
    if (changes.length === 0) return
    const { alerts, notifications } = await changeAlerts(store, changes)
    counts.changes += alerts
    counts.notifications += notifications
    if (notifications > 0) notified()
  }

  /** Faults by device; null if the rule failed. */
  async function faultsOf(rule: EngineRule, ids: readonly number[]): Promise<ReadonlyMap<number, DeviceFaults> | null> {
    const found = await faultsOfDevices(store, rule, ids, { ...FAULT_LIMITS, timeoutMs: limits.togetherMs })
    if (found.kind === 'faults') return found.of
    await failed(rule.id, found.failure, limits.togetherMs)
    return null
  }

  return {
    load,
    evaluate,
    rulesFor: (written) =>
      [...rules.values()].filter(
        ({ id, wakers }) => !broken.has(id) && !slow.has(id) && [...written].some((what) => wakers.written.has(what)),
      ),
    // rules that share a statement are adjacent
    all: () =>
      [...rules.values()]
        .filter(({ id }) => !slow.has(id))
        .toSorted((a, b) => (a.group < b.group ? -1 : a.group > b.group ? 1 : a.id - b.id)),
    timed: () => [...rules.values()].filter(({ id, wakers }) => wakers.timed && !broken.has(id) && !slow.has(id)),
    find: (id) => rules.get(id) ?? null,
    renewed: (id) => slow.release(id),
    evaluateSlow: () => slow.turn(),
    idle: () => slow.idle(),
    async noteDue() {
      const due = await dueAlerts(store, [...rules.keys()], now(), DUE_AT_ONCE)
      let found = 0
      for (const [ruleId, ids] of due) {
        note(
          ruleId,
          ids.map((device_id) => ({ device_id, count: DUE_ROWS })),
        )
        found += ids.length
      }
      return found === DUE_AT_ONCE
    },
    changeSome,
    stats: () => ({
      rules: rules.size,
      broken: [...broken.values()].filter(({ kind }) => kind !== 'slow').length,
      ...counts,
      noted: noted(),
    }),
  }
}
