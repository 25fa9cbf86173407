import type { Log } from '../observe/log.ts'

/**
 * Queue of inventory changes noticed by polls (a port went down, a device came back): written one after the other, in
 * order, retried while the database is unavailable. Bounded: beyond `limit` the oldest are dropped and counted.
 */
export interface ChangeQueue {
  push(name: string, change: () => Promise<void>): void
  /** Resolves when everything pushed before the call is done or dropped. */
  flush(): Promise<void>
  /** Processes the rest for at most `graceMs`. */
  stop(graceMs: number): Promise<void>
  stats(): { readonly waiting: number; readonly dropped: number }
}

export interface ChangeQueueOptions {
  readonly retryable: (error: unknown) => boolean
  readonly log: Log
  readonly limit?: number
  readonly retryMs?: number
}

interface Change {
  readonly name: string
  readonly run: () => Promise<void>
  readonly settle: () => void
  readonly settled: Promise<void>
}

export function createChangeQueue(o: ChangeQueueOptions): ChangeQueue {
  const limit = o.limit ?? 100_000
  const retryMs = o.retryMs ?? 1000
  const queue: Change[] = []
  let dropped = 0
  let pumping = false
  let stopping = false

  async function pump(): Promise<void> {
    if (pumping) return
    pumping = true
    for (let head = queue[0]; head !== undefined; head = queue[0]) {
      try {
        await head.run()
      } catch (error) {
        if (o.retryable(error) && !stopping) {
          await Bun.sleep(retryMs)
          continue
        }
        o.log.error({ err: error, change: head.name }, 'change could not be stored')
      }
      queue.shift()
      head.settle()
    }
    pumping = false
  }

  return {
    push(name, run) {
      const { promise, resolve } = Promise.withResolvers<void>()
      queue.push({ name, run, settle: resolve, settled: promise })
      if (queue.length > limit) {
        const [oldest] = queue.splice(1, 1)
        oldest?.settle()
        dropped++
        o.log.error({ change: oldest?.name, dropped }, 'too many changes waiting for the database, oldest dropped')
      }
      void pump()
    },
    async flush() {
      await queue.at(-1)?.settled
    },
    async stop(graceMs) {
      stopping = true
      await Promise.race([queue.at(-1)?.settled, Bun.sleep(graceMs)])
    },
    stats: () => ({ waiting: queue.length, dropped }),
  }
}
