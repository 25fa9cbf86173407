import { chmodSync, chownSync, existsSync, lstatSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type Account, canEnter, chooseAccount } from './account.ts'
import { EmbeddedPostgresError } from './errors.ts'

/** Longest path of a unix socket, without the ending NUL (sun_path). */
const SOCKET_PATH_MAX = 107
const LONGEST_SOCKET_NAME = '.s.PGSQL.65535'
const SYSTEM_FOLDER = '/var/lib/portlight'

/** Where one embedded database lives. */
export interface Home {
  /** Holds everything below; only the account (and root) may enter. */
  readonly folder: string
  readonly account: Account
  /** PGDATA. */
  readonly data: string
  /** Folder of the unix socket. */
  readonly sockets: string
}

/**
 * The home of the database of `dataDir`, made when absent: `dataDir`/postgres, or, when we are root and the account that
 * runs the server cannot enter that, a folder of /var/lib/portlight that `dataDir`/postgres.location names from then on.
 */
export function openHome(dataDir: string, say: (message: string, facts: object) => void): Home {
  const base = resolve(dataDir)
  mkdirSync(base, { recursive: true, mode: 0o755 })
  const pointer = join(base, 'postgres.location')
  let folder = existsSync(pointer) ? readFileSync(pointer, 'utf8').trim() : join(base, 'postgres')
  let account = chooseAccount(owner(folder))
  if (folder === join(base, 'postgres') && !canEnter(account, base)) {
    folder = join(SYSTEM_FOLDER, Bun.hash(base).toString(16))
    try {
      mkdirSync(SYSTEM_FOLDER, { recursive: true, mode: 0o755 })
    } catch (cause) {
      throw new EmbeddedPostgresError(
        `user ${account.name}, who runs the database, cannot enter ${base}, and ${SYSTEM_FOLDER} cannot be made: use another --data-dir`,
        { cause },
      )
    }
    account = chooseAccount(owner(folder))
    writeFileSync(pointer, `${folder}\n`)
    say('database is kept elsewhere, because the user who runs it cannot enter the data folder', {
      dataDir: base,
      folder,
      user: account.name,
    })
  }
  ownFolder(folder, account)
  const inside = join(folder, 'run')
  let sockets = inside
  if (join(inside, LONGEST_SOCKET_NAME).length > SOCKET_PATH_MAX) {
    sockets = join(tmpdir(), `portlight-${account.uid}-${Bun.hash(folder).toString(16)}`)
  }
  ownFolder(sockets, account)
  return { folder, account, data: join(folder, 'data'), sockets }
}

/** A folder that nobody but the account can enter; refuses one that somebody else has put there. */
function ownFolder(path: string, account: Account): void {
  if (!existsSync(path)) {
    mkdirSync(path, { mode: 0o700 })
    if (account.switch) chownSync(path, account.uid, account.gid)
  }
  const s = lstatSync(path)
  if (!s.isDirectory() || s.uid !== account.uid) {
    throw new EmbeddedPostgresError(
      `${path} is not a folder of user ${account.name}: remove it or choose another --data-dir`,
    )
  }
  if ((s.mode & 0o077) !== 0) chmodSync(path, 0o700)
}

function owner(path: string): number | null {
  return existsSync(path) ? statSync(path).uid : null
}
