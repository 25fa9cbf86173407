import { kept, renumbered } from './changing.ts'
import type { FunctionTable, Tools } from './function.ts'
import { whole } from './numbers.ts'
import { TemplateError } from './tree.ts'
import {
  compare,
  fromJson,
  type Items,
  isItems,
  keyOf,
  keyValue,
  listOf,
  numberOf,
  same,
  textOf,
  truthy,
  type Value,
} from './value.ts'

const MANY = Number.POSITIVE_INFINITY
const NONE: Items = new Map()
const items = (value: Value): Items => (isItems(value) ? value : NONE)

/** Functions of lists. */
export const LIST_FUNCTIONS: FunctionTable = {
  count: [1, 1, ([list = null]) => items(list).size],
  sizeof: [1, 1, ([list = null]) => items(list).size],
  implode: [1, 2, joined],
  join: [1, 2, joined],
  explode: [2, 3, split],
  in_array: [
    2,
    3,
    ([value = null, list = null, strict = false], tools) => found(value, items(list), truthy(strict), tools) !== null,
  ],
  array_search: [
    2,
    3,
    ([value = null, list = null, strict = false], tools) => {
      const key = found(value, items(list), truthy(strict), tools)
      return key === null ? false : keyValue(key)
    },
  ],
  array_key_exists: [2, 2, ([key = null, list = null]) => items(list).has(keyOf(key))],
  array_keys: [1, 1, ([list = null]) => listOf([...items(list).keys()].map(keyValue))],
  array_values: [1, 1, ([list = null]) => listOf(items(list).values())],
  array_key_first: [1, 1, ([list = null]) => firstOf([...items(list).keys()].slice(0, 1).map(keyValue))],
  array_key_last: [1, 1, ([list = null]) => firstOf([...items(list).keys()].slice(-1).map(keyValue))],
  array_sum: [1, 1, ([list = null]) => [...items(list).values()].reduce<number>((sum, v) => sum + numberOf(v), 0)],
  array_unique: [1, 1, ([list = null]) => unique(items(list))],
  array_reverse: [1, 1, ([list = null]) => reversed(items(list))],
  array_slice: [2, 3, ([list = null, start = null, length = null]) => sliced(items(list), whole(start), length)],
  array_column: [
    2,
    2,
    ([list = null, column = null]) =>
      listOf(
        [...items(list).values()].flatMap((row) => {
          const value = isItems(row) ? row.get(keyOf(column)) : undefined
          return value === undefined ? [] : [value]
        }),
      ),
  ],
  array_filter: [
    1,
    3,
    ([list = null, , mode = 0], tools) => kept(items(list), tools, mode === 2 ? 'key' : mode === 1 ? 'both' : 'value'),
    'function or name',
  ],
  array_map: [
    2,
    2,
    ([, list = null], { apply }) => new Map([...items(list)].map(([key, value]) => [key, apply?.([value]) ?? null])),
    'function or name',
  ],
  array_reduce: [
    2,
    3,
    ([list = null, , first = null], { apply }) =>
      [...items(list).values()].reduce<Value>((sum, value) => apply?.([sum, value]) ?? null, first),
    'function or name',
  ],
  array_product: [1, 1, ([list = null]) => [...items(list).values()].reduce<number>((all, v) => all * numberOf(v), 1)],
  array_flip: [1, 1, ([list = null]) => new Map([...items(list)].map(([key, value]) => [keyOf(value), keyValue(key)]))],
  array_combine: [
    2,
    2,
    ([keys = null, values = null]) => {
      const all = [...items(values).values()]
      return new Map([...items(keys).values()].map((key, i) => [keyOf(key), all[i] ?? null]))
    },
  ],
  array_count_values: [
    1,
    1,
    ([list = null]) => {
      const counts = new Map<string, Value>()
      for (const value of items(list).values()) counts.set(keyOf(value), numberOf(counts.get(keyOf(value)) ?? 0) + 1)
      return counts
    },
  ],
  array_diff: [2, 2, ([a = null, b = null]) => common(items(a), items(b), false)],
  array_intersect: [2, 2, ([a = null, b = null]) => common(items(a), items(b), true)],
  array_diff_key: [2, 2, ([a = null, b = null]) => new Map([...items(a)].filter(([key]) => !items(b).has(key)))],
  array_intersect_key: [2, 2, ([a = null, b = null]) => new Map([...items(a)].filter(([key]) => items(b).has(key)))],
  array_chunk: [2, 2, ([list = null, size = null], { budget }) => chunks(items(list), whole(size), budget)],
  array_fill_keys: [
    2,
    2,
    ([keys = null, v = null]) => new Map([...items(keys).values()].map((key) => [keyOf(key), v])),
  ],
  collect: [0, 1, ([list = null]) => (isItems(list) ? list : list === null ? NONE : listOf([list]))],
  array_merge: [1, MANY, merged],
  range: [2, 3, range],
  json_encode: [1, 2, ([value = null, flags = 0], tools) => json(value, whole(flags), tools)],
  json_decode: [1, 2, ([text = null], tools) => parsed(textOf(text), tools)],
  print_r: [2, 2, ([value = null], tools) => printed(value, '', tools.budget)],
}

const firstOf = ([value = null]: readonly Value[]): Value => value

/** `implode` with one argument or with the list first, as PHP allows. */
function joined([first = null, second = null]: readonly Value[], { budget }: Tools): string {
  const [glue, list] = isItems(first) ? [second, first] : [first, items(second)]
  const texts = [...list.values()].map(textOf)
  const between = textOf(glue)
  budget.text(texts.reduce((sum, text) => sum + text.length + between.length, 0))
  return texts.join(between)
}

function split([by = null, value = null, limit = null]: readonly Value[], { budget }: Tools): Items {
  const mark = textOf(by)
  if (mark === '') throw new TemplateError('explode() needs a separator')
  const parts = textOf(value).split(mark)
  budget.spend(parts.length)
  const most = limit === null ? parts.length : whole(limit)
  if (most < 0) return listOf(parts.slice(0, most))
  const kept = Math.max(1, most)
  return listOf(parts.length <= kept ? parts : [...parts.slice(0, kept - 1), parts.slice(kept - 1).join(mark)])
}

function found(value: Value, list: Items, strict: boolean, { budget }: Tools): string | null {
  const spend = (): void => budget.spend()
  for (const [key, other] of list)
    if (strict ? same(value, other, spend) : compare(value, other, spend) === 0) return key
  return null
}

function unique(list: Items): Items {
  const seen = new Set<string>()
  return new Map(
    [...list].filter(([, value]) => {
      const text = textOf(value)
      const first = !seen.has(text)
      seen.add(text)
      return first
    }),
  )
}

/** Entries whose text is, or is not, among those of the other list. */
function common(list: Items, other: Items, wanted: boolean): Items {
  const texts = new Set([...other.values()].map(textOf))
  return new Map([...list].filter(([, value]) => texts.has(textOf(value)) === wanted))
}

function chunks(list: Items, size: number, budget: Tools['budget']): Items {
  if (size < 1) throw new TemplateError('array_chunk() needs a size of at least 1')
  budget.spend(list.size)
  const values = [...list.values()]
  return listOf(
    Array.from({ length: Math.ceil(values.length / size) }, (_, i) => listOf(values.slice(i * size, (i + 1) * size))),
  )
}

const reversed = (list: Items) => renumbered([...list].reverse())

function sliced(list: Items, start: number, length: Value): Items {
  const entries = [...list]
  const first = start < 0 ? Math.max(0, entries.length + start) : start
  if (length === null) return renumbered(entries.slice(first))
  const end = whole(length) < 0 ? entries.length + whole(length) : first + whole(length)
  return renumbered(entries.slice(first, Math.max(first, end)))
}

function merged(lists: readonly Value[]): Items {
  const result = new Map<string, Value>()
  let next = 0
  for (const list of lists)
    for (const [key, value] of items(list)) result.set(typeof keyValue(key) === 'number' ? String(next++) : key, value)
  return result
}

function range([first = null, last = null, step = 1]: readonly Value[], { budget }: Tools): Items {
  const [from, to, by] = [numberOf(first), numberOf(last), Math.abs(numberOf(step))]
  if (by === 0 || !Number.isFinite((to - from) / by)) throw new TemplateError('range() needs numbers and a step')
  const count = Math.floor(Math.abs(to - from) / by) + 1
  budget.spend(count)
  return listOf(Array.from({ length: count }, (_, i) => from + i * (to < from ? -by : by)))
}

/** The value that JSON describes; null if it is not JSON. */
function parsed(text: string, { budget }: Tools): Value {
  budget.text(text.length)
  try {
    return fromJson(JSON.parse(text))
  } catch {
    return null
  }
}

/** A value as PHP's `print_r` returns it. */
function printed(value: Value, indent: string, budget: Tools['budget']): string {
  budget.spend()
  if (!isItems(value)) return textOf(value)
  const rows = [...value].map(
    ([key, each]) => `${indent}    [${key}] => ${printed(each, `${indent}        `, budget)}\n`,
  )
  const text = `Array\n${indent}(\n${rows.join('')}${indent})\n`
  budget.text(text.length)
  return text
}

const PRETTY = 128

/** JSON; slashes and non-ASCII characters are not escaped. */
function json(value: Value, flags: number, { budget }: Tools): string {
  const text = JSON.stringify(plain(value, budget), null, (flags & PRETTY) === 0 ? undefined : 4)
  budget.text(text.length)
  return text
}

function plain(value: Value, budget: Tools['budget']): unknown {
  budget.spend()
  if (typeof value === 'string') budget.text(value.length)
  if (!isItems(value)) return value
  const isList = [...value.keys()].every((key, i) => key === String(i))
  if (isList) return [...value.values()].map((each) => plain(each, budget))
  return Object.fromEntries([...value].map(([key, each]) => [key, plain(each, budget)]))
}
