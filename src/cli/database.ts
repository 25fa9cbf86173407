import type { SettingsHolder } from '../config/settings.ts'
import type { Log } from '../observe/log.ts'
import { attachEmbedded } from '../postgres/embedded.ts'
import { connect, type Store } from '../store/client.ts'
import { type MigrateResult, migrate } from '../store/migrate.ts'

/** The database of a command, migrated. */
export interface CommandDatabase {
  readonly store: Store
  readonly schema: MigrateResult
  /** `external`: setting database_url; `joined`: the embedded server that `serve` runs; `started`: for this command. */
  readonly how: 'external' | 'joined' | 'started'
  close(): Promise<void>
}

/** How many connections a command needs. */
const CONNECTIONS = 3

/**
 * Opens the database that `serve` would use with the same settings: beside a running server or without one. The schema
 * is brought up to date first, so that a command works on a folder that was never served.
 */
export async function openDatabase(settings: SettingsHolder, dataDir: string, log: Log): Promise<CommandDatabase> {
  const external = settings.get('database_url')
  const server = external === '' ? await attachEmbedded(dataDir, { log }) : null
  const url = server?.url ?? external
  try {
    const schema = await migrate(url, log)
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
