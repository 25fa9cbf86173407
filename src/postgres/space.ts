import { existsSync, statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import { EmbeddedPostgresError } from './errors.ts'

const MIB = 2 ** 20

/**
 * Below this much free space writes are stopped, because PostgreSQL would crash when it cannot extend its write-ahead
 * log (16 MiB a file), and then reads would fail too.
 */
const LOW = 96 * MIB
/** Writes resume at this much free space. */
const ENOUGH = 160 * MIB
/** Space for a new database: its files, its first write-ahead log, and room to start. */
const FIRST = 320 * MIB

/** Bytes available to unprivileged users on the disk of `path`, or of its nearest existing parent. */
export function freeOctets(path: string): number {
  let at = path
  while (!existsSync(at) && at !== dirname(at)) at = dirname(at)
  const { bavail, bsize, blocks } = statfsSync(at)
  // virtual file systems such as /proc report no size
  return blocks === 0 ? Number.POSITIVE_INFINITY : bavail * bsize
}

/** Whether writes must stop or stay stopped. */
export function mustStopWrites(free: number, stopped: boolean): boolean {
  return free < (stopped ? ENOUGH : LOW)
}

/** Throws EmbeddedPostgresError if the disk is too full to start an existing database or to create a new one. */
export function requireSpace(folder: string, database: 'present' | 'new'): void {
  const free = freeOctets(folder)
  const needed = database === 'present' ? LOW : FIRST
  if (free >= needed) return
  throw new EmbeddedPostgresError(
    `the disk of ${folder} is full: ${mib(free)} MiB are free and the database needs ${mib(needed)}; make room or use another --data-dir`,
  )
}

/**
 * Throws EmbeddedPostgresError if PostgreSQL itself (`octets`: its size in bytes) leaves too little room for a
 * database.
 */
export function requireSpaceFor(folder: string, octets: number): void {
  const free = freeOctets(folder)
  if (free >= LOW + octets) return
  throw new EmbeddedPostgresError(
    `the disk of ${folder} is full: ${mib(free)} MiB are free, and unpacking PostgreSQL needs ${mib(LOW + octets)}; make room or use another --data-dir`,
  )
}

/** Bytes as whole MiB, for messages. */
export function mib(octets: number): number {
  return Math.floor(octets / MIB)
}

const LOOK_MS = 1000

/** Free space on the disk fell below the limit for writes, or is sufficient again. */
export interface SpaceChange {
  readonly full: boolean
  readonly freeMib: number
}

/** Checks once a second and calls `change` on every change; if that throws, it is called again a second later. */
export function watchSpace(
  folder: string,
  change: (change: SpaceChange) => void,
  failed: (error: unknown) => void,
): { end(): void } {
  let full = false
  const timer = setInterval(() => {
    try {
      const free = freeOctets(folder)
      if (mustStopWrites(free, full) === full) return
      change({ full: !full, freeMib: mib(free) })
      full = !full
    } catch (error) {
      failed(error)
    }
  }, LOOK_MS)
  timer.unref()
  return { end: () => clearInterval(timer) }
}
