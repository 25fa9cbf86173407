import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** True in the compiled binary, whose files are inside it. */
export const COMPILED = import.meta.dir.startsWith('/$bunfs')

/**
 * Path of a file embedded in the binary under this name; null when run from source or if the build had no such file.
 */
export function embeddedFile(name: string): string | null {
  if (!COMPILED) return null
  const path = join('/$bunfs/root', name)
  return existsSync(path) ? path : null
}
