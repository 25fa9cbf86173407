import {
  appendFileSync,
  chownSync,
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { totalmem } from 'node:os'
import { join } from 'node:path'
import { type Account, canEnter } from './account.ts'
import { type Binaries, copyBinaries, linkLibraries } from './binaries.ts'
import { EmbeddedPostgresError } from './errors.ts'
import type { Home } from './home.ts'
import { readPidFile } from './postmaster.ts'
import { serverSettings, settingsFile } from './settings.ts'

/** The superuser of the embedded server, and the name of its database. */
export const OWNER = 'portlight'

const SETTINGS_FILE = 'portlight.conf'
const START_LOG = 'start.log'
/** initdb lets in this machine alone; from elsewhere come only those who may read the views, and only where we listen. */
const REMOTE_READERS = `host ${OWNER} +portlight_reader all scram-sha-256\n`

/** Programs to run and the environment they need. */
export interface Programs {
  readonly bin: string
  readonly env: Record<string, string>
}

/** Binaries that the account can execute; copied into the home when it cannot enter their folder. */
export function preparePrograms(home: Home, binaries: Binaries): Programs {
  const reachable = canEnter(home.account, join(binaries.root, 'bin')) ? binaries : copyBinaries(binaries, home.folder)
  const libraries = linkLibraries(reachable, join(home.folder, 'lib'))
  return {
    bin: join(reachable.root, 'bin'),
    env: {
      LD_LIBRARY_PATH: `${libraries}:${join(reachable.root, 'lib')}`,
      PATH: '/usr/bin:/bin',
      LC_ALL: 'C',
      TZ: 'UTC',
    },
  }
}

/** Makes the data folder when there is none. An interrupted attempt leaves nothing that looks like one. */
export async function ensureCluster(home: Home, programs: Programs): Promise<'made' | 'present'> {
  if (existsSync(join(home.data, 'PG_VERSION'))) {
    const major = readFileSync(join(home.data, 'PG_VERSION'), 'utf8').trim()
    if (major !== '18') {
      throw new EmbeddedPostgresError(
        `${home.data} was made by PostgreSQL ${major}; this program brings 18 and cannot read it`,
      )
    }
    return 'present'
  }
  const fresh = `${home.data}.new`
  rmSync(fresh, { recursive: true, force: true })
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
      // The socket's folder keeps other users out; over TCP a password is needed.
      '--auth-local=trust',
      '--auth-host=scram-sha-256',
    ],
    { ...as(home), env: programs.env, stdin: 'ignore', stdout: 'pipe', stderr: 'pipe', timeout: 120_000 },
  )
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), child.exited])
  if (code !== 0) throw new EmbeddedPostgresError(`initdb failed (${code}): ${(err || out).trim()}`)
  const conf = join(fresh, 'postgresql.conf')
  const own = `include '${SETTINGS_FILE}'\n\n${readFileSync(conf, 'utf8').replace(/^(?=[^#\s])/gm, '#')}`
  writeFileSync(conf, own)
  appendFileSync(join(fresh, 'pg_hba.conf'), REMOTE_READERS)
  writeSettings(fresh, home.account)
  const created = Bun.spawnSync([join(programs.bin, 'postgres'), '--single', '-D', fresh, 'postgres'], {
    ...as(home),
    env: programs.env,
    stdin: Buffer.from(`create database ${OWNER}\n`),
    timeout: 60_000,
  })
  if (created.exitCode !== 0) throw new EmbeddedPostgresError(`cannot make the database: ${created.stderr}`)
  renameSync(fresh, home.data)
  return 'made'
}

function writeSettings(data: string, account: Account): void {
  const path = join(data, SETTINGS_FILE)
  writeFileSync(path, settingsFile(serverSettings(memory())), { mode: 0o600 })
  if (account.switch) chownSync(path, account.uid, account.gid)
}

/** RAM that this process may use: the machine's, or the container's limit. */
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

/** Starts a postmaster; resolves when it accepts connections, recovery included. `ended` settles when it has exited. */
export async function launch(
  home: Home,
  programs: Programs,
  listen: { host: string; port: number } | null,
  timeoutMs: number,
): Promise<{ pid: number; ended: Promise<number> }> {
  writeSettings(home.data, home.account)
  clearSockets(home)
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
    // A session of its own: a terminal's ^C is for us alone, and we stop the server in our order.
    { ...as(home), env: programs.env, detached: true, stdin: 'ignore', stdout: fd, stderr: fd },
  )
  closeSync(fd)
  child.unref()
  const deadline = performance.now() + timeoutMs
  for (;;) {
    const file = readPidFile(home.data)
    if (file?.pid === child.pid && file.ready) return { pid: child.pid, ended: child.exited }
    if (child.exitCode !== null || child.signalCode !== null) {
      throw new EmbeddedPostgresError(`PostgreSQL did not start: ${lastLines(home)}`)
    }
    if (performance.now() > deadline) {
      child.kill('SIGQUIT')
      throw new EmbeddedPostgresError(`PostgreSQL was not ready after ${timeoutMs} ms: ${lastLines(home)}`)
    }
    await Bun.sleep(10)
  }
}

/**
 * Removes what a killed server left in the sockets' folder. PostgreSQL would refuse to start while the pid in the lock
 * file exists, if only as a zombie that nobody waits for; that no server runs was found out before.
 */
function clearSockets(home: Home): void {
  for (const name of readdirSync(home.sockets)) {
    if (name.startsWith('.s.PGSQL.')) rmSync(join(home.sockets, name), { force: true })
  }
}

/** The end of what the server said: first on its own output, then in its log. */
function lastLines(home: Home): string {
  const logs = join(home.data, 'log')
  const newest = existsSync(logs)
    ? readdirSync(logs)
        .map((name) => join(logs, name))
        .toSorted((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs)[0]
    : undefined
  const file = newest ?? join(home.folder, START_LOG)
  return `${readFileSync(file, 'utf8').trim().split('\n').slice(-4).join(' | ')} (more in ${file})`
}

function as(home: Home): { uid?: number; gid?: number; cwd: string } {
  const { account } = home
  return { ...(account.switch && { uid: account.uid, gid: account.gid }), cwd: home.folder }
}

function text(stream: ReadableStream<Uint8Array>): Promise<string> {
  return new Response(stream).text()
}
