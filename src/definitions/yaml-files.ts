import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DefinitionError } from './error.ts'
import { extended } from './extend.ts'

/** Kinds of definition files: `NAME.KIND.yaml` in the folder of a vendor. */
export type DefinitionKind = 'os' | 'health' | 'products'

/** Folder with one subfolder per vendor. */
export const VENDORS = join(import.meta.dir, '../vendors')

const FILE = /^(.+)\.(os|health|products|base)\.yaml$/

/** Path of each file below `VENDORS`, by kind, then by name. */
type Index = Readonly<Record<DefinitionKind, ReadonlyMap<string, string>>>

let index: Index | null = null

/** Lists each folder once. Throws DefinitionError if two files have the same name. */
function files(): Index {
  if (index !== null) return index
  const found = {
    os: new Map<string, string>(),
    health: new Map<string, string>(),
    products: new Map<string, string>(),
  }
  for (const vendor of readdirSync(VENDORS).sort()) {
    for (const file of readdirSync(join(VENDORS, vendor))) {
      const [, name = '', kind] = FILE.exec(file) ?? []
      if (kind !== 'os' && kind !== 'health' && kind !== 'products') continue
      const path = `${vendor}/${file}`
      const other = found[kind].get(name)
      if (other !== undefined) throw new DefinitionError(path, `${other} has the same name`)
      found[kind].set(name, path)
    }
  }
  index = found
  return found
}

/** Names of the files of a kind in the source tree, sorted. */
export function yamlNames(kind: DefinitionKind): readonly string[] {
  return [...files()[kind].keys()].sort()
}

/** Path of a file below `VENDORS`; `undefined`: no such file. */
export function yamlPath(kind: DefinitionKind, name: string): string | undefined {
  return files()[kind].get(name)
}

/**
 * A parsed YAML file from the source tree, merged with what it extends; `undefined`: no such file. Throws
 * DefinitionError for invalid YAML, with its path below `VENDORS`.
 */
export function yamlValue(kind: DefinitionKind, name: string): unknown {
  const path = yamlPath(kind, name)
  if (path === undefined) return undefined
  const vendor = path.slice(0, path.indexOf('/'))
  return extended(name, parsed(path), (base) => baseAt(`${vendor}/${base}.base.yaml`))
}

/** Bases that have been read; most are used by many definitions. */
const bases = new Map<string, unknown>()

function baseAt(path: string): unknown {
  if (!bases.has(path)) bases.set(path, parsed(path))
  return bases.get(path)
}

/** `undefined`: no such file. */
function parsed(path: string): unknown {
  try {
    return Bun.YAML.parse(readFileSync(join(VENDORS, path), 'utf8'))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    if (error instanceof SyntaxError)
      throw new DefinitionError(path, error.message.replace(/^YAML Parse error: /, 'no valid YAML: '))
    throw error
  }
}
