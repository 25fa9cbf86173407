import type { SettingsHolder } from '../config/settings.ts'
import { connect, type Store } from '../core/database/client.ts'
import { type MigrateResult, migrate } from '../core/schema/migrate.ts'
import { loadSecretKeys } from '../core/secrets/keys.ts'
import type { Log } from '../observe/log.ts'
import { attachEmbedded } from '../postgres/embedded.ts'
import { requireDatabaseIn } from './data-folder.ts'

/** A command's database, migrated. */
export interface CommandDatabase {
  readonly store: Store
  readonly schema: MigrateResult
  /** `external`: setting database_url; `joined`: the embedded server that `serve` runs; `started`: started for this command. */
  readonly how: 'external' | 'joined' | 'started'
  close(): Promise<void>
}

export interface OpenOptions {
  /**
   * `tables`: create the tables in an external database that has none; `everything`: also an embedded database. Null,
   * the default: neither, so that a wrong --data-dir or --database-url is an error.
   */
  readonly create?: 'tables' | 'everything' | null
}

/** Connections a command needs. */
const CONNECTIONS = 3

/**
 * Opens the database that `serve` would use with the same settings, whether or not a server is running, and brings it
 * to this version's schema. Throws if there is none, unless `create` says otherwise.
 */
export async function openDatabase(
  settings: SettingsHolder,
  dataDir: string,
  log: Log,
  { create = null }: OpenOptions = {},
): Promise<CommandDatabase> {
  loadSecretKeys(settings)
  const external = settings.get('database_url')
  if (external === '' && create !== 'everything') requireDatabaseIn(settings, dataDir)
  const server = external === '' ? await attachEmbedded(dataDir, { log }) : null
  const url = server?.url ?? external
  try {
    const schema = await migrate(url, log, undefined, { existing: external !== '' && create === null })
    const store = connect(url, { max: CONNECTIONS })
    return {
      store,
      schema,
      how: server?.how ?? 'external',
      async close() {
        await store.close()
        await server?.stop()
      },
    }
  } catch (error) {
    await server?.stop()
    throw error
  }
}
