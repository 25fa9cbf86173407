import type { Log } from '../../observe/log.ts'

/**
 * Queue of inventory changes (a port went down, a device came back, a discovery ended). Changes with the same key, such
 * as those of one device, are written in order, one at a time; those with different keys in parallel. They are retried
 * while the database is unavailable. Beyond `limit` the oldest are dropped and counted.
 */
export interface ChangeQueue {
  /** `key`: a device's id, or 0. Resolves when the change is written or dropped. */
  push(name: string, key: number, change: () => Promise<void>): Promise<void>
  /** Writes the remaining changes for at most `graceMs`. */
  stop(graceMs: number): Promise<void>
  stats(): { readonly waiting: number; readonly dropped: number }
}

export interface ChangeQueueOptions {
  readonly retryable: (error: unknown) => boolean
  readonly log: Log
  /** Called when a change with this key has been stored. */
  readonly done?: (name: string, key: number) => void
  readonly limit?: number
  readonly retryMs?: number
  /** Number of changes written at a time. Each takes a database connection. */
  readonly concurrency?: number
}

interface Change {
  readonly name: string
  readonly run: () => Promise<void>
  readonly settle: () => void
}

/** Low enough to leave connections for the samples and the API. */
const CONCURRENCY = 3

export function createChangeQueue(o: ChangeQueueOptions): ChangeQueue {
  const limit = o.limit ?? 100_000
  const retryMs = o.retryMs ?? 1000
  const concurrency = o.concurrency ?? CONCURRENCY
  /** Changes by key; the first of each may be in progress. */
  const lanes = new Map<number, Change[]>()
  /** Keys with changes, none of them in progress; longest waiting first. */
  const ready = new Set<number>()
  const idle: (() => void)[] = []
  let waiting = 0
  let running = 0
  let dropped = 0
  let stopping = false

  function pump(): void {
    for (const key of ready) {
      if (running >= concurrency) return
      const lane = lanes.get(key)
      ready.delete(key)
      if (lane !== undefined) void work(key, lane)
    }
  }

  async function work(key: number, lane: Change[]): Promise<void> {
    const [change] = lane
    if (change === undefined) return
    running++
    await write(key, change)
    running--
    lane.shift()
    waiting--
    change.settle()
    if (lane.length === 0) lanes.delete(key)
    else ready.add(key)
    if (waiting === 0) for (const tell of idle.splice(0)) tell()
    pump()
  }

  async function write(key: number, change: Change): Promise<void> {
    for (;;) {
      try {
        await change.run()
        o.done?.(change.name, key)
        return
      } catch (error) {
        if (o.retryable(error) && !stopping) {
          await Bun.sleep(retryMs)
          continue
        }
        o.log.error({ err: error, change: change.name, deviceId: key }, 'change could not be stored')
        return
      }
    }
  }

  /** Drops the oldest waiting change of the key that has waited longest. */
  function drop(): void {
    for (const [key, lane] of lanes) {
      const first = ready.has(key) ? 0 : 1
      const [oldest] = lane.splice(first, 1)
      if (oldest === undefined) continue
      if (lane.length === 0) {
        lanes.delete(key)
        ready.delete(key)
      }
      waiting--
      dropped++
      oldest.settle()
      o.log.error({ change: oldest.name, dropped }, 'too many changes waiting for the database, oldest dropped')
      return
    }
  }

  return {
    push(name, key, run) {
      const { promise, resolve } = Promise.withResolvers<void>()
      const change = { name, run, settle: resolve }
      const lane = lanes.get(key)
      if (lane === undefined) {
        lanes.set(key, [change])
        ready.add(key)
      } else lane.push(change)
      waiting++
      if (waiting > limit) drop()
      pump()
      return promise
    },
    async stop(graceMs) {
      stopping = true
      if (waiting === 0) return
      const { promise, resolve } = Promise.withResolvers<void>()
      idle.push(resolve)
      await Promise.race([promise, Bun.sleep(graceMs)])
    },
    stats: () => ({ waiting, dropped }),
  }
}
