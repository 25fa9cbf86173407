import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { EmbeddedPostgresError } from './errors.ts'

/** File in the data folder that says that its database was moved to another server, and is no longer the one in use. */
const NOTE = 'postgres.moved'

/** Path of the note of a data folder, whether or not it is there. */
export const moveNote = (dataDir: string): string => join(resolve(dataDir), NOTE)

/** Notes that the database of the data folder was moved; `to`: where, without a password. */
export function noteMove(dataDir: string, to: string, at: Date): void {
  writeFileSync(moveNote(dataDir), `${to} on ${at.toISOString().slice(0, 10)}\n`)
}

/** The database of the data folder is in use again. */
export function forgetMove(dataDir: string): void {
  rmSync(moveNote(dataDir), { force: true })
}

/**
 * Throws EmbeddedPostgresError if the database of the data folder was moved to another server, because whoever opens the
 * old one most likely forgot to name the new one, and would look at old data or add to them.
 */
export function requireNotMoved(dataDir: string): void {
  const note = moveNote(dataDir)
  let where: string
  try {
    where = readFileSync(note, 'utf8').trim().slice(0, 500)
  } catch {
    return
  }
  throw new EmbeddedPostgresError(
    `the database of ${resolve(dataDir)} was moved to ${where}: set database_url in the configuration, or DATABASE_URL in the environment, to that database with its password; to use the old one again, remove ${note}`,
  )
}
