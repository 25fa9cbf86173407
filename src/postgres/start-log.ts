import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** What a server writes while starting: first to its output, then to its log. */
export interface StartLog {
  /** Why it did not start and what to do about it. */
  explain(): string
}

/** Call before the start: lines that are already in the logs are ignored. */
export function watchStartLog(data: string, output: string): StartLog {
  const logs = join(data, 'log')
  const before = new Map(files(logs).map((path) => [path, statSync(path).size]))
  return {
    explain() {
      const parts = [{ path: output, text: read(output, 0) }].concat(
        files(logs).map((path) => ({ path, text: read(path, before.get(path) ?? 0) })),
      )
      const found = parts.flatMap(({ path, text }) => reasonsIn(text).map((reason) => ({ path, reason })))[0]
      const last = parts.findLast(({ text }) => text.trim() !== '')
      const reason = found?.reason ?? last?.text.trim().split('\n').slice(-2).join(' ') ?? 'it logged no reason'
      return sentence(data, reason, found?.path ?? last?.path ?? output)
    },
  }
}

function files(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : []
}

function read(path: string, from: number): string {
  return existsSync(path) ? readFileSync(path).subarray(from).toString() : ''
}

/** Errors that end a server, without those sent to clients that connect too early. */
function reasonsIn(text: string): string[] {
  return [...text.matchAll(/(?:FATAL|PANIC): +(.+)/g)].flatMap(([, reason]) =>
    reason === undefined || reason.startsWith('the database system is') ? [] : [reason],
  )
}

const DAMAGE =
  /control file|checkpoint|data directory|could not find the database system|could not (open|read|access|stat) (file|directory)|invalid (page|magic|data)|checksum|contrecord|incompatible|PG_VERSION/i

function sentence(data: string, reason: string, log: string): string {
  const more = `the log is ${log}`
  if (/No space left on device|Disk quota exceeded/.test(reason))
    return `the disk of ${data} is full, PostgreSQL cannot start: make room and start again; ${more}`
  if (/could not (bind|create any TCP\/IP sockets)|Address already in use/.test(reason))
    return `PostgreSQL cannot listen on the address of database_listen (${reason}): choose another; ${more}`
  if (DAMAGE.test(reason))
    return `the database in ${data} is damaged (${reason}): restore the folder from a backup; ${more}`
  return `PostgreSQL cannot start (${reason}); ${more}`
}
