import type { SettingProblem } from './errors.ts'
import { environmentName, findSetting, isStorable, nearestSetting, VARIABLES } from './names.ts'
import { parseSetting } from './parse.ts'
import type { SettingName } from './schema.ts'
import { isTree, mergeTrees, switchNamed, treeOf } from './trees.ts'

/** The settings that one source defines, only valid values. The readers below add invalid ones to `problems`. */
export type Layer = ReadonlyMap<SettingName, unknown>

/** Contents of a configuration file: names, nested or dotted, and values. */
export interface ConfigFile {
  readonly path: string
  readonly values: Readonly<Record<string, unknown>>
}

/** Descends into tables until a name is a setting: `[poller] interval = 60` is `poller.interval`. */
export function readFile(file: ConfigFile | null, problems: SettingProblem[]): Layer {
  const layer = new Map<SettingName, unknown>()
  if (file === null) return layer
  const visit = (values: Readonly<Record<string, unknown>>, prefix: string) => {
    for (const [key, value] of Object.entries(values)) {
      const name = prefix + key
      if (findSetting(name) === null && isTable(value)) visit(value, `${name}.`)
      else put(layer, problems, { source: file.path, given: name, raw: value })
    }
  }
  visit(file.values, '')
  return layer
}

function isTable(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Reads `DATABASE_URL` and the LibreNMS names first, so that our own names override them. */
export function readEnvironment(env: Readonly<Record<string, string | undefined>>, problems: SettingProblem[]): Layer {
  const layer = new Map<SettingName, unknown>()
  // Compose files and systemd units unset a variable by leaving it empty.
  for (const [variable, name] of VARIABLES) {
    const raw = env[variable]
    if (raw !== undefined && raw !== '' && !isServiceLink(variable, raw))
      put(layer, problems, { source: variable, given: name, raw })
  }
  return layer
}

/**
 * Whether a cluster manager set it: Kubernetes gives each pod `PORTLIGHT_PORT=tcp://10.96.0.7:8000` when a service is
 * called `portlight`, with the name of our own setting.
 */
const isServiceLink = (variable: string, raw: string): boolean =>
  variable === environmentName('port') && /^(?:tcp|udp|sctp):\/\//.test(raw)

/** Variables with our prefix that are read elsewhere and are not settings. */
const OTHER_VARIABLES = new Set(['PORTLIGHT_CONFIG', 'PORTLIGHT_FLEET_AGENT', 'PORTLIGHT_SECRETS_KEY'])

/**
 * Unknown variables with our prefix. Only a warning: cluster managers add variables such as `PORTLIGHT_SERVICE_HOST`.
 */
export function unknownVariables(env: Readonly<Record<string, string | undefined>>): SettingProblem[] {
  const known = new Set(VARIABLES.map(([variable]) => variable))
  return Object.keys(env)
    .filter((variable) => variable.startsWith('PORTLIGHT_') && !known.has(variable) && !OTHER_VARIABLES.has(variable))
    .map((variable) => {
      const near = nearestSetting(variable.slice('PORTLIGHT_'.length))
      const hint = near === null ? '' : `; did you mean ${environmentName(near)}?`
      return { source: 'environment', name: variable, message: `is not a setting and is ignored${hint}` }
    })
}

/** Reads command-line values by setting name. */
export function readFlags(flags: Readonly<Record<string, string>>, problems: SettingProblem[]): Layer {
  const layer = new Map<SettingName, unknown>()
  for (const [given, raw] of Object.entries(flags)) put(layer, problems, { source: 'command line', given, raw })
  return layer
}

/** Reads what `config set` stored. Settings needed before the database is open are reported and ignored. */
export function readStored(values: ReadonlyMap<string, unknown>): { layer: Layer; problems: SettingProblem[] } {
  const layer = new Map<SettingName, unknown>()
  const problems: SettingProblem[] = []
  for (const [given, raw] of values) {
    const name = findSetting(given)
    if (name !== null && !isStorable(name)) {
      problems.push({ source: 'stored', name: given, message: 'cannot be stored; it is ignored' })
    } else {
      put(layer, problems, { source: 'stored', given, raw })
    }
  }
  return { layer, problems }
}

interface Given {
  readonly source: string
  readonly given: string
  readonly raw: unknown
}

function put(layer: Map<SettingName, unknown>, problems: SettingProblem[], { source, given, raw }: Given): void {
  const single = switchNamed(given)
  if (single !== null) {
    const tree = treeOf(single.path, raw)
    if (tree === undefined) problems.push({ source, name: given, message: 'expected true or false' })
    else layer.set(single.tree, mergeTrees(layer.get(single.tree), tree))
    return
  }
  const name = findSetting(given)
  if (name === null) {
    const near = nearestSetting(given)
    const hint = near === null ? '' : `; did you mean ${near}?`
    problems.push({ source, name: given, message: `there is no such setting${hint}` })
    return
  }
  const parsed = parseSetting(name, raw)
  if (parsed.kind === 'valid')
    layer.set(name, isTree(name) ? mergeTrees(parsed.value, layer.get(name) ?? {}) : parsed.value)
  else problems.push({ source, name: given, message: `expected ${parsed.allowed}` })
}
