import { parseHealth } from './health-parse.ts'
import { parseDefinition } from './parse.ts'
import { checkPatterns } from './patterns.ts'
import { type DefinitionKind, yamlNames, yamlValue } from './yaml-files.ts'

/** JSON of each definition file, by kind and by name without `.yaml`. */
export type FileTexts = Readonly<Record<DefinitionKind, Readonly<Record<string, string>>>>

/**
 * Macro that runs when the importing file is bundled and inlines every definition file as JSON, so that the compiled
 * binary needs no files. An invalid file fails the build.
 */
export function embeddedFiles(): FileTexts {
  for (const name of yamlNames('os')) {
    checkPatterns(
      name,
      parseDefinition(name, yamlValue('os', name), (product) => yamlValue('products', product)),
    )
  }
  for (const name of yamlNames('health')) checkPatterns(name, parseHealth(name, yamlValue('health', name)))
  return { os: texts('os'), health: texts('health'), products: texts('products') }
}

function texts(kind: DefinitionKind): Readonly<Record<string, string>> {
  return Object.fromEntries(yamlNames(kind).map((name) => [name, JSON.stringify(yamlValue(kind, name))]))
}
