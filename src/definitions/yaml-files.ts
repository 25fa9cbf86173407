import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Subfolders of this folder with definition files. */
export type Folder = 'os' | 'health' | 'products'

/** Names of the files in a folder of the source tree, without `.yaml`, sorted. */
export function yamlNames(folder: Folder): readonly string[] {
  return readdirSync(join(import.meta.dir, folder))
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => file.slice(0, -'.yaml'.length))
    .sort()
}

/** A parsed YAML file of the source tree; `undefined`: no such file. Throws on invalid YAML. */
export function yamlValue(folder: Folder, name: string): unknown {
  try {
    return Bun.YAML.parse(readFileSync(join(import.meta.dir, folder, `${name}.yaml`), 'utf8'))
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return undefined
    throw error
  }
}
