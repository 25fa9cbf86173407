import type { Condition, Group, Value } from '../../rules/builder.ts'
import { RULE_TABLES } from '../../rules/read-tables.ts'
import type { FaultRow } from '../context.ts'
import { numberOf, oneLine } from './amounts.ts'
import { macroOf } from './macro-values.ts'

/** What a sentence needs of a rule. */
export interface SentenceRule {
  readonly name: string
  /** null: the builder cannot be read. */
  readonly group: Group | null
  /** Tables of a matched row, in the order in which their columns override each other. */
  readonly tables: readonly string[]
  /** The rule alerts when nothing matches. */
  readonly inverted: boolean
}

/** A condition of the rule that holds for the row, or may hold. */
export interface Held extends Condition {
  /** The row's value; null: unknown. */
  readonly actual: unknown
  /** What it is compared with, fields resolved. null: unknown. */
  readonly with: readonly unknown[]
}

/** A matched row by the columns of its tables. */
export interface RowView {
  has(table: string): boolean
  /** Value of `table.column` or of a macro; null: unknown, or another table's column of this name hides it. */
  value(field: string): unknown
  number(field: string): number | null
  /** On one line, bounded; '': unknown. */
  text(field: string, most?: number): string
  /** Conditions that make the rule match the row, in its order. */
  readonly held: readonly Held[]
  /** The same that look at time (src/core/rules/over), which `held` leaves out: their limits are not those of the value now. */
  readonly overTime: readonly Held[]
  /** What a condition over time found, by the name of its column; null: unknown. */
  past(column: string): unknown
}

/** Columns that rules cannot compare and sentences show, with their table. */
const OWN_COLUMNS: Readonly<Record<string, string | undefined>> = { ifOperStatus_lasted: 'ports' }

/** Maximum number of conditions that are looked at; more have no place in a sentence. */
const MAX_HELD = 60

/** Looks at a matched row with the eyes of its rule. */
export function viewOf(rule: SentenceRule, row: FaultRow): RowView {
  const value = (field: string): unknown => {
    const [given = '', column = ''] = field.split('.')
    if (given === 'macros') return macroOf(column, value)
    const table = given === 'ports' && isLive(column) ? 'ports_live' : given
    if (!Object.hasOwn(row, column)) return null
    if ((ownerOf(rule.tables, column) ?? OWN_COLUMNS[column]) !== table) return null
    return row[column] ?? null
  }
  const view = {
    has: (table: string) => rule.tables.includes(table),
    value,
    number: (field: string) => numberOf(value(field)),
    text: (field: string, most?: number) => oneLine(value(field), most),
  }
  const all = rule.group === null ? [] : heldOf(rule.group, value).slice(0, MAX_HELD)
  return {
    ...view,
    held: all.filter(({ over }) => over === undefined),
    overTime: all.filter(({ over }) => over !== undefined),
    past: (column) => (Object.hasOwn(row, column) ? (row[column] ?? null) : null),
  }
}

const isLive = (column: string): boolean => RULE_TABLES.get('ports_live')?.columns.has(column) === true

/** The table whose column of this name is in the merged row: the last that has it. */
const ownerOf = (tables: readonly string[], column: string): string | undefined =>
  tables.findLast((name) => RULE_TABLES.get(name)?.columns.has(column) === true)

type Values = (field: string) => unknown

const resolved = (value: Value, values: Values): unknown =>
  value.kind === 'literal' ? value.text : values(value.field)

/** true, false, or null where a value is unknown or the comparison is left to the database. */
type Truth = boolean | null

function heldOf(group: Group, values: Values): Held[] {
  const parts = group.rules.map((rule) => [rule, truthOf(rule, values)] as const)
  const chosen =
    group.condition === 'AND'
      ? parts
      : parts.some(([, truth]) => truth === true)
        ? parts.filter(([, truth]) => truth === true)
        : parts.filter(([, truth]) => truth === null)
  return chosen.flatMap(([rule]) => {
    if (rule.kind === 'group') return heldOf(rule, values)
    return [{ ...rule, actual: values(rule.field), with: rule.values.map((one) => resolved(one, values)) }]
  })
}

function truthOf(rule: Condition | Group, values: Values): Truth {
  if (rule.kind === 'group') {
    const parts = rule.rules.map((one) => truthOf(one, values))
    const decisive = rule.condition === 'OR'
    if (parts.includes(decisive)) return decisive
    return parts.includes(null) ? null : !decisive
  }
  // that it matched is the database's word
  if (rule.over !== undefined) return null
  const actual = values(rule.field)
  if (rule.operator === 'is_null') return actual === null
  if (rule.operator === 'is_not_null') return actual !== null
  if (actual === null) return null
  const text = String(actual).toLowerCase()
  if (rule.operator === 'is_empty') return text === ''
  if (rule.operator === 'is_not_empty') return text !== ''
  const right = rule.values.map((one) => resolved(one, values))
  return comparedWith(rule.operator, actual, right)
}

function comparedWith(operator: Condition['operator'], actual: unknown, right: readonly unknown[]): Truth {
  const [first = null, second = null] = right
  if (right.includes(null)) return null
  const not = (truth: Truth): Truth => (truth === null ? null : !truth)
  const order = orderOf(actual, first)
  switch (operator) {
    case 'equal':
      return order === null ? null : order === 0
    case 'not_equal':
      return order === null ? null : order !== 0
    case 'less':
      return order === null ? null : order < 0
    case 'less_or_equal':
      return order === null ? null : order <= 0
    case 'greater':
      return order === null ? null : order > 0
    case 'greater_or_equal':
      return order === null ? null : order >= 0
    case 'between': {
      const upper = orderOf(actual, second)
      return order === null || upper === null ? null : order >= 0 && upper <= 0
    }
    case 'not_between':
      return not(comparedWith('between', actual, right))
    case 'in':
      return right.some((one) => orderOf(actual, one) === 0)
    case 'not_in':
      return not(comparedWith('in', actual, right))
    default:
      return likeOf(operator, actual, first)
  }
}

/** Negative, 0 or positive: as numbers if both are, otherwise as text regardless of case; null: not comparable. */
function orderOf(left: unknown, right: unknown): number | null {
  const [a, b] = [numberOf(left), numberOf(right)]
  if (a !== null && b !== null) return a - b
  if (left === null || right === null || typeof left === 'object' || typeof right === 'object') return null
  const [x, y] = [String(left).toLowerCase(), String(right).toLowerCase()]
  return x === y ? 0 : x < y ? -1 : 1
}

/** Patterns with wildcards and regular expressions are the database's; the rest is compared here. */
function likeOf(operator: Condition['operator'], actual: unknown, pattern: unknown): Truth {
  const part = String(pattern).toLowerCase()
  if (/[%_\\]/.test(part) || operator.endsWith('regex')) return null
  const text = String(actual).toLowerCase()
  const found = operator.endsWith('begins_with')
    ? text.startsWith(part)
    : operator.endsWith('ends_with')
      ? text.endsWith(part)
      : text.includes(part)
  return operator.startsWith('not_') ? !found : found
}
