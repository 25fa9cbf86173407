import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { MibFolders } from '@portlight/mib-reader/folders.ts'
import type { ObjectNames } from './siblings.ts'

/** The columns and single objects of all MIB modules below a folder, by OID. */
export function objectNames(folder: string): ObjectNames {
  const folders = [folder, ...foldersBelow(folder)]
  const mibs = new MibFolders()
  const objects = new Map<string, string>()
  for (const own of folders) {
    // a vendor's folder counts before the others, which supply what it imports
    const library = mibs.library([...folders.filter((other) => other !== own), own])
    for (const module of mibs.modules(own))
      for (const [name, oid] of library.names(module)) {
        if (objects.has(oid)) continue
        const object = library.object(module, name)
        if (object?.kind === 'column' || object?.kind === 'scalar') objects.set(oid, `${module}::${name}`)
      }
  }
  return objects
}

function foldersBelow(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) => [join(folder, name), ...foldersBelow(join(folder, name))])
}
