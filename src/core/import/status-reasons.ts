import type { JsonValue } from './write-tables.ts'

/** What a device without any answer has as status reason: before June 2026, and here. */
const BEFORE = 'icmp'
const HERE = 'icmp,snmp'
const MAX_DEPTH = 50

type Node = Readonly<Record<string, JsonValue>>
const isNode = (value: JsonValue): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * A builder of before June 2026 that matches the same devices here. A condition on the status reason that decides
 * differently on the two values gets a second one beside it. `changed` false: `builder` is the object that was given.
 */
export function widened(builder: JsonValue): { readonly builder: JsonValue; readonly changed: boolean } {
  const result = changedNode(builder, 0)
  return { builder: result, changed: result !== builder }
}

function changedNode(node: JsonValue, depth: number): JsonValue {
  if (!isNode(node) || depth > MAX_DEPTH) return node
  const rules = node['rules']
  if (Array.isArray(rules)) {
    const members = rules.map((member: JsonValue) => changedNode(member, depth + 1))
    return members.every((member, i) => member === rules[i]) ? node : { ...node, rules: members }
  }
  const field = String(node['field'] ?? node['id'] ?? '').toLowerCase()
  if (field !== 'devices.status_reason') return node
  const holds = comparison(String(node['operator'] ?? ''), textsOf(node['value'] ?? null))
  if (holds === null || holds(BEFORE) === holds(HERE)) return node
  const other = (operator: string): JsonValue => ({ ...node, operator, value: HERE })
  // Only what was true of the old value is to be true of the new one.
  return holds(BEFORE)
    ? { condition: 'OR', rules: [node, other('equal')] }
    : { condition: 'AND', rules: [node, other('not_equal')] }
}

function textsOf(value: JsonValue): readonly string[] {
  if (Array.isArray(value)) return value.map((each) => String(each).toLowerCase())
  return typeof value === 'object' ? [] : [String(value).toLowerCase()]
}

type Holds = (reason: string) => boolean

/** What a condition says of a status reason; null: that cannot be told, as with another field as its value. */
function comparison(operator: string, values: readonly string[]): Holds | null {
  const [value] = values
  if (value === undefined || /^`.*`$/.test(value)) return null
  const not = /^not_/.test(operator)
  const plain = plainComparison(operator.replace(/^not_/, ''), values, value)
  return plain === null || !not ? plain : (reason) => !plain(reason)
}

function plainComparison(operator: string, values: readonly string[], value: string): Holds | null {
  const like = (before: string, after: string): Holds => {
    const body = value
      .replaceAll(/[^\w%]/g, '\\$&')
      .replaceAll('%', '.*')
      .replaceAll('_', '.')
    const pattern = new RegExp(`^${before}${body}${after}$`, 's')
    return (reason) => pattern.test(reason)
  }
  switch (operator) {
    case 'equal':
      return (reason) => reason === value
    case 'in': {
      const list = values.flatMap((each) => each.split(',')).map((each) => each.trim())
      return (reason) => list.includes(reason)
    }
    case 'contains':
      return like('.*', '.*')
    case 'begins_with':
      return like('', '.*')
    case 'ends_with':
      return like('.*', '')
    case 'regex':
      return patternHolds(value)
    default:
      return null
  }
}

/** The two values are short, so that no expression of reasonable length takes long. */
function patternHolds(value: string): Holds | null {
  if (value.length > 200) return null
  try {
    const pattern = new RegExp(value, 'i')
    return (reason) => pattern.test(reason)
  } catch {
    return null
  }
}
