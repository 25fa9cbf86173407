import type { Pattern } from '@portlight/pattern/pattern.ts'
import {
  type DetectableOs,
  type Detection,
  ENTITY_SOURCES,
  type EntitySource,
  IDENTITY_FIELDS,
  type IdentityField,
  type IdentitySource,
  type OsDefinition,
  type PortRules,
  type Quirks,
  type Templates,
} from './definition.ts'
import { DefinitionError } from './error.ts'
import { DETECT, IDENTITY, keysOf, OS, PORTS, QUIRKS } from './keys.ts'
import { choiceOf, expressionOf, mapOf, oidOf, textOf } from './yaml.ts'

/**
 * Returns a parsed NAME.products.yaml: `base`, and product names by the OID suffix below it. `undefined`: no such file.
 */
export type Products = (name: string) => unknown

const ROOT_KEYS = keysOf(OS)

/**
 * Reads a parsed YAML definition. Throws DefinitionError for an unknown key, a wrong type, or an expression that does
 * not compile.
 */
export function parseDefinition(name: string, value: unknown, products: Products = () => undefined): OsDefinition {
  const root = mapOf(name, value, ROOT_KEYS)
  return {
    ...parseDetectable(name, value),
    text: text(`${name}.text`, root['text']),
    group: root['group'] === undefined ? null : text(`${name}.group`, root['group']),
    identity: list(`${name}.identity`, root['identity'] ?? []).map((item, i) =>
      source(`${name}.identity[${i}]`, item, products),
    ),
    ports: portRules(`${name}.ports`, root['ports'] ?? {}),
    quirks: quirks(`${name}.quirks`, root['quirks'] ?? {}),
  }
}

/** The part of a definition that detects the OS, without reading the rest of the file. Throws DefinitionError. */
export function parseDetectable(name: string, value: unknown): DetectableOs {
  const root = mapOf(name, value, ROOT_KEYS)
  const os = text(`${name}.os`, root['os'])
  if (os !== name || !/^[a-z0-9-_]{1,32}$/.test(os))
    throw new DefinitionError(`${name}.os`, 'must be the name of the file')
  const type = text(`${name}.type`, root['type'])
  if (type.length > 20) throw new DefinitionError(`${name}.type`, 'is longer than 20 characters')
  return {
    os,
    type,
    icon: text(`${name}.icon`, root['icon']),
    detect: list(`${name}.detect`, root['detect']).map((item, i) => detection(`${name}.detect[${i}]`, item)),
  }
}

function detection(path: string, value: unknown): Detection {
  const item = mapOf(path, value, keysOf(DETECT))
  if (item['sysObjectID'] === undefined && item['sysDescr'] === undefined) {
    throw new DefinitionError(path, 'needs sysObjectID or sysDescr')
  }
  return {
    ...(item['sysObjectID'] !== undefined && {
      sysObjectID: texts(`${path}.sysObjectID`, item['sysObjectID']).map((oid) => oidOf(`${path}.sysObjectID`, oid)),
    }),
    ...(item['sysDescr'] !== undefined && { sysDescr: expressions(`${path}.sysDescr`, item['sysDescr']) }),
    ...(item['sysDescrNot'] !== undefined && { sysDescrNot: expressions(`${path}.sysDescrNot`, item['sysDescrNot']) }),
    ...(item['objects'] !== undefined && {
      objects: new Map(
        [...entries(`${path}.objects`, item['objects'])].map(([oid, match]) => [
          oidOf(`${path}.objects`, oid),
          expressionOf(`${path}.objects.${oid}`, match),
        ]),
      ),
    }),
  }
}

/** The kinds of sources by their distinguishing key, with the keys allowed beside it. */
const SOURCES = {
  sysDescr: ['set', 'unless'],
  scalar: ['as', 'match', 'set'],
  column: ['row', 'as', 'match', 'set'],
  objects: ['set'],
  products: [],
  chassis: [],
} as const

function source(path: string, value: unknown, products: Products): IdentitySource {
  const any = mapOf(path, value, keysOf(IDENTITY))
  const kind = Object.keys(SOURCES).find((key): key is keyof typeof SOURCES => any[key] !== undefined)
  if (kind === undefined) throw new DefinitionError(path, `needs one of ${Object.keys(SOURCES).join(', ')}`)
  const item = mapOf(path, value, [kind, ...SOURCES[kind]])
  switch (kind) {
    case 'sysDescr':
      return {
        from: kind,
        unless:
          item['unless'] === undefined ? null : expressionOf(`${path}.unless`, text(`${path}.unless`, item['unless'])),
        ...matchAndSet(path, kind, item),
      }
    case 'scalar':
    case 'column': {
      const oid = oidOf(`${path}.${kind}`, text(`${path}.${kind}`, item[kind]))
      const as = item['as'] === undefined ? null : choiceOf(`${path}.as`, item['as'], IDENTITY_FIELDS)
      if ((as === null) === (item['match'] === undefined)) throw new DefinitionError(path, 'needs either as or match')
      if (as !== null && item['set'] !== undefined) throw new DefinitionError(path, 'set needs match')
      const how = as === null ? matchAndSet(path, 'match', item) : { match: null, set: null }
      if (kind === 'scalar') return { from: kind, oid, as, ...how }
      const row = item['row'] === undefined ? null : oidOf(`${path}.row`, text(`${path}.row`, item['row']))
      return { from: kind, oid, row, as, ...how }
    }
    case 'objects': {
      const oids = entries(`${path}.objects`, item['objects'])
      for (const oid of oids.values()) oidOf(`${path}.objects`, oid)
      return { from: kind, oids, set: templates(`${path}.set`, item['set'], [...oids.keys()]) }
    }
    case 'products': {
      const names = products(text(`${path}.products`, item['products']))
      if (names === undefined) throw new DefinitionError(`${path}.products`, 'has no file NAME.products.yaml')
      const { base, ...rest } = Object.fromEntries(entries(`${path}.products`, names))
      const prefix = oidOf(`${path}.products.base`, base ?? '')
      return { from: kind, names: new Map(Object.entries(rest).map(([id, name]) => [`${prefix}.${id}`, name])) }
    }
    case 'chassis': {
      const fields: Partial<Record<IdentityField, EntitySource>> = {}
      for (const [field, column] of entries(`${path}.chassis`, item['chassis'])) {
        fields[choiceOf(path, field, IDENTITY_FIELDS)] = choiceOf(`${path}.chassis.${field}`, column, ENTITY_SOURCES)
      }
      return { from: kind, fields }
    }
  }
}

/** An expression whose named groups are identity fields, or names used by `set`. */
function matchAndSet(
  path: string,
  key: string,
  item: Readonly<Record<string, unknown>>,
): { readonly match: Pattern; readonly set: Templates | null } {
  const written = text(`${path}.${key}`, item[key])
  const match = expressionOf(`${path}.${key}`, written)
  const names = [...written.matchAll(/\(\?<([A-Za-z]\w*)>/g)].map((found) => found[1] ?? '')
  if (item['set'] !== undefined) return { match, set: templates(`${path}.set`, item['set'], names) }
  if (names.length === 0) throw new DefinitionError(`${path}.${key}`, 'has no named group')
  for (const name of names) choiceOf(`${path}.${key}`, name, IDENTITY_FIELDS)
  return { match, set: null }
}

function templates(path: string, value: unknown, names: readonly string[]): Templates {
  const set: Partial<Record<IdentityField, string>> = {}
  for (const [field, template] of entries(path, value)) {
    for (const [, name] of template.matchAll(/\{(\w+)\}/g)) choiceOf(`${path}.${field}`, name, names)
    set[choiceOf(path, field, IDENTITY_FIELDS)] = template
  }
  return set
}

function portRules(path: string, value: unknown): PortRules {
  const item = mapOf(path, value, keysOf(PORTS))
  if (item['badIfRegexp'] !== undefined) expressions(`${path}.badIfRegexp`, item['badIfRegexp'])
  const rules: Record<string, readonly string[] | boolean> = {}
  for (const [key, rule] of Object.entries(item)) {
    if (key !== 'nameless') rules[key] = texts(`${path}.${key}`, rule)
    else if (typeof rule === 'boolean') rules[key] = rule
    else throw new DefinitionError(`${path}.${key}`, 'must be true or false')
  }
  return rules
}

function quirks(path: string, value: unknown): Quirks {
  const item = mapOf(path, value, keysOf(QUIRKS))
  const { bulk = true } = item
  if (typeof bulk !== 'boolean') throw new DefinitionError(`${path}.bulk`, 'must be true or false')
  const count = (key: string): number => {
    const given = item[key] ?? 0
    if (typeof given === 'number' && Number.isInteger(given) && given >= 0 && given <= 1000) return given
    throw new DefinitionError(`${path}.${key}`, 'must be a whole number up to 1000')
  }
  return {
    bulk,
    maxRepetitions: count('max_repetitions'),
    maxVarbinds: count('max_varbinds'),
    badTables: texts(`${path}.bad_tables`, item['bad_tables'] ?? []).map((oid) => oidOf(`${path}.bad_tables`, oid)),
  }
}

/** A map of texts. Numbers are converted, because YAML reads `100: 2950` as numbers. */
function entries(path: string, value: unknown): ReadonlyMap<string, string> {
  return new Map(Object.entries(mapOf(path, value, null)).map(([key, item]) => [key, textOf(`${path}.${key}`, item)]))
}

function list(path: string, value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new DefinitionError(path, 'must be a list')
  return value
}

function text(path: string, value: unknown): string {
  if (typeof value !== 'string' || value === '') throw new DefinitionError(path, 'must be a non-empty text')
  return value
}

function texts(path: string, value: unknown): readonly string[] {
  return list(path, value).map((item, i) => text(`${path}[${i}]`, item))
}

function expressions(path: string, value: unknown): readonly Pattern[] {
  return texts(path, value).map((item) => expressionOf(path, item))
}
