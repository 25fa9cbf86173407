import { steadyNow } from '../../lib/steady.ts'

/** Age up to which a value is current. Older values are still returned while they are read again. */
const FRESH_MS = 10_000
/** Values older than this are read again before anything is returned. */
const OLD_MS = 120_000
/** Maximum number of values kept, by default. */
const MAX_KEPT = 1000

interface Snapshot {
  readonly atMs: number
  readonly value: unknown
}

interface SnapshotOptions {
  /** Default: `steadyNow`. */
  readonly now?: () => number
  readonly maxKept?: number
}

/**
 * Caches values that are expensive to read and the same for all actors of a scope. Concurrent requests share one read
 * per key. Failed reads are not cached.
 */
export function createSnapshots({ now = steadyNow, maxKept = MAX_KEPT }: SnapshotOptions = {}) {
  const known = new Map<string, Snapshot>()
  const reading = new Map<string, Promise<unknown>>()

  function read(key: string, work: () => Promise<unknown>): Promise<unknown> {
    const under = reading.get(key)
    if (under !== undefined) return under
    const made = work()
      .then((value) => {
        if (known.size >= maxKept) known.clear()
        known.set(key, { atMs: now(), value })
        return value
      })
      .finally(() => reading.delete(key))
    reading.set(key, made)
    return made
  }

  /**
   * The value under the key, at most two minutes old. `key` must name the kind of value and everything it depends on.
   */
  return async <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const last = known.get(key)
    const age = last === undefined ? Number.POSITIVE_INFINITY : now() - last.atMs
    if (last === undefined || age > OLD_MS) return (await read(key, work)) as T
    if (age > FRESH_MS) read(key, work).catch(() => undefined)
    return last.value as T
  }
}
