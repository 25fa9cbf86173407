import { readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { EmbeddedPostgresError } from './errors.ts'

/** The user that runs the server. `switch` true: this process is root and must start it as someone else. */
export interface Account {
  readonly name: string
  readonly uid: number
  readonly gid: number
  readonly switch: boolean
}

/**
 * The user to run PostgreSQL as: our own or, if we run as root, the owner of an existing data folder, else `postgres`,
 * else `nobody`. PostgreSQL refuses to run as root, and initdb needs a user from /etc/passwd.
 */
export function chooseAccount(ownerOfData: number | null): Account {
  const uid = process.getuid?.() ?? -1
  const users = passwd()
  if (uid !== 0) {
    const self = users.find((u) => u.uid === uid)
    if (self === undefined) {
      throw new EmbeddedPostgresError(
        `user id ${uid} has no entry in /etc/passwd, which PostgreSQL needs: add one, or use a server with DATABASE_URL`,
      )
    }
    if (ownerOfData !== null && ownerOfData !== uid) {
      const owner = users.find((u) => u.uid === ownerOfData)?.name ?? ownerOfData
      throw new EmbeddedPostgresError(`the database folder belongs to user ${owner}: run as that user or as root`)
    }
    return { ...self, switch: false }
  }
  const candidates = [
    users.find((u) => u.uid !== 0 && u.uid === ownerOfData),
    users.find((u) => u.name === 'postgres' && u.uid !== 0),
    users.find((u) => u.name === 'nobody' && u.uid !== 0),
  ]
  const chosen = candidates.find((u) => u !== undefined)
  if (chosen === undefined) {
    throw new EmbeddedPostgresError(
      'running as root, and there is no user `postgres` or `nobody` to run the database as',
    )
  }
  return { ...chosen, switch: true }
}

function passwd(): { name: string; uid: number; gid: number }[] {
  return readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .flatMap(([name, , uid, gid]) =>
      name !== undefined && uid !== undefined && gid !== undefined
        ? [{ name, uid: Number(uid), gid: Number(gid) }]
        : [],
    )
}

/** Whether the account has search permission on `path` and every folder above it. ACLs are not considered. */
export function canEnter(account: Account, path: string): boolean {
  for (let at = path; ; at = dirname(at)) {
    const s = statSync(at)
    const bit = s.uid === account.uid ? 0o100 : s.gid === account.gid ? 0o010 : 0o001
    if ((s.mode & bit) === 0) return false
    if (at === dirname(at)) return true
  }
}
