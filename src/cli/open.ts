import type { Command } from 'commander'
import type { SettingsHolder } from '../config/settings.ts'
import { DomainError } from '../core/base/errors.ts'
import type { Gateway } from '../core/base/gateway.ts'
import type { Graphs } from '../core/base/graphs.ts'
import type { Store } from '../core/database/client.ts'
import { devicesAlsoNamed } from '../core/devices/read.ts'
import { createServices, type Services } from '../core/services.ts'
import { oneLine } from '../lib/one-line.ts'
import { createLog, type Log } from '../observe/log.ts'
import { diskOf } from '../observe/machine.ts'
import type { LoadComposition } from './app.ts'
import { commandGateway } from './command-gateway.ts'
import { type CommandDatabase, type OpenOptions, openDatabase } from './database.ts'
import { CliError } from './errors.ts'
import { settingsOf } from './globals.ts'
import { noteInterruption } from './interruption.ts'
import { say } from './output.ts'
import { requireDefinitions } from './own-definitions.ts'
import { VERSION } from './version.ts'

/** What a command that needs the database can use. */
export interface CommandContext {
  readonly settings: SettingsHolder
  readonly dataDir: string
  readonly log: Log
  readonly database: CommandDatabase
  readonly services: Services
  readonly gateway: Gateway
  /** `work` is done before the database is closed because the user ended the command. */
  atInterruption(work: () => Promise<void>): void
}

/**
 * Opens the database and services, applies stored settings, runs the command, and closes everything even if it fails.
 * The log level is `warn` unless one is given.
 */
export async function withServices<T>(
  command: Command,
  load: LoadComposition,
  action: (context: CommandContext) => Promise<T>,
  options: OpenOptions = {},
): Promise<T> {
  const { settings, dataDir } = settingsOf(command)
  const log = createLog(
    settings.origin('log.level') === 'default' ? 'warn' : settings.get('log.level'),
    settings.get('log.format'),
  )
  const database = await openDatabase(settings, dataDir, log, options)
  const { store } = database
  const openPoller = async () => {
    requireDefinitions()
    return await (await load()).openPoller({ store, settings, dataDir, log })
  }
  const { gateway, close: closeGateway } = commandGateway({ store, settings, log, openPoller })
  let closing: Promise<void> | null = null
  const close = (): Promise<void> => {
    closing ??= closeGateway().finally(() => database.close())
    return closing
  }
  let atInterruption = async (): Promise<void> => undefined
  const interrupted = (signal: NodeJS.Signals) => {
    // The database server must not outlive the command that started it.
    const code = noteInterruption(signal)
    const ended = atInterruption().catch(() => undefined)
    ended.then(close).then(
      () => process.exit(code),
      () => process.exit(code),
    )
  }
  process.once('SIGINT', interrupted).once('SIGTERM', interrupted)
  try {
    const version = { name: 'Portlight', version: VERSION, revision: '', builtAt: '' }
    const disk = () => (database.how === 'external' ? null : diskOf(dataDir))
    const services = createServices({ store, settings, gateway, graphs: NO_GRAPHS, log, version, disk })
    const { problems } = settings.applyStored(await services.settings.stored())
    for (const { name, message } of problems) say(`portlight: stored setting ${name}: ${message}`)
    return await action({
      ...{ settings, dataDir, log, database, services, gateway },
      atInterruption(work) {
        atInterruption = work
      },
    })
  } catch (error) {
    throw await withOtherNames(error, store)
  } finally {
    process.off('SIGINT', interrupted).off('SIGTERM', interrupted)
    await close()
  }
}

/** A refusal of a device that does not exist, with the devices that have the name as sysName or display name. */
async function withOtherNames(error: unknown, store: Store): Promise<unknown> {
  const [, name] = error instanceof DomainError ? (/^Device (.+) not found$/s.exec(error.message) ?? []) : []
  if (name === undefined) return error
  const known = await devicesAlsoNamed(store, name).catch(() => [])
  const which = known.map(({ as, hostname }) => `${as} ${name} is device ${hostname}`)
  return which.length === 0 ? error : new CliError(oneLine(`there is no device ${name}: ${which.join('; ')}`))
}

/** No command draws graphs. */
const NO_GRAPHS: Graphs = {
  port: () => Promise.reject(new CliError('graphs are drawn by the server')),
  device: () => Promise.reject(new CliError('graphs are drawn by the server')),
  ports: () => Promise.reject(new CliError('graphs are drawn by the server')),
  service: () => Promise.reject(new CliError('graphs are drawn by the server')),
  drawing: () => Promise.reject(new CliError('graphs are drawn by the server')),
  deviceTypes: () => Promise.reject(new CliError('graphs are drawn by the server')),
}
