import type { Settings } from '../../config/schema.ts'
import { figure } from '../../observe/figures.ts'
import type { Log } from '../../observe/log.ts'
import type { Metric } from '../../observe/metrics.ts'
import { type Actor, scopeOf } from '../base/actor.ts'
import { DomainError, forbidden, throttled } from '../base/errors.ts'
import { visibleObjects } from '../base/read-visible.ts'
import type { Store } from '../database/client.ts'
import { createChanges } from './changes.ts'
import { coalesce } from './coalesce.ts'
import { changeEvent, eventOctets, idOf, joined, type LiveEvent, pollEvent, type Seen, seenOf } from './event.ts'
import { eventsAfter, type LastPoll, lastPolls, livePositions, pollsSince } from './read-events.ts'
import { createOutlet, type LiveStream, type Outlet } from './stream.ts'
import { type Grants, grantsKey, kindsFor, type LiveView, shows, viewKey, type Wanted } from './view.ts'

export { LIVE_KINDS, type LiveKind } from './event.ts'
export type { LiveStream } from './stream.ts'
export type { Wanted } from './view.ts'

/** Maximum number of missed changes that are sent to a client; if it missed more, it has to reload its data. */
const MAX_MISSED = 2000
/** Polls may be stored this long after they ended, so polls of this time are sent again on resuming, ms. */
const POLL_MARGIN_MS = 15_000
const TICK_MS = 5000
/** A comment is sent after this long without events, ms. */
const KEEP_ALIVE_MS = 15_000
/** Interval at which tokens and sessions are checked even if nothing announced a change, ms. */
const CHECK_MS = 30_000
const RETRY_S = 30
const KEEP_ALIVE = new TextEncoder().encode(': keep-alive\n\n')

export interface LiveRequest {
  /** Returns the client's current actor; null: no longer valid. Called again while the stream is open. */
  readonly identify: () => Promise<Actor | null>
  readonly wanted: Wanted
  /** Header Last-Event-ID; null: none. */
  readonly lastId: string | null
}

interface Client {
  readonly request: LiveRequest
  readonly userId: number | null
  readonly outlet: Outlet
  room: Room
}

/** Clients with the same view. */
interface Room {
  readonly key: string
  readonly grantsKey: string
  readonly view: LiveView
  readonly clients: Set<Client>
}

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
  const rooms = new Map<string, Room>()
  const grants = new Map<string, { readonly grants: Grants; readonly actor: Actor }>()
  const counts = { events: 0, slow: 0, refused: 0, resumed: 0, reset: 0 }
  const changes = createChanges(store, log, (stored) => broadcast(stored.map((s) => changeEvent(s, Date.now()))))
  let clients = 0
  let opening = 0
  let closed = false
  let timer: ReturnType<typeof setInterval> | null = null
  let checkedAt = performance.now()

  function broadcast(events: readonly LiveEvent[]): void {
    counts.events += events.length
    for (const room of rooms.values()) {
      const shown = events.filter((event) => shows(room.view, event))
      const octets = shown.length > 1 ? joined(shown.map((event) => event.octets)) : shown[0]?.octets
      if (octets === undefined) continue
      for (const client of [...room.clients]) if (!client.outlet.push(octets)) counts.slow++
    }
  }

  /** The objects that the actor may see, kept up to date from now on. */
  async function grantsOf(actor: Actor): Promise<Grants> {
    const key = grantsKey(actor)
    const known = grants.get(key)
    if (known !== undefined) return known.grants
    const made: Grants = { devices: null, ports: new Set() }
    const scope = scopeOf(actor)
    if (scope.kind === 'granted') await fill(made, actor)
    // another client of the same user may have added them in the meantime
    const entry = grants.get(key) ?? { grants: made, actor }
    grants.set(key, entry)
    return entry.grants
  }

  async function fill(into: Grants, actor: Actor): Promise<void> {
    const scope = scopeOf(actor)
    if (scope.kind !== 'granted') return
    const { devices, ports } = await visibleObjects(store, scope)
    into.devices = new Set(devices)
    into.ports = new Set(ports)
  }

  async function readGrants(): Promise<void> {
    for (const { grants: known, actor } of [...grants.values()]) await fill(known, actor)
  }

  function leave(client: Client): void {
    clients--
    removeFrom(client.room, client)
  }

  function removeFrom(room: Room, client: Client): void {
    room.clients.delete(client)
    if (room.clients.size > 0) return
    rooms.delete(room.key)
    if (![...rooms.values()].some((other) => other.grantsKey === room.grantsKey)) grants.delete(room.grantsKey)
  }

  /** What is needed to enter a room. Throws `forbidden` when the actor may see none of the events. */
  async function admission(actor: Actor, wanted: Wanted) {
    const kinds = kindsFor(actor, wanted, settings)
    if (kinds.length === 0) throw forbidden('Insufficient permissions')
    return { actor, kinds, wanted, seen: await grantsOf(actor) }
  }

  /** The room of the actor's view, created if necessary. The caller must add a client at once. */
  function roomFor({ actor, kinds, wanted, seen }: Awaited<ReturnType<typeof admission>>): Room {
    const key = viewKey(actor, kinds, wanted)
    const known = rooms.get(key)
    if (known !== undefined) return known
    const shared = grants.get(grantsKey(actor)) ?? { grants: seen, actor }
    grants.set(grantsKey(actor), shared)
    const only = wanted.devices === null ? null : new Set(wanted.devices)
    const view: LiveView = { kinds: new Set(kinds), only, grants: shared.grants }
    const room: Room = { key, grantsKey: grantsKey(actor), view, clients: new Set() }
    rooms.set(key, room)
    return room
  }

  function requireRoom(userId: number | null): void {
    const most = settings.get('events.max_clients')
    const own = [...rooms.values()].flatMap((room) => [...room.clients]).filter((client) => client.userId === userId)
    if (clients + opening <= most && own.length < Math.ceil(most / 2)) return
    counts.refused++
    throw throttled(RETRY_S)
  }

  /** The first events of a stream, up to `until`: whether it could be resumed, and what was missed. */
  async function missed(view: LiveView, lastId: string | null, until: number): Promise<Uint8Array<ArrayBuffer>> {
    const now = Date.now()
    const here: Seen = { position: until, at: now }
    const start = `retry: ${2000 + Math.floor(Math.random() * 3000)}\n\n`
    const opened = (name: string, data: object) =>
      joined([new TextEncoder().encode(start), eventOctets(name, idOf(here), { ...data, time: now / 1000 })])
    const kinds = [...view.kinds]
    if (lastId === null) return opened('ready', { resumed: false, events: kinds })
    const seen = seenOf(lastId)
    const reason = seen === null ? 'the id is unknown' : await lostReason(seen, until)
    const events = seen === null || reason !== null ? [] : await eventsAfter(store, seen.position, MAX_MISSED + 1)
    if (seen === null || reason !== null || events.length > MAX_MISSED) {
      counts.reset++
      return opened('reset', { reason: reason ?? 'too much happened since', events: kinds })
    }
    const polls = view.kinds.has('poll') ? await pollsSince(store, seen.at - POLL_MARGIN_MS) : []
    const past = [
      ...events.filter(({ position }) => position <= until).map((event) => changeEvent(event, seen.at)),
      ...polls.map((poll) => pollEvent(poll, here)),
    ]
    counts.resumed++
    const shown = past.filter((event) => shows(view, event)).map(({ octets }) => octets)
    return joined([opened('ready', { resumed: true, events: kinds }), ...shown])
  }

  /** The reason the changes after a position are unavailable; null: they are available. */
  async function lostReason({ position }: Seen, until: number): Promise<string | null> {
    const { first } = await livePositions(store)
    if (position > until) return 'the id is of another database'
    return position < until && (first === null || first > position + 1)
      ? 'what happened since is no longer stored'
      : null
  }

  /** Checks again the tokens, sessions and roles of all clients. */
  async function checkAccess(): Promise<void> {
    for (const room of [...rooms.values()]) for (const client of [...room.clients]) await check(client)
  }

  async function check(client: Client): Promise<void> {
    const { request, outlet } = client
    const actor = await request.identify()
    const admitted = actor === null ? null : await admission(actor, request.wanted).catch(refusedAsNull)
    if (outlet.ended) return
    if (admitted === null) return outlet.end('access')
    const room = roomFor(admitted)
    if (room === client.room) return
    room.clients.add(client)
    removeFrom(client.room, client)
    client.room = room
  }

  function tick(): void {
    const now = performance.now()
    for (const room of rooms.values()) {
      for (const client of [...room.clients])
        if (now - client.outlet.pushedAt >= KEEP_ALIVE_MS && !client.outlet.push(KEEP_ALIVE)) counts.slow++
    }
    changes.look()
    if (now - checkedAt < CHECK_MS) return
    checkedAt = now
    askAccess()
    askGrants()
  }

  const failed = (what: string) => (error: unknown) => log.debug({ err: error }, what)

  const askGrants = coalesce(readGrants, failed('grants for live events could not be read'))
  const askAccess = coalesce(checkAccess, failed('access to live events could not be checked'))

  return {
    /** Starts passing on changes. The caller listens on LIVE_CHANNEL and GRANTS_CHANNEL. */
    start(): void {
      timer = setInterval(tick, TICK_MS)
      changes.look()
    },

    /** Call when changes were stored. */
    changed: () => changes.look(),

    /** Call when polls were stored. */
    polled(polls: readonly LastPoll[]): void {
      if (rooms.size === 0 || polls.length === 0) return
      const seen = { position: changes.position, at: Date.now() }
      broadcast(polls.map((poll) => pollEvent(poll, seen)))
    },

    /** Call when another process stored polls of these devices. */
    polledElsewhere(deviceIds: readonly number[]): void {
      if (rooms.size === 0 || deviceIds.length === 0) return
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
        const room = roomFor(await admission(actor, request.wanted))
        const client: Client = { request, userId: actor.userId, room, outlet: createOutlet(() => leave(client)) }
        room.clients.add(client)
        clients++
        // changes after this position reach the client through its room
        const until = changes.position
        try {
          return { first: await missed(room.view, request.lastId, until), stream: client.outlet }
        } catch (error) {
          await client.outlet.stop()
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
      for (const room of [...rooms.values()]) for (const client of [...room.clients]) client.outlet.end('stopping')
      await changes.stop()
    },

    metrics(): Metric[] {
      return [
        figure('portlight_live_clients', clients),
        figure('portlight_live_events_total', counts.events),
        figure('portlight_live_slow_clients_total', counts.slow),
        figure('portlight_live_refused_clients_total', counts.refused),
        figure('portlight_live_resumed_total', counts.resumed),
        figure('portlight_live_reset_total', counts.reset),
      ]
    },
  }
}

function refusedAsNull(error: unknown): null {
  if (error instanceof DomainError && error.code === 'forbidden') return null
  throw error
}

export type LiveService = ReturnType<typeof createLiveService>
