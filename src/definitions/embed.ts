import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseDefinition } from './definition.ts'

/**
 * Macro: runs when the importing file is bundled or transpiled, and leaves the contents of `os/*.yaml` there as a
 * literal, so that the compiled binary needs no files. A file that is wrong stops the build.
 */
export function embeddedDefinitions(): { name: string; value: unknown }[] {
  const folder = join(import.meta.dir, 'os')
  return readdirSync(folder)
    .filter((file) => file.endsWith('.yaml'))
    .sort()
    .map((file) => {
      const name = file.slice(0, -'.yaml'.length)
      const value: unknown = Bun.YAML.parse(readFileSync(join(folder, file), 'utf8'))
      parseDefinition(name, value)
      return { name, value }
    })
}
