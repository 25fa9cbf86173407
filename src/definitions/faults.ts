import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { CHECKOUT, EXECUTABLE } from '../lib/compiled.ts'
import { DefinitionError } from './error.ts'
import { parseHealth } from './health-parse.ts'
import { parseDefinition } from './parse.ts'
import { type DefinitionKind, VENDORS, yamlNames, yamlPath, yamlValue } from './yaml-files.ts'

/** A definition file that cannot be used. */
export interface DefinitionFault {
  /** Path from the folder of the project. */
  readonly file: string
  /** Line of the file, from 1; null: not known. */
  readonly line: number | null
  /** What is wrong, with where in the definition: `ios.detect[0]: unknown key sysDecr`. */
  readonly problem: string
}

/** `FILE:LINE: PROBLEM`, as compilers write it. */
export const faultText = ({ file, line, problem }: DefinitionFault): string =>
  `${file}${line === null ? '' : `:${line}`}: ${problem}`

/**
 * Reads all definition files of the source tree and returns those that cannot be used, which takes about 0.2 s. Empty in
 * the compiled program, whose files were checked when it was built.
 */
export function definitionFaults(): readonly DefinitionFault[] {
  if (EXECUTABLE) return []
  const faults: DefinitionFault[] = []
  const check = (kind: DefinitionKind, name: string, parse: (name: string, value: unknown) => unknown): void => {
    try {
      parse(name, yamlValue(kind, name))
    } catch (error) {
      if (!(error instanceof DefinitionError)) throw error
      faults.push(faultOf(error, yamlPath(kind, name) ?? name))
    }
  }
  const products = (name: string): unknown => yamlValue('products', name)
  try {
    for (const name of yamlNames('os')) check('os', name, (os, value) => parseDefinition(os, value, products))
    for (const name of yamlNames('health')) check('health', name, parseHealth)
  } catch (error) {
    // two files of the same name
    if (!(error instanceof DefinitionError)) throw error
    faults.push(faultOf(error, error.path))
  }
  return faults
}

/** Changes whenever a definition file of the source tree, or what reads them, does. */
export function definitionsMark(): string {
  const hash = new Bun.CryptoHasher('sha256')
  for (const [folder, ending] of [
    [VENDORS, '.yaml'],
    [import.meta.dir, '.ts'],
  ] as const)
    for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
      if (!path.endsWith(ending)) continue
      const { mtimeMs, size } = statSync(join(folder, path))
      hash.update(`${path} ${mtimeMs} ${size}\n`)
    }
  return hash.digest('hex')
}

/** `path`: the file that was read, below `VENDORS`, unless the error names another, such as a base. */
function faultOf(error: DefinitionError, path: string): DefinitionFault {
  const own = error.path.endsWith('.yaml') ? join(VENDORS, error.path) : join(VENDORS, path)
  const problem = error.path.endsWith('.yaml') ? error.message.slice(error.path.length + 2) : error.message
  return { file: relative(CHECKOUT ?? VENDORS, own), line: lineOf(own, error), problem }
}

/** The line of the key that the error is about; null if the file has it more than once, or not at all. */
function lineOf(path: string, { message, path: at }: DefinitionError): number | null {
  if (at.endsWith('.yaml')) return null
  const unknown = /: unknown key (\S+?);/.exec(message)?.[1]
  const key =
    unknown ??
    at
      .replaceAll(/\[\d+\]/g, '')
      .split('.')
      .at(-1) ??
    ''
  const lines = readFileSync(path, 'utf8').split('\n')
  const found = lines.flatMap((line, i) => (line.replace(/^[\s-]*/, '').startsWith(`${key}:`) ? [i + 1] : []))
  return found.length === 1 ? (found[0] ?? null) : null
}
