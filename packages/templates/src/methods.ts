import { appended, kept, renumbered } from './changing.ts'
import { byName, type FunctionTable, type TemplateFunction, type Tools } from './function.ts'
import { FUNCTIONS } from './functions.ts'
import { DATE_METHODS } from './functions-date.ts'
import { whole } from './numbers.ts'
import { sorted } from './sorting.ts'
import { TemplateError } from './tree.ts'
import { compare, type Items, isItems, keyOf, keyValue, listOf, numberOf, textOf, type Value } from './value.ts'

const items = (value: Value): Items => (isItems(value) ? value : new Map())
const values = (value: Value): Value[] => [...items(value).values()]

/** What a function of the language does with these arguments. */
function called(name: string, args: readonly Value[], tools: Tools): Value {
  return FUNCTIONS.get(name)?.run(args, tools) ?? null
}

/** A row's member, `a.b` for one inside another. */
function memberAt(row: Value, path: Value): Value {
  let value = row
  for (const key of textOf(path).split('.', 10)) value = items(value).get(key) ?? null
  return value
}

/** What the rows are compared by: a member, the result of a function, or they themselves. */
function weights(list: Items, by: Value, { apply }: Tools): Map<string, Value> {
  return new Map(
    [...list].map(([key, row]) => [
      key,
      apply !== null ? apply([row, keyValue(key)]) : by === null ? row : memberAt(row, by),
    ]),
  )
}

const sortedBy =
  (descending: boolean): TemplateFunction['run'] =>
  ([list = null, by = null], tools) => {
    const weighed = weights(items(list), by, tools)
    const order = sorted(weighed, 'value', descending, { ...tools, apply: null })
    return new Map(order.map(([key]) => [key, items(list).get(key) ?? null]))
  }

const OPERATORS: Readonly<Record<string, (order: number) => boolean>> = {
  '=': (order) => order === 0,
  '==': (order) => order === 0,
  '===': (order) => order === 0,
  '!=': (order) => order !== 0,
  '!==': (order) => order !== 0,
  '<>': (order) => order !== 0,
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
}

function where([list = null, key = null, ...rest]: readonly Value[], { budget }: Tools): Items {
  const [sign, wanted] = rest.length > 1 ? rest : ['=', rest[0] ?? true]
  const holds = OPERATORS[textOf(sign ?? null)]
  if (holds === undefined) throw new TemplateError(`where() knows no comparison ${textOf(sign ?? null)}`)
  const spend = (): void => budget.spend()
  return new Map([...items(list)].filter(([, row]) => holds(compare(memberAt(row, key), wanted ?? null, spend))))
}

const numbers = (list: Value, by: Value, tools: Tools) => [...weights(items(list), by, tools).values()].map(numberOf)
const sum = (list: readonly number[]) => list.reduce((total, n) => total + n, 0)

function implode([list = null, first = null, second = null]: readonly Value[], tools: Tools): Value {
  const rows = values(list)
  if (second === null && !rows.some(isItems)) return called('implode', [first, list], tools)
  return called('implode', [second, listOf(rows.map((row) => memberAt(row, first)))], tools)
}

function grouped([list = null, by = null]: readonly Value[], tools: Tools): Items {
  const groups = new Map<string, Value>()
  for (const [key, weight] of weights(items(list), by, tools)) {
    const name = keyOf(weight)
    groups.set(name, appended(items(groups.get(name) ?? null), [items(list).get(key) ?? null]))
    tools.budget.spend()
  }
  return groups
}

function plucked([list = null, member = null, by = null]: readonly Value[]): Items {
  if (by === null) return listOf(values(list).map((row) => memberAt(row, member)))
  return new Map(values(list).map((row) => [keyOf(memberAt(row, by)), memberAt(row, member)]))
}

/** Methods of collections. The first argument is what the method is called on. */
const LISTS: FunctionTable = {
  all: [0, 0, ([list = null]) => items(list)],
  toarray: [0, 0, ([list = null]) => items(list)],
  values: [0, 0, ([list = null]) => listOf(values(list))],
  keys: [0, 0, ([list = null]) => listOf([...items(list).keys()].map(keyValue))],
  count: [0, 0, ([list = null]) => items(list).size],
  isempty: [0, 0, ([list = null]) => items(list).size === 0],
  isnotempty: [0, 0, ([list = null]) => items(list).size > 0],
  first: [
    0,
    1,
    ([list = null], tools) =>
      [...(tools.apply === null ? items(list) : kept(items(list), tools, 'both')).values()][0] ?? null,
    'function',
  ],
  last: [
    0,
    1,
    ([list = null], tools) =>
      [...(tools.apply === null ? items(list) : kept(items(list), tools, 'both')).values()].at(-1) ?? null,
    'function',
  ],
  get: [1, 2, ([list = null, key = null, otherwise = null]) => items(list).get(keyOf(key)) ?? otherwise],
  has: [1, 1, ([list = null, key = null]) => items(list).has(keyOf(key))],
  pluck: [1, 2, plucked],
  implode: [1, 2, implode],
  join: [
    1,
    2,
    ([list = null, glue = null, last = null], tools) => {
      const texts = values(list).map(textOf)
      const end = last === null ? [] : texts.splice(-2)
      const head = called('implode', [glue, listOf(last === null ? texts : [...texts, end.join(textOf(last))])], tools)
      return head
    },
  ],
  map: [
    1,
    1,
    ([list = null], tools) =>
      new Map([...items(list)].map(([key, row]) => [key, tools.apply?.([row, keyValue(key)]) ?? null])),
    'function',
  ],
  filter: [0, 1, ([list = null], tools) => kept(items(list), tools, 'both'), 'function'],
  reject: [
    1,
    1,
    ([list = null], tools) => {
      const out = kept(items(list), tools, 'both')
      return new Map([...items(list)].filter(([key]) => !out.has(key)))
    },
    'function',
  ],
  where: [1, 3, where],
  wherein: [
    2,
    2,
    ([list = null, key = null, wanted = null], tools) =>
      new Map([...items(list)].filter(([, row]) => called('in_array', [memberAt(row, key), wanted], tools) === true)),
  ],
  wherenotnull: [
    0,
    1,
    ([list = null, key = null]) =>
      new Map([...items(list)].filter(([, row]) => (key === null ? row : memberAt(row, key)) !== null)),
  ],
  firstwhere: [1, 3, (args, tools) => [...where(args, tools).values()][0] ?? null],
  contains: [
    1,
    3,
    (args, tools) => {
      const [list = null, wanted = null] = args
      if (tools.apply !== null) return kept(items(list), tools, 'both').size > 0
      return args.length > 2 ? where(args, tools).size > 0 : called('in_array', [wanted, list], tools)
    },
    'function',
  ],
  sum: [0, 1, ([list = null, by = null], tools) => sum(numbers(list, by, tools)), 'function'],
  avg: [0, 1, ([list = null, by = null], tools) => average(numbers(list, by, tools)), 'function'],
  average: [0, 1, ([list = null, by = null], tools) => average(numbers(list, by, tools)), 'function'],
  max: [
    0,
    1,
    ([list = null, by = null], tools) => called('max', [listOf(weights(items(list), by, tools).values())], tools),
    'function',
  ],
  min: [
    0,
    1,
    ([list = null, by = null], tools) => called('min', [listOf(weights(items(list), by, tools).values())], tools),
    'function',
  ],
  sort: [0, 1, ([list = null], tools) => new Map(sorted(items(list), 'value', false, tools)), 'function'],
  sortdesc: [0, 0, ([list = null], tools) => new Map(sorted(items(list), 'value', true, tools))],
  sortkeys: [0, 0, ([list = null], tools) => new Map(sorted(items(list), 'key', false, tools))],
  sortby: [1, 1, sortedBy(false), 'function'],
  sortbydesc: [1, 1, sortedBy(true), 'function'],
  groupby: [1, 1, grouped, 'function'],
  unique: [
    0,
    1,
    ([list = null, by = null], tools) => {
      const kinds = items(called('array_unique', [weights(items(list), by, tools)], tools))
      return new Map([...items(list)].filter(([key]) => kinds.has(key)))
    },
    'function',
  ],
  reverse: [0, 0, ([list = null], tools) => called('array_reverse', [list], tools)],
  take: [
    1,
    1,
    ([list = null, n = null]) =>
      whole(n) < 0 ? new Map([...items(list)].slice(whole(n))) : new Map([...items(list)].slice(0, whole(n))),
  ],
  skip: [1, 1, ([list = null, n = null]) => new Map([...items(list)].slice(Math.max(0, whole(n))))],
  slice: [1, 2, (args, tools) => called('array_slice', args, tools)],
  merge: [1, 1, (args, tools) => called('array_merge', args, tools)],
  push: [1, 1, ([list = null, value = null]) => appended(items(list), [value])],
  flatten: [0, 1, ([list = null], tools) => renumbered(flat(items(list), tools, 0).map((value) => ['0', value]))],
  tojson: [0, 1, (args, tools) => called('json_encode', args, tools)],
}

const average = (list: readonly number[]): Value => (list.length === 0 ? null : sum(list) / list.length)

const MAX_DEPTH = 10

function flat(list: Items, tools: Tools, depth: number): Value[] {
  tools.budget.spend(list.size)
  return [...list.values()].flatMap((value) =>
    isItems(value) && depth < MAX_DEPTH ? flat(value, tools, depth + 1) : [value],
  )
}

/** All methods by lower-case name; the counts of arguments are without what the method is called on. */
export const METHODS: ReadonlyMap<string, TemplateFunction> = byName(LISTS, DATE_METHODS)
