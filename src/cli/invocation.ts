import { realpathSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { projectDir } from './globals.ts'

/**
 * How to start this program from the current folder: `portlight` if that is found in PATH, else its path, relative if
 * that is shorter.
 */
export function programName(): string {
  const path = projectDir === null ? process.execPath : join(projectDir, 'portlight')
  const found = Bun.which(basename(path))
  if (found !== null && real(found) === real(path)) return basename(path)
  const below = relative(process.cwd(), path)
  return shellWord(dirname(below) === '.' ? `./${below}` : path)
}

/** A word as the shell reads it, quoted if necessary. */
export function shellWord(text: string): string {
  return /^[\w./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}

function real(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}
