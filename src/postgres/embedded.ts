import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Log } from '../observe/log.ts'
import { type Binaries, packagedBinaries } from './binaries.ts'
import { ensureCluster, launch, OWNER, type Programs, preparePrograms, requireMajor, setWritable } from './cluster.ts'
import { EmbeddedPostgresError } from './errors.ts'
import { type Home, openHome } from './home.ts'
import { type FileLock, lockWithin, tryLock } from './lock.ts'
import { requireNotMoved } from './moved.ts'
import type { PackedBinaries } from './packed-binaries.ts'
import { type PidFile, readPidFile, runningPostmaster, stopServer, until } from './postmaster.ts'
import { requireSpace, type SpaceChange, watchSpace } from './space.ts'

export interface EmbeddedOptions {
  /** The program's data folder. The database is in `postgres` below it, or where `postgres.location` points. */
  readonly dataDir: string
  readonly log: Log
  /** TCP address on which the server also listens, with passwords; default: unix socket only. */
  readonly listen?: { readonly host: string; readonly port: number } | null
  /** PostgreSQL to run; default: the one inside this program, or the package for this platform. */
  readonly binaries?: Binaries | PackedBinaries
  /** Limit for a start, including crash recovery. Default 300,000. */
  readonly startTimeoutMs?: number
  /** Open it although it was moved to another server: it is moved back. Only with `attachEmbedded`. */
  readonly movedBack?: boolean
}

/** A running PostgreSQL server of a data folder. */
export interface EmbeddedServer {
  /** For `connect`: the unix socket is in its `host` parameter. */
  readonly url: string
  /** `started`: by us. `joined`: already running for another process. */
  readonly how: 'started' | 'joined'
  /**
   * Ends our use of the server. After `startEmbedded` the server is down when this resolves; if it does not shut down
   * cleanly within `graceMs` it is killed, and the next start recovers. After `attachEmbedded` it is stopped only if no
   * other process uses it.
   */
  stop(graceMs?: number): Promise<void>
  /** Calls `listener` when writes stop because the disk is full, and when they resume. Only with `startEmbedded`. */
  onSpace(listener: (change: SpaceChange) => void): void
}

const START_TIMEOUT_MS = 300_000
const GRACE_MS = 4000

/**
 * Starts the embedded PostgreSQL for the process that serves this data folder and restarts it if it dies. A server left
 * running by a killed process is shut down first. Throws EmbeddedPostgresError if another process already serves the
 * folder, or if its database was moved to another server.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedServer> {
  requireNotMoved(options.dataDir)
  const home = openHome(options.dataDir, (message, facts) => options.log.warn(facts, message))
  const serve = tryLock(join(home.folder, 'serve.lock'), 'exclusive')
  if (serve === null) {
    throw new EmbeddedPostgresError(
      `another process already serves ${options.dataDir}: stop it or use another --data-dir`,
    )
  }
  try {
    return await open(home, options, serve)
  } catch (error) {
    serve.release()
    throw error
  }
}

/**
 * The embedded PostgreSQL of a data folder for one command: the server that `serve` runs there, or one that is started
 * for the command and stopped when the last command using it ends.
 */
export async function attachEmbedded(
  dataDir: string,
  options: Omit<EmbeddedOptions, 'dataDir'>,
): Promise<EmbeddedServer> {
  if (options.movedBack !== true) requireNotMoved(dataDir)
  const home = openHome(dataDir, (message, facts) => options.log.warn(facts, message))
  return await open(home, { ...options, dataDir }, null)
}

async function open(home: Home, options: EmbeddedOptions, serve: FileLock | null): Promise<EmbeddedServer> {
  const { log } = options
  const timeoutMs = options.startTimeoutMs ?? START_TIMEOUT_MS
  // Only one process at a time may start or stop the server.
  const deciding = await decide(home, timeoutMs)
  try {
    let how: EmbeddedServer['how'] = 'joined'
    const orphan = runningPostmaster(home.data)
    if (serve !== null && orphan !== null && unused(home)) {
      log.warn({ pid: orphan.pid }, 'stopping a database server that an earlier process left running')
      await stopServer(home.data, GRACE_MS)
    }
    let ended: Promise<unknown> | null = null
    if (runningPostmaster(home.data) === null) {
      requireSpace(home.folder, existsSync(home.data) ? 'present' : 'new')
      ;({ ended } = await start(home, options, timeoutMs))
      how = 'started'
    }
    const running = await ready(home, timeoutMs)
    const users = tryLock(join(home.folder, 'users.lock'), 'shared')
    if (users === null)
      throw new EmbeddedPostgresError(`${home.folder}/users.lock is held by a process that is stopping`)
    const listeners: ((change: SpaceChange) => void)[] = []
    const watcher =
      serve === null
        ? null
        : supervise(home, options, timeoutMs, ended, (change) => listeners.map((listener) => listener(change)))
    log.info({ how, pid: running.pid, user: home.account.name, folder: home.folder }, 'database server ready')
    return {
      url: address(running),
      how,
      stop: (graceMs) => stop(home, { serve, users, watcher }, graceMs ?? GRACE_MS),
      onSpace: (listener) => listeners.push(listener),
    }
  } finally {
    deciding.release()
  }
}

async function start(home: Home, options: EmbeddedOptions, timeoutMs: number): Promise<{ ended: Promise<unknown> }> {
  // Backends outlive a killed postmaster for a moment; two sets of them would destroy the data.
  await stopServer(home.data, 0)
  const binaries = options.binaries ?? packagedBinaries()
  // before programs are copied, which removes the copies of other versions
  requireMajor(home, binaries)
  if (!existsSync(home.data)) options.log.info({ folder: home.data }, 'first start: the database is being created')
  const programs: Programs = await preparePrograms(home, binaries)
  if ((await ensureCluster(home, programs)) === 'made') options.log.info({ folder: home.data }, 'database created')
  return await launch(home, programs, options.listen ?? null, timeoutMs)
}

async function ready(home: Home, timeoutMs: number): Promise<PidFile> {
  await until(() => readPidFile(home.data)?.ready === true, timeoutMs)
  const file = readPidFile(home.data)
  if (file?.ready !== true) throw new EmbeddedPostgresError(`the database server in ${home.data} did not become ready`)
  return file
}

function address(file: PidFile): string {
  return `postgres://${OWNER}@localhost:${file.port}/${OWNER}?host=${encodeURIComponent(file.sockets)}`
}

async function decide(home: Home, timeoutMs: number): Promise<FileLock> {
  const lock = await lockWithin(join(home.folder, 'start.lock'), 'exclusive', timeoutMs)
  if (lock === null) throw new EmbeddedPostgresError(`${home.folder}/start.lock is held by another process`)
  return lock
}

/** Whether no process is using the server. */
function unused(home: Home): boolean {
  const lock = tryLock(join(home.folder, 'users.lock'), 'exclusive')
  lock?.release()
  return lock !== null
}

interface Held {
  readonly serve: FileLock | null
  readonly users: FileLock
  readonly watcher: { end(): Promise<void> } | null
}

async function stop(home: Home, held: Held, graceMs: number): Promise<void> {
  await held.watcher?.end()
  const deciding = await decide(home, GRACE_MS)
  try {
    held.users.release()
    if (held.serve !== null || unused(home)) await stopServer(home.data, graceMs)
  } finally {
    held.serve?.release()
    deciding.release()
  }
}

const WATCH_MS = 500
const MAX_RETRY_MS = 5000

/**
 * Restarts the server whenever it dies, until `end`. `ended` settles as soon as our own child exits; the timer detects
 * the other cases.
 */
function supervise(
  home: Home,
  options: EmbeddedOptions,
  timeoutMs: number,
  ended: Promise<unknown> | null,
  notify: (change: SpaceChange) => void,
): { end(): Promise<void> } {
  const { log } = options
  let stopped = false
  let busy: Promise<void> | null = null
  let notBefore = 0
  let failures = 0
  const check = (): void => {
    if (stopped || busy !== null || performance.now() < notBefore || isRunning()) return
    busy = revive().finally(() => {
      busy = null
    })
  }
  const timer = setInterval(check, WATCH_MS)
  timer.unref()
  void ended?.then(check)
  const space = watchSpace(
    home.data,
    (change) => {
      setWritable(home.data, !change.full)
      const facts = { folder: home.folder, freeMib: change.freeMib }
      if (change.full)
        log.error(facts, 'the disk is full: writes are paused until there is room, samples are kept in memory')
      else log.info(facts, 'there is room on the disk again: writes have resumed')
      notify(change)
    },
    (error) => log.error({ err: error }, 'could not check free disk space'),
  )

  /** Also true when it cannot be found out. */
  function isRunning(): boolean {
    try {
      return runningPostmaster(home.data) !== null
    } catch {
      return true
    }
  }

  async function revive(): Promise<void> {
    let deciding: FileLock | null = null
    try {
      deciding = await decide(home, timeoutMs)
      if (stopped || runningPostmaster(home.data) !== null) return
      log.error({ folder: home.folder }, 'database server died, restarting it')
      const child = await start(home, options, timeoutMs)
      void child.ended.then(check)
      failures = 0
      log.info({ folder: home.folder }, 'database server ready')
    } catch (error) {
      failures++
      notBefore = performance.now() + Math.min(MAX_RETRY_MS, WATCH_MS * 2 ** (failures - 1))
      log.error({ err: error }, 'could not start the database server')
    } finally {
      deciding?.release()
    }
  }

  return {
    async end() {
      stopped = true
      clearInterval(timer)
      space.end()
      await busy
    },
  }
}
