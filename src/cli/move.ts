import type { Command } from 'commander'
import { moveDatabase } from '../core/backup/move.ts'
import type { RestoreReport } from '../core/backup/restore.ts'
import { isServed } from '../core/cluster/exclusive.ts'
import { connect } from '../core/database/client.ts'
import { forgetMove, moveNote, noteMove } from '../postgres/moved.ts'
import { connectionsOf, sayFound } from './backup.ts'
import { count, durationText, ratesText, sayProgress, withoutPassword } from './backup-labels.ts'
import { CliError, usage } from './errors.ts'
import { say } from './output.ts'
import { withEmbedded, withOwnDatabase } from './own-database.ts'
import { VERSION } from './version.ts'

export interface MoveOptions {
  readonly toEmbedded?: true
  readonly connections: string
}

/** Copies the command's database to another server, or into the embedded one, and prints how to switch. */
export async function runMove(command: Command, to: string | undefined, options: MoveOptions): Promise<void> {
  if ((to === undefined) === (options.toEmbedded !== true))
    throw usage('give either the URL to move to or --to-embedded')
  const connections = connectionsOf(options.connections)
  const target = to === '-' ? await firstLine() : (to ?? null)
  if (target !== null && !isPostgresUrl(target))
    throw usage('the URL to move to must be postgres://USER:PASSWORD@HOST:PORT/DATABASE')
  await withOwnDatabase(command, async ({ url, dataDir, log, embedded }) => {
    if (target === null && embedded)
      throw new CliError('the database is already the embedded one: database_url is not set')
    await warnIfServed(url)
    const move = async (destination: string): Promise<RestoreReport> =>
      await moveDatabase({
        from: url,
        to: destination,
        connections,
        program: VERSION,
        log,
        watch: sayProgress(),
        found: sayFound,
      })
    const report = target === null ? await withEmbedded(dataDir, log, move, { movedBack: true }) : await move(target)
    const noted = target === null ? forgotten(dataDir) : embedded && isNoted(dataDir, target)
    for (const line of describeMove(report, {
      target,
      source: embedded ? `${dataDir}/postgres` : withoutPassword(url),
    }))
      say(line)
    if (noted)
      say(
        `until then commands that would open it refuse, so that nobody uses it by mistake; to go back, remove ${moveNote(dataDir)}`,
      )
  })
}

/** Notes in the data folder that its database was moved. False: that could not be written, which is said. */
function isNoted(dataDir: string, target: string): boolean {
  try {
    noteMove(dataDir, withoutPassword(target), new Date())
    return true
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    say(
      `${moveNote(dataDir)} could not be written, so commands without database_url still open the old database: ${why}`,
    )
    return false
  }
}

function forgotten(dataDir: string): false {
  forgetMove(dataDir)
  return false
}

async function warnIfServed(url: string): Promise<void> {
  const store = connect(url, { max: 2 })
  try {
    if (await isServed(store))
      say('a server is running: what it stores from now on is not copied; stop it first to lose nothing')
  } finally {
    await store.close(1)
  }
}

function describeMove(
  { header, rows, octets, tables, seconds }: RestoreReport,
  { target, source }: { readonly target: string | null; readonly source: string },
): readonly string[] {
  return [
    `equal: ${count(rows)} rows of ${tables} tables in the new database match the old one as of ${header.made} by count and checksum`,
    `took ${durationText(seconds)}, ${ratesText(rows, octets, seconds)}`,
    'to switch: stop the server,',
    target === null
      ? '  remove database_url from the configuration (and DATABASE_URL from the environment),'
      : `  set database_url in the configuration, or DATABASE_URL in the environment, to ${withoutPassword(target)} with its password,`,
    '  and start it again; check it, for example with portlight doctor',
    `the old database is left unchanged in ${source}; delete it when you no longer need to go back`,
  ]
}

function isPostgresUrl(text: string): boolean {
  return URL.canParse(text) && /^postgres(ql)?:$/.test(new URL(text).protocol)
}

async function firstLine(): Promise<string> {
  for await (const line of console) return line.trim()
  throw usage('stdin is empty: it must contain the URL to move to')
}
