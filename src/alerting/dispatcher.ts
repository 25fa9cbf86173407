import type { AlertContext } from '../domain/alerts/context.ts'
import type { SignedGraphs } from '../domain/alerts/signed-graphs.ts'
import type { Graphs } from '../domain/graphs.ts'
import type { Deliver } from '../notify/deliver.ts'
import type { Delivery, Notification } from '../notify/notification.ts'
import type { Log } from '../observe/log.ts'
import {
  claimOutbox,
  finishOutbox,
  type OutboxItem,
  type OutboxResult,
  outboxCounts,
  releaseClaims,
} from '../store/alerts/outbox.ts'
import type { Store } from '../store/client.ts'
import { drawPictures } from './pictures.ts'
import { notificationOf, type Shown } from './words.ts'

export interface DispatcherDeps {
  readonly store: Store
  readonly log: Log
  readonly deliver: Deliver
  /** Links, signed URLs, and images for mail; absent: notifications have none. */
  readonly pictures?: { readonly signed: SignedGraphs; readonly graphs: Graphs }
}

export interface DispatcherStats {
  readonly sent: number
  /** Attempts that failed. */
  readonly failed: number
  /** Notifications that were given up. */
  readonly dead: number
  /** Stored notifications that wait, and those that were given up; as last counted. */
  readonly waiting: number
  readonly letters: number
  /** Seconds from storing a notification to handing it over, of the last one sent. */
  readonly lastDelayS: number
}

/** Sends what is in the outbox: each notification at least once, in order for each alert and transport. */
export interface Dispatcher {
  start(): void
  /** There is something to send. */
  wake(): void
  stop(): Promise<void>
  stats(): DispatcherStats
}

const TICK_MS = 1000
/** Under way at the same time: in all, and by one transport. */
const MAX_AT_ONCE = 32
const MAX_BY_TRANSPORT = 4
/** Pause before the second attempt, doubled each time, at most an hour, each shortened by up to a third at random. */
const FIRST_RETRY_MS = 2000
const MAX_RETRY_MS = 3_600_000
/** A notification is given up after this time. */
const GIVE_UP_MS = 24 * 3_600_000
const STOP_MS = 1500
const COUNT_EVERY_MS = 10_000

export function createDispatcher({ store, log, deliver, pictures }: DispatcherDeps): Dispatcher {
  const abort = new AbortController()
  const busy = new Map<number, number>()
  const under = new Map<number, Promise<void>>()
  let ticker: ReturnType<typeof setInterval> | null = null
  let claiming: Promise<void> | null = null
  let asked = false
  let released = false
  let up = true
  let countedAt = Number.NEGATIVE_INFINITY
  let stored = { waiting: 0, dead: 0 }
  const counts = { sent: 0, failed: 0, dead: 0, lastDelayS: 0 }

  function wake(): void {
    asked = true
    if (claiming !== null || abort.signal.aborted) return
    claiming = claim()
      .then(() => {
        up = true
      })
      .catch((error: unknown) => {
        if (up) log.error({ err: error }, 'notifications cannot be read, trying again')
        up = false
        asked = false
        // what was claimed may not have arrived here
        released = false
      })
      .finally(() => {
        claiming = null
        if (asked) wake()
      })
  }

  async function claim(): Promise<void> {
    if (!released) await releaseClaims(store, [...under.keys()])
    released = true
    while (asked && !abort.signal.aborted) {
      asked = false
      const room = MAX_AT_ONCE - under.size
      if (room <= 0) return
      const full = [...busy].flatMap(([id, n]) => (n >= MAX_BY_TRANSPORT ? [id] : []))
      const items = await claimOutbox(store, room, full)
      for (const item of items) begin(item)
    }
    if (performance.now() - countedAt > COUNT_EVERY_MS) {
      countedAt = performance.now()
      stored = await outboxCounts(store)
    }
  }

  function begin(item: OutboxItem): void {
    const { transport_id: id } = item
    busy.set(id, (busy.get(id) ?? 0) + 1)
    const work = send(item).finally(() => {
      under.delete(item.id)
      const left = (busy.get(id) ?? 1) - 1
      if (left === 0) busy.delete(id)
      else busy.set(id, left)
      wake()
    })
    under.set(item.id, work)
  }

  async function send(item: OutboxItem): Promise<void> {
    const began = performance.now()
    const transport = { kind: item.transport_type, settings: item.transport_config }
    // Stored by this program, as AlertContext.
    const context = item.context as unknown as AlertContext
    const shown = await shownIn(item, context)
    let notification: Notification
    try {
      notification = notificationOf(item.key, context, item.template, log, shown)
    } catch (error) {
      // another attempt would fail in the same way, and the next notifications of the alert would wait for it
      const reason = `the notification cannot be written: ${error instanceof Error ? error.message : String(error)}`
      await finish(item, resultOf(item, { kind: 'refused', reason }, 0))
      return
    }
    const delivery = await deliver(transport, notification, abort.signal)
    // A send that the stop aborted is made again after the next start.
    if (abort.signal.aborted && delivery.kind !== 'delivered') return
    await finish(item, resultOf(item, delivery, item.age + performance.now() - began))
  }

  /** Graphs only decorate: without them the notification is sent all the same. */
  async function shownIn({ template, transport_type }: OutboxItem, context: AlertContext): Promise<Shown> {
    if (pictures === undefined) return { graphUrl: null, pageUrl: null, images: [] }
    const withUrls = template !== null && /@signedGraph/i.test(template.template)
    const withImages = transport_type === 'mail' && (template === null || template.template.includes('cid:graph'))
    return {
      graphUrl: withUrls ? await pictures.signed.signer().catch(() => null) : null,
      pageUrl: pictures.signed.pageUrl(context.device_id),
      images: withImages ? await drawPictures(pictures.graphs, context) : [],
    }
  }

  function resultOf(item: OutboxItem, delivery: Delivery, ageMs: number): OutboxResult {
    if (delivery.kind === 'delivered') {
      counts.sent++
      counts.lastDelayS = ageMs / 1000
      return { kind: 'sent' }
    }
    counts.failed++
    const names = { transport: item.transport_name, notification: item.key, reason: delivery.reason }
    if (delivery.kind === 'refused' || ageMs > GIVE_UP_MS) {
      counts.dead++
      log.error(names, 'notification given up')
      return { kind: 'dead', error: delivery.reason }
    }
    log.warn({ ...names, attempts: item.attempts }, 'notification not sent, trying again')
    const pause = Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(20, item.attempts - 1))
    // what the receiver asked for, and a little more at random: others were asked the same
    const asked = Math.min(MAX_RETRY_MS, delivery.afterMs ?? 0) * (1 + Math.random() / 10)
    const afterMs = Math.max(asked, pause * (1 - Math.random() / 3))
    return { kind: 'again', afterMs, error: delivery.reason }
  }

  /** Stores the result, also when the database is away for a while: until then the alert's next notification waits. */
  async function finish(item: OutboxItem, result: OutboxResult): Promise<void> {
    for (;;) {
      try {
        await finishOutbox(store, item.id, result)
        return
      } catch (error) {
        log.error({ err: error, notification: item.key }, 'result of a notification not stored, trying again')
        if (abort.signal.aborted) return
        await Bun.sleep(TICK_MS)
      }
    }
  }

  return {
    wake,
    start() {
      ticker = setInterval(wake, TICK_MS)
      wake()
    },
    async stop() {
      if (ticker !== null) clearInterval(ticker)
      const graceful = Promise.all([claiming, ...under.values()])
      await Promise.race([graceful, Bun.sleep(STOP_MS)])
      abort.abort()
      await Promise.race([Promise.all([...under.values()]), Bun.sleep(STOP_MS)])
    },
    stats: () => ({ ...counts, waiting: stored.waiting, letters: stored.dead }),
  }
}
