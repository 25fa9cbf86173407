import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** Defined in programs that are compiled for the tests of a checkout (tests/support/compile.ts): the checkout's folder. */
declare const PORTLIGHT_CHECKOUT: string

/** Whether the program is one executable, with Bun, the definitions and the documentation inside. */
export const EXECUTABLE = import.meta.dir.startsWith('/$bunfs')

/** The project's folder; null in a release, which needs none. */
export const CHECKOUT: string | null = checkout()

/** True in a release, which also has PostgreSQL inside. */
export const COMPILED = CHECKOUT === null

function checkout(): string | null {
  if (typeof PORTLIGHT_CHECKOUT !== 'undefined') return PORTLIGHT_CHECKOUT
  return EXECUTABLE ? null : join(import.meta.dir, '../..')
}

/**
 * Path of a file embedded in the binary under this name; null when run from source or if the build had no such file.
 */
export function embeddedFile(name: string): string | null {
  if (!COMPILED) return null
  const path = join('/$bunfs/root', name)
  return existsSync(path) ? path : null
}
