import type { Store } from '../database/client.ts'
import { createAttemptQueues } from './attempt-queues.ts'
import { createGrouper } from './messages/grouper.ts'
import { type SendingDefaults, USUAL_DEFAULTS } from './messages/limits.ts'
import type { Held } from './messages/plan.ts'
import type { ClaimedMessage } from './messages/write-messages.ts'
import { failingCount, tellFailing } from './messages/write-transport-health.ts'
import { createResults } from './outbox-results.ts'
import { createSender, type SenderDeps, type SenderStats } from './sender.ts'
import { claimOutbox, type OutboxItem, outboxCounts, releaseClaims } from './write-outbox.ts'

export interface DispatcherDeps extends Omit<SenderDeps, 'stopped'> {
  readonly store: Store
  /** How transports send that set nothing; default: as the settings are by default. */
  readonly defaults?: (() => SendingDefaults) | undefined
}

export interface DispatcherStats extends SenderStats {
  /** Stored notifications that are waiting, and that were given up, when last counted. */
  readonly waiting: number
  readonly deadLetters: number
  /** Transports that count as failing, when last counted. */
  readonly failing: number
}

/** Sends notifications from the outbox: each at least once, in order for each alert and transport; together where transports group. */
export interface Dispatcher {
  start(): void
  /** Call this when there may be something to send. */
  wake(): void
  stop(): Promise<void>
  stats(): DispatcherStats
}

const TICK_MS = 1000
/** Maximum claimed for one transport, including those being sent; more are claimed below MIN_CLAIMED. */
const MAX_CLAIMED = 64
const MIN_CLAIMED = 32
const STOP_MS = 1500
const COUNT_EVERY_MS = 10_000

/** A claimed notification or message. `since`: when it was stored or formed, as `performance.now()`. */
type Claimed = { readonly since: number } & (
  | { readonly what: 'notification'; readonly item: OutboxItem; readonly held: Held | null }
  | { readonly what: 'message'; readonly item: ClaimedMessage }
)

export function createDispatcher(deps: DispatcherDeps): Dispatcher {
  const { store, log, deliver, trace, pictures, links, defaults = () => USUAL_DEFAULTS } = deps
  const abort = new AbortController()
  const claimed = new Set<number>()
  const messages = new Set<number>()
  let timer: ReturnType<typeof setTimeout> | null = null
  let ticker: ReturnType<typeof setInterval> | null = null
  let claiming: Promise<void> | null = null
  let asked = false
  let released = false
  let stopping = false
  let up = true
  let toldAt = Number.NEGATIVE_INFINITY
  let countedAt = Number.NEGATIVE_INFINITY
  let stored = { waiting: 0, dead: 0, failing: 0 }
  const queues = createAttemptQueues<Claimed>(attempt)
  const sender = createSender({ log, deliver, trace, pictures, links, stopped: abort.signal })
  const grouper = createGrouper({ store, defaults, now: () => null })
  const rules = () => ({ failures: defaults().transportFailures })
  const results = createResults({ store, log, rules, stopped: abort.signal, stored: release })

  /** The results of these notifications and messages are stored, so that there is room for others. */
  function release(ids: Iterable<number>, messageIds: Iterable<number>): void {
    for (const id of ids) claimed.delete(id)
    for (const id of messageIds) {
      messages.delete(id)
      wake()
    }
    for (const size of queues.sizes().values()) if (size < MIN_CLAIMED) wake()
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
    if (!released) await releaseClaims(store, [...claimed], [...messages])
    released = true
    while (asked && !stopping) {
      asked = false
      const claims = await grouper.claim(queues.sizes(), MAX_CLAIMED)
      for (const item of claims.messages) {
        messages.add(item.id)
        queues.add({ what: 'message', item, since: performance.now() - Math.max(0, Date.now() - item.formed) })
      }
      for (const item of await claimOutbox(store, claims.capacities)) {
        claimed.add(item.id)
        const held = item.attempts === 1 ? claims.heldByRate(item.transport_id, item.age) : null
        queues.add({ what: 'notification', item, held, since: performance.now() - item.age })
      }
      queues.beginSome()
      wakeIn(claims.waitMs)
    }
    if (performance.now() - toldAt > TICK_MS) {
      toldAt = performance.now()
      await tellFailing(store)
    }
    if (performance.now() - countedAt > COUNT_EVERY_MS) {
      countedAt = performance.now()
      const [counts, failing] = await Promise.all([outboxCounts(store), failingCount(store)])
      stored = { ...counts, failing }
    }
  }

  /** Looks again earlier than the next tick. */
  function wakeIn(ms: number | null): void {
    if (timer !== null) clearTimeout(timer)
    timer = ms === null || ms > TICK_MS ? null : setTimeout(wake, Math.max(1, Math.ceil(ms)))
  }

  async function attempt(one: Claimed): Promise<void> {
    const { what, item, since } = one
    const result =
      one.what === 'message' ? await sender.sendMessage(one.item, since) : await sender.send(one.item, since, one.held)
    if (result !== null) results.add(what, item.id, { transportId: item.transport_id, result })
  }

  return {
    wake,
    start() {
      ticker = setInterval(wake, TICK_MS)
      wake()
    },
    async stop() {
      if (ticker !== null) clearInterval(ticker)
      if (timer !== null) clearTimeout(timer)
      stopping = true
      // what is claimed but not started is sent after the next start
      queues.stop()
      const ended = async () => {
        await Promise.all([claiming, queues.idle()])
        await results.idle()
      }
      await Promise.race([ended(), Bun.sleep(STOP_MS)])
      abort.abort()
      await Promise.race([ended(), Bun.sleep(STOP_MS)])
    },
    stats: () => ({ ...sender.stats(), waiting: stored.waiting, deadLetters: stored.dead, failing: stored.failing }),
  }
}
