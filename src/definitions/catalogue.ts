import type { DetectableOs, OsDefinition } from './definition.ts'
import { definitionFiles } from './files.ts'
import { parseDefinition, parseDetectable } from './parse.ts'

/** Definitions of operating systems. */
export interface OsCatalogue {
  /** How each OS is detected, sorted by name. */
  detectable(): readonly DetectableOs[]
  /** The definition of an OS; `undefined` if it has none, such as `generic`. */
  definitionOf(os: string | null): OsDefinition | undefined
}

/** The definitions in `src/vendors/VENDOR/NAME.os.yaml`. A file is parsed when a device first needs it, then kept. */
export const DEFINITIONS: OsCatalogue = createOsCatalogue()

function createOsCatalogue(): OsCatalogue {
  const files = definitionFiles()
  const products = (name: string): unknown => files.value('products', name)
  const parsed = new Map<string, OsDefinition | undefined>()
  let detectable: readonly DetectableOs[] | null = null
  const read = (os: string): OsDefinition | undefined => {
    // The name comes from the database and becomes part of a path.
    const value = /^[a-z0-9-_]{1,32}$/.test(os) ? files.value('os', os) : undefined
    return value === undefined ? undefined : parseDefinition(os, value, products)
  }
  return {
    detectable() {
      detectable ??= files.names('os').map((os) => parseDetectable(os, files.value('os', os)))
      return detectable
    },
    definitionOf(os) {
      if (os === null) return undefined
      if (!parsed.has(os)) parsed.set(os, read(os))
      return parsed.get(os)
    },
  }
}
