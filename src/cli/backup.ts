import type { Command } from 'commander'
import { type BackupReport, createBackup } from '../core/backup/create.ts'
import { type RestoreReport, restoreBackup } from '../core/backup/restore.ts'
import { type VerifyReport, verifyBackup } from '../core/backup/verify.ts'
import { recordBackup } from '../core/backup/write-record.ts'
import { holdingsOf } from '../core/database/restore-state.ts'
import { openTarget, readSource, requireBackup } from './backup-file.ts'
import { count, durationText, megabytes, ratesText, sayProgress, withoutPassword } from './backup-labels.ts'
import { type ConfirmOptions, confirm } from './confirm.ts'
import { CliError, usage } from './errors.ts'
import { say } from './output.ts'
import { withOwnDatabase } from './own-database.ts'
import { VERSION } from './version.ts'

/** Maximum number of database sessions for a backup or restore. */
const MAX_CONNECTIONS = 16

/** Parses `--connections`. Throws CliError unless it is a whole number from 1 to 16. */
export function connectionsOf(text: string): number {
  const connections = /^\d{1,2}$/.test(text) ? Number(text) : 0
  if (connections < 1 || connections > MAX_CONNECTIONS)
    throw usage(`--connections must be a number from 1 to ${MAX_CONNECTIONS}, not ${text}`)
  return connections
}

/** Backs up the command's database, and records the backup in that database. Refuses one that was never used. */
export async function makeBackup(command: Command, file: string, connections: string): Promise<BackupReport> {
  const number = connectionsOf(connections)
  return await withOwnDatabase(command, async ({ url, dataDir, embedded }) => {
    const { devices, users } = await holdingsOf(url)
    const place = embedded ? `in ${dataDir}` : `of database_url (${withoutPassword(url)})`
    if (devices + users === 0)
      throw new CliError(
        `the database ${place} is empty: it has no users and no devices, so it is not the one that a server uses; check --data-dir and --database-url`,
      )
    if (devices === 0) say(`the database ${place} has no devices: if the server has some, this is not its database`)
    const target = await openTarget(file)
    try {
      const report = await createBackup(
        { url, dataDir, connections: number, program: VERSION, watch: sayProgress() },
        target.sink,
      )
      await target.finish()
      await recordBackup(url, { made: report.made, octets: report.packed, seconds: report.seconds }).catch(
        sayUnrecorded,
      )
      return report
    } catch (error) {
      await target.discard()
      throw error
    }
  })
}

/** The file is complete whether or not the database, which may be full, takes a note of it. */
function sayUnrecorded(error: unknown): void {
  const why = error instanceof Error ? error.message : String(error)
  say(`the backup is complete, but the database could not note it, so doctor and the pages do not know of it: ${why}`)
}

export async function checkBackup(file: string): Promise<VerifyReport> {
  return await verifyBackup(readSource(file), sayProgress())
}

export interface RestoreFileOptions extends ConfirmOptions {
  readonly force?: true
  readonly connections: string
}

/** Restores a backup into the command's database. */
export async function restoreFile(command: Command, file: string, options: RestoreFileOptions): Promise<RestoreReport> {
  const connections = connectionsOf(options.connections)
  await requireBackup(file)
  return await withOwnDatabase(
    command,
    async ({ url, dataDir, log }) => {
      const replace = async (holds: { tables: number; devices: number }): Promise<boolean> => {
        if (options.force !== true) return false
        await confirm(`delete the ${holds.tables} tables of the database, with ${holds.devices} devices`, options)
        return true
      }
      return await restoreBackup(
        { url, dataDir, connections, replace, log, watch: sayProgress(), found: sayFound },
        readSource(file),
      )
    },
    { create: true },
  )
}

export function sayFound(what: 'continued' | 'begun anew'): void {
  say(
    what === 'continued'
      ? 'continuing an unfinished restore of this backup'
      : 'an unfinished restore was found; removing it and starting again',
  )
}

export function describeBackup(file: string, report: BackupReport): readonly string[] {
  const { made, tables, rows, octets, packed, files, seconds } = report
  return [
    `${file === '-' ? 'stdout' : file}: ${count(rows)} rows of ${tables} tables and ${files} files as of ${made.toISOString()}, ${megabytes(packed)} (${megabytes(octets)} as text)`,
    `took ${durationText(seconds)}, ${ratesText(rows, octets, seconds)}`,
  ]
}

export function describeCheck(file: string, report: VerifyReport): readonly string[] {
  const { header, rows, octets, packed, files, seconds } = report
  return [
    `${file} is complete and unchanged: ${count(rows)} rows of ${header.tables.length} tables and ${files} files as of ${header.made}, ${megabytes(packed)}`,
    `made by version ${header.program} on PostgreSQL ${header.schema.server}, series ${header.schema.mode}`,
    `took ${durationText(seconds)}, ${ratesText(rows, octets, seconds)}`,
  ]
}

export function describeRestore(report: RestoreReport): readonly string[] {
  const { header, tables, rows, octets, migrated, keptFolders, seconds } = report
  return [
    ...(migrated.length > 0 ? [`migrated from version ${header.program}: ${migrated.join(', ')}`] : []),
    ...keptFolders.map((folder) => `folder ${folder} already exists in the data folder and is left as it is`),
    `equal: ${count(rows)} rows of ${tables} tables match the backup of ${header.made} by count and checksum`,
    `took ${durationText(seconds)}, ${ratesText(rows, octets, seconds)}`,
  ]
}
