import type { Pattern } from '@portlight/pattern/pattern.ts'
import {
  type EntitySource,
  IDENTITY_FIELDS,
  type IdentityField,
  type IdentitySource,
  type OsDefinition,
  type Templates,
} from './definition.ts'

/** The data that identity sources use. */
export interface IdentityFacts {
  readonly sysObjectID?: string | null
  readonly sysDescr: string | null
  /** Texts of the definition's scalars, by OID; absent if the agent lacks the scalar. */
  readonly scalars: ReadonlyMap<string, string>
  /** Texts of the definition's columns, by index in row order. */
  readonly columns?: ReadonlyMap<string, ReadonlyMap<string, string>>
  /** The row of the chassis in entPhysicalTable; null: none. */
  readonly chassis: Readonly<Partial<Record<EntitySource, string>>> | null
}

export type Identity = { readonly [F in IdentityField]: string | null }

/** OIDs of the scalars that a definition's identity needs. */
export function identityScalars(definition: OsDefinition): readonly string[] {
  const oids = definition.identity.flatMap((source) => {
    if (source.from === 'objects') return [...source.oids.values()]
    if (source.from === 'column') return source.row === null ? [] : [source.row]
    return source.from === 'scalar' ? [source.oid] : []
  })
  return [...new Set(oids)]
}

/** OIDs of the table columns that a definition's identity needs. */
export function identityColumns(definition: OsDefinition): readonly string[] {
  return [...new Set(definition.identity.flatMap((source) => (source.from === 'column' ? [source.oid] : [])))]
}

/** True if a definition's identity needs ENTITY-MIB. */
export function identityNeedsChassis(definition: OsDefinition): boolean {
  return definition.identity.some((source) => source.from === 'chassis')
}

/** Hardware, version, serial and features from the definition's sources; null if none of them has it. */
export function identify(definition: OsDefinition, facts: IdentityFacts): Identity {
  const found: { [F in IdentityField]: string | null } = { hardware: null, version: null, serial: null, features: null }
  for (const source of definition.identity) {
    const fields = read(source, facts)
    for (const field of IDENTITY_FIELDS) {
      const text = fields[field]?.trim()
      if (found[field] === null && text !== undefined && text !== '') found[field] = text
    }
  }
  return found
}

type Fields = Partial<Record<IdentityField, string | undefined>>

function read(source: IdentitySource, facts: IdentityFacts): Fields {
  switch (source.from) {
    case 'sysDescr':
      if (facts.sysDescr === null || source.unless?.test(facts.sysDescr) === true) return {}
      return matched(facts.sysDescr, source.match, source.set) ?? {}
    case 'scalar':
      return ofText(facts.scalars.get(source.oid), source) ?? {}
    case 'column':
      for (const [index, text] of facts.columns?.get(source.oid) ?? []) {
        if (source.row !== null && index !== facts.scalars.get(source.row)) continue
        const fields = ofText(text, source)
        if (fields !== null) return fields
      }
      return {}
    case 'objects': {
      const texts: Record<string, string | undefined> = {}
      for (const [name, oid] of source.oids) texts[name] = facts.scalars.get(oid)
      return filled(source.set, texts)
    }
    case 'products': {
      const product = source.names.get((facts.sysObjectID ?? '').replace(/^\./, ''))
      return product === undefined ? {} : { hardware: product }
    }
    case 'chassis': {
      const fields: Fields = {}
      for (const field of IDENTITY_FIELDS) {
        const column = source.fields[field]
        if (column !== undefined) fields[field] = facts.chassis?.[column]
      }
      return fields
    }
  }
}

function ofText(
  text: string | undefined,
  { as, match, set }: Extract<IdentitySource, { from: 'scalar' | 'column' }>,
): Fields | null {
  if (text === undefined || text === '') return null
  return as === null ? match && matched(text, match, set) : { [as]: text }
}

function matched(text: string, match: Pattern, set: Templates | null): Fields | null {
  const found = match.exec(text)
  if (found === null) return null
  const { groups } = found
  return set === null ? groups : filled(set, groups)
}

/** The fields of those templates whose names are all known. */
function filled(set: Templates, texts: Readonly<Record<string, string | undefined>>): Fields {
  const fields: Fields = {}
  for (const field of IDENTITY_FIELDS) {
    let whole = true
    const text = set[field]?.replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = texts[name]?.trim() ?? ''
      if (value === '') whole = false
      return value
    })
    if (whole) fields[field] = text
  }
  return fields
}
