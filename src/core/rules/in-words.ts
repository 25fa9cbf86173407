import { type Condition, type Group, type Operator, parseBuilder, type Value } from './builder.ts'
import { BuilderError } from './errors.ts'
import { fieldWords } from './fields/fields.ts'
import { overWords } from './over/over.ts'

/** Comparisons; `#` is replaced by the value. */
const WORDS: Readonly<Record<Operator, string>> = {
  equal: 'is #',
  not_equal: 'is not #',
  less: 'is below #',
  less_or_equal: 'is at most #',
  greater: 'is above #',
  greater_or_equal: 'is at least #',
  between: 'is between #',
  not_between: 'is not between #',
  begins_with: 'begins with #',
  not_begins_with: 'does not begin with #',
  contains: 'contains #',
  not_contains: 'does not contain #',
  ends_with: 'ends with #',
  not_ends_with: 'does not end with #',
  is_empty: 'is empty',
  is_not_empty: 'is not empty',
  is_null: 'is unknown',
  is_not_null: 'is known',
  regex: 'matches #',
  not_regex: 'does not match #',
  in: 'is one of #',
  not_in: 'is not one of #',
}

/** The rule as people say it: one condition a line, those of nested groups indented. */
export function builderWords(group: Group, depth = 0): string {
  const indent = '  '.repeat(depth)
  const head = `${indent}${group.condition === 'AND' ? 'all' : 'any'} of these:`
  const lines = group.rules.map((rule) =>
    rule.kind === 'group' ? builderWords(rule, depth + 1) : `${indent}  ${conditionWords(rule)}`,
  )
  const [only] = lines
  if (only !== undefined && lines.length === 1) return depth === 0 ? only.replace(/^ {2}/, '') : only
  return [head, ...lines].join('\n')
}

/** The rule on one line, for lists. */
function builderSentence(group: Group): string {
  return group.rules
    .map((rule) => (rule.kind === 'group' ? `(${builderSentence(rule)})` : conditionWords(rule)))
    .join(group.condition === 'AND' ? ' and ' : ' or ')
}

/** The same of a rule as JSON text; null: it cannot be parsed. */
export function sentenceOf(builder: string): string | null {
  try {
    return builderSentence(parseBuilder(builder))
  } catch (error) {
    if (error instanceof BuilderError) return null
    throw error
  }
}

/** A condition in words: `port: load is above 90 %`. */
export function conditionWords({ field, operator, values, over }: Condition): string {
  const [whole, own] = partsOf(field)
  const known = nameOf(whole)
  const codes = codesOf(whole)
  // a distance in spreads has no unit
  const unit = over?.kind === 'unusual' ? '' : own
  const [first] = values
  const isEquality = operator === 'equal' || operator === 'not_equal'
  if (over === undefined && isFlag(field) && isEquality && first?.kind === 'literal' && /^[01]$/.test(first.text))
    return (first.text === '1') === (operator === 'equal') ? known : `not: ${known}`
  const list = values.map((value) => valueWords(value, unit, codes)).join(operator.endsWith('between') ? ' and ' : ', ')
  const comparison = WORDS[operator].replace('#', () => list)
  if (over === undefined) return `${known} ${comparison}`
  return overWords(over).replace(/[#@]/g, (mark) => (mark === '@' ? known : comparison))
}

/** Fields that are true or false: macros without a subject, and columns described with `1 or 0`. */
function isFlag(field: string): boolean {
  const words = fieldWords(field) ?? ''
  if (!field.startsWith('macros.')) return words.endsWith(': 1 or 0')
  return !words.includes(':') && !/^(?:now|\d+ minutes ago)$/.test(words)
}

const UNIT = /, (%|s|ms|1\/100 s|bit\/s|Mbit\/s|bytes|bytes\/s|packets|packets\/s|dBm|m|nm|seconds since 1970)$/

/** What a field means, and the unit that its values get. A field without words stays as it is. */
export function partsOf(field: string): readonly [string, string] {
  const words = (fieldWords(field) ?? field).replace(/: 1 or 0$/, '')
  const unit = UNIT.exec(words)?.[1] ?? ''
  return [words.replace(UNIT, ''), unit]
}

/** A field's words without what helps to choose it: examples, units of its class, the list of its values. */
function nameOf(words: string): string {
  return words
    .replace(/, (?:such as .*|in the unit of its class|in its own unit)$/, '')
    .replace(/^([^:]*: [^:]*): .*$/, '$1')
}

/** Words of values that are numbers, from `state: 0 ok, 1 warning`; empty for other fields. */
export function codesOf(words: string): ReadonlyMap<string, string> {
  const list = /: (\d+ [a-z ]+(?:, \d+ [a-z ]+)+)$/.exec(words)?.[1] ?? ''
  return new Map([...list.matchAll(/(\d+) ([a-z ]+)/g)].map(([, code = '', word = '']) => [code, word]))
}

function valueWords(value: Value, unit: string, codes: ReadonlyMap<string, string>): string {
  if (value.kind === 'field') return nameOf(partsOf(value.field)[0])
  const word = codes.get(value.text)
  if (word !== undefined) return word
  if (/^-?\d+(\.\d+)?$/.test(value.text)) return unit === '' ? value.text : `${value.text} ${unit}`
  return `“${value.text}”`
}
