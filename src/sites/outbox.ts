import {
  JetStreamApiError,
  type JetStreamClient,
  type JetStreamManager,
  jetstream,
  jetstreamManager,
} from '@nats-io/jetstream'
import { headers, type NatsConnection } from '@nats-io/transport-node'
import type { Log } from '../observe/log.ts'
import { reasonOf } from './connection.ts'
import { type Delivery, encodeDelivery } from './message.ts'
import { type SiteNames, siteNames } from './names.ts'
import type { Seal } from './seal.ts'

/** Header with the position of a message: `EPOCH.SEQUENCE.PART.PARTS`. Part of what is sealed. */
export const POSITION_HEADER = 'Portlight-Position'

/** The stream has no room: nothing is added until the centre has stored some of it. */
export class StreamFullError extends Error {
  override readonly name = 'StreamFullError'
}

/** The poller stops, and what was to be delivered is lost. */
export class OutboxClosedError extends Error {
  override readonly name = 'OutboxClosedError'
}

export interface OutboxStats {
  /** Messages that the stream took. */
  readonly published: number
  readonly octets: number
  /** Messages refused because the stream was full. */
  readonly refused: number
  /** False: the last message could not be handed over, and is tried again. */
  readonly up: boolean
  /** When the stream last took a message, epoch ms; null: not yet. */
  readonly lastAt: number | null
  readonly sequence: number
}

/**
 * The way from the poller into the stream of its site: one message at a time, each tried until the server has confirmed
 * that it is on its disk, so that the stream has them in the order of their sequence numbers.
 */
export interface Outbox {
  /** Resolves to the sequence number. Rejects with StreamFullError or OutboxClosedError. */
  deliver(delivery: Delivery): Promise<number>
  stats(): OutboxStats
  /** Waits for messages under way for at most `graceMs`. */
  stop(graceMs: number): Promise<void>
}

export interface OutboxOptions {
  readonly connection: NatsConnection
  readonly poller: string
  readonly domain: string
  readonly seal: Seal
  /** Higher at each start of the poller. */
  readonly epoch: number
  /** Size of the stream. */
  readonly maxOctets: number
  readonly log: Log
}

/** Codes of JetStream for "the stream is full": its own limit, the account's, the server's. */
const FULL = new Set([10077, 10047, 10023, 10028, 10035])
/** How long JetStream recognises a message that it has already. */
const DUPLICATES_NS = 120e9
const ANSWER_MS = 5000
const RETRY_MS = 1000
/** Room for headers in a message. */
const HEADERS_OCTETS = 1024

export function createOutbox(o: OutboxOptions): Outbox {
  const names = siteNames(o.poller)
  const api = o.domain === '' ? {} : { domain: o.domain }
  const js: JetStreamClient = jetstream(o.connection, { ...api, timeout: ANSWER_MS })
  const counts = { published: 0, octets: 0, refused: 0 }
  let sequence = 0
  let up = true
  let full = false
  let ready = false
  let stopping = false
  let lastAt: number | null = null
  let last: Promise<unknown> = Promise.resolve()
  const idle = Promise.withResolvers<void>()

  async function prepared(): Promise<void> {
    if (ready) return
    await ensureStream(await jetstreamManager(o.connection, { ...api, timeout: ANSWER_MS, checkAPI: false }), names, o)
    ready = true
  }

  async function deliver(delivery: Delivery): Promise<number> {
    const packed = encodeDelivery(delivery)
    const number = ++sequence
    const partSize = (o.connection.info?.max_payload ?? 1_048_576) - HEADERS_OCTETS
    const parts = Math.max(1, Math.ceil(packed.length / (partSize - 64)))
    const step = Math.ceil(packed.length / parts)
    for (let part = 0; part < parts; part++) {
      const position = `${o.epoch}.${number}.${part}.${parts}`
      const sealed = o.seal.close('to-centre', position, packed.subarray(part * step, (part + 1) * step))
      await publish(position, sealed)
      counts.octets += sealed.length
    }
    counts.published++
    lastAt = Date.now()
    return number
  }

  /** Publishes until the server has it or says that it never will. */
  async function publish(position: string, sealed: Uint8Array): Promise<void> {
    for (;;) {
      if (stopping) throw new OutboxClosedError('the poller stops')
      try {
        await prepared()
        const head = headers()
        head.set(POSITION_HEADER, position)
        await js.publish(names.subject, sealed, { msgID: position, headers: head, timeout: ANSWER_MS })
        if (!up) o.log.info('the stream takes results again')
        if (full) o.log.info({ refused: counts.refused }, 'the stream has room again')
        up = true
        full = false
        return
      } catch (error) {
        // the same code means that the stream cannot be made as large as the setting says
        if (ready && error instanceof JetStreamApiError && FULL.has(error.code)) {
          counts.refused++
          if (!full)
            o.log.error(
              { reason: error.message, maxOctets: o.maxOctets },
              'the stream is full: new samples are refused until the centre has stored older ones (setting nats.stream_mb)',
            )
          full = true
          throw new StreamFullError('the stream is full')
        }
        if (up) o.log.error({ reason: reasonOf(error) }, 'the stream takes no results; they wait in memory')
        up = false
        // it may have been made anew, for example with an empty disk
        ready = false
        await Bun.sleep(RETRY_MS)
      }
    }
  }

  // so that the centre finds it, and that one which cannot be made is said at once
  prepared().catch((error: unknown) => {
    up = false
    o.log.error({ reason: reasonOf(error) }, 'the stream cannot be made; trying again')
  })
  return {
    deliver(delivery) {
      const turn = last.then(() => deliver(delivery))
      last = turn.catch(() => undefined)
      return turn
    },
    stats: () => ({ ...counts, up, lastAt, sequence }),
    async stop(graceMs) {
      const timer = setTimeout(() => idle.resolve(), graceMs)
      void last.then(() => idle.resolve())
      await idle.promise
      clearTimeout(timer)
      stopping = true
    },
  }
}

/** Makes the stream of a site, or gives it the size of the settings. */
async function ensureStream(manager: JetStreamManager, names: SiteNames, o: OutboxOptions): Promise<void> {
  const limits = { max_bytes: o.maxOctets, duplicate_window: DUPLICATES_NS, discard: 'new', max_msgs: -1 } as const
  try {
    const { config } = await manager.streams.info(names.stream)
    if (config.max_bytes !== o.maxOctets || config.discard !== 'new') await manager.streams.update(names.stream, limits)
    return
  } catch (error) {
    if (!(error instanceof JetStreamApiError) || error.code !== STREAM_NOT_FOUND) throw error
  }
  await manager.streams.add({
    name: names.stream,
    subjects: [names.subject],
    storage: 'file',
    retention: 'limits',
    max_age: 0,
    ...limits,
  })
}

const STREAM_NOT_FOUND = 10059
