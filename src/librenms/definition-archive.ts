import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { currentFolder, makeCurrent, removeDefinitions } from './store.ts'

/** Names of the files of compiled definitions: two lists, and one file per OS. */
const NAME = /^(\.index|\.detect|[\w-]{1,32}\.json)$/
const MAX_OCTETS = 256 * 1024 * 1024
/** Suffix of the name of a folder with definitions that came from the centre. */
const FROM_CENTRE = '-centre'

/** Packs the compiled definitions of a folder for `installDefinitions` elsewhere; null: there are none. */
export function packDefinitions(folder: string): { readonly id: string; octets(): Uint8Array } | null {
  const current = currentFolder(folder)
  if (current === null || !existsSync(current)) return null
  return {
    id: basename(current),
    octets() {
      const files = readdirSync(current).map((name) => [name, readFileSync(join(current, name), 'utf8')] as const)
      return zstdCompressSync(Buffer.from(JSON.stringify(Object.fromEntries(files))))
    },
  }
}

/**
 * Stores the output of `packDefinitions` in place of the folder's definitions; null removes definitions stored this
 * way. Readers see either the old or the new ones. Throws an Error with a sentence for anything else.
 */
export function installDefinitions(
  folder: string,
  packed: { readonly id: string; readonly octets: Uint8Array } | null,
): void {
  const current = currentFolder(folder)
  if (packed === null) {
    if (current?.endsWith(FROM_CENTRE) === true) removeDefinitions(folder)
    return
  }
  if (!/^[\da-f]{12}-[\w-]{1,60}$/.test(packed.id)) throw new Error('the definitions have an invalid id')
  const name = `${packed.id}${FROM_CENTRE}`
  if (current !== null && basename(current) === name && existsSync(current)) return
  const files: unknown = JSON.parse(zstdDecompressSync(packed.octets, { maxOutputLength: MAX_OCTETS }).toString('utf8'))
  if (typeof files !== 'object' || files === null) throw new Error('the definitions have no files')
  const made = join(folder, name)
  mkdirSync(folder, { recursive: true })
  rmSync(made, { recursive: true, force: true })
  const fresh = join(folder, `.${name}.${process.pid}`)
  rmSync(fresh, { recursive: true, force: true })
  mkdirSync(fresh)
  try {
    for (const [file, text] of Object.entries(files)) {
      if (!NAME.test(file) || typeof text !== 'string')
        throw new Error('the packed definitions contain an unexpected file')
      writeFileSync(join(fresh, file), text)
    }
    renameSync(fresh, made)
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true })
    throw error
  }
  makeCurrent(folder, made)
}
