import { rounded } from '../lib/decimals.ts'
import type { FunctionTable, TemplateFunction, Tools } from './function.ts'
import { DATE_FUNCTIONS } from './functions-date.ts'
import { LIST_FUNCTIONS } from './functions-list.ts'
import { TEXT_FUNCTIONS } from './functions-text.ts'
import { whole } from './numbers.ts'
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
  intval: [1, 1, ([value = null]) => whole(value)],
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

function extreme(args: readonly Value[], sign: 1 | -1, { budget }: Tools): Value {
  const [first = null] = args
  const values = args.length === 1 && isItems(first) ? [...first.values()] : args
  return values.reduce<Value>(
    (best, value, i) => (i === 0 || compare(value, best, () => budget.spend()) * sign > 0 ? value : best),
    null,
  )
}

/** All functions by lower-case name. */
export const FUNCTIONS: ReadonlyMap<string, TemplateFunction> = new Map(
  [VALUE_FUNCTIONS, TEXT_FUNCTIONS, LIST_FUNCTIONS, DATE_FUNCTIONS].flatMap((table) =>
    Object.entries(table).map(([name, [least, most, run]]) => [name, { least, most, run }] as const),
  ),
)
