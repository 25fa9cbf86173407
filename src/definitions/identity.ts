import {
  type EntitySource,
  IDENTITY_FIELDS,
  type IdentityField,
  type IdentitySource,
  type OsDefinition,
} from './definition.ts'

/** What identity sources read. */
export interface IdentityFacts {
  readonly sysDescr: string | null
  /** Text of the scalars that the definition names, by OID; absent where the agent lacks one. */
  readonly scalars: ReadonlyMap<string, string>
  /** The chassis's row of entPhysicalTable; null without one. */
  readonly chassis: Readonly<Partial<Record<EntitySource, string>>> | null
}

export type Identity = { readonly [F in IdentityField]: string | null }

/** OIDs of the scalars that a definition's identity needs. */
export function identityScalars(definition: OsDefinition): readonly string[] {
  return [...new Set(definition.identity.flatMap((source) => (source.from === 'scalar' ? [source.oid] : [])))]
}

/** True when a definition's identity needs ENTITY-MIB. */
export function identityNeedsChassis(definition: OsDefinition): boolean {
  return definition.identity.some((source) => source.from === 'chassis')
}

/** Hardware, version, serial and features by the definition's sources; null where none of them knows. */
export function identify(definition: OsDefinition, facts: IdentityFacts): Identity {
  const found: { [F in IdentityField]: string | null } = { hardware: null, version: null, serial: null, features: null }
  for (const source of definition.identity) {
    const told = read(source, facts)
    for (const field of IDENTITY_FIELDS) {
      const text = told[field]?.trim()
      if (found[field] === null && text !== undefined && text !== '') found[field] = text
    }
  }
  return found
}

function read(source: IdentitySource, facts: IdentityFacts): Partial<Record<IdentityField, string | undefined>> {
  switch (source.from) {
    case 'sysDescr':
      return facts.sysDescr === null ? {} : (source.match.exec(facts.sysDescr)?.groups ?? {})
    case 'scalar': {
      const text = facts.scalars.get(source.oid)
      if (text === undefined) return {}
      if (source.as !== null) return { [source.as]: text }
      return source.match?.exec(text)?.groups ?? {}
    }
    case 'chassis': {
      const told: Partial<Record<IdentityField, string | undefined>> = {}
      for (const field of IDENTITY_FIELDS) {
        const column = source.fields[field]
        if (column !== undefined) told[field] = facts.chassis?.[column]
      }
      return told
    }
  }
}
