import { byName, type FunctionTable, type TemplateFunction, type Tools } from './function.ts'
import { sorted } from './sorting.ts'
import { type Items, isItems, keyOf, keyValue, listOf, truthy, type Value } from './value.ts'

const items = (value: Value): Items => (isItems(value) ? value : new Map())
/** What a changing function returns: the list after the change, and its own value. */
const result = (list: Items, value: Value): Items =>
  new Map<string, Value>([
    ['list', list],
    ['value', value],
  ])

const MANY = Number.POSITIVE_INFINITY

/** Sorts by value or key; `keeps`: keys stay with their values. */
const sorting =
  (by: 'value' | 'key', descending: boolean, keeps: boolean): TemplateFunction['run'] =>
  ([list = null], tools) => {
    const entries = sorted(items(list), by, descending, tools)
    return result(keeps ? new Map(entries) : listOf(entries.map(([, value]) => value)), true)
  }

/** Functions that change their first argument: their value has the members `list` and `value`. */
const TABLE: FunctionTable = {
  sort: [1, 2, sorting('value', false, false)],
  rsort: [1, 2, sorting('value', true, false)],
  asort: [1, 2, sorting('value', false, true)],
  arsort: [1, 2, sorting('value', true, true)],
  ksort: [1, 2, sorting('key', false, true)],
  krsort: [1, 2, sorting('key', true, true)],
  usort: [2, 2, sorting('value', false, false), 'function or name'],
  uasort: [2, 2, sorting('value', false, true), 'function or name'],
  uksort: [2, 2, sorting('key', false, true), 'function or name'],
  array_push: [
    1,
    MANY,
    ([list = null, ...values]) => {
      const longer = appended(items(list), values)
      return result(longer, longer.size)
    },
  ],
  array_unshift: [
    1,
    MANY,
    ([list = null, ...values]) => {
      const longer = renumbered([...values.map((value) => ['0', value] as const), ...items(list)])
      return result(longer, longer.size)
    },
  ],
  array_pop: [
    1,
    1,
    ([list = null]) => {
      const entries = [...items(list)]
      const last = entries.pop()
      return result(new Map(entries), last?.[1] ?? null)
    },
  ],
  array_shift: [
    1,
    1,
    ([list = null]) => {
      const [first, ...rest] = [...items(list)]
      return result(renumbered(rest), first?.[1] ?? null)
    },
  ],
}

export const CHANGING: ReadonlyMap<string, TemplateFunction> = byName(TABLE)

/** The list with further values behind it. */
export function appended(list: Items, values: readonly Value[]): Items {
  const longer = new Map(list)
  let next = 0
  for (const key of list.keys()) {
    const number = keyValue(key)
    if (typeof number === 'number') next = Math.max(next, number + 1)
  }
  for (const value of values) longer.set(keyOf(next++), value)
  return longer
}

/** Integer keys are renumbered from 0, others are kept. */
export function renumbered(entries: Iterable<readonly [string, Value]>): Items {
  const list = new Map<string, Value>()
  let next = 0
  for (const [key, value] of entries) list.set(typeof keyValue(key) === 'number' ? String(next++) : key, value)
  return list
}

/** Entries for which the function holds, or whose value does if there is none. */
export function kept(list: Items, { apply, budget }: Tools, by: 'value' | 'key' | 'both' = 'value'): Items {
  budget.spend(list.size)
  if (apply === null) return new Map([...list].filter(([, value]) => truthy(value)))
  return new Map(
    [...list].filter(([key, value]) =>
      truthy(apply(by === 'key' ? [keyValue(key)] : by === 'both' ? [value, keyValue(key)] : [value])),
    ),
  )
}
