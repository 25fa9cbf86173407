import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseHealth } from './health-parse.ts'

/** Macro, as `embeddedDefinitions`: leaves the contents of `health/*.yaml` in the importing file. A file that is wrong stops the build. */
export function embeddedHealth(): { name: string; value: unknown }[] {
  const folder = join(import.meta.dir, 'health')
  return readdirSync(folder)
    .filter((file) => file.endsWith('.yaml'))
    .sort()
    .map((file) => {
      const name = file.slice(0, -'.yaml'.length)
      const value: unknown = Bun.YAML.parse(readFileSync(join(folder, file), 'utf8'))
      parseHealth(name, value)
      return { name, value }
    })
}
