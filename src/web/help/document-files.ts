import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CHANGELOG } from './address.ts'

const FOLDER = join(import.meta.dir, '../../../docs')

/** Paths below `docs` of the pages and of their images, with that of the changelog, sorted. */
export function documentFiles(): readonly string[] {
  return readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md') || path.endsWith('.png'))
    .concat(CHANGELOG.page)
    .sort()
}

/** A file by its path below `docs`; throws if there is none. */
export const readDocument = (path: string): Buffer =>
  readFileSync(join(FOLDER, path === CHANGELOG.page ? CHANGELOG.file : path))
