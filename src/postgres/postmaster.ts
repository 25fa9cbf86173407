import { readdirSync, readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/** Contents of postmaster.pid: the process, and what it is doing. */
export interface PidFile {
  readonly pid: number
  readonly port: number
  /** Folder of the unix socket. */
  readonly sockets: string
  readonly ready: boolean
  /** Whether it replays archived WAL (recovery.signal), which may take hours, and accepts no connections (hot_standby off). */
  readonly recovering: boolean
}

/** Reads PGDATA/postmaster.pid; null when there is none or it is still being written. Throws without descriptors. */
export function readPidFile(data: string): PidFile | null {
  let lines: string[]
  try {
    lines = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')
  } catch (error) {
    return unknown(error)
  }
  const pid = Number(lines[0])
  if (!Number.isInteger(pid) || pid <= 0) return null
  const status = lines[7]?.trim()
  return {
    pid,
    port: Number(lines[3]),
    sockets: lines[4] ?? '',
    ready: status === 'ready',
    recovering: status === 'standby',
  }
}

/**
 * All server processes of this data folder, found by their working folder (Linux), because a pid may have been reused.
 * Backends outlive a killed postmaster for a moment.
 */
export function serverProcesses(data: string): number[] {
  const real = realFolder(data)
  if (real === null) return []
  return readdirSync('/proc').flatMap((name) =>
    /^\d+$/.test(name) && workingFolder(name) === real ? [Number(name)] : [],
  )
}

/** Processes whose program is a file below this folder (Linux), as far as this user may see them. */
export function processesRunning(folder: string): number[] {
  const real = realFolder(folder)
  if (real === null) return []
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return []
    try {
      return readlinkSync(`/proc/${name}/exe`).startsWith(`${real}/`) ? [Number(name)] : []
    } catch {
      return [] // ended, or of another user
    }
  })
}

function realFolder(data: string): string | null {
  try {
    return realpathSync(data)
  } catch (error) {
    return unknown(error)
  }
}

/** null; throws if no descriptor was left, because a server that is running would be taken for dead. */
function unknown(error: unknown): null {
  if (['EMFILE', 'ENFILE'].includes((error as { code?: string }).code ?? '')) throw error
  return null
}

function workingFolder(pid: string): string | null {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return null
  }
}

/** The running postmaster of the data folder; null when there is none. */
export function runningPostmaster(data: string): PidFile | null {
  const file = readPidFile(data)
  return file !== null && workingFolder(String(file.pid)) === realFolder(data) ? file : null
}

/**
 * Stops every process of the server: a fast shutdown, after `graceMs` an immediate one (the next start recovers from
 * the write-ahead log, nothing acknowledged is lost), then SIGKILL. Removes a stale postmaster.pid.
 */
export async function stopServer(data: string, graceMs: number): Promise<void> {
  const steps: { signal: NodeJS.Signals; all: boolean; waitMs: number }[] = [
    { signal: 'SIGINT', all: false, waitMs: graceMs },
    { signal: 'SIGQUIT', all: true, waitMs: 2000 },
    { signal: 'SIGKILL', all: true, waitMs: 2000 },
  ]
  for (const { signal, all, waitMs } of steps) {
    const left = serverProcesses(data)
    if (left.length === 0) break
    const postmaster = readPidFile(data)?.pid
    for (const pid of left) if (all || pid === postmaster) send(pid, signal)
    await until(() => serverProcesses(data).length === 0, waitMs)
  }
  if (serverProcesses(data).length === 0) rmSync(join(data, 'postmaster.pid'), { force: true })
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // already ended
  }
}

/** Waits until `done`; false after `timeoutMs`. */
export async function until(done: () => boolean, timeoutMs: number): Promise<boolean> {
  const deadline = performance.now() + timeoutMs
  while (!done()) {
    if (performance.now() > deadline) return false
    await Bun.sleep(20)
  }
  return true
}
