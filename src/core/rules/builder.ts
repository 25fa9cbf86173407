import { meantOf } from '../../lib/nearest.ts'
import { BuilderError } from './errors.ts'
import { OPERATORS, type Operator } from './operators.ts'
import { type Over, parseOver } from './over/over.ts'

export { OPERATORS, type Operator }

/** A comparison in a rule: `devices.os equal linux`. */
export interface Condition {
  readonly kind: 'condition'
  /** `table.column` or `macros.name`. */
  readonly field: string
  readonly operator: Operator
  /** One value; two for `between`, any number for `in`. */
  readonly values: readonly Value[]
  /** How it looks at time; absent: it compares the value now. */
  readonly over?: Over
}

/** Conditions and groups joined by AND or OR. */
export interface Group {
  readonly kind: 'group'
  readonly condition: 'AND' | 'OR'
  readonly rules: readonly (Condition | Group)[]
}

/** What a field is compared with: text as received (also for numbers), or another field. */
export type Value =
  | { readonly kind: 'literal'; readonly text: string; readonly number: boolean }
  | { readonly kind: 'field'; readonly field: string }

/** Operators without a value. */
const UNARY: ReadonlySet<Operator> = new Set(['is_empty', 'is_not_empty', 'is_null', 'is_not_null'])

const MAX_TEXT = 65_536
const MAX_DEPTH = 20
const MAX_CONDITIONS = 500
const MAX_VALUE = 4096
const MAX_VALUES = 1000
/** `table.column`; names contain letters, digits and underscores. */
const FIELD = /^[A-Za-z_][A-Za-z0-9_]*\.[A-Za-z_][A-Za-z0-9_]*$/
const QUOTED = /^`\s*([^`]+?)\s*`$/

/**
 * Parses the builder of an alert rule or dynamic group (contract BEHAVIOUR.md 9), given as an object or JSON text.
 * Ignores members other than condition, rules, field, operator, value and data.over (src/core/rules/over). At most 64 KiB
 * of text, 20 levels and 500 conditions. Throws BuilderError. Field names are checked later, by `compile`.
 */
export function parseBuilder(builder: unknown): Group {
  let given = builder
  if (typeof given === 'string') {
    if (given.length > MAX_TEXT) throw new BuilderError('The rule is too long')
    try {
      given = JSON.parse(given)
    } catch {
      throw new BuilderError('The rule is not valid JSON')
    }
  }
  if (!isRecord(given) || !('condition' in given)) throw new BuilderError('The rule has no condition')
  const budget = { conditions: MAX_CONDITIONS }
  const group = parseGroup(given, 1, budget)
  if (budget.conditions === MAX_CONDITIONS) throw new BuilderError('The rule has no conditions')
  return group
}

function parseGroup(given: Readonly<Record<string, unknown>>, depth: number, budget: { conditions: number }): Group {
  if (depth > MAX_DEPTH) throw new BuilderError(`The rule is nested deeper than ${MAX_DEPTH} levels`)
  const { condition, rules } = given
  if (condition !== 'AND' && condition !== 'OR') throw new BuilderError('A condition is AND or OR')
  if (!Array.isArray(rules)) throw new BuilderError('A group has a list of rules')
  return {
    kind: 'group',
    condition,
    rules: rules.map((rule: unknown) => {
      if (!isRecord(rule)) throw new BuilderError('A rule must be an object')
      if ('condition' in rule && rule['condition'] !== null) return parseGroup(rule, depth + 1, budget)
      if (--budget.conditions < 0) throw new BuilderError(`The rule has more than ${MAX_CONDITIONS} conditions`)
      const parsed = parseCondition(rule)
      const over = parseOver(rule['data'], parsed.operator)
      return over === null ? parsed : { ...parsed, over }
    }),
  }
}

function parseCondition({ field, operator, value }: Readonly<Record<string, unknown>>): Condition {
  if (typeof field !== 'string' || !FIELD.test(field))
    throw new BuilderError('A field must be table.column or macros.name')
  if (!isOperator(operator)) throw new BuilderError(`Unknown operator ${shown(operator)}${operatorHint(operator)}`)
  if (UNARY.has(operator)) return { kind: 'condition', field, operator, values: [] }
  if (operator === 'between' || operator === 'not_between') {
    const pair: readonly unknown[] = Array.isArray(value) ? value : []
    if (pair.length !== 2) throw new BuilderError(`${operator} takes a list of two values`)
    return { kind: 'condition', field, operator, values: pair.map(parseValue) }
  }
  if (operator === 'in' || operator === 'not_in') {
    const list: readonly unknown[] = Array.isArray(value)
      ? value
      : textOf(value)
          .split(/[\s,]+/)
          .filter(Boolean)
    if (list.length === 0) throw new BuilderError(`${operator} takes at least one value`)
    if (list.length > MAX_VALUES) throw new BuilderError(`${operator} takes at most ${MAX_VALUES} values`)
    return { kind: 'condition', field, operator, values: list.map(parseValue) }
  }
  return { kind: 'condition', field, operator, values: [parseValue(value)] }
}

function parseValue(value: unknown): Value {
  const text = textOf(value)
  const field = QUOTED.exec(text)?.[1]
  if (field === undefined) return { kind: 'literal', text, number: typeof value === 'number' }
  if (!FIELD.test(field)) throw new BuilderError(`${field} is neither table.column nor a macro`)
  return { kind: 'field', field }
}

/** Text of a value; booleans are 1 and 0. NUL is refused, because PostgreSQL cannot store it. */
function textOf(value: unknown): string {
  if (typeof value === 'boolean') return value ? '1' : '0'
  if (typeof value === 'number' && Number.isFinite(value)) return String(value)
  if (typeof value !== 'string') throw new BuilderError('A value is text or a number')
  if (value.length > MAX_VALUE) throw new BuilderError(`A value must not exceed ${MAX_VALUE} characters`)
  if (value.includes('\0')) throw new BuilderError('A value must not contain NUL')
  return value.toWellFormed()
}

function isOperator(value: unknown): value is Operator {
  return typeof value === 'string' && (OPERATORS as readonly string[]).includes(value)
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const shown = (value: unknown) => (typeof value === 'string' ? value.slice(0, 40) : typeof value)

/** The operator that was meant, or, where none is close, all of them. */
const operatorHint = (value: unknown) =>
  (typeof value === 'string' && meantOf(value, OPERATORS)) || `; the operators are ${OPERATORS.join(', ')}`
