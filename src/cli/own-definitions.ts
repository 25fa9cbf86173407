import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { definitionFaults, definitionsMark, faultText } from '../definitions/faults.ts'
import { EXECUTABLE } from '../lib/compiled.ts'
import { CliError } from './errors.ts'
import { projectDir } from './globals.ts'

/**
 * Throws CliError, with file and line, if a definition in the source tree cannot be used: a device whose discovery meets
 * it would otherwise fail later, with no word of why. Files that have not changed since they were found sound are not
 * read again.
 */
export function requireDefinitions(): void {
  if (EXECUTABLE || projectDir === null) return
  const note = join(projectDir, 'node_modules/.portlight/sound-definitions')
  const mark = definitionsMark()
  if (noted(note) === mark) return
  const faults = definitionFaults()
  if (faults.length > 0)
    throw new CliError(
      `these definitions cannot be used:\n${faults.map((fault) => `  ${faultText(fault)}`).join('\n')}`,
    )
  try {
    mkdirSync(dirname(note), { recursive: true })
    writeFileSync(note, mark)
  } catch {
    // a folder that belongs to somebody else: they are read again at the next start
  }
}

function noted(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}
