import type { Store } from '../database/client.ts'
import { createResults } from './outbox-results.ts'
import { createSender, type SenderDeps, type SenderStats } from './sender.ts'
import { claimOutbox, type OutboxItem, outboxCounts, releaseClaims } from './write-outbox.ts'

export interface DispatcherDeps extends Omit<SenderDeps, 'stopped'> {
  readonly store: Store
}

export interface DispatcherStats extends SenderStats {
  /** Stored notifications that are waiting, and that were given up, when last counted. */
  readonly waiting: number
  readonly letters: number
}

/** Sends notifications from the outbox: each at least once, in order for each alert and transport. */
export interface Dispatcher {
  start(): void
  /** Call this when there may be something to send. */
  wake(): void
  stop(): Promise<void>
  stats(): DispatcherStats
}

const TICK_MS = 1000
/** Maximum number of concurrent attempts, in total and for one transport. */
const MAX_AT_ONCE = 128
const MAX_BY_TRANSPORT = 4
/** Maximum claimed for one transport, including those being sent; more are claimed below MIN_CLAIMED. */
const MAX_CLAIMED = 16
const MIN_CLAIMED = 8
const STOP_MS = 1500
const COUNT_EVERY_MS = 10_000

/** A claimed notification, and when it was stored, as `performance.now()`. */
interface Claimed {
  readonly item: OutboxItem
  readonly since: number
}

export function createDispatcher({ store, log, deliver, trace, pictures, links }: DispatcherDeps): Dispatcher {
  const abort = new AbortController()
  /** Claimed notifications by transport: number being sent, and those waiting. */
  const queues = new Map<number, { busy: number; readonly waiting: Claimed[] }>()
  const claimed = new Set<number>()
  const under = new Map<number, Promise<void>>()
  let ticker: ReturnType<typeof setInterval> | null = null
  let claiming: Promise<void> | null = null
  let asked = false
  let released = false
  let stopping = false
  let up = true
  let countedAt = Number.NEGATIVE_INFINITY
  let stored = { waiting: 0, dead: 0 }
  const sender = createSender({ log, deliver, trace, pictures, links, stopped: abort.signal })
  const results = createResults({ store, log, stopped: abort.signal, stored: release })

  /** The results of these notifications are stored, so that there is room for others. */
  function release(ids: Iterable<number>): void {
    for (const id of ids) claimed.delete(id)
    for (const [id, { busy, waiting }] of queues) {
      if (busy + waiting.length < MIN_CLAIMED) wake()
      if (busy + waiting.length === 0) queues.delete(id)
    }
  }

  function wake(): void {
    asked = true
    if (claiming !== null || stopping) return
    claiming = claim()
      .then(() => {
        up = true
      })
      .catch((error: unknown) => {
        if (up) log.error({ err: error }, 'notifications cannot be read, trying again')
        up = false
        asked = false
        // claims may have been made although the result did not arrive
        released = false
      })
      .finally(() => {
        claiming = null
        if (asked) wake()
      })
  }

  async function claim(): Promise<void> {
    if (!released) await releaseClaims(store, [...claimed])
    released = true
    while (asked && !stopping) {
      asked = false
      const taken = [...queues].map(([id, { busy, waiting }]) => [id, busy + waiting.length] as const)
      const items = await claimOutbox(store, {
        ids: taken.map(([id]) => id),
        rooms: taken.map(([, count]) => MAX_CLAIMED - count),
        others: MAX_CLAIMED,
      })
      for (const item of items) {
        claimed.add(item.id)
        const queue = queues.get(item.transport_id) ?? { busy: 0, waiting: [] }
        queues.set(item.transport_id, queue)
        queue.waiting.push({ item, since: performance.now() - item.age })
      }
      beginSome()
    }
    if (performance.now() - countedAt > COUNT_EVERY_MS) {
      countedAt = performance.now()
      stored = await outboxCounts(store)
    }
  }

  /** Starts as many attempts as the limits allow, one of each transport in turn. */
  function beginSome(): void {
    for (let begun = true; begun; ) {
      begun = false
      for (const queue of queues.values()) {
        if (stopping || under.size >= MAX_AT_ONCE || queue.busy >= MAX_BY_TRANSPORT) continue
        const next = queue.waiting.shift()
        if (next === undefined) continue
        queue.busy++
        under.set(
          next.item.id,
          attempt(next).finally(() => {
            under.delete(next.item.id)
            queue.busy--
            beginSome()
          }),
        )
        begun = true
      }
    }
  }

  async function attempt({ item, since }: Claimed): Promise<void> {
    const result = await sender.send(item, since)
    if (result !== null) results.add(item.id, result)
  }

  return {
    wake,
    start() {
      ticker = setInterval(wake, TICK_MS)
      wake()
    },
    async stop() {
      if (ticker !== null) clearInterval(ticker)
      stopping = true
      // what is claimed but not started is sent after the next start
      for (const { waiting } of queues.values()) waiting.length = 0
      const ended = async () => {
        await Promise.all([claiming, ...under.values()])
        await results.idle()
      }
      await Promise.race([ended(), Bun.sleep(STOP_MS)])
      abort.abort()
      await Promise.race([ended(), Bun.sleep(STOP_MS)])
    },
    stats: () => ({ ...sender.stats(), waiting: stored.waiting, letters: stored.dead }),
  }
}
