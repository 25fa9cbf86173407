import { translated } from './expression.ts'
import { type FormPattern, type FormSkip, type FormTest, OPERATORS, type Operator, type Scalar } from './form.ts'
import { isMap, listOf, textOf, type YamlMap } from './yaml.ts'

/** Receives a description of what cannot be used. */
export type Fault = (text: string) => void

const MAX_VALUES = 5000

/** The comparison in a condition; null if its operator is unknown. `other` is the default operator. */
export function testOf(map: YamlMap, other: Operator, fault: Fault): FormTest | null {
  const op = map['op'] === undefined ? other : OPERATORS.find((known) => known === map['op'])
  if (op === undefined) {
    fault(`operator ${String(map['op'])} is unknown`)
    return null
  }
  const given = map['value']
  const value = Array.isArray(given) ? given.slice(0, MAX_VALUES).map(scalarOf) : scalarOf(given)
  if (op !== 'regex' && op !== 'not_regex') return { op, value }
  return { op, value, patterns: patternsOf(given, fault) }
}

/** The expressions in a single text or a list; those that cannot be run are left out. */
export function patternsOf(value: unknown, fault: Fault): FormPattern[] {
  return listOf(value).flatMap((item) => {
    const found = translated(textOf(item) ?? '')
    if (!('why' in found)) return [found]
    fault(found.why)
    return []
  })
}

function scalarOf(value: unknown): Scalar {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null
}

/**
 * `skip_values` of a class and of an item, merged by position: an entry of the item replaces the entry of the class at
 * the same position.
 */
export function skipsOf(ofClass: unknown, ofItem: unknown, fault: Fault): FormSkip[] {
  const merged = [...listOf(ofClass)]
  for (const [i, entry] of listOf(ofItem).entries()) merged[i] = entry
  return merged.flatMap((entry): FormSkip[] => {
    if (typeof entry === 'number') return [{ number: entry }]
    if (typeof entry === 'string' && entry.trim() !== '' && Number.isFinite(Number(entry)))
      return [{ number: Number(entry) }]
    if (!isMap(entry)) return []
    const test = testOf(entry, '!=', fault)
    if (test === null) return []
    const device = textOf(entry['device'])
    if (device !== null) return [{ device, ...test }]
    const oid = textOf(entry['oid'])
    if (oid !== null) return [{ oid, ...test }]
    fault('a condition has neither oid nor device')
    return []
  })
}
