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

/** What applying stored settings did. */
export interface StoredOutcome {
  /** Stored settings that cannot be used; their default stays. */
  readonly problems: readonly SettingProblem[]
  /** Effective values that changed and that this process reads at its start only. */
  readonly needRestart: readonly SettingName[]
}

/** The settings of this process, with the ones stored in the database put in as they change. */
export interface SettingsHolder extends Settings {
  /** Replaces everything that `config set` stored (name -> value). Calls the listeners when a live value changed. */
  applyStored(values: ReadonlyMap<string, unknown>): StoredOutcome
  /** Oddities that do not prevent a start, such as an environment variable that names no setting. */
  readonly warnings: readonly SettingProblem[]
}

type Origin = ReturnType<Settings['origin']>

/**
 * Settings from defaults < stored < file < environment < flags. Throws ConfigError with every problem of file,
 * environment and flags. `DATABASE_URL` counts as `PORTLIGHT_DATABASE_URL`, which wins where both are set.
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

  function find(name: SettingName): { origin: Origin; value: unknown } {
    const first = nearest(name)
    if (!isTree(name)) return first
    const value = [defaults, stored, file, environment, flag].reduce<unknown>(
      (under, layer) => (layer.has(name) ? mergeTrees(under, layer.get(name)) : under),
      {},
    )
    return { ...first, value }
  }

  function nearest(name: SettingName): { origin: Origin; value: unknown } {
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
      const changed = SETTING_NAMES.filter((name, i) => !Bun.deepEquals(before[i], find(name).value))
      if (changed.some((name) => SETTINGS[name].scope === 'live')) for (const listener of [...listeners]) listener()
      return { problems: read.problems, needRestart: changed.filter((name) => SETTINGS[name].scope === 'start') }
    },
  }
}

/** Safe: every layer holds under a name only what `parseSetting` made for that name, or the declared default. */
function typed<N extends SettingName>(_name: N, value: unknown): SettingTypes[N] {
  return value as SettingTypes[N]
}
