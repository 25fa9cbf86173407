import {
  JetStreamApiError,
  type JetStreamClient,
  type JetStreamManager,
  jetstream,
  jetstreamManager,
} from '@nats-io/jetstream'
import { headers, type NatsConnection } from '@nats-io/transport-node'
import type { Log } from '../../../../observe/log.ts'
import { reasonOf } from './connection.ts'
import { type Delivery, encodeDelivery } from './message.ts'
import { type SiteNames, siteNames } from './names.ts'
import type { Seal } from './seal.ts'

/** Header with the position of a message: `EPOCH.SEQUENCE.PART.PARTS`. The seal covers it. */
export const POSITION_HEADER = 'Portlight-Position'

/** The stream is full: nothing can be added until the centre has stored some messages. */
export class StreamFullError extends Error {
  override readonly name = 'StreamFullError'
}

/** The poller is stopping, and the delivery is lost. */
export class OutboxClosedError extends Error {
  override readonly name = 'OutboxClosedError'
}

export interface OutboxStats {
  /** Messages accepted by the stream. */
  readonly published: number
  readonly octets: number
  /** Messages refused because the stream was full. */
  readonly refused: number
  /** False: the last message could not be handed over and is being retried. */
  readonly up: boolean
  /** When the stream last accepted a message, epoch ms; null: not yet. */
  readonly lastAt: number | null
  readonly sequence: number
}

/**
 * Delivers messages from the poller to the stream of its site, one at a time. Each is retried until the server has
 * confirmed that it is on disk, so that the stream is in order of sequence numbers.
 */
export interface Outbox {
  /** Resolves to the sequence number. Rejects with StreamFullError or OutboxClosedError. */
  deliver(delivery: Delivery): Promise<number>
  stats(): OutboxStats
  /** Waits for pending messages for at most `graceMs`. */
  stop(graceMs: number): Promise<void>
}

export interface OutboxOptions {
  readonly connection: NatsConnection
  readonly poller: string
  readonly domain: string
  readonly seal: Seal
  /** Increases with each start of the poller. */
  readonly epoch: number
  /** Maximum size of the stream, bytes. */
  readonly maxOctets: number
  readonly log: Log
}

/** JetStream error codes for a full stream: by its own limit, that of the account, or that of the server. */
const FULL = new Set([10077, 10047, 10023, 10028, 10035])
/** How long JetStream recognises duplicates of a message. */
const DUPLICATES_NS = 120e9
const ANSWER_MS = 5000
const RETRY_MS = 1000
/** Bytes reserved for the headers of a message. */
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

  /** Publishes until the server has confirmed the message or reported that the stream is full. */
  async function publish(position: string, sealed: Uint8Array): Promise<void> {
    for (;;) {
      if (stopping) throw new OutboxClosedError('the poller is stopping')
      try {
        await prepared()
        const head = headers()
        head.set(POSITION_HEADER, position)
        await js.publish(names.subject, sealed, { msgID: position, headers: head, timeout: ANSWER_MS })
        if (!up) o.log.info('the stream accepts results again')
        if (full) o.log.info({ refused: counts.refused }, 'the stream has room again')
        up = true
        full = false
        return
      } catch (error) {
        // while the stream is being created, the same code means that the setting asks for too large a stream
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
        if (up) o.log.error({ reason: reasonOf(error) }, 'the stream does not accept results; keeping them in memory')
        up = false
        // the stream may have to be created again, for example after its disk was lost
        ready = false
        await Bun.sleep(RETRY_MS)
      }
    }
  }

  // create the stream now, so that the centre finds it and a problem is logged at once
  prepared().catch((error: unknown) => {
    up = false
    o.log.error({ reason: reasonOf(error) }, 'the stream cannot be created; trying again')
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

/** Creates the stream of a site, or adjusts its size to the settings. */
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
