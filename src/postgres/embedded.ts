import { join } from 'node:path'
import type { Log } from '../observe/log.ts'
import { type Binaries, packagedBinaries } from './binaries.ts'
import { ensureCluster, launch, OWNER, type Programs, preparePrograms } from './cluster.ts'
import { EmbeddedPostgresError } from './errors.ts'
import { type Home, openHome } from './home.ts'
import { type FileLock, lockWithin, tryLock } from './lock.ts'
import { type PidFile, readPidFile, runningPostmaster, stopServer, until } from './postmaster.ts'

export interface EmbeddedOptions {
  /** The program's data folder; the database is in its `postgres` (or where its `postgres.location` says). */
  readonly dataDir: string
  readonly log: Log
  /** TCP address at which the server listens as well (with passwords); default: unix socket only. */
  readonly listen?: { readonly host: string; readonly port: number } | null
  /** PostgreSQL to run; default: the package for this platform. */
  readonly binaries?: Binaries
  /** How long a start may take, recovery after a crash included. Default 300,000. */
  readonly startTimeoutMs?: number
}

/** A running PostgreSQL of a data folder. */
export interface EmbeddedServer {
  /** For `connect`: the unix socket is in its `host` parameter. */
  readonly url: string
  /** `started` by us; `joined`: it was running already, on behalf of another process. */
  readonly how: 'started' | 'joined'
  /**
   * Ends our use of it. Of `startEmbedded`: the server is down when this resolves (after `graceMs` without a clean
   * shutdown it is stopped hard, and the next start recovers). Of `attachEmbedded`: only if nobody else uses it.
   */
  stop(graceMs?: number): Promise<void>
}

const START_TIMEOUT_MS = 300_000
const GRACE_MS = 4000

/**
 * Starts the embedded PostgreSQL for the one process that serves this data folder, and keeps it running: a postmaster
 * that dies is started again. A server that a killed process left behind is shut down and started anew. Throws
 * EmbeddedPostgresError when another process serves the folder already.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedServer> {
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
 * The embedded PostgreSQL of a data folder for one command: the server that runs there (beside `serve`), else one that
 * is started for the command and stopped with the last command that uses it.
 */
export function attachEmbedded(dataDir: string, options: Omit<EmbeddedOptions, 'dataDir'>): Promise<EmbeddedServer> {
  const home = openHome(dataDir, (message, facts) => options.log.warn(facts, message))
  return open(home, { ...options, dataDir }, null)
}

async function open(home: Home, options: EmbeddedOptions, serve: FileLock | null): Promise<EmbeddedServer> {
  const { log } = options
  const timeoutMs = options.startTimeoutMs ?? START_TIMEOUT_MS
  // Starting and stopping are decisions of one process at a time.
  const deciding = await decide(home, timeoutMs)
  try {
    let how: EmbeddedServer['how'] = 'joined'
    const orphan = runningPostmaster(home.data)
    if (serve !== null && orphan !== null && unused(home)) {
      log.warn({ pid: orphan.pid }, 'stopping a database server that an earlier process left running')
      await stopServer(home.data, GRACE_MS)
    }
    if (runningPostmaster(home.data) === null) {
      await start(home, options, timeoutMs)
      how = 'started'
    }
    const running = await ready(home, timeoutMs)
    const users = tryLock(join(home.folder, 'users.lock'), 'shared')
    if (users === null)
      throw new EmbeddedPostgresError(`${home.folder}/users.lock is held by a process that is stopping`)
    const watcher = serve === null ? null : supervise(home, options, timeoutMs)
    log.info({ how, pid: running.pid, user: home.account.name, folder: home.folder }, 'database server ready')
    return { url: address(running), how, stop: (graceMs) => stop(home, { serve, users, watcher }, graceMs ?? GRACE_MS) }
  } finally {
    deciding.release()
  }
}

async function start(home: Home, options: EmbeddedOptions, timeoutMs: number): Promise<void> {
  // Backends outlive a killed postmaster for a moment; two sets of them would destroy the data.
  await stopServer(home.data, 0)
  const programs: Programs = preparePrograms(home, options.binaries ?? packagedBinaries())
  if ((await ensureCluster(home, programs)) === 'made') options.log.info({ folder: home.data }, 'database made')
  await launch(home, programs, options.listen ?? null, timeoutMs)
}

async function ready(home: Home, timeoutMs: number): Promise<PidFile> {
  await until(() => readPidFile(home.data)?.ready === true, timeoutMs)
  const file = readPidFile(home.data)
  if (file?.ready !== true) throw new EmbeddedPostgresError(`the database server in ${home.data} does not become ready`)
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

/** Nobody holds the server in use. */
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
const RETRY_MOST_MS = 5000

/** Starts the server again whenever it has died, until `end`. */
function supervise(home: Home, options: EmbeddedOptions, timeoutMs: number): { end(): Promise<void> } {
  const { log } = options
  let ended = false
  let busy: Promise<void> | null = null
  let notBefore = 0
  let failures = 0
  const timer = setInterval(() => {
    if (ended || busy !== null || performance.now() < notBefore || runningPostmaster(home.data) !== null) return
    busy = revive().finally(() => {
      busy = null
    })
  }, WATCH_MS)
  timer.unref()

  async function revive(): Promise<void> {
    const deciding = await decide(home, timeoutMs)
    try {
      if (ended || runningPostmaster(home.data) !== null) return
      log.error({ folder: home.folder }, 'database server has died, starting it again')
      await start(home, options, timeoutMs)
      failures = 0
      log.info({ folder: home.folder }, 'database server ready')
    } catch (error) {
      failures++
      notBefore = performance.now() + Math.min(RETRY_MOST_MS, WATCH_MS * 2 ** failures)
      log.error({ err: error }, 'database server cannot be started')
    } finally {
      deciding.release()
    }
  }

  return {
    async end() {
      ended = true
      clearInterval(timer)
      await busy
    },
  }
}
