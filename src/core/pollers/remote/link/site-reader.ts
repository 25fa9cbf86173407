import {
  AckPolicy,
  DeliverPolicy,
  type JetStreamManager,
  type JsMsg,
  jetstream,
  jetstreamManager,
} from '@nats-io/jetstream'
import { nanos } from '@nats-io/transport-node'
import type { Position } from '../write-delivery.ts'
import { MessageError, type RefusalReason } from './checks.ts'
import { type Nats, reasonOf } from './connection.ts'
import { createDeliveryWriter, type DeliveryStats, type DeliveryWriterOptions } from './delivery-writer.ts'
import { decodeDelivery } from './message.ts'
import { createMessageParts } from './message-parts.ts'
import { siteNames } from './names.ts'
import { POSITION_HEADER } from './outbox.ts'
import { parsePosition } from './position.ts'
import { createReachedPosition } from './reached-position.ts'
import { createRefusals } from './refusals.ts'
import type { Seal } from './seal.ts'
import type { DeliveringPoller } from './store-delivery.ts'

export interface SiteReaderOptions extends DeliveryWriterOptions {
  readonly nats: Nats
  readonly poller: DeliveringPoller & { readonly name: string; readonly domain: string }
  readonly seal: Seal
}

export interface SiteReaderStats extends DeliveryStats {
  readonly octets: number
  readonly refused: Readonly<Partial<Record<RefusalReason, number>>>
  /** False: the site's stream cannot be read, because the link or a server is down. */
  readonly linked: boolean
  /** Position of the message stored last; null: none since the start. */
  readonly position: Position | null
}

/** State of a site's stream. */
export interface StreamState {
  readonly messages: number
  readonly octets: number
  /** Age of the oldest message in seconds; 0: the stream is empty. */
  readonly lagS: number
}

/**
 * Stores what a remote poller delivers. Reads the site's stream in order from its beginning; the database knows which
 * messages are stored, and these are removed from the stream. Nothing is removed before its transaction has committed.
 */
export interface SiteReader {
  stats(): SiteReaderStats
  /** Null if the stream cannot be read. */
  stream(): Promise<StreamState | null>
  /** Resolves to true when this message or a later one is stored or refused, to false after `timeoutMs`. */
  reached(position: Position, timeoutMs: number): Promise<boolean>
  stop(): Promise<void>
}

const ANSWER_MS = 5000
const RETRY_MS = 2000
/** Messages per fetch, and how long the server may hold a fetch while there are none, ms. */
const MESSAGES = 64
const HOLD_MS = 5000
/** The server deletes a consumer that has not fetched for this long, ms. */
const FORGOTTEN_MS = 60_000
/** Reasons for refusing a message that the poller sent and that arrived completely, so that it is not missing. */
const ARRIVED: ReadonlySet<RefusalReason> = new Set(['version', 'garbled', 'too_large', 'foreign_device', 'database'])

export function createSiteReader(o: SiteReaderOptions): SiteReader {
  const { poller, log } = o
  const names = siteNames(poller.name)
  const api = { timeout: ANSWER_MS, ...(poller.domain !== '' && { domain: poller.domain }) }
  const refusals = createRefusals(o.store, poller, log)
  const writer = createDeliveryWriter(o, refusals)
  const parts = createMessageParts(() => refusals.count('incomplete'))
  const position = createReachedPosition()
  let octets = 0
  let linked = false
  let stopping = false

  async function run(): Promise<void> {
    let reported = false
    while (!stopping) {
      try {
        const manager = await jetstreamManager(o.nats.connection, { ...api, checkAPI: false })
        await readOn(manager, () => {
          if (!linked) log.info({ poller: poller.name }, 'reading the stream of the site')
          linked = true
          reported = false
        })
      } catch (error) {
        if (!reported && !stopping)
          log.warn({ poller: poller.name, reason: reasonOf(error) }, 'cannot read the stream of the site; trying again')
        reported = true
      }
      linked = false
      if (!stopping) await Bun.sleep(RETRY_MS)
    }
  }

  /** Reads each message once and in order until an error; a gap between messages is an error too. */
  async function readOn(manager: JetStreamManager, begun: () => void): Promise<void> {
    const { state } = await manager.streams.info(names.stream)
    parts.clear()
    const { name } = await manager.consumers.add(names.stream, {
      ack_policy: AckPolicy.None,
      deliver_policy: DeliverPolicy.StartSequence,
      opt_start_seq: Math.max(1, state.first_seq),
      inactive_threshold: nanos(FORGOTTEN_MS),
      mem_storage: true,
      max_deliver: 1,
    })
    begun()
    const consumer = await jetstream(o.nats.connection, api).consumers.get(names.stream, name)
    let next = 0
    while (!stopping) {
      const messages = await consumer.fetch({ max_messages: MESSAGES, expires: HOLD_MS })
      let done = 0
      for await (const message of messages) {
        if (next !== 0 && message.seq !== next) throw new Error('messages are missing; reading again')
        next = message.seq + 1
        await take(message)
        if (stopping) return
        // the parts of a message are removed when the last one is stored
        if (!parts.isOpen()) done = message.seq
      }
      if (done > 0) await manager.streams.purge(names.stream, { seq: done + 1 })
    }
  }

  async function take(message: JsMsg): Promise<void> {
    const text = message.headers?.get(POSITION_HEADER) ?? ''
    try {
      const part = parsePosition(text)
      if (part === null) throw new MessageError('garbled', 'the message has no position')
      const opened = o.seal.open('to-centre', text, message.data)
      if (opened === null)
        throw new MessageError('unsealed', 'the message is not sealed with the key of this poller for this position')
      const packed = parts.add(part, opened)
      if (packed === null) return
      octets += packed.length
      await writer.store(part, new Date(message.time), decodeDelivery(packed))
      position.settled(part)
    } catch (error) {
      if (stopping) return
      const reason = error instanceof MessageError ? error.reason : 'garbled'
      const part = parsePosition(text)
      await refusals.refuse(error, text, message.data, ARRIVED.has(reason) ? part : null)
      // a foreign message between the parts of a message does not end it
      if (part === null || reason === 'unsealed') return
      parts.clear()
      position.settled(part)
    }
  }

  const running = run()
  return {
    stats: () => ({ ...writer.stats(), octets, refused: refusals.counts(), linked, position: position.last() }),
    async stream() {
      try {
        const manager = await jetstreamManager(o.nats.connection, { ...api, checkAPI: false })
        const { state } = await manager.streams.info(names.stream)
        const first = Date.parse(state.first_ts)
        const lagS = state.messages === 0 ? 0 : Math.max(0, (Date.now() - first) / 1000)
        return { messages: state.messages, octets: state.bytes, lagS }
      } catch {
        return null
      }
    },
    reached: position.reached,
    async stop() {
      stopping = true
      writer.stop()
      await Promise.race([running, Bun.sleep(ANSWER_MS)])
    },
  }
}
