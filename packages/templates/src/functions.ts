import { rounded } from './decimals.ts'
import { byName, type FunctionTable, type TemplateFunction, type Tools } from './function.ts'
import { CLASS_FUNCTIONS } from './functions-class.ts'
import { DATE_FUNCTIONS, MOMENT_FUNCTIONS } from './functions-date.ts'
import { LIST_FUNCTIONS } from './functions-list.ts'
import { PATTERN_FUNCTIONS } from './functions-pattern.ts'
import { TEXT_FUNCTIONS } from './functions-text.ts'
import { LINK_FUNCTIONS } from './links.ts'
import { whole } from './numbers.ts'
import { TemplateError } from './tree.ts'
import { compare, isItems, numberOf, numericText, textOf, truthy, type Value } from './value.ts'

const MANY = Number.POSITIVE_INFINITY

const VALUE_FUNCTIONS: FunctionTable = {
  isset: [1, MANY, (args) => args.every((value) => value !== null)],
  empty: [1, 1, ([value = null]) => !truthy(value)],
  is_null: [1, 1, ([value]) => value === null],
  is_numeric: [
    1,
    1,
    ([value]) => typeof value === 'number' || (typeof value === 'string' && numericText(value) !== null),
  ],
  is_string: [1, 1, ([value]) => typeof value === 'string'],
  is_array: [1, 1, ([value = null]) => isItems(value)],
  is_bool: [1, 1, ([value]) => typeof value === 'boolean'],
  is_int: [1, 1, ([value]) => Number.isInteger(value)],
  is_float: [1, 1, ([value]) => typeof value === 'number' && !Number.isInteger(value)],
  is_integer: [1, 1, ([value]) => Number.isInteger(value)],
  gettype: [1, 1, ([value = null]) => typeName(value)],
  intval: [
    1,
    2,
    ([value = null, base = 10]) => (whole(base) === 10 ? whole(value) : inBase(textOf(value), whole(base))),
  ],
  floatval: [1, 1, ([value = null]) => numberOf(value)],
  strval: [1, 1, ([value = null]) => textOf(value)],
  boolval: [1, 1, ([value = null]) => truthy(value)],
  abs: [1, 1, ([value = null]) => Math.abs(numberOf(value))],
  floor: [1, 1, ([value = null]) => Math.floor(numberOf(value))],
  ceil: [1, 1, ([value = null]) => Math.ceil(numberOf(value)) || 0],
  round: [1, 2, ([value = null, digits = 0]) => rounded(numberOf(value), whole(digits))],
  sqrt: [1, 1, ([value = null]) => Math.sqrt(numberOf(value))],
  pow: [2, 2, ([base = null, power = null]) => numberOf(base) ** numberOf(power)],
  intdiv: [2, 2, ([a = null, b = null]) => (whole(b) === 0 ? null : Math.trunc(whole(a) / whole(b)) || 0)],
  fmod: [2, 2, ([a = null, b = null]) => numberOf(a) % numberOf(b)],
  min: [1, MANY, (args, tools) => extreme(args, -1, tools)],
  max: [1, MANY, (args, tools) => extreme(args, 1, tools)],
}

const TYPES: Readonly<Record<string, string>> = { number: 'double', string: 'string', boolean: 'boolean' }

function typeName(value: Value): string {
  if (value === null) return 'NULL'
  if (isItems(value)) return 'array'
  return Number.isInteger(value) ? 'integer' : (TYPES[typeof value] ?? 'NULL')
}

function inBase(text: string, base: number): number {
  if (base < 2 || base > 36) throw new TemplateError('intval() needs a base from 2 to 36')
  return Number.parseInt(text.slice(0, 64), base) || 0
}

function extreme(args: readonly Value[], sign: 1 | -1, { budget }: Tools): Value {
  const [first = null] = args
  const values = args.length === 1 && isItems(first) ? [...first.values()] : args
  return values.reduce<Value>(
    (best, value, i) => (i === 0 || compare(value, best, () => budget.spend()) * sign > 0 ? value : best),
    null,
  )
}

/** All functions by lower-case name; those of classes as `class::function`. */
export const FUNCTIONS: ReadonlyMap<string, TemplateFunction> = byName(
  VALUE_FUNCTIONS,
  TEXT_FUNCTIONS,
  PATTERN_FUNCTIONS,
  LIST_FUNCTIONS,
  DATE_FUNCTIONS,
  MOMENT_FUNCTIONS,
  LINK_FUNCTIONS,
  CLASS_FUNCTIONS,
)
