import type { Command } from 'commander'
import { createLog, type Log } from '../observe/log.ts'
import { attachEmbedded } from '../postgres/embedded.ts'
import { requireDatabaseIn } from './data-folder.ts'
import { settingsOf } from './globals.ts'
import { noteInterruption } from './interruption.ts'

/** The database that a command's settings name, not migrated. */
export interface OwnDatabase {
  readonly url: string
  readonly dataDir: string
  readonly log: Log
  /** Whether it is the embedded database. */
  readonly embedded: boolean
}

/**
 * Runs the action with the database that `serve` would use with the same settings, and releases it even on failure.
 * `create`: an embedded database is created if there is none; otherwise that is an error.
 */
export async function withOwnDatabase<T>(
  command: Command,
  action: (database: OwnDatabase) => Promise<T>,
  { create = false }: { readonly create?: boolean } = {},
): Promise<T> {
  const { settings, dataDir } = settingsOf(command)
  const log = createLog(
    settings.origin('log.level') === 'default' ? 'warn' : settings.get('log.level'),
    settings.get('log.format'),
  )
  const external = settings.get('database_url')
  if (external !== '') return await action({ url: external, dataDir, log, embedded: false })
  if (!create) requireDatabaseIn(settings, dataDir)
  return await withEmbedded(dataDir, log, (url) => action({ url, dataDir, log, embedded: true }))
}

/**
 * Runs an action with the embedded database of a data folder. A signal stops the server if it was started for this.
 * `movedBack`: also if it had been moved to another server.
 */
export async function withEmbedded<T>(
  dataDir: string,
  log: Log,
  action: (url: string) => Promise<T>,
  { movedBack = false }: { readonly movedBack?: boolean } = {},
): Promise<T> {
  const server = await attachEmbedded(dataDir, { log, movedBack })
  let stopping: Promise<void> | null = null
  const stop = (): Promise<void> => {
    stopping ??= server.stop()
    return stopping
  }
  const interrupted = (signal: NodeJS.Signals): void => {
    const code = noteInterruption(signal)
    const end = (): never => process.exit(code)
    stop().then(end, end)
  }
  process.once('SIGINT', interrupted).once('SIGTERM', interrupted)
  try {
    return await action(server.url)
  } finally {
    process.off('SIGINT', interrupted).off('SIGTERM', interrupted)
    await stop()
  }
}
