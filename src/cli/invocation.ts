import { realpathSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import type { Command } from 'commander'
import { isSettingName } from '../config/names.ts'
import { isSecret } from '../config/secrets.ts'
import type { SettingsHolder } from '../config/settings.ts'
import { shellWord } from '../lib/shell-word.ts'
import { withoutPassword } from './backup-labels.ts'
import { projectDir, textOption } from './globals.ts'

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

function real(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

/**
 * The options with which other commands find the database and server of `serve`, as they were given, with a leading
 * blank. A data folder that only the environment names is among them, because the next shell may not have it. Passwords
 * are not.
 */
export function givenFlags(command: Command, settings: SettingsHolder): string {
  const options = command.optsWithGlobals<Readonly<Record<string, unknown>>>()
  const flags: [string, string][] = []
  const dataDir = textOption(options, 'dataDir') ?? (isFromOutside(settings) ? settings.get('data_dir') : undefined)
  if (dataDir !== undefined) flags.push(['--data-dir', dataDir])
  const url = textOption(options, 'databaseUrl')
  if (url !== undefined) flags.push(['--database-url', URL.canParse(url) ? withoutPassword(url) : url])
  const config = textOption(options, 'config')
  if (config !== undefined) flags.push(['--config', config])
  const { set } = options
  for (const assignment of Array.isArray(set) ? set.map(String) : []) {
    const name = assignment.split('=', 1)[0]?.trim() ?? ''
    if (isSettingName(name) && !isSecret(name)) flags.push(['--set', assignment])
  }
  return flags.map(([flag, value]) => ` ${flag} ${shellWord(value)}`).join('')
}

const isFromOutside = (settings: SettingsHolder): boolean => settings.origin('data_dir') === 'environment'
