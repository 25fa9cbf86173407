import type { Settings } from '../config/schema.ts'
import { MAX_SHOWN_FAULTS } from '../domain/alerts/context.ts'
import { type EngineRule, engineRule } from '../domain/alerts/engine-rule.ts'
import { momentOf } from '../domain/alerts/preview.ts'
import { MAX_KEYS } from '../domain/alerts/state.ts'
import { alertWrite, type Moment } from '../domain/alerts/transition.ts'
import type { Written } from '../domain/alerts/wakers.ts'
import type { Log } from '../observe/log.ts'
import { engineRules, type RuleFailure, writeRuleFailure } from '../store/alerts/engine-rules.ts'
import { type ChangedFaults, changedFaults, type DeviceFaults, faultsOfDevices } from '../store/alerts/evaluate.ts'
import { changeAlerts, dueAlerts, endDisabled } from '../store/alerts/transitions.ts'
import type { Store } from '../store/client.ts'

export interface EvaluatorDeps {
  readonly store: Store
  readonly settings: Settings
  readonly log: Log
  /** Epoch ms. */
  readonly now: () => number
  /** Notifications were stored. */
  readonly notified: () => void
}

/** What evaluation did since the start. */
export interface EvaluatorStats {
  readonly rules: number
  readonly broken: number
  /** Statements of rules. */
  readonly evaluations: number
  /** Seconds of them. */
  readonly evaluationS: number
  readonly changes: number
  readonly notifications: number
}

/** Evaluates rules and changes alerts, one step at a time; `src/alerting/engine.ts` decides when. */
export interface Evaluator {
  /** Reads the rules again. */
  load(): Promise<void>
  /** Rules that read what was written. */
  rulesFor(written: ReadonlySet<Written>): readonly EngineRule[]
  /** All rules, those that were broken included. */
  all(): readonly EngineRule[]
  /** Rules that time or other programs can make true. */
  timed(): readonly EngineRule[]
  find(id: number): EngineRule | null
  /** Evaluates rules on devices (null: all) and stores what changed. Throws StoreError when the database is unavailable. */
  evaluate(rules: readonly EngineRule[], deviceIds: readonly number[] | null): Promise<void>
  /** Notifies what is due now. Returns whether more is due. */
  settleDue(): Promise<boolean>
  stats(): EvaluatorStats
}

const BATCH_TIMEOUT_MS = 5000
const ROUND_TIMEOUT_MS = 30_000
/** Devices and fault rows in one transaction. */
const MAX_DEVICES = 200
const MAX_ROWS = 2000
/** Rules whose alerts are changed at the same time. */
const RULES_CHANGED_AT_ONCE = 3
/** Alerts looked at in one step, and devices in one transaction of it. */
const DUE_AT_ONCE = 500
const DEVICES_DUE = 50

/** Changes in parts that fit a transaction. */
function parts(changes: readonly ChangedFaults[]): ChangedFaults[][] {
  const found: ChangedFaults[][] = []
  let part: ChangedFaults[] = []
  let rows = 0
  for (const change of changes) {
    const more = Math.min(change.count, MAX_SHOWN_FAULTS)
    if (part.length > 0 && (part.length >= MAX_DEVICES || rows + more > MAX_ROWS)) {
      found.push(part)
      part = []
      rows = 0
    }
    part.push(change)
    rows += more
  }
  if (part.length > 0) found.push(part)
  return found
}

export function createEvaluator({ store, settings, log, now, notified }: EvaluatorDeps): Evaluator {
  let rules: ReadonlyMap<number, EngineRule> = new Map()
  const broken = new Map<number, RuleFailure>()
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
    log.warn({ ruleId, reason: failure.detail }, 'alert rule cannot be evaluated; its alerts stay as they are')
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
    // a rule that failed last time would make the statement of others fail
    for (const rule of some) {
      if (!broken.has(rule.id)) continue
      for (const [id, result] of await changedFaults(store, [rule], deviceIds, { timeoutMs })) results.set(id, result)
    }
    counts.evaluations += some.length
    counts.evaluationS += (performance.now() - began) / 1000
    const moment = { now: now(), known: null as Promise<Moment> | null }
    const waiting = some.values()
    const lane = async (): Promise<void> => {
      for (const rule of waiting) {
        const result = results.get(rule.id)
        if (result?.kind === 'broken') await fail(rule.id, result.failure)
        else if (result !== undefined) {
          await works(rule.id)
          if (result.changes.length === 0) continue
          moment.known ??= momentOf(store, settings, moment.now)
          await apply(rule, result.changes, await moment.known)
        }
      }
    }
    // Every lane ends before the next step begins, so that no rule is changed twice at the same time.
    const lanes = await Promise.allSettled(Array.from({ length: RULES_CHANGED_AT_ONCE }, lane))
    for (const ended of lanes) if (ended.status === 'rejected') throw ended.reason
  }

  async function apply(rule: EngineRule, changes: readonly ChangedFaults[], moment: Moment): Promise<void> {
    for (const part of parts(changes)) {
      const ids = part.map(({ device_id }) => device_id)
      const faults = await faultsOf(rule, ids)
      if (faults === null) return
      await change(rule, ids, (deviceId) => faults.get(deviceId) ?? null, moment)
    }
  }

  /** null: the rule failed. */
  async function faultsOf(rule: EngineRule, ids: readonly number[]): Promise<ReadonlyMap<number, DeviceFaults> | null> {
    const limits = { maxKeys: MAX_KEYS, maxRows: MAX_SHOWN_FAULTS, timeoutMs: BATCH_TIMEOUT_MS * 2 }
    const found = await faultsOfDevices(store, rule, ids, limits)
    if (found.kind === 'faults') return found.of
    await fail(rule.id, found.failure)
    return null
  }

  async function change(
    rule: EngineRule,
    ids: readonly number[],
    faultsOn: (deviceId: number) => DeviceFaults | null | undefined,
    moment: Moment,
  ): Promise<void> {
    const { alerts, notifications } = await changeAlerts(store, rule, ids, (subjects) =>
      subjects.flatMap((subject) => {
        const write = alertWrite(rule, subject, faultsOn(subject.device.device_id), moment)
        return write === null ? [] : [write]
      }),
    )
    counts.changes += alerts
    counts.notifications += notifications
    if (notifications > 0) notified()
  }

  return {
    load,
    evaluate,
    rulesFor: (written) =>
      [...rules.values()].filter(
        ({ id, wakers }) => !broken.has(id) && [...written].some((what) => wakers.written.has(what)),
      ),
    // rules that share statements stand together
    all: () => [...rules.values()].toSorted((a, b) => (a.group < b.group ? -1 : a.group > b.group ? 1 : a.id - b.id)),
    timed: () => [...rules.values()].filter(({ id, wakers }) => wakers.timed && !broken.has(id)),
    find: (id) => rules.get(id) ?? null,
    async settleDue() {
      const due = await dueAlerts(store, [...rules.keys()], now(), DUE_AT_ONCE)
      if (due.size === 0) return false
      const moment = await momentOf(store, settings, now())
      let seen = 0
      for (const [ruleId, ids] of due) {
        seen += ids.length
        const rule = rules.get(ruleId)
        for (let from = 0; rule !== undefined && from < ids.length; from += DEVICES_DUE) {
          const part = ids.slice(from, from + DEVICES_DUE)
          const faults = broken.has(ruleId) ? null : await faultsOf(rule, part)
          // a rule that cannot be run decides nothing but what is due
          const faultsOn = (deviceId: number) => (faults === null ? undefined : (faults.get(deviceId) ?? null))
          await change(rule, part, faultsOn, moment)
        }
      }
      return seen === DUE_AT_ONCE
    },
    stats: () => ({ rules: rules.size, broken: broken.size, ...counts }),
  }
}
