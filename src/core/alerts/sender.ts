import { escapeHtml } from '@portlight/templates/escapes.ts'
import { durationsOf } from '../../observe/figures.ts'
import type { Log } from '../../observe/log.ts'
import type { Metric } from '../../observe/metrics.ts'
import type { Trace } from '../../observe/trace.ts'
import type { Graphs } from '../base/graphs.ts'
import type { AlertContext } from './context.ts'
import { drawPictures } from './graph-attachments.ts'
import type { AlertLinks } from './links/service.ts'
import { NOTHING_SHOWN, notificationOf, type Shown } from './message.ts'
import type { Held } from './messages/plan.ts'
import type { OutboxResult } from './messages/result.ts'
import { heldText, openParts } from './messages/summary.ts'
import { healthNotification, isHealthContext, messageNotification } from './messages/texts.ts'
import type { ClaimedMessage } from './messages/write-messages.ts'
import type { SignedGraphs } from './signed-graphs.ts'
import type { Deliver } from './transports/deliver.ts'
import { kindOf } from './transports/kinds.ts'
import type { AlertNotification, Delivery } from './transports/notification.ts'
import type { OutboxItem } from './write-outbox.ts'

export interface SenderDeps {
  readonly log: Log
  readonly deliver: Deliver
  /** Records a span for each attempt; default: none. */
  readonly trace?: Trace | undefined
  /** For links, signed URLs, and images in mail; absent: notifications have none. */
  readonly pictures?: { readonly signed: SignedGraphs; readonly graphs: Graphs } | undefined
  /** For links that acknowledge; absent: notifications have none. */
  readonly links?: Pick<AlertLinks, 'urlOf'> | undefined
  /** Aborts attempts. */
  readonly stopped: AbortSignal
}

export interface SenderStats {
  readonly sent: number
  /** Those of `sent` that were about several notifications. */
  readonly messages: number
  /** Attempts that failed. */
  readonly failed: number
  /** Notifications that were given up. */
  readonly dead: number
  /** Seconds between storing and delivering the notification sent last. */
  readonly lastDelayS: number
  /** How long attempts took, by kind of transport. */
  readonly durations: readonly Metric[]
}

/** Attempts to send single notifications. */
export interface Sender {
  /**
   * `since`: when it was stored, as `performance.now()`. `held`: why it was held back; null: it was not. Null: the
   * attempt was aborted and has to be repeated.
   */
  send(item: OutboxItem, since: number, held: Held | null): Promise<OutboxResult | null>
  /** The same for a message. `since`: when it was formed. */
  sendMessage(message: ClaimedMessage, since: number): Promise<OutboxResult | null>
  stats(): SenderStats
}

/** What an attempt needs to know of a notification or message. */
type Attempted = Pick<OutboxItem, 'key' | 'transport_name' | 'transport_type' | 'transport_config' | 'attempts'>

type Rendered = Pick<OutboxItem, 'id' | 'key' | 'transport_id' | 'transport_type' | 'context' | 'template'>

/** Pause before the second attempt, doubled each time up to an hour; each is shortened at random by up to a third. */
const FIRST_RETRY_MS = 2000
const MAX_RETRY_MS = 3_600_000
/**
 * A notification is given up after this time, but not before this attempt, about an hour after the first: the clock may have
 * been set forward by days since it was stored, as it is after a start without a network.
 */
const GIVE_UP_MS = 24 * 3_600_000
const LEAST_ATTEMPTS = 12
const BOUNDS_S = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

export function createSender({ log, deliver, trace, pictures, links, stopped }: SenderDeps): Sender {
  const counts = { sent: 0, messages: 0, failed: 0, dead: 0, lastDelayS: 0 }
  const durations = durationsOf('portlight_notification_duration_seconds', BOUNDS_S)

  const url = (path: string) => pictures?.signed.addressOf(path) ?? null

  async function send(item: OutboxItem, since: number, held: Held | null): Promise<OutboxResult | null> {
    return await attempt(item, since, async () => withHeld(await oneOf(item), held))
  }

  async function sendMessage(message: ClaimedMessage, since: number): Promise<OutboxResult | null> {
    const { single, held } = message
    const attempted = { ...message, key: single?.key ?? message.key }
    const result = await attempt(attempted, since, async () => {
      if (single === null) return messageNotification(message, url, await linkOf(message))
      return withHeld(await oneOf({ ...attempted, ...single }), held)
    })
    if (result?.kind === 'sent' && single === null) counts.messages++
    return result
  }

  /** URL that acknowledges the problems that a message reports, and none that began later; null: there is none. */
  async function linkOf({ transport_id, parts }: ClaimedMessage): Promise<string | null> {
    const open = openParts(parts).filter(({ kind }) => kind !== 'ack')
    const [first] = open
    if (first?.alert_id == null || links === undefined) return null
    const alertIds = open.flatMap(({ alert_id: id }) => (id === null ? [] : [id]))
    const time = open.reduce((latest, { decided }) => Math.max(latest, decided), 0)
    const about = { state: 1, time, alert_id: first.alert_id } as const
    return await links.urlOf({ id: first.id, transport_id }, about, alertIds).catch(() => null)
  }

  /** The notification of one row of the outbox. Throws if it cannot be rendered. */
  async function oneOf(item: Rendered): Promise<AlertNotification> {
    if (isHealthContext(item.context)) return healthNotification(item.key, item.context, url)
    // Stored by this program, as AlertContext.
    const context = item.context as unknown as AlertContext
    return notificationOf(item.key, context, item.template, log, await shownIn(item, context))
  }

  async function attempt(
    item: Attempted,
    since: number,
    render: () => Promise<AlertNotification>,
  ): Promise<OutboxResult | null> {
    const transport = { kind: item.transport_type, settings: item.transport_config }
    let notification: AlertNotification
    try {
      notification = await render()
    } catch (error) {
      // another attempt would fail in the same way and delay the next notifications of the alert
      const reason = `the notification cannot be rendered: ${error instanceof Error ? error.message : String(error)}`
      return resultOf(item, { kind: 'refused', reason }, 0, false)
    }
    const beganMs = performance.now()
    const delivery = await deliver(transport, notification, stopped)
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
    if (stopped.aborted && delivery.kind !== 'delivered') return null
    return resultOf(item, delivery, performance.now() - since, true)
  }

  /** Links and images. Failures are ignored, because the notification must be sent even without them. */
  async function shownIn(item: Rendered, context: AlertContext): Promise<Shown> {
    const { template, transport_type } = item
    if (pictures === undefined) return NOTHING_SHOWN
    const withUrls = template !== null && /@signedGraph/i.test(template.template)
    const withImages = transport_type === 'mail' && (template === null || template.template.includes('cid:graph'))
    return {
      graphUrl: withUrls ? await pictures.signed.signer().catch(() => null) : null,
      url: pictures.signed.pageUrl('alerts', context.alert_id),
      ackUrl: (await links?.urlOf(item, context).catch(() => null)) ?? null,
      deviceUrl: pictures.signed.pageUrl('device', context.device_id),
      pageUrl: pictures.signed.addressOf,
      images: withImages ? await drawPictures(pictures.graphs, context) : [],
    }
  }

  /** `wasTried`: the result is the receiver's. */
  function resultOf(item: Attempted, delivery: Delivery, ageMs: number, wasTried: boolean): OutboxResult {
    if (delivery.kind === 'delivered') {
      counts.sent++
      counts.lastDelayS = ageMs / 1000
      return { kind: 'sent' }
    }
    counts.failed++
    const names = { transport: item.transport_name, notification: item.key, reason: delivery.reason }
    if (delivery.kind === 'refused' || (ageMs > GIVE_UP_MS && item.attempts >= LEAST_ATTEMPTS)) {
      counts.dead++
      log.error(names, 'notification given up')
      return { kind: 'dead', error: delivery.reason, countsAgainstTransport: wasTried }
    }
    log.warn({ ...names, attempts: item.attempts }, 'notification not sent, trying again')
    const pause = Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(20, item.attempts - 1))
    // what the receiver asked for, plus some jitter, because other notifications got the same answer
    const asked = Math.min(MAX_RETRY_MS, delivery.afterMs ?? 0) * (1 + Math.random() / 10)
    const afterMs = Math.max(asked, pause * (1 - Math.random() / 3))
    // a receiver that asks to wait can be reached
    return { kind: 'again', afterMs, error: delivery.reason, countsAgainstTransport: delivery.afterMs === undefined }
  }

  return { send, sendMessage, stats: () => ({ ...counts, durations: durations.metrics() }) }
}

/** The notification, saying that it was held back. */
function withHeld(notification: AlertNotification, held: Held | null): AlertNotification {
  if (held === null) return notification
  const sentence = heldText(held, 1)
  const { text, chat, html } = notification
  return {
    ...notification,
    text: `${text}\n\n${sentence}`,
    chat: `${chat}\n${sentence}`,
    html: html === null ? null : `${html}\n<p>${escapeHtml(sentence)}</p>`,
  }
}
