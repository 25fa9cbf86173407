import type { Settings } from '../config/schema.ts'
import { MAX_SHOWN_FAULTS } from '../domain/alerts/context.ts'
import { type EngineRule, engineRule } from '../domain/alerts/engine-rule.ts'
import { momentOf } from '../domain/alerts/preview.ts'
import { MAX_KEYS } from '../domain/alerts/state.ts'
import { alertWrite, type Moment } from '../domain/alerts/transition.ts'
import type { Written } from '../domain/alerts/wakers.ts'
import type { Log } from '../observe/log.ts'
import { engineRules, type RuleFailure, writeRuleFailure } from '../store/alerts/engine-rules.ts'
import { changedFaults, type DeviceFaults, faultsOfDevices } from '../store/alerts/evaluate.ts'
import {
  type AlertChange,
  type AlertSubject,
  changeAlerts,
  dueAlerts,
  endDisabled,
} from '../store/alerts/transitions.ts'
import type { Store } from '../store/client.ts'

export interface EvaluatorDeps {
  readonly store: Store
  readonly settings: Settings
  readonly log: Log
  /** Epoch ms. */
  readonly now: () => number
  /** Called after notifications were stored. */
  readonly notified: () => void
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

/** Evaluates rules and changes alerts, one step at a time; `src/alerting/engine.ts` decides when. */
export interface Evaluator {
  /** Reads the rules again. */
  load(): Promise<void>
  /** Rules that read any of what was written, except broken ones. */
  rulesFor(written: ReadonlySet<Written>): readonly EngineRule[]
  /** All rules, including broken ones. */
  all(): readonly EngineRule[]
  /** Rules whose result can change with time or by writes of other programs. */
  timed(): readonly EngineRule[]
  find(id: number): EngineRule | null
  /**
   * Evaluates rules on devices (null: all) and notes the alerts that have to change. Throws StoreError if the database
   * is unavailable.
   */
  evaluate(rules: readonly EngineRule[], deviceIds: readonly number[] | null): Promise<void>
  /** Notes alerts with something due now, at most 500. Returns whether there may be more. */
  noteDue(): Promise<boolean>
  /**
   * Changes some of the noted alerts, beginning with rules that have few, and returns whether there are more. Throws
   * StoreError; alerts that were not changed stay noted.
   */
  changeSome(): Promise<boolean>
  stats(): EvaluatorStats
}

const BATCH_TIMEOUT_MS = 5000
const ROUND_TIMEOUT_MS = 30_000
/** Limits for one transaction: alerts, rows of faults, and rules. */
const CHANGES_AT_ONCE = 100
const ROWS_AT_ONCE = 2000
const RULES_A_CHANGE = 16
/** Assumed rows of faults of an alert that was noted because something is due: they were not counted. */
const DUE_ROWS = 40
/** Number of transactions in one step, which run concurrently; few, so that new writes are evaluated soon. */
const TRANSACTIONS_AT_ONCE = 3
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

export function createEvaluator({ store, settings, log, now, notified }: EvaluatorDeps): Evaluator {
  let rules: ReadonlyMap<number, EngineRule> = new Map()
  const broken = new Map<number, RuleFailure>()
  /** By rule, the devices whose alerts have to change, with the number of fault rows to read. */
  const pending = new Map<number, Map<number, number>>()
  const noted = () => [...pending.values()].reduce((sum, { size }) => sum + size, 0)
  const counts = { evaluations: 0, evaluationS: 0, changes: 0, notifications: 0 }

  async function load(): Promise<void> {
    const found = new Map<number, EngineRule>()
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
    rules = found
  }

  async function fail(ruleId: number, failure: RuleFailure): Promise<void> {
    const before = broken.get(ruleId)
    if (before?.kind === failure.kind && before.detail === failure.detail) return
    broken.set(ruleId, failure)
    log.warn({ ruleId, reason: failure.detail }, 'alert rule cannot be evaluated; its alerts are left unchanged')
    await writeRuleFailure(store, ruleId, failure)
  }

  async function works(ruleId: number): Promise<void> {
    if (!broken.delete(ruleId)) return
    log.info({ ruleId }, 'alert rule can be evaluated again')
    await writeRuleFailure(store, ruleId, null)
  }

  async function evaluate(some: readonly EngineRule[], deviceIds: readonly number[] | null): Promise<void> {
    if (some.length === 0 || deviceIds?.length === 0) return
    const began = performance.now()
    const timeoutMs = deviceIds === null ? ROUND_TIMEOUT_MS : BATCH_TIMEOUT_MS
    const sound = some.filter(({ id }) => !broken.has(id))
    const results = new Map(await changedFaults(store, sound, deviceIds, { timeoutMs }))
    // a rule that failed last time would make the shared statement fail for other rules too
    for (const rule of some) {
      if (!broken.has(rule.id)) continue
      for (const [id, result] of await changedFaults(store, [rule], deviceIds, { timeoutMs })) results.set(id, result)
    }
    counts.evaluations += some.length
    counts.evaluationS += (performance.now() - began) / 1000
    for (const rule of some) {
      const result = results.get(rule.id)
      if (result?.kind === 'broken') await fail(rule.id, result.failure)
      else if (result !== undefined) {
        await works(rule.id)
        note(rule.id, result.changes)
      }
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
    const changes: AlertChange[] = []
    for (const [ruleId, deviceIds] of noted) {
      const rule = rules.get(ruleId)
      if (rule === undefined) continue
      const faults = broken.has(ruleId) ? null : await faultsOf(rule, deviceIds)
      // for a rule that cannot be evaluated, only what is due is decided
      const faultsOn = (deviceId: number) => (faults === null ? undefined : (faults.get(deviceId) ?? null))
      const work = (subjects: readonly AlertSubject[]) =>
        subjects.flatMap((subject) => {
          const write = alertWrite(rule, subject, faultsOn(subject.device.device_id), moment)
          return write === null ? [] : [write]
        })
      changes.push({ rule, deviceIds, work })
    }
    if (changes.length > 0) {
      const { alerts, notifications } = await changeAlerts(store, changes)
      counts.changes += alerts
      counts.notifications += notifications
      if (notifications > 0) notified()
    }
    for (const [ruleId, deviceIds] of noted) {
      const left = pending.get(ruleId)
      if (left === undefined) continue
      for (const id of deviceIds) left.delete(id)
      if (left.size === 0 || !rules.has(ruleId)) pending.delete(ruleId)
    }
  }

  /** Faults by device; null if the rule failed. */
  async function faultsOf(rule: EngineRule, ids: readonly number[]): Promise<ReadonlyMap<number, DeviceFaults> | null> {
    const limits = { maxKeys: MAX_KEYS, maxRows: MAX_SHOWN_FAULTS, timeoutMs: BATCH_TIMEOUT_MS * 2 }
    const found = await faultsOfDevices(store, rule, ids, limits)
    if (found.kind === 'faults') return found.of
    await fail(rule.id, found.failure)
    return null
  }

  return {
    load,
    evaluate,
    rulesFor: (written) =>
      [...rules.values()].filter(
        ({ id, wakers }) => !broken.has(id) && [...written].some((what) => wakers.written.has(what)),
      ),
    // rules that share a statement are adjacent
    all: () => [...rules.values()].toSorted((a, b) => (a.group < b.group ? -1 : a.group > b.group ? 1 : a.id - b.id)),
    timed: () => [...rules.values()].filter(({ id, wakers }) => wakers.timed && !broken.has(id)),
    find: (id) => rules.get(id) ?? null,
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
    stats: () => ({ rules: rules.size, broken: broken.size, ...counts, noted: noted() }),
  }
}
