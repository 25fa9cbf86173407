import { CONVERSIONS, type Conversion } from '../lib/conversions.ts'
import { SENSOR_CLASS_NAMES } from '../lib/sensor-classes.ts'
import { DefinitionError } from './error.ts'
import {
  type Amount,
  type Condition,
  type HealthDefinition,
  type Limits,
  type MempoolEntry,
  type ProcessorEntry,
  type Rowed,
  SENSOR_HOOKS,
  type SensorEntry,
  type StateSet,
  type StorageEntry,
  WIRELESS_CLASSES,
} from './health.ts'
import { CONDITION, JOIN, keysOf, LIMITS, MEMPOOL, PROCESSOR, ROWED, SENSOR, STORAGE, USAGE, WIRELESS } from './keys.ts'
import { isFilter, type Place, parsePlace, parseTemplate, placesOf, type Template } from './template.ts'
import {
  choiceOf,
  expressionOf,
  flagOf,
  itemsOf,
  mapOf,
  membersOf,
  numberOf,
  textOf,
  textsOf,
  type YamlMap,
} from './yaml.ts'

/** The names that the entries of a file can use. */
export interface EntryScope extends Pick<HealthDefinition, 'tables' | 'scalars' | 'maps'> {
  readonly states: Readonly<Record<string, StateSet>>
}

/** Columns of standard MIB tables that placeholders can use. */
export const STANDARD_COLUMNS = {
  entPhysicalTable: [
    'entPhysicalName',
    'entPhysicalClass',
    'entPhysicalDescr',
    'entPhysicalContainedIn',
    'entPhysicalModelName',
    'entPhysicalSerialNum',
    'entPhysicalAlias',
    'entPhysicalParentRelPos',
  ],
  ifTable: ['ifDescr', 'ifOperStatus'],
  ifXTable: ['ifName', 'ifAlias'],
} as const

const INDEX = /^index(\.-?\d+-?)?$/

/** Checks the names in an entry against its table, its joins and the file's declarations. */
interface Names {
  place(path: string, text: string): Place
  template(path: string, value: unknown): Template
  amount(path: string, value: unknown): Amount
  value(path: string, value: unknown): string
}

function namesOf(scope: EntryScope, table: string | null, joins: Readonly<Record<string, string>>): Names {
  const columns = (name: string): readonly string[] => {
    const source = scope.tables[name]
    if (source === undefined) return []
    return source.standard === null ? Object.keys(source.columns) : STANDARD_COLUMNS[source.standard]
  }
  const known = (name: string): boolean => {
    if (name === 'n' || name === 'value' || INDEX.test(name) || name in scope.scalars) return true
    if (table !== null && columns(table).includes(name)) return true
    const [join = '', column = ''] = name.split('.')
    const joined = joins[join]
    return joined !== undefined && columns(joined).includes(column)
  }
  const check = (path: string, place: Place): Place => {
    if (!known(place.name)) throw new DefinitionError(path, `${place.name} is not a column, scalar or join here`)
    for (const filter of place.filters) {
      if (!isFilter(filter, scope.maps)) throw new DefinitionError(path, `${filter} is neither a filter nor a map`)
    }
    return place
  }
  const template = (path: string, value: unknown): Template => {
    const parsed = parseTemplate(textOf(path, value))
    for (const place of placesOf(parsed)) check(path, place)
    return parsed
  }
  return {
    place: (path, text) => check(path, parsePlace(text)),
    template,
    amount: (path, value) => (typeof value === 'number' ? numberOf(path, value) : template(path, value)),
    value(path, value) {
      const name = textOf(path, value)
      const there = table === null ? name in scope.scalars : columns(table).includes(name) || name in scope.scalars
      if (!there)
        throw new DefinitionError(path, `${name} is not a ${table === null ? 'scalar' : 'column or scalar'} here`)
      return name
    },
  }
}

/** The parts common to all kinds of entries, and the names they can use. */
function rowed(
  path: string,
  item: YamlMap,
  scope: EntryScope,
  first: string,
): { readonly rows: Rowed; readonly names: Names } {
  const table = item['table'] === undefined ? null : textOf(`${path}.table`, item['table'])
  if (table !== null && !(table in scope.tables)) throw new DefinitionError(`${path}.table`, `no table ${table}`)
  const plain = namesOf(scope, table, {})
  const joins: Record<string, string> = {}
  const joined = membersOf(`${path}.with`, item['with'], (at, value) => {
    const join = mapOf(at, value, keysOf(JOIN))
    const name = textOf(`${at}.table`, join['table'])
    if (!(name in scope.tables)) throw new DefinitionError(`${at}.table`, `no table ${name}`)
    joins[at.split('.').at(-1) ?? ''] = name
    // A join's index may use an earlier join: a fan leads to its tray, the tray to its chassis.
    return { table: name, index: namesOf(scope, table, joins).template(`${at}.index`, join['index'] ?? '{index}') }
  })
  const names = item['with'] === undefined ? plain : namesOf(scope, table, joins)
  const descr = Array.isArray(item['descr'])
    ? itemsOf(`${path}.descr`, item['descr'])
    : [{ path, value: item['descr'] }]
  return {
    names,
    rows: {
      table,
      with: joined,
      only: conditions(`${path}.only`, item['only'], names),
      skip: conditions(`${path}.skip`, item['skip'], names),
      index: names.template(`${path}.index`, item['index'] ?? (table === null ? first : '{index}')),
      descr: descr.map((one) => names.template(`${one.path}.descr`, one.value)),
    },
  }
}

/**
 * Reads a list of conditions: plain items such as `[0, -1]` are values to compare with, maps are conditions on other
 * names.
 */
function conditions(path: string, value: unknown, names: Names): readonly Condition[] {
  const plain: string[] = []
  const found: Condition[] = []
  for (const item of itemsOf(path, value)) {
    if (typeof item.value === 'object') found.push(condition(item.path, item.value, names))
    else plain.push(textOf(item.path, item.value))
  }
  if (plain.length > 0) found.push({ ...NO_TEST, of: names.place(path, 'value'), is: plain })
  return found
}

const NO_TEST = { is: null, not: null, below: null, above: null, match: null, empty: null }

function condition(path: string, value: unknown, names: Names): Condition {
  const item = mapOf(path, value, keysOf(CONDITION))
  const given = <T>(key: string, read: (path: string, value: unknown) => T): T | null =>
    item[key] === undefined ? null : read(`${path}.${key}`, item[key])
  if (Object.keys(item).every((key) => key === 'of')) throw new DefinitionError(path, 'has no condition')
  return {
    of: names.place(`${path}.of`, item['of'] === undefined ? 'value' : textOf(`${path}.of`, item['of'])),
    is: given('is', textsOf),
    not: given('not', textsOf),
    below: given('below', numberOf),
    above: given('above', numberOf),
    match: given('match', expressionOf),
    empty: given('empty', flagOf),
  }
}

export function sensorEntry(path: string, value: unknown, scope: EntryScope, kind: 'sensor' | 'wireless'): SensorEntry {
  const item = mapOf(path, value, kind === 'wireless' ? keysOf(ROWED, SENSOR, WIRELESS) : keysOf(ROWED, SENSOR))
  const { rows, names } = rowed(path, item, scope, '0')
  const given = optional(path, item)
  const states = given('states', textOf)
  const set = states === null ? null : scope.states[states]
  if (set === undefined) throw new DefinitionError(`${path}.states`, `no states ${states}`)
  const allowed: readonly string[] = kind === 'wireless' ? WIRELESS_CLASSES : SENSOR_CLASS_NAMES
  const cls = names.template(`${path}.class`, item['class'] ?? (set === null ? undefined : 'state'))
  if (placesOf(cls).length === 0 && !allowed.includes(cls.text)) {
    throw new DefinitionError(`${path}.class`, `must be one of ${allowed.join(', ')}`)
  }
  const values = textsOf(`${path}.value`, item['value']).map((name) => names.value(`${path}.value`, name))
  if (values.length === 0 || (kind === 'sensor' && values.length > 1)) {
    throw new DefinitionError(`${path}.value`, 'must be the name of one column or scalar')
  }
  return {
    ...rows,
    class: cls,
    type: given('type', textOf) ?? set?.name ?? null,
    values,
    aggregator: given('aggregator', (at, one) => choiceOf(at, one, ['sum', 'avg', 'first', 'count'])) ?? 'sum',
    group: given('group', names.template),
    divisor: given('divisor', names.amount) ?? 1,
    multiplier: given('multiplier', names.amount) ?? 1,
    exponent: textsOf(`${path}.exponent`, item['exponent']).map((one) => names.template(`${path}.exponent`, one)),
    limits: limits(`${path}.limits`, item['limits'] ?? {}, names),
    states: set,
    entity: given('entity', names.template),
    measured: given('measured', textOf),
    convert: given('convert', (at, one) => choiceOf(at, one, Object.keys(CONVERSIONS) as Conversion[])),
    hook: given('hook', (at, one) => choiceOf(at, one, SENSOR_HOOKS)),
  }
}

function limits(path: string, value: unknown, names: Names): Limits {
  const given = optional(path, mapOf(path, value, keysOf(LIMITS)))
  return {
    high: given('high', names.amount),
    warn: given('warn', names.amount),
    low: given('low', names.amount),
    lowWarn: given('low_warn', names.amount),
    scaled: given('scaled', flagOf) ?? true,
  }
}

export function processorEntry(path: string, value: unknown, scope: EntryScope): ProcessorEntry {
  const item = mapOf(path, value, keysOf(ROWED, USAGE, PROCESSOR))
  const { rows, names } = rowed(path, item, scope, '0')
  const given = optional(path, item)
  return {
    ...rows,
    fallback: given('fallback', flagOf) ?? false,
    type: given('type', textOf),
    value: names.value(`${path}.value`, item['value']),
    precision: given('precision', numberOf) ?? 1,
    entity: given('entity', names.template),
    hrDevice: given('hr_device', names.template),
  }
}

export function mempoolEntry(path: string, value: unknown, scope: EntryScope): MempoolEntry {
  const item = mapOf(path, value, keysOf(ROWED, USAGE, MEMPOOL))
  const { rows, names } = rowed(path, item, scope, '0')
  const given = optional(path, item)
  const amounts = amountsOf(path, given, names, 'total')
  return {
    ...rows,
    fallback: given('fallback', flagOf) ?? false,
    type: given('type', textOf),
    class: given('class', textOf) ?? 'system',
    ...amounts,
    total: given('total', names.value),
    precision: given('precision', names.amount) ?? 1,
    warn: given('warn', names.amount),
    entity: given('entity', names.template),
  }
}

export function storageEntry(path: string, value: unknown, scope: EntryScope): StorageEntry {
  const item = mapOf(path, value, keysOf(ROWED, USAGE, STORAGE))
  const { rows, names } = rowed(path, item, scope, '0')
  const given = optional(path, item)
  return {
    ...rows,
    fallback: given('fallback', flagOf) ?? false,
    type: given('type', textOf),
    kind: names.template(`${path}.kind`, item['kind'] ?? 'Storage'),
    ...amountsOf(path, given, names, 'size'),
    size: given('size', names.value),
    units: given('units', names.amount) ?? 1,
  }
}

type Given = <T>(key: string, read: (path: string, value: unknown) => T) => T | null

/** Usage needs a percentage, or two of used, free and total. */
function amountsOf(path: string, given: Given, names: Names, all: string) {
  const [used, free, percent] = [given('used', names.value), given('free', names.value), given('percent', names.value)]
  const known = [used, free, given(all, textOf)].filter((name) => name !== null).length
  if (percent === null && known < 2) throw new DefinitionError(path, `needs percent, or two of used, free and ${all}`)
  return { used, free, percent }
}

function optional(path: string, item: YamlMap): Given {
  return (key, read) => (item[key] === undefined ? null : read(`${path}.${key}`, item[key]))
}
