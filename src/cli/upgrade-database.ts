import { rmSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { moveDatabase } from '../core/backup/move.ts'
import { copyReaders } from '../core/grafana/read-copies.ts'
import { createLog } from '../observe/log.ts'
import { oldClusters, ownSettings, prepareUpgrade } from '../postgres/upgrade.ts'
import { connectionsOf, sayFound } from './backup.ts'
import { count, durationText, sayProgress } from './backup-labels.ts'
import { type ConfirmOptions, confirm } from './confirm.ts'
import { requireDatabaseIn } from './data-folder.ts'
import { CliError } from './errors.ts'
import { settingsOf } from './globals.ts'
import { say } from './output.ts'
import { VERSION } from './version.ts'

export interface UpgradeOptions extends ConfirmOptions {
  readonly oldBinaries?: string
  readonly removeOld?: true
  readonly connections: string
}

/** Moves the embedded database to a new cluster of this program's PostgreSQL version. */
export async function upgradeDatabase(command: Command, options: UpgradeOptions): Promise<void> {
  const connections = connectionsOf(options.connections)
  const { settings, dataDir } = settingsOf(command)
  if (settings.get('database_url') !== '')
    throw new CliError('the database is on an external server (database_url): upgrade PostgreSQL there')
  requireDatabaseIn(settings, dataDir)
  const log = createLog('warn', settings.get('log.format'))
  const found = prepareUpgrade(dataDir, options.oldBinaries === undefined ? null : resolve(options.oldBinaries), log)
  if (found === null) say("the database already has this program's version of PostgreSQL")
  else {
    say(`moving the database from PostgreSQL ${found.from} to ${found.to}`)
    try {
      const { kept } = await found.run(async (from, to) => {
        const report = await moveDatabase({
          from,
          to,
          connections,
          program: VERSION,
          log,
          watch: sayProgress(),
          found: sayFound,
          // an earlier run may have been killed after everything was copied
          replace: true,
        })
        await copyReaders(from, to)
        say(
          `equal: ${count(report.rows)} rows of ${report.tables} tables match by count and checksum, after ${durationText(report.seconds)}`,
        )
      })
      say(
        `the database is now on PostgreSQL ${found.to}; the old one stays in ${kept} until portlight upgrade-database --remove-old`,
      )
      const own = ownSettings(kept)
      if (own.length > 0) say(`your own settings there were not copied: ${own.join('; ')}`)
    } finally {
      found.release()
    }
  }
  if (options.removeOld === true) await removeOld(dataDir, options)
}

async function removeOld(dataDir: string, options: ConfirmOptions): Promise<void> {
  const folders = oldClusters(dataDir)
  if (folders.length === 0) return say('no old database is left')
  await confirm(`delete ${folders.join(' and ')}`, options)
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  say(`deleted ${folders.join(' and ')}`)
}
