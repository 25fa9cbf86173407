import { parseBuilder } from '../rules/builder.ts'
import { compile } from '../rules/compile.ts'
import { BuilderError } from '../rules/errors.ts'
import { builderText } from '../rules/text.ts'
import type { KeptRow } from './faults/fault.ts'
import { keptRows } from './faults/row.ts'
import { type FaultSubject, subjectsOf } from './faults/subject.ts'
import { storedOperation } from './operations/operation.ts'
import { notifies, type Plan, planOf } from './operations/plan.ts'
import { nextStep } from './operations/steps.ts'
import type { EngineRuleRow } from './read-engine-rules.ts'
import { type RuleTriggers, wakersOf } from './rule-triggers.ts'
import { type RuleExtra, ruleExtra } from './rules/extra.ts'
import type { SentenceRule } from './sentences/sentence.ts'
import type { RunnableRule } from './write-evaluation.ts'

/** A rule as the engine runs it. */
export interface EngineRule extends RunnableRule {
  readonly name: string
  readonly severity: 'ok' | 'warning' | 'critical'
  /** With the timing of its operation, if it has one. */
  readonly extra: RuleExtra
  /** Whom it notifies when; null: its transports, or the default ones. */
  readonly operation: RuleOperation | null
  readonly builder: string
  readonly proc: string | null
  readonly notes: string | null
  readonly runbook: string | null
  /** The condition as text. */
  readonly text: string
  readonly compared: readonly string[]
  /** For the sentences of its faults. */
  readonly sentence: SentenceRule
  readonly wakers: RuleTriggers
  /** What a fault is about, from its key. */
  readonly subjectOf: (key: string) => FaultSubject
  /** What is kept of a matched row. */
  readonly kept: (row: KeptRow) => KeptRow
}

/** The operation of a rule. */
export interface RuleOperation {
  /** `stepDurationS`: that of the installation. */
  planFor(stepDurationS: number): Plan
}

/** A stored rule, ready to run; a text is the reason it cannot be. */
export function engineRule(row: EngineRuleRow): EngineRule | string {
  const extra = ruleExtra(row.extra)
  if (extra.options.override_query) return 'the rule has its own SQL, which is stored but not run'
  try {
    const group = parseBuilder(row.builder)
    const { parts, params, reads } = compile(group)
    const wakers = wakersOf(reads)
    return {
      id: row.id,
      name: row.name,
      severity: row.severity,
      ...notified(extra, row),
      builder: row.builder,
      proc: row.proc,
      notes: row.notes,
      runbook: row.runbook,
      inverted: extra.invert,
      mapped: row.mapped,
      invertMap: row.invert_map === 1,
      params,
      parts,
      compared: parts.compared,
      text: builderText(group),
      group: [...wakers.written].toSorted().join(),
      wakers,
      sentence: { name: row.name, group, tables: parts.tables, inverted: extra.invert },
      subjectOf: extra.invert ? () => ({ kind: null, id: null }) : subjectsOf(parts.tables),
      kept: keptRows(parts.tables, parts.compared),
    }
  } catch (error) {
    if (error instanceof BuilderError) return error.message
    throw error
  }
}

/** The options of a rule as its operation has them: that says when, and the rule no longer does. */
function notified(extra: RuleExtra, row: EngineRuleRow): Pick<EngineRule, 'extra' | 'operation'> {
  if (row.silenced === 1) return { extra: { ...extra, mute: true }, operation: null }
  const operation = storedOperation(row.operation)
  if (operation === null) return { extra, operation: null }
  const delay = nextStep(planOf(operation, 1).problem, null)?.atS ?? 0
  const mute = extra.mute || !notifies(operation)
  let plan: { readonly stepDurationS: number; readonly plan: Plan } | null = null
  return {
    extra: { ...extra, mute, delay, count: -1, interval: 0 },
    operation: {
      planFor(stepDurationS) {
        if (plan?.stepDurationS !== stepDurationS) plan = { stepDurationS, plan: planOf(operation, stepDurationS) }
        return plan.plan
      },
    },
  }
}
