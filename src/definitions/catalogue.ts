import type { OsDefinition } from './definition.ts'
import { embeddedDefinitions } from './embed.ts' with { type: 'macro' }
import { parseDefinition } from './parse.ts'

const { definitions, products } = embeddedDefinitions()

/** Every definition, by name. */
export const DEFINITIONS: ReadonlyMap<string, OsDefinition> = new Map(
  definitions.map(({ name, value }) => [name, parseDefinition(name, value, products)]),
)

/** The definition of an OS; `undefined` for one without, `generic` among them. */
export function definitionOf(os: string | null): OsDefinition | undefined {
  return os === null ? undefined : DEFINITIONS.get(os)
}
