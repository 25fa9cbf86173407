import type { Settings } from '../../config/schema.ts'
import { type Actor, scopeOf } from '../base/actor.ts'
import { DomainError, forbidden } from '../base/errors.ts'
import { visibleObjects } from '../base/read-visible.ts'
import type { Store } from '../database/client.ts'
import type { LiveKind } from './event.ts'
import { joined, type LiveEvent } from './event.ts'
import type { SendingStream } from './stream.ts'
import { type Grants, grantsKey, kindsFor, type LiveFilter, type LiveView, shows, viewKey } from './view.ts'

export interface LiveRequest {
  /** Returns the client's current actor; null: no longer valid. Called again while the stream is open. */
  readonly identify: () => Promise<Actor | null>
  readonly filter: LiveFilter
  /** Header Last-Event-ID; null: none. */
  readonly lastId: string | null
}

export interface Client {
  readonly request: LiveRequest
  readonly userId: number | null
  readonly stream: SendingStream
  room: Room
}

/** Clients with the same view. */
interface Room {
  readonly key: string
  readonly grantsKey: string
  readonly view: LiveView
  readonly clients: Set<Client>
}

/** What is needed to enter a room. */
interface Admission {
  readonly actor: Actor
  readonly kinds: readonly LiveKind[]
  readonly filter: LiveFilter
  readonly seen: Grants
}

/** Clients by what they see: those of a room have the same view, and views of the same user share the grants. */
export function createRooms({ store, settings }: { readonly store: Store; readonly settings: Settings }) {
  const rooms = new Map<string, Room>()
  const grants = new Map<string, { readonly grants: Grants; readonly actor: Actor }>()

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

  function removeFrom(room: Room, client: Client): void {
    room.clients.delete(client)
    if (room.clients.size > 0) return
    rooms.delete(room.key)
    if (![...rooms.values()].some((other) => other.grantsKey === room.grantsKey)) grants.delete(room.grantsKey)
  }

  /** Throws `forbidden` when the actor may see none of the events. */
  async function admission(actor: Actor, filter: LiveFilter): Promise<Admission> {
    const kinds = kindsFor(actor, filter, settings)
    if (kinds.length === 0) throw forbidden('Insufficient permissions')
    return { actor, kinds, filter, seen: await grantsOf(actor) }
  }

  /** The room of the actor's view, created if necessary. The caller must add a client at once. */
  function roomFor({ actor, kinds, filter, seen }: Admission): Room {
    const key = viewKey(actor, kinds, filter)
    const known = rooms.get(key)
    if (known !== undefined) return known
    const shared = grants.get(grantsKey(actor)) ?? { grants: seen, actor }
    grants.set(grantsKey(actor), shared)
    const only = filter.devices === null ? null : new Set(filter.devices)
    const view: LiveView = { kinds: new Set(kinds), only, grants: shared.grants }
    const room: Room = { key, grantsKey: grantsKey(actor), view, clients: new Set() }
    rooms.set(key, room)
    return room
  }

  const clients = () => [...rooms.values()].flatMap((room) => [...room.clients])

  /** Moves a client to the room of the view that it has now. */
  function move(client: Client, admitted: Admission): void {
    const room = roomFor(admitted)
    if (room === client.room) return
    room.clients.add(client)
    removeFrom(client.room, client)
    client.room = room
  }

  /** Checks again the tokens, sessions and roles of all clients. */
  async function checkAccess(): Promise<void> {
    for (const client of clients()) await check(client)
  }

  async function check(client: Client): Promise<void> {
    const { request, stream } = client
    const actor = await request.identify()
    const admitted = actor === null ? null : await admission(actor, request.filter).catch(refusedAsNull)
    if (stream.ended) return
    if (admitted === null) return stream.end('access')
    move(client, admitted)
  }

  /** Sends events to those who may see them; returns the number of clients that are too slow for them. */
  function send(events: readonly LiveEvent[]): number {
    let slow = 0
    for (const room of rooms.values()) {
      const shown = events.filter((event) => shows(room.view, event))
      const octets = shown.length > 1 ? joined(shown.map((event) => event.octets)) : shown[0]?.octets
      if (octets === undefined) continue
      for (const client of [...room.clients]) if (!client.stream.push(octets)) slow++
    }
    return slow
  }

  return {
    isEmpty: () => rooms.size === 0,
    clients,
    send,
    checkAccess,
    readGrants,
    admission,
    enter(client: Omit<Client, 'room'>, admitted: Admission): Client {
      const entered = { ...client, room: roomFor(admitted) }
      entered.room.clients.add(entered)
      return entered
    },
    remove: (client: Client) => removeFrom(client.room, client),
  }
}

function refusedAsNull(error: unknown): null {
  if (error instanceof DomainError && error.code === 'forbidden') return null
  throw error
}
