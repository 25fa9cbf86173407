import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseDefinition } from './parse.ts'

/**
 * Macro: runs when the importing file is bundled or transpiled, and leaves the contents of `os/*.yaml` and
 * `products/*.yaml` there as a literal, so that the compiled binary needs no files. A file that is wrong stops the build.
 */
export function embeddedDefinitions(): {
  readonly definitions: readonly { readonly name: string; readonly value: unknown }[]
  readonly products: Readonly<Record<string, unknown>>
} {
  const products = Object.fromEntries(yamlFiles('products').map(({ name, value }) => [name, value]))
  const definitions = yamlFiles('os')
  for (const { name, value } of definitions) parseDefinition(name, value, products)
  return { definitions, products }
}

function yamlFiles(folder: string): { readonly name: string; readonly value: unknown }[] {
  const path = join(import.meta.dir, folder)
  return readdirSync(path)
    .filter((file) => file.endsWith('.yaml'))
    .sort()
    .map((file) => ({
      name: file.slice(0, -'.yaml'.length),
      value: Bun.YAML.parse(readFileSync(join(path, file), 'utf8')),
    }))
}
