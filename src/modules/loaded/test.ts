import { Pattern, type PatternMatch } from '@portlight/pattern/pattern.ts'
import type { FormPattern, FormTest, Scalar } from '../../librenms/form.ts'
import { isNumberLike, numberOf } from './numbers.ts'

/** Compiled patterns by source and flags, so that patterns shared by definitions are compiled once. */
const compiled = new Map<string, Pattern>()
const MAX_COMPILED = 2000

export function patternOf(source: string, flags: string): Pattern {
  const key = `${flags}/${source}`
  let found = compiled.get(key)
  if (found === undefined) {
    if (compiled.size >= MAX_COMPILED) compiled.clear()
    found = new Pattern(source, flags)
    compiled.set(key, found)
  }
  return found
}

export function matches(pattern: FormPattern, text: string): boolean {
  return mayMatch(pattern, text) && patternOf(pattern.source, pattern.flags).test(text)
}

export function execute(pattern: FormPattern, text: string): PatternMatch | null {
  return mayMatch(pattern, text) ? patternOf(pattern.source, pattern.flags).exec(text) : null
}

function mayMatch({ flags, also, unless }: FormPattern, text: string): boolean {
  if (also !== undefined && !patternOf(also, flags).test(text)) return false
  return unless === undefined || !patternOf(unless, flags).test(text)
}

/** Whether a value passes a test; null: no value was found. */
export function passes(found: Scalar, test: FormTest): boolean {
  const { op, value } = test
  if (op === 'exists') return (value === true) === (found !== null)
  switch (op) {
    case 'contains':
      return anyText(value, (text) => text !== '' && textOf(found).includes(text))
    case 'not_contains':
      return !anyText(value, (text) => text !== '' && textOf(found).includes(text))
    case 'starts':
      return anyText(value, (text) => text !== '' && textOf(found).startsWith(text))
    case 'not_starts':
      return !anyText(value, (text) => text !== '' && textOf(found).startsWith(text))
    case 'ends':
      return anyText(value, (text) => text !== '' && textOf(found).endsWith(text))
    case 'not_ends':
      return !anyText(value, (text) => text !== '' && textOf(found).endsWith(text))
    case 'regex':
      return (test.patterns ?? []).some((pattern) => matches(pattern, textOf(found)))
    case 'not_regex':
      return !(test.patterns ?? []).some((pattern) => matches(pattern, textOf(found)))
    case 'in_array':
      return listed(value).some((item) => looselyEqual(found, item))
    case 'not_in_array':
      return !listed(value).some((item) => looselyEqual(found, item))
    default:
      return compared(op, found, Array.isArray(value) ? null : (value as Scalar), Array.isArray(value))
  }
}

function compared(op: FormTest['op'], found: Scalar, given: Scalar, isList: boolean): boolean {
  let [a, b]: [Scalar, Scalar] = [found, given]
  if (isNumberLike(a) || isNumberLike(b)) {
    a = numberOf(a)
    if (!isList) b = numberOf(b)
  }
  switch (op) {
    case '=':
      return looselyEqual(a, b)
    case '!=':
      return !looselyEqual(a, b)
    case '==':
      return a === b
    case '!==':
      return a !== b
    case '<':
      return less(a, b)
    case '<=':
      return !less(b, a)
    case '>':
      return less(b, a)
    case '>=':
      return !less(a, b)
    default:
      return false
  }
}

function less(a: Scalar, b: Scalar): boolean {
  return typeof a === 'number' && typeof b === 'number' ? a < b : textOf(a) < textOf(b)
}

/** Compares two numbers by value, booleans by emptiness, null as the empty text, and anything else as text. */
export function looselyEqual(a: Scalar, b: Scalar): boolean {
  if (typeof a === 'boolean' || typeof b === 'boolean') return truth(a) === truth(b)
  if (a === null || b === null) {
    const other = a === null ? b : a
    return other === null || other === '' || other === 0
  }
  if (isNumberLike(a) && isNumberLike(b)) return Number(a) === Number(b)
  return String(a) === String(b)
}

function truth(value: Scalar): boolean {
  return !(value === null || value === false || value === '' || value === '0' || value === 0)
}

function textOf(value: Scalar): string {
  return value === null || value === false ? '' : value === true ? '1' : String(value)
}

function listed(value: Scalar | readonly Scalar[]): readonly Scalar[] {
  return Array.isArray(value) ? value : [value as Scalar]
}

function anyText(value: Scalar | readonly Scalar[], test: (text: string) => boolean): boolean {
  return listed(value).some((item) => test(textOf(item)))
}
