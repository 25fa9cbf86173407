import { resolve } from 'node:path'
import type { SettingsHolder } from '../config/settings.ts'
import { shellWord } from '../lib/shell-word.ts'
import { databaseIn } from '../postgres/home.ts'
import { CliError } from './errors.ts'
import { programName } from './invocation.ts'

/** Where the service of `portlight systemd install` has its data. */
const SERVICE_FOLDER = '/var/lib/portlight'

/**
 * Throws CliError if the data folder has no database, so that a mistyped --data-dir does not create one. Only `serve`,
 * `restore` and `move-database --to-embedded` create databases.
 */
export function requireDatabaseIn(settings: SettingsHolder, dataDir: string): void {
  const folder = resolve(dataDir)
  const found = databaseIn(folder)
  if (found === 'present') return
  if (found === 'hidden')
    throw new CliError(`${folder} cannot be read by this user: run the command as its owner, or with sudo`)
  const source = settings.origin('data_dir') === 'default' ? ', the default data folder' : ''
  const elsewhere =
    folder !== SERVICE_FOLDER && databaseIn(SERVICE_FOLDER) !== 'absent'
      ? `; the service's database is in ${SERVICE_FOLDER}`
      : ''
  throw new CliError(
    `there is no database in ${folder}${source}: check --data-dir (setting data_dir)${elsewhere}. To create one there, start the server: ${programName()} serve --data-dir ${shellWord(folder)}`,
  )
}
