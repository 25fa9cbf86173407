import type { SettingsHolder } from '../config/settings.ts'
import { connect, type Store } from '../core/database/client.ts'
import { migrate, type SeriesMode } from '../core/schema/migrate.ts'
import type { Log } from '../observe/log.ts'
import { type EmbeddedServer, startEmbedded } from '../postgres/embedded.ts'
import { recordSpace } from './disk-space.ts'
import { ServingError } from './errors.ts'
import type { Stack } from './stack.ts'

/** The database of the serving process, with the schema of this program. */
export interface OpenDatabase {
  readonly url: string
  readonly mode: SeriesMode
  readonly store: Store
  /** Connections of the poller, so that API requests do not wait for its statements to end. */
  readonly polling: Store
}

/** Starts the embedded server unless `database_url` selects another one, migrates the schema, and connects. */
export async function openDatabase(
  settings: SettingsHolder,
  dataDir: string,
  log: Log,
  stack: Stack,
): Promise<OpenDatabase> {
  const embedded = settings.get('database_url') === '' ? await startServer(settings, dataDir, log, stack) : null
  const url = embedded?.url ?? settings.get('database_url')
  const { mode } = await migrate(url, log, undefined, { writable: true })
  const store = connect(url, { max: 8 })
  stack.push('connections', () => store.close(1))
  const polling = connect(url, { max: 8 })
  stack.push('connections of the poller', () => polling.close(1))
  embedded?.onSpace((change) => recordSpace(store, change, log))
  return { url, mode, store, polling }
}

async function startServer(settings: SettingsHolder, dataDir: string, log: Log, stack: Stack): Promise<EmbeddedServer> {
  const listen = listenAddress(settings.get('database_listen'))
  const server = await startEmbedded({ dataDir, log: log.child({ component: 'postgres' }), listen })
  stack.push('database', () => server.stop(2000))
  return server
}

function listenAddress(text: string): { host: string; port: number } | null {
  if (text === '') return null
  const match = /^(.+):(\d{1,5})$/.exec(text)
  if (match === null || Number(match[2]) > 65_535)
    throw new ServingError(`database_listen: expected HOST:PORT, not ${text}`)
  return { host: (match[1] as string).replace(/^\[|\]$/g, ''), port: Number(match[2]) }
}
