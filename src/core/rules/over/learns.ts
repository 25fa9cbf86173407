import type { Condition, Group } from '../builder.ts'
import { billMeasureOf, measureOf } from './measures.ts'
import type { OverKind } from './over.ts'

/** What is usual, how it changes, or what a bill's period will end with. */
export type What = 'usual' | 'trend' | 'end'

/** What a condition needs to know from the past. */
export interface Learns {
  readonly what: What
  readonly kind: string
  readonly line: string
  /** Table and column of the things that have the value. */
  readonly table: string
  readonly id: string
}

const WHAT: Readonly<Partial<Record<OverKind, What>>> = { unusual: 'usual', forecast: 'trend', period_end: 'end' }

/** What a rule needs to know, once each. */
export function learnsOf(group: Group): Learns[] {
  const found = new Map<string, Learns>()
  const visit = (one: Group | Condition): void => {
    if (one.kind === 'group') {
      for (const rule of one.rules) visit(rule)
      return
    }
    const what = one.over === undefined ? null : (WHAT[one.over.kind] ?? null)
    const measure = what === null ? null : what === 'end' ? billMeasureOf(one.field) : measureOf(one.field)
    if (what === null || measure === null) return
    const { kind, line, table, id } = measure
    found.set(`${what} ${kind} ${line}`, { what, kind, line, table, id })
  }
  visit(group)
  return [...found.values()]
}

/**
 * The rule without its conditions over time, for the things that it may ever concern: what is joined to such a condition
 * by OR is left out as well. null: nothing is left, so it may concern all.
 */
export function withoutOver(group: Group): Group | null {
  const rules: (Condition | Group)[] = []
  for (const rule of group.rules) {
    const rest = rule.kind === 'group' ? withoutOver(rule) : rule.over === undefined ? rule : null
    if (rest !== null) rules.push(rest)
    else if (group.condition === 'OR') return null
  }
  return rules.length === 0 ? null : { ...group, rules }
}
