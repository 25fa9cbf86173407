import type { Settings } from '../../config/schema.ts'
import { figure } from '../../observe/figures.ts'
import type { Log } from '../../observe/log.ts'
import type { Metric } from '../../observe/metrics.ts'
import { DomainError, throttled } from '../base/errors.ts'
import type { Store } from '../database/client.ts'
import { createChanges } from './changes.ts'
import { coalesce } from './coalesce.ts'
import { changeEvent, type LiveEvent, pollEvent } from './event.ts'
import { firstEvents } from './first-events.ts'
import { type LastPoll, lastPolls } from './read-events.ts'
import { type Client, createRooms, type LiveRequest } from './rooms.ts'
import { createStream, type LiveStream } from './stream.ts'

export { LIVE_KINDS, type LiveKind } from './event.ts'
export type { LiveStream } from './stream.ts'
export type { LiveFilter } from './view.ts'

const TICK_MS = 5000
/** A comment is sent after this long without events, ms. */
const KEEP_ALIVE_MS = 15_000
/** Interval at which tokens and sessions are checked even if nothing announced a change, ms. */
const CHECK_MS = 30_000
const RETRY_S = 30
const KEEP_ALIVE = new TextEncoder().encode(': keep-alive\n\n')

export interface LiveDeps {
  readonly store: Store
  readonly settings: Settings
  readonly log: Log
}

/**
 * Live events for any number of clients: stored changes, in order, and polls. An event is created once, and whether to
 * send it is decided once for all clients with the same view.
 */
export function createLiveService({ store, settings, log }: LiveDeps) {
  const rooms = createRooms({ store, settings })
  const counts = { events: 0, slow: 0, refused: 0, resumed: 0, reset: 0 }
  const changes = createChanges(store, log, (stored) => broadcast(stored.map((s) => changeEvent(s, Date.now()))))
  let clients = 0
  let opening = 0
  let closed = false
  let timer: ReturnType<typeof setInterval> | null = null
  let checkedAt = performance.now()

  function broadcast(events: readonly LiveEvent[]): void {
    counts.events += events.length
    counts.slow += rooms.send(events)
  }

  function requireRoom(userId: number | null): void {
    const most = settings.get('events.max_clients')
    const own = rooms.clients().filter((client) => client.userId === userId)
    if (clients + opening <= most && own.length < Math.ceil(most / 2)) return
    counts.refused++
    throw throttled(RETRY_S)
  }

  function tick(): void {
    const now = performance.now()
    for (const { stream } of rooms.clients())
      if (now - stream.pushedAt >= KEEP_ALIVE_MS && !stream.push(KEEP_ALIVE)) counts.slow++
    changes.readNew()
    if (now - checkedAt < CHECK_MS) return
    checkedAt = now
    askAccess()
    askGrants()
  }

  const failed = (what: string) => (error: unknown) => log.debug({ err: error }, what)

  const askGrants = coalesce(rooms.readGrants, failed('grants for live events could not be read'))
  const askAccess = coalesce(rooms.checkAccess, failed('access to live events could not be checked'))

  return {
    /** Starts passing on changes. The caller listens on LIVE_CHANNEL and GRANTS_CHANNEL. */
    start(): void {
      timer = setInterval(tick, TICK_MS)
      changes.readNew()
    },

    /** Call when changes were stored. */
    changed: () => changes.readNew(),

    /** Call when polls were stored. */
    polled(polls: readonly LastPoll[]): void {
      if (rooms.isEmpty() || polls.length === 0) return
      const seen = { position: changes.position, at: Date.now() }
      broadcast(polls.map((poll) => pollEvent(poll, seen)))
    },

    /** Call when another process stored polls of these devices. */
    polledElsewhere(deviceIds: readonly number[]): void {
      if (rooms.isEmpty() || deviceIds.length === 0) return
      lastPolls(store, deviceIds).then(
        (polls) => this.polled(polls),
        failed('polls of other processes could not be read'),
      )
    },

    /** Call when grants or members of groups may have changed. */
    grantsChanged: askGrants,

    /** Call when users, roles, tokens or sessions have changed. */
    accessChanged: askAccess,

    /**
     * Opens a stream; returns its first bytes and the rest as a stream. Throws `unauthenticated`, `forbidden` (no kind
     * of event may be seen), `throttled` (too many clients) and `unavailable`.
     */
    async open(request: LiveRequest): Promise<{ first: Uint8Array<ArrayBuffer>; stream: LiveStream }> {
      if (closed) throw new DomainError('unavailable', 'The server is being stopped')
      opening++
      try {
        const actor = await request.identify()
        if (actor === null) throw new DomainError('unauthenticated', 'Unauthenticated.')
        requireRoom(actor.userId)
        await changes.last()
        const admitted = await rooms.admission(actor, request.filter)
        const leave = () => {
          clients--
          rooms.remove(client)
        }
        const client: Client = rooms.enter({ request, userId: actor.userId, stream: createStream(leave) }, admitted)
        clients++
        // changes after this position reach the client through its room
        const until = changes.position
        try {
          return {
            first: await firstEvents({ store, counts }, client.room.view, request.lastId, until),
            stream: client.stream,
          }
        } catch (error) {
          await client.stream.stop()
          throw error
        }
      } finally {
        opening--
      }
    },

    /** Ends all streams. */
    async close(): Promise<void> {
      closed = true
      if (timer !== null) clearInterval(timer)
      for (const client of rooms.clients()) client.stream.end('stopping')
      await changes.stop()
    },

    metrics: () => metricsOf({ clients, ...counts }),
  }
}

const metricsOf = (
  counts: Readonly<Record<'clients' | 'events' | 'slow' | 'refused' | 'resumed' | 'reset', number>>,
): Metric[] => [
  figure('portlight_live_clients', counts.clients),
  figure('portlight_live_events_total', counts.events),
  figure('portlight_live_slow_clients_total', counts.slow),
  figure('portlight_live_refused_clients_total', counts.refused),
  figure('portlight_live_resumed_total', counts.resumed),
  figure('portlight_live_reset_total', counts.reset),
]

export type LiveService = ReturnType<typeof createLiveService>
