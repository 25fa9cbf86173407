import { existsSync, readFileSync } from 'node:fs'
import { extname, join, resolve } from 'node:path'
import { ConfigError } from './errors.ts'
import type { ConfigFile } from './layers.ts'
import { createSettings, type SettingsHolder } from './settings.ts'
import { withFiles } from './variable-files.ts'

export interface LoadOptions {
  /** By setting name, as on the command line. */
  readonly flags?: Readonly<Record<string, string>>
  readonly env: Readonly<Record<string, string | undefined>>
  /** File named by `--config`; it must exist. */
  readonly config?: string | undefined
  /** Folders searched for `portlight.toml` or `portlight.json`; the first hit wins. */
  readonly folders: readonly string[]
}

/**
 * Loads the settings of this process: reads the configuration file (`--config`, PORTLIGHT_CONFIG, else the first one
 * in `folders`) and combines all sources. Throws ConfigError.
 */
export function loadSettings(options: LoadOptions): SettingsHolder {
  const path = configPath(options)
  const file = path === null ? null : readConfigFile(path)
  return createSettings({ flags: options.flags ?? {}, env: withFiles(options.env), file })
}

/** Path of the configuration file in use; null when there is none. */
export function configPath({ config, env, folders }: LoadOptions): string | null {
  const named = config ?? (env['PORTLIGHT_CONFIG'] || undefined)
  if (named !== undefined) return resolve(named)
  const candidates = folders.flatMap((folder) => [join(folder, 'portlight.toml'), join(folder, 'portlight.json')])
  return candidates.find((path) => existsSync(path)) ?? null
}

/** Reads TOML, or JSON if the name ends in `.json`. Throws ConfigError if the file cannot be read or parsed. */
export function readConfigFile(path: string): ConfigFile {
  try {
    const text = readFileSync(path, 'utf8')
    const values: unknown = extname(path) === '.json' ? JSON.parse(text) : Bun.TOML.parse(text)
    if (typeof values !== 'object' || values === null || Array.isArray(values)) throw new Error('expected a table')
    return { path, values: { ...values } }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    throw new ConfigError([{ source: path, name: '', message: `cannot be read: ${message}` }])
  }
}
