import { readFileSync, statSync } from 'node:fs'
import { ConfigError, type SettingProblem } from './errors.ts'
import { VARIABLES } from './names.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** No setting is longer; something larger is another file, octets. */
const MAX_OCTETS = 65_536
const SUFFIX = '_FILE'

/**
 * The environment with `NAME` in place of each `NAME_FILE`, which names a file with its value, as containers are given
 * secrets: without the newline at its end. `PORTLIGHT_SECRETS_KEY_FILE` and others that are settings of their own stay.
 * Throws ConfigError for files that cannot be read, and for variables that are given in both ways.
 */
export function withFiles(env: Environment): Environment {
  const known = new Set(VARIABLES.map(([variable]) => variable))
  const given: Record<string, string | undefined> = { ...env }
  const problems: SettingProblem[] = []
  for (const [variable, path] of Object.entries(env)) {
    const name = variable.slice(0, -SUFFIX.length)
    if (!variable.endsWith(SUFFIX) || known.has(variable) || !known.has(name)) continue
    delete given[variable]
    if (path === undefined || path === '') continue
    const problem = (message: string) => problems.push({ source: 'environment', name: variable, message })
    if ((env[name] ?? '') !== '') problem(`${name} is set too: remove one of them`)
    else
      try {
        given[name] = valueIn(path)
      } catch (error) {
        problem(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`)
      }
  }
  if (problems.length > 0) throw new ConfigError(problems)
  return given
}

function valueIn(path: string): string {
  const file = statSync(path)
  // a pipe or a device may have no end
  if (!file.isFile()) throw new Error('it is not a file')
  const { size } = file
  if (size > MAX_OCTETS) throw new Error(`it has ${size} bytes, and no setting has more than ${MAX_OCTETS}`)
  return readFileSync(path, 'utf8').replace(/\r?\n$/, '')
}
