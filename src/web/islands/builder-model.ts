/** A comparison. `id` repeats the field, because other programs that use the format do so. */
export interface Condition {
  id: string
  field: string
  operator: string
  value: unknown
  /** What other programs keep with a condition; `over` says how it looks at time. */
  data?: Record<string, unknown>
}

/** Conditions and groups, joined by AND or OR. */
export interface Group {
  condition: 'AND' | 'OR'
  rules: (Condition | Group)[]
}

/** Operators in words. */
export const OPERATORS: Readonly<Record<string, string>> = {
  equal: 'is',
  not_equal: 'is not',
  less: 'is below',
  less_or_equal: 'is at most',
  greater: 'is above',
  greater_or_equal: 'is at least',
  between: 'is between',
  not_between: 'is not between',
  begins_with: 'begins with',
  not_begins_with: 'does not begin with',
  contains: 'contains',
  not_contains: 'does not contain',
  ends_with: 'ends with',
  not_ends_with: 'does not end with',
  is_empty: 'is empty',
  is_not_empty: 'is not empty',
  is_null: 'is unknown',
  is_not_null: 'is known',
  regex: 'matches',
  not_regex: 'does not match',
  in: 'is one of',
  not_in: 'is not one of',
}

const ALL = Object.keys(OPERATORS)
const ORDERED = ALL.slice(0, 8)
const PRESENT = ['is_null', 'is_not_null']

/** Operators that make sense for a type of field, the most common first. */
export function operatorsOf(type: string): readonly string[] {
  if (type === 'condition') return ['equal', 'not_equal', ...PRESENT]
  if (type === 'time') return [...ORDERED, ...PRESENT]
  return type === 'number' ? [...ORDERED, 'in', 'not_in', ...ALL.slice(8, 20)] : ALL
}

/** Operators without a value. */
export const isUnary = (operator: string): boolean => /^is_(?:not_)?(?:empty|null)$/.test(operator)

/** A value as text; a list is separated by commas. */
export function valueText(value: unknown): string {
  if (Array.isArray(value)) return value.map(String).join(', ')
  return value === null || value === undefined ? '' : String(value)
}

/** The value as the format expects it for the operator. */
export function toValue(operator: string, text: string): unknown {
  if (isUnary(operator)) return null
  if (!/(?:between|^in|not_in)$/.test(operator)) return text
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Parses a rule; null if it cannot be shown as groups. */
export function parseGroup(text: string): Group | null {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? groupOf(value, 0) : null
  } catch {
    return null
  }
}

const MAX_DEPTH = 20

function groupOf({ condition, rules }: Record<string, unknown>, depth: number): Group | null {
  if ((condition !== 'AND' && condition !== 'OR') || !Array.isArray(rules) || depth > MAX_DEPTH) return null
  const read = rules.map((rule: unknown) => {
    if (!isRecord(rule)) return null
    if (rule['condition'] !== undefined && rule['condition'] !== null) return groupOf(rule, depth + 1)
    const { field, operator, value, data } = rule
    if (typeof field !== 'string' || typeof operator !== 'string') return null
    return { id: field, field, operator, value, ...(isRecord(data) && { data }) }
  })
  const known = read.filter((rule) => rule !== null)
  return known.length === read.length ? { condition, rules: known } : null
}
