import { closeSync, openSync, readFileSync } from 'node:fs'
import { figure } from './figures.ts'
import type { Log } from './log.ts'
import type { Metric } from './metrics.ts'

/**
 * How many files and connections this process may have open; null: unknown. The runtime raises the soft limit to the
 * hard one as it starts.
 */
export function descriptorLimit(): number | null {
  try {
    const limit = Number(/^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1])
    return limit > 0 ? limit : null
  } catch {
    return null // not Linux
  }
}

/** Descriptors kept for the database, the agents and the program itself. */
export function reserveOf(limit: number): number {
  return Math.min(256, Math.floor(limit / 4))
}

/** A server whose connections may use up the descriptors. */
export interface Accepting {
  /** Accepts no more connections, and soon closes those it has. */
  pause(): void
  /** Accepts connections again. Throws if it cannot yet. */
  resume(): void
}

export interface DescriptorWatch {
  metrics(): Metric[]
  stop(): void
}

const LOOK_MS = 50
/** Free descriptors below which connections are refused. */
const LOW = 16
/** Without pressure for this long, the next one is logged again. */
const QUIET_MS = 60_000

/**
 * Keeps a reserve of descriptors open. When everything else is used up by connections, those are refused and the
 * reserve is given to whoever needs it: the database, the agents, the log.
 */
export function watchDescriptors(accepting: Accepting, log: Log, limit = descriptorLimit()): DescriptorWatch {
  let reserve: number[] = []
  let paused = false
  let episodes = 0
  let quietSince = Number.NEGATIVE_INFINITY

  /** Opens the reserve; false if there is no room for it. */
  function keep(count: number): boolean {
    try {
      while (reserve.length < count) reserve.push(openSync('/dev/null', 'r'))
      return true
    } catch {
      release()
      return false
    }
  }

  function release(): void {
    for (const fd of reserve) closeSync(fd)
    reserve = []
  }

  function check(most: number): void {
    if (!paused && hasRoom(most)) return
    const now = performance.now()
    if (!paused) {
      paused = true
      accepting.pause()
      release()
      if (now - quietSince > QUIET_MS) {
        episodes++
        log.error(
          { limit: most },
          'too many connections: no descriptors are left, so new connections are refused until some are closed; raise the limit of open files (LimitNOFILE, ulimit -n) if they are wanted',
        )
      }
    }
    quietSince = now
    if (!keep(reserveOf(most)) || !hasRoom(most)) {
      release()
      return
    }
    try {
      accepting.resume()
      paused = false
    } catch {
      release()
    }
  }

  const timer = limit === null ? null : setInterval(check, LOOK_MS, limit)
  timer?.unref()
  if (limit !== null) keep(reserveOf(limit))
  return {
    metrics: () => [figure('portlight_descriptors_exhausted_total', episodes)],
    stop() {
      if (timer !== null) clearInterval(timer)
      release()
    },
  }
}

/** Whether the lowest free descriptor is well below the limit: the kernel always gives the lowest. */
function hasRoom(limit: number): boolean {
  try {
    const fd = openSync('/dev/null', 'r')
    closeSync(fd)
    return fd < limit - LOW
  } catch {
    return false
  }
}
