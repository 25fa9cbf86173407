import { t } from '../../../src/api/elysia.ts'
import { ENTITY_SOURCES, IDENTITY_FIELDS } from '../../../src/definitions/definition.ts'
import {
  COLUMN_SYNTAXES,
  GENERIC_STATES,
  SENSOR_HOOKS,
  STANDARD_TABLES,
  WIRELESS_CLASSES,
} from '../../../src/definitions/health.ts'
import * as keys from '../../../src/definitions/keys.ts'
import type { DefinitionKind } from '../../../src/definitions/yaml-files.ts'
import { CONVERSIONS } from '../../../src/lib/conversions.ts'
import { SENSOR_CLASS_NAMES } from '../../../src/lib/sensor-classes.ts'

type Schema = Parameters<typeof t.Array>[0]

/** The kinds of files that have a schema. */
export type SchemaKind = DefinitionKind | 'base'

/** The members of a map, with their descriptions from `keys.ts`; `required`: those that must be present. */
function map<K extends string>(
  described: Readonly<Record<K, string>>,
  members: Readonly<Record<K, Schema>>,
  required: readonly NoInfer<K>[] = [],
): Record<string, Schema> {
  const of = (key: K): Schema => {
    const schema: Schema = { ...members[key], description: described[key].replaceAll('’', "'") }
    return required.includes(key) ? schema : t.Optional(schema)
  }
  return Object.fromEntries(keysIn(described).map((key) => [key, of(key)]))
}

function keysIn<K extends string>(described: Readonly<Record<K, string>>): K[] {
  return Object.keys(described).filter((key): key is K => Object.hasOwn(described, key))
}

const object = (members: Record<string, Schema>): Schema => t.Object(members, { additionalProperties: false })
const choice = (of: readonly string[]): Schema => t.Union(of.map((one) => t.Literal(one)))
const oneOrMore = (item: Schema): Schema => t.Union([item, t.Array(item)])
const byName = (item: Schema): Schema => t.Record(t.String(), item)

/** Text; YAML reads some texts as numbers. */
const text: Schema = t.Union([t.String({ minLength: 1 }), t.Number()])
const template: Schema = t.String({ description: 'text with placeholders in braces' })
const expression: Schema = t.String({ minLength: 1, format: 'regex' })
const flag: Schema = t.Boolean()
const amount: Schema = t.Union([t.Number(), template])

/** The schemas by kind; in a base, OIDs may contain parameters. */
function schemas(base: boolean): Readonly<Record<DefinitionKind, Record<string, Schema>>> {
  const oid: Schema = base ? t.String() : t.String({ pattern: '^\\d+(\\.\\d+)+$' })
  const number: Schema = base ? t.Union([t.Number(), t.String()]) : t.Number()
  const condition: Schema = object(
    map(keys.CONDITION, {
      of: t.String(),
      is: oneOrMore(t.Union([t.String(), t.Number()])),
      not: oneOrMore(t.Union([t.String(), t.Number()])),
      below: number,
      above: number,
      match: expression,
      empty: flag,
    }),
  )
  const conditions: Schema = t.Array(t.Union([text, condition]))
  const rowed = map(
    keys.ROWED,
    {
      table: t.String(),
      with: byName(object(map(keys.JOIN, { table: t.String(), index: template }, ['table']))),
      only: conditions,
      skip: conditions,
      index: text,
      descr: oneOrMore(template),
      type: t.String(),
    },
    ['descr'],
  )
  const limits: Schema = object(
    map(keys.LIMITS, { high: amount, warn: amount, low: amount, low_warn: amount, scaled: flag }),
  )
  const sensor = (classes: readonly string[], value: Schema): Record<string, Schema> => ({
    ...rowed,
    ...map(
      keys.SENSOR,
      {
        class: t.Union([choice([...classes, ...(classes.includes('state') ? [] : ['state'])]), template]),
        value,
        group: template,
        divisor: amount,
        multiplier: amount,
        exponent: oneOrMore(template),
        limits,
        states: t.String(),
        entity: text,
        measured: t.String(),
        convert: choice(Object.keys(CONVERSIONS)),
        hook: choice(SENSOR_HOOKS),
      },
      ['value'],
    ),
  })
  const usage = { ...rowed, ...map(keys.USAGE, { fallback: flag }) }
  const amounts = { used: t.String(), free: t.String(), percent: t.String() }
  const table: Schema = t.Union([
    choice(STANDARD_TABLES),
    object(
      map(
        keys.TABLE,
        {
          name: t.String(),
          entry: oid,
          columns: byName(
            t.Union([
              base ? t.Union([t.Number(), t.String()]) : t.Number({ minimum: 1, multipleOf: 1 }),
              object(
                map(keys.COLUMN, { id: t.Number({ minimum: 1, multipleOf: 1 }), syntax: choice(COLUMN_SYNTAXES) }, [
                  'id',
                  'syntax',
                ]),
              ),
            ]),
          ),
        },
        ['entry', 'columns'],
      ),
    ),
  ])
  const health = map(keys.HEALTH, {
    about: t.String(),
    os: oneOrMore(t.String()),
    not_os: oneOrMore(t.String()),
    sysObjectID: oneOrMore(oid),
    probe: oid,
    tables: byName(table),
    scalars: byName(oid),
    maps: byName(byName(t.Union([t.String(), t.Number()]))),
    states: byName(byName(t.Tuple([text, choice(GENERIC_STATES)]))),
    sensors: t.Array(object(sensor(SENSOR_CLASS_NAMES, t.String()))),
    wireless: t.Array(
      object({
        ...sensor(WIRELESS_CLASSES, oneOrMore(t.String())),
        ...map(keys.WIRELESS, { aggregator: choice(['sum', 'avg', 'first', 'count']) }),
      }),
    ),
    processors: t.Array(
      object({
        ...usage,
        ...map(keys.PROCESSOR, { value: t.String(), precision: number, entity: text, hr_device: text }, ['value']),
      }),
    ),
    mempools: t.Array(
      object({
        ...usage,
        ...map(keys.MEMPOOL, {
          class: t.String(),
          ...amounts,
          total: t.String(),
          precision: amount,
          warn: amount,
          entity: text,
        }),
      }),
    ),
    storage: t.Array(
      object({ ...usage, ...map(keys.STORAGE, { kind: template, ...amounts, size: t.String(), units: amount }) }),
    ),
  })
  const os = map(keys.OS, {
    os: t.String({ pattern: '^[a-z0-9-_]{1,32}$' }),
    text: t.String({ minLength: 1 }),
    type: t.String({ minLength: 1, maxLength: 20 }),
    icon: t.String({ minLength: 1 }),
    group: t.String({ minLength: 1 }),
    detect: t.Array(
      object(
        map(keys.DETECT, {
          sysObjectID: t.Array(oid),
          sysDescr: t.Array(expression),
          sysDescrNot: t.Array(expression),
          objects: byName(expression),
        }),
      ),
    ),
    identity: t.Array(
      object(
        map(keys.IDENTITY, {
          sysDescr: expression,
          scalar: oid,
          column: oid,
          objects: byName(oid),
          products: t.String(),
          chassis: t.Partial(t.Record(choice(IDENTITY_FIELDS), choice(ENTITY_SOURCES))),
          as: choice(IDENTITY_FIELDS),
          match: expression,
          set: t.Partial(t.Record(choice(IDENTITY_FIELDS), text)),
          unless: expression,
          row: oid,
        }),
      ),
    ),
    ports: object(
      map(keys.PORTS, {
        badIf: t.Array(t.String()),
        badIfRegexp: t.Array(expression),
        badIfType: t.Array(t.String()),
        goodIf: t.Array(t.String()),
        nameless: flag,
      }),
    ),
    quirks: object(
      map(keys.QUIRKS, {
        bulk: flag,
        max_repetitions: t.Number({ minimum: 0, maximum: 1000, multipleOf: 1 }),
        max_varbinds: t.Number({ minimum: 0, maximum: 1000, multipleOf: 1 }),
        bad_tables: t.Array(oid),
      }),
    ),
  })
  return { health, os, products: {} }
}

const extending = map(keys.EXTENDING, {
  extends: t.String(),
  set: byName(t.Union([t.String(), t.Number()])),
})

/** Members that a file that extends nothing must have. */
const REQUIRED: Readonly<Record<'health' | 'os', readonly string[]>> = {
  health: ['about'],
  os: ['os', 'text', 'type', 'icon', 'detect'],
}

function file(kind: 'health' | 'os'): object {
  return {
    ...object({ ...extending, ...schemas(false)[kind] }),
    anyOf: [{ required: ['extends'] }, { required: REQUIRED[kind] }],
  }
}

/** The JSON schema (draft-07) for each kind of file, for editors and for the check in the build. */
export function jsonSchemas(): Readonly<Record<SchemaKind, object>> {
  const lenient = schemas(true)
  const named = (title: string, schema: object) => ({
    $schema: 'http://json-schema.org/draft-07/schema#',
    title,
    ...schema,
  })
  const base = {
    ...object({
      ...extending,
      ...map(keys.BASE, { parameters: t.Array(t.String()) }, ['parameters']),
      ...lenient.os,
      ...lenient.health,
      // text in an OS definition, a list in a health definition
      os: t.Optional(t.Any()),
    }),
  }
  return {
    os: named('Definition of an operating system', file('os')),
    health: named('Health definition', file('health')),
    products: named('Product names by the rest of sysObjectID below the base', {
      ...t.Record(t.String(), t.Union([t.String(), t.Number()])),
      required: ['base'],
    }),
    base: named('Base of definitions', base),
  }
}
