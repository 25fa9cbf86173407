import type { Condition, Group, Operator, Value } from './builder.ts'
import { overText } from './over/over.ts'

/** Operators as text; `#` is replaced by the value. */
const WORDS: Readonly<Record<Operator, string>> = {
  equal: '= #',
  not_equal: '!= #',
  less: '< #',
  less_or_equal: '<= #',
  greater: '> #',
  greater_or_equal: '>= #',
  between: 'BETWEEN #',
  not_between: 'NOT BETWEEN #',
  begins_with: 'LIKE #%',
  not_begins_with: 'NOT LIKE #%',
  contains: 'LIKE %#%',
  not_contains: 'NOT LIKE %#%',
  ends_with: 'LIKE %#',
  not_ends_with: 'NOT LIKE %#',
  is_empty: '= ""',
  is_not_empty: '!= ""',
  is_null: 'IS NULL',
  is_not_null: 'IS NOT NULL',
  regex: 'REGEXP #',
  not_regex: 'NOT REGEXP #',
  in: 'IN (#)',
  not_in: 'NOT IN (#)',
}

/**
 * The rule as text, for example `devices.os != "junos" AND macros.device_up = 1`: member `rule` of alert rules. Numbers
 * are bare, other text is in double quotes, macros are not expanded.
 */
export function builderText(group: Group): string {
  return group.rules
    .map((rule) => (rule.kind === 'group' ? `(${builderText(rule)})` : conditionText(rule)))
    .join(` ${group.condition} `)
}

function conditionText({ field, operator, values, over }: Condition): string {
  const word = WORDS[operator]
  const list = operator.endsWith('between') ? ' AND ' : ', '
  // wildcards go inside the quotes of the value
  const pattern = /%?#%?/.exec(word)?.[0] ?? '#'
  const text = values.map((value) => valueText(value, pattern)).join(list)
  const comparison = word.replace(pattern, () => text)
  if (over === undefined) return `${field} ${comparison}`
  return overText(over).replace(/[#@]/g, (mark) => (mark === '@' ? field : comparison))
}

function valueText(value: Value, pattern: string): string {
  if (value.kind === 'field') return value.field
  const text = pattern.replace('#', () => value.text)
  return /^-?\d+(\.\d+)?$/.test(text) ? text : `"${text}"`
}
