import { DefinitionError } from './error.ts'
import {
  COLUMN_SYNTAXES,
  type ColumnSource,
  GENERIC_STATES,
  type HealthDefinition,
  type HealthScope,
  STANDARD_TABLES,
  type StateSet,
  type TableSource,
} from './health.ts'
import { type EntryScope, mempoolEntry, processorEntry, sensorEntry, storageEntry } from './health-entries.ts'
import { COLUMN, HEALTH, keysOf, TABLE } from './keys.ts'
import { choiceOf, itemsOf, mapOf, membersOf, oidOf, textOf, textsOf } from './yaml.ts'

const KEYS = keysOf(HEALTH)

/** Names that columns, scalars and joins cannot have, because placeholders use them. */
const TAKEN: ReadonlySet<string> = new Set(['index', 'n', 'value'])

/**
 * Reads a parsed YAML health definition. Throws DefinitionError for an unknown key, name, class or filter, or a wrong
 * type.
 */
export function parseHealth(name: string, value: unknown): HealthDefinition {
  const root = mapOf(name, value, KEYS)
  // only for readers and docs/reference/modules.md
  textOf(`${name}.about`, root['about'])
  const tables: Readonly<Record<string, TableSource>> = membersOf(`${name}.tables`, root['tables'], (path, item) =>
    tableSource(name, path, item),
  )
  const scalars: Readonly<Record<string, string>> = membersOf(`${name}.scalars`, root['scalars'], oidOf)
  for (const taken of Object.keys(scalars)) {
    if (TAKEN.has(taken)) throw new DefinitionError(`${name}.scalars.${taken}`, 'is a reserved name')
  }
  const maps: HealthDefinition['maps'] = membersOf(`${name}.maps`, root['maps'], (path, item) =>
    membersOf(path, item, (at, text) => (text === '' ? '' : textOf(at, text))),
  )
  const states: Readonly<Record<string, StateSet>> = membersOf(`${name}.states`, root['states'], stateSet)
  const scope: EntryScope = { tables, scalars, maps, states }
  const entries = <T>(key: string, read: (path: string, item: unknown, scope: EntryScope) => T) =>
    itemsOf(`${name}.${key}`, root[key]).map((item) => read(item.path, item.value, scope))
  const sensors = entries('sensors', (path, item) => sensorEntry(path, item, scope, 'sensor'))
  refuseTwins(`${name}.sensors`, sensors)
  return {
    ...parseHealthScope(name, value),
    tables,
    scalars,
    maps,
    sensors,
    wireless: entries('wireless', (path, item) => sensorEntry(path, item, scope, 'wireless')),
    processors: entries('processors', processorEntry),
    mempools: entries('mempools', mempoolEntry),
    storage: entries('storage', storageEntry),
  }
}

/** The devices that a health definition is for, without reading the rest of the file. Throws DefinitionError. */
export function parseHealthScope(name: string, value: unknown): HealthScope {
  const root = mapOf(name, value, KEYS)
  return {
    name,
    os: textsOf(`${name}.os`, root['os']),
    notOs: textsOf(`${name}.not_os`, root['not_os']),
    sysObjectID: textsOf(`${name}.sysObjectID`, root['sysObjectID']).map((oid) => oidOf(`${name}.sysObjectID`, oid)),
    probe: root['probe'] === undefined ? null : oidOf(`${name}.probe`, root['probe']),
  }
}

/** `tables: { fans: { entry: OID, columns: { fanState: 3 } }, entPhysical: entPhysicalTable }`. */
function tableSource(file: string, path: string, value: unknown): TableSource {
  if (typeof value === 'string') return { standard: choiceOf(path, value, STANDARD_TABLES) }
  const item = mapOf(path, value, keysOf(TABLE))
  const columns = membersOf(`${path}.columns`, item['columns'], columnSource)
  const names = Object.keys(columns)
  if (names.length === 0) throw new DefinitionError(path, 'needs at least one column')
  for (const taken of names) {
    if (TAKEN.has(taken) || taken.includes('.')) {
      throw new DefinitionError(`${path}.columns.${taken}`, 'is a reserved name')
    }
  }
  const name = item['name'] === undefined ? `${file} ${path.split('.').at(-1)}` : textOf(`${path}.name`, item['name'])
  return { standard: null, name, entry: oidOf(`${path}.entry`, item['entry']), columns }
}

function columnSource(path: string, value: unknown): ColumnSource {
  if (typeof value === 'number') return { id: columnId(path, value), syntax: 'DisplayString' }
  const item = mapOf(path, value, keysOf(COLUMN))
  return { id: columnId(`${path}.id`, item['id']), syntax: choiceOf(`${path}.syntax`, item['syntax'], COLUMN_SYNTAXES) }
}

function columnId(path: string, value: unknown): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 1) {
    throw new DefinitionError(path, 'must be a column number')
  }
  return value
}

/** `states: { NAME: { 1: [running, ok], 2: [down, critical] } }`. */
function stateSet(path: string, value: unknown): StateSet {
  const name = path.split('.').at(-1) ?? path
  const values = Object.entries(mapOf(path, value, null)).map(([number, meaning]) => {
    const at = `${path}.${number}`
    if (!/^-?\d+$/.test(number)) throw new DefinitionError(at, 'must be a whole number')
    const [descr, generic, ...rest] = itemsOf(at, meaning)
    if (descr === undefined || generic === undefined || rest.length > 0) {
      throw new DefinitionError(at, 'must be [text, ok | warning | critical | unknown]')
    }
    return {
      value: Number(number),
      descr: textOf(descr.path, descr.value),
      generic: choiceOf(generic.path, generic.value, GENERIC_STATES),
    }
  })
  return { name, values }
}

/**
 * Rejects two entries that would create the same sensor from a row: one of them needs an index of its own. Throws
 * DefinitionError.
 */
function refuseTwins(path: string, entries: HealthDefinition['sensors']): void {
  const seen = new Map<string, number>()
  for (const [i, entry] of entries.entries()) {
    const type = entry.type ?? ''
    const key = [entry.class.text, type, entry.index.text, entry.table ?? '', entry.values.join()].join('\n')
    const other = seen.get(key)
    if (other !== undefined) throw new DefinitionError(`${path}[${i}]`, `creates the same sensor as ${path}[${other}]`)
    seen.set(key, i)
  }
}
