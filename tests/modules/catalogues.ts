import type { OsCatalogue } from '../../src/definitions/catalogue.ts'
import type { OsDefinition } from '../../src/definitions/definition.ts'
import type { HealthDefinition } from '../../src/definitions/health.ts'
import type { HealthCatalogue } from '../../src/definitions/health-catalogue.ts'

/** A catalogue with only these definitions. */
export function osCatalogueOf(definitions: readonly OsDefinition[]): OsCatalogue {
  return { detectable: () => definitions, definitionOf: (os) => definitions.find((d) => d.os === os) }
}

/** A catalogue with only these definitions. */
export function healthCatalogueOf(definitions: readonly HealthDefinition[]): HealthCatalogue {
  return {
    scopes: () => definitions,
    definition({ name }) {
      const found = definitions.find((d) => d.name === name)
      if (found === undefined) throw new Error(`no definition ${name}`)
      return found
    },
  }
}
