import { ConfigError, type SettingProblem } from './errors.ts'
import {
  type ConfigFile,
  type Layer,
  readEnvironment,
  readFile,
  readFlags,
  readStored,
  unknownVariables,
} from './layers.ts'
import { SETTING_NAMES } from './names.ts'
import { SETTINGS, type SettingName, type Settings, type SettingTypes } from './schema.ts'
import { isTree, mergeTrees } from './trees.ts'

export interface SettingSources {
  /** By setting name, as on the command line. */
  readonly flags?: Readonly<Record<string, string>>
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly file?: ConfigFile | null
}

/** Result of applying stored settings. */
export interface StoredOutcome {
  /** Invalid stored settings; their previous layer stays in effect. */
  readonly problems: readonly SettingProblem[]
  /** Settings that changed but are read only at startup. */
  readonly needRestart: readonly SettingName[]
}

/** The settings of this process, updated as stored ones change. */
export interface SettingsHolder extends Settings {
  /** Replaces all stored settings (name -> value). Calls the listeners if a live value changed. */
  applyStored(values: ReadonlyMap<string, unknown>): StoredOutcome
  /** Problems that do not prevent startup, such as an environment variable that is not a setting. */
  readonly warnings: readonly SettingProblem[]
}

type Origin = ReturnType<Settings['origin']>

interface Found {
  readonly origin: Origin
  readonly value: unknown
}

/**
 * Combines defaults < stored < file < environment < flags. Throws ConfigError with every problem in file, environment
 * and flags. `DATABASE_URL` is an alias of `PORTLIGHT_DATABASE_URL`, which wins if both are set.
 */
export function createSettings(sources: SettingSources): SettingsHolder {
  const problems: SettingProblem[] = []
  const file = readFile(sources.file ?? null, problems)
  const environment = readEnvironment(sources.env ?? {}, problems)
  const flag = readFlags(sources.flags ?? {}, problems)
  if (problems.length > 0) throw new ConfigError(problems)

  let stored: Layer = new Map()
  const defaults: Layer = new Map(SETTING_NAMES.map((name) => [name, SETTINGS[name].default]))
  const listeners = new Set<() => void>()

  /** Cache of effective values, because several are read for every request. Cleared when stored values change. */
  const inForce = new Map<SettingName, Found>()

  function find(name: SettingName): Found {
    const known = inForce.get(name)
    if (known !== undefined) return known
    const found = combined(name)
    inForce.set(name, found)
    return found
  }

  function combined(name: SettingName): Found {
    const first = nearest(name)
    if (!isTree(name)) return first
    const value = [defaults, stored, file, environment, flag].reduce<unknown>(
      (under, layer) => (layer.has(name) ? mergeTrees(under, layer.get(name)) : under),
      {},
    )
    return { ...first, value }
  }

  function nearest(name: SettingName): Found {
    if (flag.has(name)) return { origin: 'flag', value: flag.get(name) }
    if (environment.has(name)) return { origin: 'environment', value: environment.get(name) }
    if (file.has(name)) return { origin: 'file', value: file.get(name) }
    if (stored.has(name)) return { origin: 'stored', value: stored.get(name) }
    return { origin: 'default', value: defaults.get(name) }
  }

  return {
    warnings: unknownVariables(sources.env ?? {}),
    get: (name) => typed(name, find(name).value),
    origin: (name) => find(name).origin,
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    applyStored(values) {
      const before = SETTING_NAMES.map((name) => find(name).value)
      const read = readStored(values)
      stored = read.layer
      inForce.clear()
      const changed = SETTING_NAMES.filter((name, i) => !Bun.deepEquals(before[i], find(name).value))
      if (changed.some((name) => SETTINGS[name].scope === 'live')) for (const listener of [...listeners]) listener()
      return { problems: read.problems, needRestart: changed.filter((name) => SETTINGS[name].scope === 'start') }
    },
  }
}

/** Safe: every layer holds only values that `parseSetting` returned for that name, or the declared default. */
function typed<N extends SettingName>(_name: N, value: unknown): SettingTypes[N] {
  return value as SettingTypes[N]
}
