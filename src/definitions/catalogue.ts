import { type OsDefinition, parseDefinition } from './definition.ts'
import { embeddedDefinitions } from './embed.ts' with { type: 'macro' }

/** Every definition, by name. */
export const DEFINITIONS: ReadonlyMap<string, OsDefinition> = new Map(
  embeddedDefinitions().map(({ name, value }) => [name, parseDefinition(name, value)]),
)

/** The definition of an OS; `undefined` for one without, `generic` among them. */
export function definitionOf(os: string | null): OsDefinition | undefined {
  return os === null ? undefined : DEFINITIONS.get(os)
}
