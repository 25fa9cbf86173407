import type { Command } from 'commander'
import { type BackupReport, createBackup } from '../backup/create.ts'
import { type RestoreReport, restoreBackup } from '../backup/restore.ts'
import { type VerifyReport, verifyBackup } from '../backup/verify.ts'
import { recordBackup } from '../store/archive/record.ts'
import { openTarget, readSource } from './backup-file.ts'
import { count, durationText, megabytes, ratesText, sayProgress } from './backup-words.ts'
import { type ConfirmOptions, confirm } from './confirm.ts'
import { usage } from './errors.ts'
import { say } from './output.ts'
import { withOwnDatabase } from './own-database.ts'
import { VERSION } from './version.ts'

/** Sessions that a backup or restore may use. */
const MAX_CONNECTIONS = 16

/** Reads `--connections`. Throws CliError for anything but a whole number of 1 to 16. */
export function connectionsOf(text: string): number {
  const connections = /^\d{1,2}$/.test(text) ? Number(text) : 0
  if (connections < 1 || connections > MAX_CONNECTIONS)
    throw usage(`--connections wants a number from 1 to ${MAX_CONNECTIONS}, not ${text}`)
  return connections
}

/** Makes a backup of the command's database, and notes in the database that there is one. */
export async function makeBackup(command: Command, file: string, connections: string): Promise<BackupReport> {
  const number = connectionsOf(connections)
  return await withOwnDatabase(command, async ({ url, dataDir }) => {
    const target = await openTarget(file)
    try {
      const report = await createBackup(
        { url, dataDir, connections: number, program: VERSION, watch: sayProgress() },
        target.sink,
      )
      await target.finish()
      await recordBackup(url, { made: report.made, octets: report.packed, seconds: report.seconds })
      return report
    } catch (error) {
      await target.discard()
      throw error
    }
  })
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
  return await withOwnDatabase(command, async ({ url, dataDir, log }) => {
    const replace = async (holds: { tables: number; devices: number }): Promise<boolean> => {
      if (options.force !== true) return false
      await confirm(`delete the ${holds.tables} tables of the database with ${holds.devices} devices`, options)
      return true
    }
    return await restoreBackup(
      { url, dataDir, connections, replace, log, watch: sayProgress(), found: sayFound },
      readSource(file),
    )
  })
}

export function sayFound(what: 'continued' | 'begun anew'): void {
  say(
    what === 'continued'
      ? 'an unfinished restore of this backup was found and goes on'
      : 'an unfinished restore was found; it is removed and begun anew',
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
    `made by version ${header.program} of PostgreSQL ${header.schema.server}, series ${header.schema.mode}`,
    `took ${durationText(seconds)}, ${ratesText(rows, octets, seconds)}`,
  ]
}

export function describeRestore(report: RestoreReport): readonly string[] {
  const { header, tables, rows, octets, migrated, keptFolders, seconds } = report
  return [
    ...(migrated.length > 0 ? [`migrated from version ${header.program}: ${migrated.join(', ')}`] : []),
    ...keptFolders.map((folder) => `folder ${folder} was in the data folder already and stays as it is`),
    `equal: ${count(rows)} rows of ${tables} tables are those of the backup of ${header.made}, by count and checksum`,
    `took ${durationText(seconds)}, ${ratesText(rows, octets, seconds)}`,
  ]
}
