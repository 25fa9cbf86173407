import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { type Account, canEnter, chooseAccount } from './account.ts'
import { EmbeddedPostgresError } from './errors.ts'
import { requireSpace } from './space.ts'

/** Longest path of a unix socket, without the ending NUL (sun_path). */
const SOCKET_PATH_MAX = 107
const LONGEST_SOCKET_NAME = '.s.PGSQL.65535'
const SYSTEM_FOLDER = '/var/lib/portlight'

/** Location of an embedded database. */
export interface Home {
  /** Contains everything below; only the account (and root) may enter. */
  readonly folder: string
  readonly account: Account
  /** PGDATA. */
  readonly data: string
  /** Folder of the unix socket. */
  readonly sockets: string
}

/**
 * Opens or creates the home of the database in `dataDir`: `dataDir`/postgres, or, when we run as root and the server's
 * account cannot enter that, a folder in /var/lib/portlight that `dataDir`/postgres.location points to.
 */
export function openHome(dataDir: string, say: (message: string, facts: object) => void): Home {
  const base = resolve(dataDir)
  const pointer = join(base, 'postgres.location')
  if (!existsSync(join(base, 'postgres')) && !existsSync(pointer)) requireSpace(base, 'new')
  makeBase(base)
  let folder = existsSync(pointer) ? readFileSync(pointer, 'utf8').trim() : join(base, 'postgres')
  let account = chooseAccount(owner(folder))
  if (folder === join(base, 'postgres') && !canEnter(account, base)) {
    folder = join(SYSTEM_FOLDER, Bun.hash(base).toString(16))
    try {
      mkdirSync(SYSTEM_FOLDER, { recursive: true, mode: 0o755 })
    } catch (cause) {
      throw new EmbeddedPostgresError(
        `user ${account.name}, who runs the database, cannot enter ${base}, and ${SYSTEM_FOLDER} cannot be created: use another --data-dir`,
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
    if (join(sockets, LONGEST_SOCKET_NAME).length > SOCKET_PATH_MAX) {
      throw new EmbeddedPostgresError(
        `${folder} and ${tmpdir()} are both too long for the path of a unix socket (${SOCKET_PATH_MAX} bytes): use a shorter --data-dir or TMPDIR`,
      )
    }
  }
  ownFolder(sockets, account)
  return { folder, account, data: join(folder, 'data'), sockets }
}

/**
 * Whether `dataDir` has a database; creates nothing. `hidden`: this user may not look into the folder.
 */
export function databaseIn(dataDir: string): 'present' | 'absent' | 'hidden' {
  const base = resolve(dataDir)
  try {
    const pointer = join(base, 'postgres.location')
    const folder = isThere(pointer) ? readFileSync(pointer, 'utf8').trim() : join(base, 'postgres')
    // also when a major upgrade was interrupted between two renames, which leaves no `data`
    return isThere(folder) && readdirSync(folder).some((name) => /^data(-\d+)?$/.test(name)) ? 'present' : 'absent'
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : ''
    if (code === 'EACCES' || code === 'EPERM') return 'hidden'
    if (code === 'ENOENT' || code === 'ENOTDIR') return 'absent'
    throw unusable(base, error)
  }
}

/** Whether the path exists; throws if this user may not know. */
function isThere(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined
}

/** Creates the data folder if needed. */
function makeBase(base: string): void {
  try {
    mkdirSync(base, { recursive: true, mode: 0o755 })
  } catch (cause) {
    throw unusable(base, cause)
  }
  if (!statSync(base).isDirectory()) throw unusable(base, { code: 'ENOTDIR' })
}

/** Explains why a folder cannot be the data folder. */
function unusable(folder: string, cause: unknown): EmbeddedPostgresError {
  const code = typeof cause === 'object' && cause !== null && 'code' in cause ? String(cause.code) : ''
  const reason = REASONS[code] ?? (cause instanceof Error ? cause.message : String(cause))
  return new EmbeddedPostgresError(
    `${folder} cannot be used as the data folder: ${reason}; choose another --data-dir`,
    {
      cause,
    },
  )
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'its file system is read-only',
  ENOSPC: 'its disk is full',
  EDQUOT: 'the disk quota of this user is used up',
  ENOTDIR: 'it is a file, or a part of its path is one',
  EEXIST: 'it is a file, or a part of its path is one',
  ENOENT: 'its parent folder does not exist and cannot be created',
  ENAMETOOLONG: 'its path is too long',
  ELOOP: 'its path has a loop of symbolic links',
}

/** Creates a folder that only the account can enter; refuses one that belongs to another user. */
function ownFolder(path: string, account: Account): void {
  if (!existsSync(path)) {
    try {
      mkdirSync(path, { mode: 0o700 })
      if (account.switch) chownSync(path, account.uid, account.gid)
    } catch (cause) {
      throw unusable(dirname(path), cause)
    }
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
