import {
  accessSync,
  appendFileSync,
  chownSync,
  closeSync,
  constants,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { totalmem } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { type Account, canEnter } from './account.ts'
import { type Binaries, copyBinaries, linkLibraries } from './binaries.ts'
import { EmbeddedPostgresError } from './errors.ts'
import type { Home } from './home.ts'
import type { PackedBinaries } from './packed-binaries.ts'
import { readPidFile, runningPostmaster } from './postmaster.ts'
import { serverSettings, settingsFile } from './settings.ts'
import { freeOctets, mustStopWrites } from './space.ts'
import { watchStartLog } from './start-log.ts'
import { unpackBinaries } from './unpack.ts'

/** The superuser of the embedded server, and the name of its database. */
export const OWNER = 'portlight'

const SETTINGS_FILE = 'portlight.conf'
/** Present only while the disk is full. */
const FULL_FILE = 'portlight-disk-full.conf'
const START_LOG = 'start.log'
/**
 * initdb allows only local connections. Remote ones, on the address of database_listen, are limited to readers of the
 * views, and to other processes of this program, whose role `cluster url` creates.
 */
const REMOTE = [`host ${OWNER} +portlight_reader all scram-sha-256`, `host ${OWNER} portlight_node all scram-sha-256`]

/** Programs to run and the environment they need. */
export interface Programs {
  readonly bin: string
  readonly env: Record<string, string>
  /** Major version. */
  readonly major: number
}

/** Programs that the account can execute, unpacked into the home, or copied there if it cannot enter their folder. */
export async function preparePrograms(home: Home, binaries: Binaries | PackedBinaries): Promise<Programs> {
  const reachable = await reachableBinaries(home, binaries)
  requireExecutable(join(reachable.root, 'bin', 'postgres'), home.folder)
  const libraries = linkLibraries(reachable, join(home.folder, 'lib'))
  return {
    major: binaries.major,
    bin: join(reachable.root, 'bin'),
    env: {
      LD_LIBRARY_PATH: `${libraries}:${join(reachable.root, 'lib')}`,
      PATH: '/usr/bin:/bin',
      LC_ALL: 'C',
      TZ: 'UTC',
    },
  }
}

async function reachableBinaries(home: Home, binaries: Binaries | PackedBinaries): Promise<Binaries> {
  const { account } = home
  if ('archive' in binaries) return await unpackBinaries(binaries, home.folder, account.switch ? account : null)
  return canEnter(account, join(binaries.root, 'bin')) ? binaries : copyBinaries(binaries, home.folder)
}

function requireExecutable(program: string, folder: string): void {
  try {
    accessSync(program, constants.X_OK)
  } catch (cause) {
    throw new EmbeddedPostgresError(
      `the file system of ${folder} does not allow programs to run (mounted noexec?), and PostgreSQL is there: use another --data-dir, or a server with DATABASE_URL`,
      { cause },
    )
  }
}

/** Present while `portlight upgrade-database` exchanges the folders of two clusters. */
const SWITCH_FILE = 'upgrade-switching'

/** Path of that file in a home. */
export function switchFile(home: Home): string {
  return join(home.folder, SWITCH_FILE)
}

/**
 * Major version of PostgreSQL that made PGDATA; null: there is none. Throws EmbeddedPostgresError for a damaged one.
 */
export function clusterMajor(home: Home): number | null {
  if (existsSync(switchFile(home))) {
    throw new EmbeddedPostgresError(
      `an upgrade of the database in ${home.folder} was interrupted at its last step: run portlight upgrade-database again`,
    )
  }
  if (!existsSync(home.data)) return null
  const file = join(home.data, 'PG_VERSION')
  const text = existsSync(file) ? readFileSync(file, 'utf8').trim() : null
  if (text === null || !/^[\d.]+$/.test(text)) {
    const what = text === null ? 'missing' : 'unreadable'
    throw new EmbeddedPostgresError(
      `the database in ${home.data} is damaged (PG_VERSION is ${what}): restore the folder from a backup`,
    )
  }
  return Number.parseInt(text, 10)
}

/** Throws EmbeddedPostgresError with what to do when PostgreSQL of this version cannot read PGDATA. */
export function requireMajor(home: Home, { major }: Pick<Binaries, 'major'>): void {
  const found = clusterMajor(home)
  if (found === null || found === major) return
  throw new EmbeddedPostgresError(
    found < major
      ? `${home.data} was made by PostgreSQL ${found}, but this program includes ${major}: run portlight upgrade-database to convert it`
      : `${home.data} was made by PostgreSQL ${found}, which is newer than the ${major} of this program: use the version of the program that made it`,
  )
}

/** Creates PGDATA if there is none. An interrupted attempt leaves nothing that looks like a PGDATA. */
export async function ensureCluster(home: Home, programs: Programs): Promise<'made' | 'present'> {
  if (clusterMajor(home) !== null) return 'present'
  removeAttempts(home)
  // a unique name, because the initdb of a killed attempt may still be running
  const fresh = `${home.data}.new-${process.pid}`
  try {
    await makeCluster(home, programs, fresh)
    renameSync(fresh, home.data)
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true })
    throw error
  }
  return 'made'
}

/** Removes leftovers of interrupted attempts; what their initdb still writes is removed at the next start. */
function removeAttempts({ data }: Home): void {
  for (const name of readdirSync(dirname(data)).filter((one) => one.startsWith(`${basename(data)}.new`))) {
    try {
      rmSync(join(dirname(data), name), { recursive: true, force: true })
    } catch {
      // it is being written to
    }
  }
}

async function makeCluster(home: Home, programs: Programs, fresh: string): Promise<void> {
  const child = Bun.spawn(
    [
      join(programs.bin, 'initdb'),
      '-D',
      fresh,
      `--username=${OWNER}`,
      '--encoding=UTF8',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--locale=C',
      // The permissions of the socket's folder keep other users out; TCP needs a password.
      '--auth-local=trust',
      '--auth-host=scram-sha-256',
    ],
    { ...as(home), env: programs.env, stdin: 'ignore', stdout: 'pipe', stderr: 'pipe', timeout: 120_000 },
  )
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), child.exited])
  if (code !== 0) throw failure(home, err || out || `initdb ended with ${child.signalCode ?? code} without output`)
  const conf = join(fresh, 'postgresql.conf')
  const own = `include '${SETTINGS_FILE}'\n\n${readFileSync(conf, 'utf8').replace(/^(?=[^#\s])/gm, '#')}`
  writeFileSync(conf, own)
  allowRemote(fresh)
  writeSettings(fresh, home.account, programs.major)
  const created = Bun.spawnSync([join(programs.bin, 'postgres'), '--single', '-D', fresh, 'postgres'], {
    ...as(home),
    env: programs.env,
    stdin: Buffer.from(`create database ${OWNER}\n`),
    timeout: 60_000,
  })
  if (created.exitCode !== 0) throw failure(home, created.stderr.toString())
}

/** Adds missing lines to pg_hba.conf, because an earlier version may have created the cluster. */
function allowRemote(data: string): void {
  const path = join(data, 'pg_hba.conf')
  const there = new Set(readFileSync(path, 'utf8').split('\n'))
  const missing = REMOTE.filter((line) => !there.has(line))
  if (missing.length > 0) appendFileSync(path, `${missing.join('\n')}\n`)
}

/** Turns the output of a program that could not create the database into one line. */
function failure(home: Home, output: string): EmbeddedPostgresError {
  if (/No space left on device|Disk quota exceeded/.test(output)) {
    return new EmbeddedPostgresError(
      `the disk of ${home.folder} is full, the database cannot be created: make room or use another --data-dir`,
    )
  }
  const lines = output.split('\n').filter((line) => /error|FATAL|PANIC|could not/i.test(line))
  const reason = (lines[0] ?? output).trim()
  return new EmbeddedPostgresError(`the database in ${home.folder} cannot be created: ${reason}`)
}

/** Writes the settings of the data folder only if they changed: a write on a full disk would truncate the file. */
function writeSettings(data: string, account: Account, major: number): void {
  const own = (name: string, text: string): void => {
    const path = join(data, name)
    if (existsSync(path) && readFileSync(path, 'utf8') === text) return
    writeFileSync(path, text, { mode: 0o600 })
    if (account.switch) chownSync(path, account.uid, account.gid)
  }
  own(SETTINGS_FILE, settingsFile(serverSettings(memory(), major), FULL_FILE))
  if (!existsSync(join(data, FULL_FILE))) own(`${FULL_FILE}.off`, 'default_transaction_read_only = on\n')
}

/**
 * Makes new transactions read-write or read-only. The file with the setting is only renamed, which needs no room on a
 * full disk.
 */
export function setWritable(data: string, writable: boolean): void {
  const [on, off] = [join(data, FULL_FILE), join(data, `${FULL_FILE}.off`)]
  const [from, to] = writable ? [on, off] : [off, on]
  if (existsSync(from)) renameSync(from, to)
  const postmaster = runningPostmaster(data)
  if (postmaster !== null) process.kill(postmaster.pid, 'SIGHUP')
}

/** RAM in bytes that this process may use: the machine's, or the container's limit. */
function memory(): number {
  for (const path of ['/sys/fs/cgroup/memory.max', '/sys/fs/cgroup/memory/memory.limit_in_bytes']) {
    try {
      const limit = Number(readFileSync(path, 'utf8'))
      if (limit > 0 && limit < totalmem()) return limit
    } catch {
      // no such control group
    }
  }
  return totalmem()
}

/**
 * Starts a postmaster; resolves when it accepts connections. The limit does not apply while it recovers to a point in
 * time, which takes as long as there is WAL to replay. `ended` settles when it has exited.
 */
export async function launch(
  home: Home,
  programs: Programs,
  listen: { host: string; port: number } | null,
  timeoutMs: number,
): Promise<{ pid: number; ended: Promise<number> }> {
  writeSettings(home.data, home.account, programs.major)
  allowRemote(home.data)
  setWritable(home.data, !mustStopWrites(freeOctets(home.data), false))
  clearSockets(home)
  const log = watchStartLog(home.data, join(home.folder, START_LOG))
  const fd = openSync(join(home.folder, START_LOG), 'w', 0o600)
  const child = Bun.spawn(
    [
      join(programs.bin, 'postgres'),
      '-D',
      home.data,
      '-c',
      `unix_socket_directories=${home.sockets.replaceAll(',', '\\,')}`,
      '-c',
      'unix_socket_permissions=0700',
      '-c',
      `listen_addresses=${listen?.host ?? ''}`,
      '-c',
      `port=${listen?.port ?? 5432}`,
    ],
    // A separate session, so that ^C in a terminal reaches only this process, which then stops the server in order.
    { ...as(home), env: programs.env, detached: true, stdin: 'ignore', stdout: fd, stderr: fd },
  )
  closeSync(fd)
  child.unref()
  let deadline = performance.now() + timeoutMs
  for (;;) {
    const file = readPidFile(home.data)
    if (file?.pid === child.pid && file.ready) return { pid: child.pid, ended: child.exited }
    if (child.exitCode !== null || child.signalCode !== null) {
      throw new EmbeddedPostgresError(log.explain())
    }
    if (file?.pid === child.pid && file.recovering) deadline = performance.now() + timeoutMs
    if (performance.now() > deadline) {
      child.kill('SIGQUIT')
      throw new EmbeddedPostgresError(`PostgreSQL was not ready after ${timeoutMs} ms: ${log.explain()}`)
    }
    await Bun.sleep(10)
  }
}

/**
 * Removes the socket files of a killed server. PostgreSQL refuses to start while the pid in the lock file exists, even
 * as a zombie. The caller has checked that no server is running.
 */
function clearSockets(home: Home): void {
  for (const name of readdirSync(home.sockets)) {
    if (name.startsWith('.s.PGSQL.')) rmSync(join(home.sockets, name), { force: true })
  }
}

function as(home: Home): { uid?: number; gid?: number; cwd: string } {
  const { account } = home
  return { ...(account.switch && { uid: account.uid, gid: account.gid }), cwd: home.folder }
}

function text(stream: ReadableStream<Uint8Array>): Promise<string> {
  return new Response(stream).text()
}
