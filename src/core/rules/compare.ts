import { localTime } from '../records/forms.ts'
import type { Operator } from './builder.ts'
import { postgresPattern } from './pattern.ts'

/** One side of a comparison. `condition` is the boolean SQL of a macro that is a condition. */
export type Expression =
  | {
      readonly kind: 'sql'
      readonly type: 'number' | 'text' | 'time'
      readonly sql: string
      readonly condition?: string
    }
  | { readonly kind: 'literal'; readonly text: string }

export interface Parameters {
  /** Adds a value and returns its placeholder, of type text. */
  param(text: string): string
  /** Records a regular expression. */
  pattern(text: string): void
}

const SIGNS: Readonly<Partial<Record<Operator, string>>> = {
  equal: '=',
  not_equal: '<>',
  less: '<',
  less_or_equal: '<=',
  greater: '>',
  greater_or_equal: '>=',
}

/** SQL of `left operator right`, which is null for unknown values. Text is compared regardless of case. */
export function ofOperator(
  operator: Operator,
  left: Expression,
  right: readonly Expression[],
  parameters: Parameters,
): string {
  const [first, second] = right
  const sign = SIGNS[operator]
  if (operator === 'is_null') return `${bare(left, parameters)} is null`
  if (operator === 'is_not_null') return `${bare(left, parameters)} is not null`
  if (operator === 'is_empty') return `${asText(left, parameters)} = ''`
  if (operator === 'is_not_empty') return `${asText(left, parameters)} <> ''`
  if (first === undefined) throw new Error(`${operator} without a value`)
  if (sign !== undefined) return compareCondition(operator, left, first) ?? compare(sign, left, first, parameters)
  const not = operator.startsWith('not_') ? 'not ' : ''
  switch (operator) {
    case 'between':
    case 'not_between': {
      const low = compare('>=', left, first, parameters)
      return `${not}(${low} and ${compare('<=', left, second ?? first, parameters)})`
    }
    case 'in':
    case 'not_in':
      return `${not}(${right.map((one) => compare('=', left, one, parameters)).join(' or ')})`
    case 'regex':
    case 'not_regex':
      return `${not}(${asText(left, parameters)} ~* ${patternSql(first, parameters)})`
    default:
      return `${not}(${asText(left, parameters)} ilike ${likePattern(operator, first, parameters)})`
  }
}

/** SQL of a regular expression; one in a column is read as PostgreSQL's. */
function patternSql(expression: Expression, parameters: Parameters): string {
  if (expression.kind !== 'literal') return asText(expression, parameters)
  const text = postgresPattern(expression.text)
  parameters.pattern(text)
  return parameters.param(text)
}

/** SQL of a condition compared with 1 or 0; null: it is another comparison. */
function compareCondition(operator: Operator, left: Expression, right: Expression): string | null {
  if (left.kind !== 'sql' || left.condition === undefined || right.kind !== 'literal') return null
  if (operator !== 'equal' && operator !== 'not_equal') return null
  if (right.text !== '1' && right.text !== '0') return null
  return (right.text === '1') === (operator === 'equal') ? left.condition : `not ${left.condition}`
}

/** SQL of a comparison: as numbers if both sides look numeric, as times if both are times, otherwise as text. */
function compare(sign: string, left: Expression, right: Expression, parameters: Parameters): string {
  const [a, b] = [typed(left, right, parameters), typed(right, left, parameters)]
  if (a.type === b.type && a.type !== 'text') return `${a.sql} ${sign} ${b.sql}`
  const words = `lower(${a.text}) ${sign} lower(${b.text})`
  // texts are equal only if identical: 0010 and 10 are different serial numbers
  const ordering = sign !== '=' && sign !== '<>'
  if (a.type === 'time' || b.type === 'time') return words
  if (a.type === 'text' && b.type === 'text' && !ordering) return equalTexts(sign, left, right, a, b) ?? words
  const guards = [a, b].filter((side) => side.type === 'text').map((side) => looksNumericSql(side.sql))
  return `case when ${guards.join(' and ')} then ${asNumber(a)} ${sign} ${asNumber(b)} else ${words} end`
}

/**
 * SQL for equality of a column with ASCII text; null: it is another comparison. The length is compared first, because
 * in a scan of many rows lower() costs more than everything else.
 */
function equalTexts(sign: '=' | '<>', left: Expression, right: Expression, a: Side, b: Side): string | null {
  const [column, literal] = left.kind === 'sql' ? [a, right] : [b, left]
  if (literal.kind !== 'literal' || !/^\p{ASCII}*$/u.test(literal.text)) return null
  const text = literal === right ? b.text : a.text
  const length = `octet_length(${column.sql}) ${sign} ${literal.text.length}`
  return `(${length} ${sign === '=' ? 'and' : 'or'} lower(${column.sql}) ${sign} lower(${text}))`
}

interface Side {
  readonly type: 'number' | 'text' | 'time'
  readonly sql: string
  /** The same as text; null for a time literal, because the other side then is a time. */
  readonly text: string
}

/**
 * A side with its type; a literal takes the type of the other side if possible. Parameters are added only if used.
 */
function typed(side: Expression, other: Expression, parameters: Parameters): Side {
  if (side.kind === 'sql') return { type: side.type, sql: side.sql, text: asText(side, parameters) }
  const expected = other.kind === 'sql' ? other.type : 'text'
  const time = expected === 'time' ? timeOf(side.text) : null
  if (time !== null) return { type: 'time', sql: `${parameters.param(time)}::timestamptz`, text: '' }
  const placeholder = parameters.param(side.text)
  const number = expected === 'number' && looksNumeric(side.text)
  // as bigint, so that integer columns need no conversion
  const type = /^-?\d{1,15}$/.test(side.text) ? 'bigint' : 'numeric'
  return { type: number ? 'number' : 'text', sql: number ? `${placeholder}::${type}` : placeholder, text: placeholder }
}

const NUMERIC = String.raw`^\s*[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d{1,2})?\s*$`
/** Longer texts are not treated as numbers. */
const NUMERIC_LENGTH = 60

const looksNumeric = (text: string) => text.length <= NUMERIC_LENGTH && new RegExp(NUMERIC, 'u').test(text)
const looksNumericSql = (sql: string) => `length(${sql}) <= ${NUMERIC_LENGTH} and ${sql} ~ '${NUMERIC}'`
const asNumber = (side: Side) => (side.type === 'text' ? `${side.sql}::numeric` : side.sql)

const DATE = /^\d{4}-\d{2}-\d{2}(?:[ T]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/

/** A date and time in the server's time zone, or epoch seconds, as ISO 8601; null: the text is neither. */
function timeOf(text: string): string | null {
  const trimmed = text.trim()
  const date = /^\d{1,11}$/.test(trimmed)
    ? new Date(Number(trimmed) * 1000)
    : DATE.test(trimmed)
      ? new Date(trimmed.length === 10 ? `${trimmed}T00:00` : trimmed.replace(' ', 'T'))
      : null
  return date === null || Number.isNaN(date.getTime()) ? null : date.toISOString()
}

/** Either side as text. */
function asText(side: Expression, parameters: Parameters): string {
  if (side.kind === 'literal') return parameters.param(side.text)
  if (side.type === 'text') return side.sql
  return side.type === 'number' ? `(${side.sql})::text` : localTime(side.sql)
}

const bare = (side: Expression, parameters: Parameters) =>
  side.kind === 'sql' ? side.sql : parameters.param(side.text)

/** The LIKE pattern of begins_with and similar operators; `%` and `_` in the value remain wildcards. */
function likePattern(operator: Operator, value: Expression, parameters: Parameters): string {
  const before = operator.endsWith('begins_with') ? '' : '%'
  const after = operator.endsWith('ends_with') ? '' : '%'
  if (value.kind === 'literal') {
    // a pattern must not end in an escape character
    const open = (/\\*$/.exec(value.text)?.[0].length ?? 0) % 2 === 1
    return parameters.param(`${before}${value.text}${open ? '\\' : ''}${after}`)
  }
  return `'${before}' || replace(${asText(value, parameters)}, '\\', '\\\\') || '${after}'`
}
