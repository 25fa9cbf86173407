import { durationsOf } from '../../observe/figures.ts'
import type { Log } from '../../observe/log.ts'
import type { Metric } from '../../observe/metrics.ts'
import type { Trace } from '../../observe/trace.ts'
import type { Graphs } from '../base/graphs.ts'
import type { Store } from '../database/client.ts'
import type { AlertContext } from './context.ts'
import { drawPictures } from './graph-attachments.ts'
import { NOTHING_SHOWN, notificationOf, type Shown } from './message.ts'
import type { SignedGraphs } from './signed-graphs.ts'
import type { Deliver } from './transports/deliver.ts'
import { kindOf } from './transports/kinds.ts'
import type { AlertNotification, Delivery } from './transports/notification.ts'
import {
  claimOutbox,
  finishOutbox,
  type OutboxItem,
  type OutboxResult,
  outboxCounts,
  releaseClaims,
} from './write-outbox.ts'

export interface DispatcherDeps {
  readonly store: Store
  readonly log: Log
  readonly deliver: Deliver
  /** Records a span for each attempt; default: none. */
  readonly trace?: Trace
  /** For links, signed URLs, and images in mail; absent: notifications have none. */
  readonly pictures?: { readonly signed: SignedGraphs; readonly graphs: Graphs }
}

export interface DispatcherStats {
  readonly sent: number
  /** Attempts that failed. */
  readonly failed: number
  /** Notifications that were given up. */
  readonly dead: number
  /** Stored notifications that are waiting, and that were given up, when last counted. */
  readonly waiting: number
  readonly letters: number
  /** Seconds between storing and delivering the notification sent last. */
  readonly lastDelayS: number
  /** How long attempts took, by kind of transport. */
  readonly durations: readonly Metric[]
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
/** Pause before the second attempt, doubled each time up to an hour; each is shortened at random by up to a third. */
const FIRST_RETRY_MS = 2000
const MAX_RETRY_MS = 3_600_000
/** A notification is given up after this time. */
const GIVE_UP_MS = 24 * 3_600_000
const STOP_MS = 1500
const COUNT_EVERY_MS = 10_000
const BOUNDS_S = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/** A claimed notification, and when it was stored, as `performance.now()`. */
interface Claimed {
  readonly item: OutboxItem
  readonly since: number
}

export function createDispatcher({ store, log, deliver, trace, pictures }: DispatcherDeps): Dispatcher {
  const abort = new AbortController()
  /** Claimed notifications by transport: number being sent, and those waiting. */
  const lanes = new Map<number, { busy: number; readonly waiting: Claimed[] }>()
  const claimed = new Set<number>()
  const under = new Map<number, Promise<void>>()
  /** Results that are not stored yet. */
  let results = new Map<number, OutboxResult>()
  let storing: Promise<void> | null = null
  let ticker: ReturnType<typeof setInterval> | null = null
  let claiming: Promise<void> | null = null
  let asked = false
  let released = false
  let stopping = false
  let up = true
  let countedAt = Number.NEGATIVE_INFINITY
  let stored = { waiting: 0, dead: 0 }
  const counts = { sent: 0, failed: 0, dead: 0, lastDelayS: 0 }
  const durations = durationsOf('portlight_notification_duration_seconds', BOUNDS_S)

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
      const taken = [...lanes].map(([id, { busy, waiting }]) => [id, busy + waiting.length] as const)
      const items = await claimOutbox(store, {
        ids: taken.map(([id]) => id),
        rooms: taken.map(([, count]) => MAX_CLAIMED - count),
        others: MAX_CLAIMED,
      })
      for (const item of items) {
        claimed.add(item.id)
        const lane = lanes.get(item.transport_id) ?? { busy: 0, waiting: [] }
        lanes.set(item.transport_id, lane)
        lane.waiting.push({ item, since: performance.now() - item.age })
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
      for (const lane of lanes.values()) {
        if (stopping || under.size >= MAX_AT_ONCE || lane.busy >= MAX_BY_TRANSPORT) continue
        const next = lane.waiting.shift()
        if (next === undefined) continue
        lane.busy++
        under.set(
          next.item.id,
          send(next).finally(() => {
            under.delete(next.item.id)
            lane.busy--
            beginSome()
          }),
        )
        begun = true
      }
    }
  }

  async function send({ item, since }: Claimed): Promise<void> {
    const transport = { kind: item.transport_type, settings: item.transport_config }
    // Stored by this program, as AlertContext.
    const context = item.context as unknown as AlertContext
    const shown = await shownIn(item, context)
    let notification: AlertNotification
    try {
      notification = notificationOf(item.key, context, item.template, log, shown)
    } catch (error) {
      // another attempt would fail in the same way and delay the next notifications of the alert
      const reason = `the notification cannot be rendered: ${error instanceof Error ? error.message : String(error)}`
      return finish(item, resultOf(item, { kind: 'refused', reason }, 0))
    }
    const beganMs = performance.now()
    const delivery = await deliver(transport, notification, abort.signal)
    // unknown kinds count as `none`, so that stored text does not become a label
    const kind = kindOf(transport.kind)?.name ?? 'none'
    const tookMs = performance.now() - beganMs
    durations.observe(tookMs / 1000, kind, delivery.kind)
    trace?.({
      name: 'notification',
      kind: 'client',
      startMs: Date.now() - tookMs,
      tookMs,
      attributes: { 'portlight.transport_kind': kind, 'portlight.attempt': item.attempts },
      failure: delivery.kind === 'delivered' ? null : delivery.reason,
    })
    // An attempt that was aborted by the stop is repeated after the next start.
    if (abort.signal.aborted && delivery.kind !== 'delivered') return
    finish(item, resultOf(item, delivery, performance.now() - since))
  }

  /** Links and images. Failures are ignored, because the notification must be sent even without them. */
  async function shownIn({ template, transport_type }: OutboxItem, context: AlertContext): Promise<Shown> {
    if (pictures === undefined) return NOTHING_SHOWN
    const withUrls = template !== null && /@signedGraph/i.test(template.template)
    const withImages = transport_type === 'mail' && (template === null || template.template.includes('cid:graph'))
    return {
      graphUrl: withUrls ? await pictures.signed.signer().catch(() => null) : null,
      url: pictures.signed.pageUrl('alerts', context.alert_id),
      deviceUrl: pictures.signed.pageUrl('device', context.device_id),
      pageUrl: pictures.signed.addressOf,
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
    // what the receiver asked for, plus some jitter, because other notifications got the same answer
    const asked = Math.min(MAX_RETRY_MS, delivery.afterMs ?? 0) * (1 + Math.random() / 10)
    const afterMs = Math.max(asked, pause * (1 - Math.random() / 3))
    return { kind: 'again', afterMs, error: delivery.reason }
  }

  function finish({ id }: OutboxItem, result: OutboxResult): void {
    results.set(id, result)
    if (storing === null) begin()
  }

  function begin(): void {
    storing = storeResults().finally(() => {
      storing = null
      // a result that was added after the last look
      if (results.size > 0 && !abort.signal.aborted) begin()
    })
  }

  /** Stores results, retrying while the database is unavailable. The next notifications of their alerts wait for it. */
  async function storeResults(): Promise<void> {
    while (results.size > 0) {
      const some = results
      results = new Map()
      try {
        await finishOutbox(store, some)
        for (const id of some.keys()) claimed.delete(id)
      } catch (error) {
        log.error({ err: error, notifications: some.size }, 'results of notifications not stored, trying again')
        results = new Map([...some, ...results])
        if (abort.signal.aborted) return
        await Bun.sleep(TICK_MS)
        continue
      }
      for (const [id, { busy, waiting }] of lanes) {
        if (busy + waiting.length < MIN_CLAIMED) wake()
        if (busy + waiting.length === 0) lanes.delete(id)
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
      stopping = true
      // what is claimed but not started is sent after the next start
      for (const { waiting } of lanes.values()) waiting.length = 0
      const ended = async () => {
        await Promise.all([claiming, ...under.values()])
        await storing
      }
      await Promise.race([ended(), Bun.sleep(STOP_MS)])
      abort.abort()
      await Promise.race([ended(), Bun.sleep(STOP_MS)])
    },
    stats: () => ({ ...counts, waiting: stored.waiting, letters: stored.dead, durations: durations.metrics() }),
  }
}
