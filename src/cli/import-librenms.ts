import { statSync } from 'node:fs'
import { INVENTORY_CHANNEL } from '../core/base/channels.ts'
import { connect, type Store } from '../core/database/client.ts'
import { notify } from '../core/database/listen.ts'
import { openMysql } from '../core/import/mysql.ts'
import type { ImportReport } from '../core/import/report.ts'
import { importLibrenms } from '../core/import/run.ts'
import { SourceError } from '../core/import/source.ts'
import type { LogDays } from '../core/import/tables/logs.ts'
import { SITES_CHANNEL } from '../core/pollers/remote/write.ts'
import { SETTINGS_CHANNEL } from '../core/settings/write.ts'
import { CliError } from './errors.ts'
import { say } from './output.ts'

export interface LibrenmsImport {
  readonly database: string | null
  readonly dump: string | null
  readonly rrd: string | null
  /** Address of rrdcached; null: none. */
  readonly rrdcached: string | null
  readonly zone: string | null
  readonly name: string | null
  readonly dryRun: boolean
  readonly rulesDisabled: boolean
  readonly sinceS: number
  readonly logs: LogDays
}

/** Database connections of an import: for concurrent transactions, the lock, and reads. */
const CONNECTIONS = 12
const PROGRESS_MS = 2000

/** Imports an installation and reports progress on stderr. Throws CliError. */
export async function runLibrenms(store: Store, options: LibrenmsImport): Promise<ImportReport> {
  if (options.rrd !== null && statSync(options.rrd, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new CliError(`--rrd: there is no folder ${options.rrd}`)
  const own = connect(store.url, { max: CONNECTIONS })
  try {
    const { database, dump, name, ...rest } = options
    const source = await (dump === null
      ? openMysql(database ?? '')
      : (await import('../core/import/dump.ts')).openDump(dump, options.zone))
    try {
      return await importLibrenms({
        ...rest,
        ...(name !== null && { name }),
        sql: own.sql,
        source,
        progress: progress(),
      })
    } finally {
      await source.close()
    }
  } catch (error) {
    if (error instanceof SourceError) throw new CliError(error.message)
    throw error
  } finally {
    await own.close()
  }
}

/**
 * Tells a running server of what was imported: its pollers take over the devices that they do not have yet, also those
 * of remote pollers, and dynamic groups and settings are read again. Devices that it has already are compared within 10
 * minutes.
 */
export async function tellServer(store: Store): Promise<void> {
  for (const channel of [SETTINGS_CHANNEL, INVENTORY_CHANNEL, SITES_CHANNEL]) await notify(store, channel)
}

/** Prints the current step with its rate and the time left, at most every two seconds. */
function progress(): (step: string, done: number, of: number) => void {
  let said = 0
  let step = ''
  let began = performance.now()
  return (now, done, of) => {
    const at = performance.now()
    if (now !== step) {
      step = now
      began = at
      if (of === 0) return
    } else if (at - said < PROGRESS_MS || of === 0) return
    said = at
    const perS = done / Math.max(0.001, (at - began) / 1000)
    const left = perS > 0 ? Math.ceil((of - done) / perS) : 0
    say(`${step}: ${done} of ${of}, ${Math.round(perS * 60)} per minute, ${left} s left`)
  }
}
