import { type Command, Option } from 'commander'
import { resolveDataDir } from '../config/data-dir.ts'
import { configPath, loadSettings } from '../config/load.ts'
import type { SettingsHolder } from '../config/settings.ts'
import { CHECKOUT } from '../lib/compiled.ts'
import { usage } from './errors.ts'

/** Adds the options that every command accepts, before or after its name. */
export function addGlobalOptions(program: Command): void {
  program
    .option('--data-dir <folder>', 'folder of the embedded database (setting data_dir)')
    .option('--database-url <url>', 'PostgreSQL or TimescaleDB server to use instead (setting database_url)')
    .option('--config <file>', 'configuration file, TOML or JSON (PORTLIGHT_CONFIG; default ./portlight.toml)')
    .addOption(
      new Option('--set <name=value>', 'set one setting; may be repeated; portlight config list names them').argParser(
        (text: string, before: readonly string[] | undefined) => [...(before ?? []), text],
      ),
    )
    .option('--log-level <level>', 'minimum severity of log lines on stderr (setting log.level)')
}

/** The settings of a command and the resulting data folder. */
export interface CommandSettings {
  readonly settings: SettingsHolder
  /** Absolute path. */
  readonly dataDir: string
}

/**
 * Settings for a command, with the global options as flags. `flags` maps the command's options to settings
 * (`serve --port`). Throws ConfigError, and CliError for a malformed `--set`.
 */
export function settingsOf(command: Command, flags: Readonly<Record<string, string>> = {}): CommandSettings {
  const options = command.optsWithGlobals<Readonly<Record<string, unknown>>>()
  const settings = loadSettings({
    flags: { ...flagsOf(options), ...flags },
    env: process.env,
    config: textOption(options, 'config'),
    folders: configFolders(),
  })
  const dataDir = resolveDataDir({
    dataDir: settings.get('data_dir'),
    projectDir,
    env: process.env,
    uid: process.getuid?.() ?? -1,
  })
  return { settings, dataDir }
}

/** The configuration file used by a command; null when there is none. */
export function configPathOf(command: Command): string | null {
  const options = command.optsWithGlobals<Readonly<Record<string, unknown>>>()
  return configPath({ env: process.env, config: textOption(options, 'config'), folders: configFolders() })
}

function configFolders(): readonly string[] {
  return projectDir === null ? [process.cwd()] : [process.cwd(), projectDir]
}

/** The project's folder; null in a compiled binary, which contains its files. */
export const projectDir: string | null = CHECKOUT

/** The value of a text option; undefined when not given. */
export function textOption(options: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = options[name]
  return typeof value === 'string' ? value : undefined
}

const FLAG_SETTINGS = { dataDir: 'data_dir', databaseUrl: 'database_url', logLevel: 'log.level' } as const

function flagsOf(options: Readonly<Record<string, unknown>>): Record<string, string> {
  const flags: Record<string, string> = {}
  const assignments = options['set']
  for (const assignment of Array.isArray(assignments) ? assignments : []) {
    const [, name, value] = /^([^=]+)=(.*)$/s.exec(String(assignment)) ?? []
    if (name === undefined || value === undefined) throw usage(`--set must be NAME=VALUE, not ${assignment}`)
    flags[name.trim()] = value
  }
  for (const [option, setting] of Object.entries(FLAG_SETTINGS)) {
    const value = textOption(options, option)
    if (value !== undefined) flags[setting] = value
  }
  return flags
}
