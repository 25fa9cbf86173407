import {
  AckPolicy,
  DeliverPolicy,
  type JetStreamManager,
  type JsMsg,
  jetstream,
  jetstreamManager,
} from '@nats-io/jetstream'
import { nanos } from '@nats-io/transport-node'
import type { Log } from '../../../../observe/log.ts'
import type { DevicePoll } from '../../../../series/samples.ts'
import { writePollerEvent } from '../../../availability/write.ts'
import type { Store } from '../../../database/client.ts'
import { toStoreError } from '../../../database/errors.ts'
import type { EventBudget } from '../../../discovery/event-budget.ts'
import { writeRefusal } from '../write.ts'
import type { Position } from '../write-delivery.ts'
import { MessageError, type RefusalReason } from './checks.ts'
import { type Nats, reasonOf } from './connection.ts'
import { type Delivery, decodeDelivery, MAX_PACKED } from './message.ts'
import { siteNames } from './names.ts'
import { POSITION_HEADER } from './outbox.ts'
import { type PartPosition, parsePosition } from './position.ts'
import type { Seal } from './seal.ts'
import { createSiteClaims } from './site-claims.ts'
import { type DeliveringPoller, type StoredDelivery, storeDelivery } from './store-delivery.ts'

export interface SiteReaderOptions {
  readonly nats: Nats
  readonly store: Store
  readonly poller: DeliveringPoller & { readonly name: string; readonly domain: string }
  readonly seal: Seal
  readonly log: Log
  readonly considerMaintenance: () => boolean
  readonly budget: EventBudget
  readonly written: (deviceIds: readonly number[], what: readonly string[]) => void
  readonly polled: (polls: readonly DevicePoll[]) => void
}

export interface SiteReaderStats {
  /** Messages stored since the start, and sample rows in them. */
  readonly stored: number
  readonly rows: number
  readonly octets: number
  readonly duplicates: number
  /** Sample rows that were too old to be stored. */
  readonly tooOld: number
  readonly refused: Readonly<Partial<Record<RefusalReason, number>>>
  /** False: the site's stream cannot be read, because the link or a server is down. */
  readonly linked: boolean
  /** Position of the message stored last; null: none since the start. */
  readonly position: Position | null
  /** When a message was last stored, epoch ms; null: none since the start. */
  readonly storedAt: number | null
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
/** Refused messages logged per minute; the others are only counted. */
const LOGGED_A_MINUTE = 5

export function createSiteReader(o: SiteReaderOptions): SiteReader {
  const { poller, log } = o
  const names = siteNames(poller.name)
  const api = { timeout: ANSWER_MS, ...(poller.domain !== '' && { domain: poller.domain }) }
  const counts = { stored: 0, rows: 0, octets: 0, duplicates: 0, tooOld: 0 }
  const refused: Partial<Record<RefusalReason, number>> = {}
  const waiters = new Set<() => void>()
  const claims = createSiteClaims(o.store, poller.id)
  /** Devices with an event about samples that are too old. */
  const saidOld = new Set<number>()
  let linked = false
  let stopping = false
  let position: Position | null = null
  let storedAt: number | null = null
  /** Parts of the message being put together. */
  let parts: Uint8Array[] = []
  let partsOf: PartPosition | null = null
  let logged = { minute: 0, lines: 0 }

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
    parts = []
    partsOf = null
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
        if (parts.length === 0) done = message.seq
      }
      if (done > 0) await manager.streams.purge(names.stream, { seq: done + 1 })
    }
  }

  async function take(message: JsMsg): Promise<void> {
    const text = message.headers?.get(POSITION_HEADER) ?? ''
    try {
      const part = parsePosition(text)
      if (part === null) throw new MessageError('garbled', 'the message has no position')
      const packed = assemble(part, o.seal.open('to-centre', text, message.data))
      if (packed === null) return
      counts.octets += packed.length
      await store(part, new Date(message.time), decodeDelivery(packed))
      settled(part)
    } catch (error) {
      if (stopping) return
      const reason = error instanceof MessageError ? error.reason : 'garbled'
      const part = parsePosition(text)
      await refuse(error, text, message.data, ARRIVED.has(reason) ? part : null)
      // a foreign message between the parts of a message does not end it
      if (part === null || reason === 'unsealed') return
      parts = []
      partsOf = null
      settled(part)
    }
  }

  /** Returns the message if this was its last part, else null. Throws MessageError. */
  function assemble(part: PartPosition, opened: Uint8Array | null): Uint8Array | null {
    if (opened === null)
      throw new MessageError('unsealed', 'the message is not sealed with the key of this poller for this position')
    const follows =
      partsOf !== null &&
      partsOf.epoch === part.epoch &&
      partsOf.sequence === part.sequence &&
      partsOf.part + 1 === part.part
    if (part.part > 0 && !follows) throw new MessageError('incomplete', 'an earlier part of the message is missing')
    // the stream filled up before the end of the previous message
    if (part.part === 0 && parts.length > 0) count('incomplete')
    parts = part.part === 0 ? [opened] : [...parts, opened]
    partsOf = part
    if (parts.reduce((octets, { length }) => octets + length, 0) > MAX_PACKED)
      throw new MessageError('too_large', 'the message is too large')
    if (part.part + 1 < part.parts) return null
    const whole = Buffer.concat(parts)
    parts = []
    partsOf = null
    return whole
  }

  /** Counts rows that were too old, and reports them once per device until a row of it is stored again. */
  async function noteAge({ tooOld, rows, deviceIds }: StoredDelivery): Promise<void> {
    if (tooOld === 0) {
      if (rows > 0) for (const id of deviceIds) saidOld.delete(id)
      return
    }
    counts.tooOld += tooOld
    const news = deviceIds.filter((id) => !saidOld.has(id))
    if (news.length === 0) return
    if (saidOld.size === 0)
      log.error(
        { poller: poller.name, rows: tooOld },
        'samples that are more than 7 days old or in the future are not stored',
      )
    for (const id of news) {
      saidOld.add(id)
      const message = `Samples from remote poller ${poller.name} are more than 7 days old or in the future, and are not stored.`
      await writePollerEvent(o.store, id, message, 5, Date.now()).catch((error: unknown) =>
        log.warn({ poller: poller.name, code: toStoreError(error).code }, 'could not store an event'),
      )
    }
  }

  /** Stores a delivery, retrying while the database is unavailable. Throws MessageError. */
  async function store(at: Position, measuredAt: Date, delivery: Delivery): Promise<void> {
    const options = { considerMaintenance: o.considerMaintenance(), budget: o.budget, claims }
    for (let tries = 0; !stopping; tries++) {
      try {
        const result = await storeDelivery(o.store, poller, at, measuredAt, delivery, options)
        if (result.outcome === 'stale')
          throw new MessageError(
            'stale',
            'the message is from an earlier start of the poller than messages already stored',
          )
        if (result.outcome === 'duplicate') {
          counts.duplicates++
          return
        }
        counts.stored++
        counts.rows += result.rows
        storedAt = Date.now()
        await noteAge(result)
        if (result.foreignRows > 0) {
          count('foreign_device')
          say({ rows: result.foreignRows }, 'ignored samples of devices that this poller does not poll')
        }
        if (result.what.length > 0) o.written(result.deviceIds, result.what)
        if (result.polls.length > 0) o.polled(result.polls)
        return
      } catch (error) {
        if (error instanceof MessageError) throw error
        const problem = toStoreError(error)
        // the error message of the database may quote values
        if (!problem.retryable)
          throw new MessageError('database', `the database refused the values (${problem.code ?? 'no code'})`)
        if (tries === 0)
          log.error(
            { poller: poller.name, code: problem.code },
            'the database is unavailable; the stream of the site keeps the data',
          )
        await Bun.sleep(RETRY_MS)
      }
    }
    throw new Error('stopping')
  }

  function settled({ epoch, sequence }: Position): void {
    if (position !== null && !isAtLeast({ epoch, sequence }, position)) return
    position = { epoch, sequence }
    for (const tell of [...waiters]) tell()
  }

  function count(reason: RefusalReason): void {
    refused[reason] = (refused[reason] ?? 0) + 1
  }

  function say(fields: Readonly<Record<string, unknown>>, text: string): void {
    const minute = Math.floor(Date.now() / 60_000)
    if (logged.minute !== minute) logged = { minute, lines: 0 }
    if (++logged.lines <= LOGGED_A_MINUTE) log.warn({ poller: poller.name, ...fields }, text)
  }

  /** Counts and logs a message that cannot be stored, and sets it aside, so that reading continues with the next. */
  async function refuse(
    error: unknown,
    text: string,
    message: Uint8Array,
    arrived: PartPosition | null,
  ): Promise<void> {
    const reason = error instanceof MessageError ? error.reason : 'garbled'
    count(reason)
    // only the text of a MessageError is known to contain nothing from the message
    say(
      { reason, octets: message.length, why: error instanceof MessageError ? error.message : 'unexpected form' },
      'refused a message',
    )
    const known = parsePosition(text) === null ? '' : text
    await writeRefusal(o.store, poller.id, { reason, position: known, message, arrived }).catch((cause: unknown) =>
      say({ reason: toStoreError(cause).code }, 'could not set aside a refused message'),
    )
  }

  const running = run()
  return {
    stats: () => ({ ...counts, refused: { ...refused }, linked, position, storedAt }),
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
    async reached(wanted, timeoutMs) {
      const there = (): boolean => position !== null && isAtLeast(position, wanted)
      if (there()) return true
      const { promise, resolve } = Promise.withResolvers<boolean>()
      const look = (): void => {
        if (there()) resolve(true)
      }
      waiters.add(look)
      const timer = setTimeout(resolve, timeoutMs, false)
      const found = await promise
      clearTimeout(timer)
      waiters.delete(look)
      return found
    },
    async stop() {
      stopping = true
      await Promise.race([running, Bun.sleep(ANSWER_MS)])
    },
  }
}

function isAtLeast(a: Position, b: Position): boolean {
  return a.epoch > b.epoch || (a.epoch === b.epoch && a.sequence >= b.sequence)
}
