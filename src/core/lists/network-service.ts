import { type Actor, scopeOf } from '../base/actor.ts'
import type { UnmonitoredNeighbour } from '../candidates/candidate.ts'
import type { Store } from '../database/client.ts'
import type { FoundKind, FoundLevel, FoundRows } from './found-rows.ts'
import { type BgpFamily, type BgpSession, bgpSessionEvents, findBgpSession, type SessionEvent } from './read-bgp.ts'
import { FOUND_KINDS, type FoundQuery, listFound } from './read-found.ts'
import {
  type FleetHealthRow,
  fleetHealthValue,
  HEALTH_LEVELS,
  type HealthClass,
  type HealthQuery,
  listFleetHealth,
} from './read-health.ts'
import { type LocationListRow, listLocationPage } from './read-locations.ts'
import {
  type FleetPort,
  type FleetPortQuery,
  listFleetPorts,
  PORT_SORTS,
  PORT_STATES,
  type PortCounts,
  portSpeeds,
} from './read-ports.ts'
import {
  listSessions,
  listVrfs,
  type RoutingProtocol,
  type SessionQuery,
  type SessionRow,
  type VrfListRow,
} from './read-routing.ts'
import { listTopPorts, TOP_ORDERS, type TopOrder, type TopPort, type TopQuery } from './read-top-ports.ts'
import { type MapDevice, type MapLink, readMap } from './read-topology.ts'
import { createSnapshots } from './snapshots.ts'
import { type Layout, layoutOf, NODE_HEIGHT, NODE_WIDTH, type Place, ROW_HEIGHT } from './topology-layout.ts'

export type { HealthLevel } from './read-health.ts'
export type { PortCounts, PortStatus as PortState } from './read-ports.ts'
export type {
  BgpFamily,
  BgpSession,
  FleetHealthRow,
  FleetPort,
  FleetPortQuery,
  FoundKind,
  FoundLevel,
  FoundQuery,
  FoundRows,
  HealthClass,
  HealthQuery,
  Layout,
  LocationListRow,
  MapDevice,
  MapLink,
  Place,
  RoutingProtocol,
  SessionEvent,
  SessionQuery,
  SessionRow,
  TopOrder,
  TopPort,
  TopQuery,
  VrfListRow as VrfRow,
}
export { FOUND_KINDS, HEALTH_LEVELS, NODE_HEIGHT, NODE_WIDTH, PORT_SORTS, PORT_STATES, ROW_HEIGHT, TOP_ORDERS }

interface Paged {
  readonly text: string
  readonly offset: number
  readonly limit: number
}

/** A neighbour that is not monitored, as the map draws it. */
export interface MapNeighbour {
  /** Place on the map: a negative number, which no device has. */
  readonly key: number
  readonly neighbour: UnmonitoredNeighbour
}

/** The devices that are linked to each other, their positions, and the traffic between them. */
export interface NetworkMap {
  readonly devices: readonly MapDevice[]
  readonly links: readonly MapLink[]
  /** Neighbours that are not monitored, as far as they are drawn. */
  readonly neighbours: readonly MapNeighbour[]
  /** Number of neighbours that are not monitored. */
  readonly unknown: number
  /** Number of devices without a link to another device. */
  readonly unlinked: number
  readonly layout: Layout
}

/** Only this many pages of an unfiltered list are cached, to limit the number of keys. */
const REMEMBERED_PAGES = 5
const LAYOUTS = 20
/** Neighbours that are not monitored on a map; the others are counted, so that they do not hide the devices. */
const GHOSTS_ON_MAP = 100
/** Maximum number of cached port searches; a search has to read all ports that match. */
const MAX_SEARCHES = 50
/** Larger pages, such as a list as CSV, are not cached. */
const MAX_KEPT_ROWS = 200

/** Paged lists over the whole network, limited to what the actor may see. */
export function createNetworkService({ store }: { readonly store: Store }) {
  const snapshots = createSnapshots()
  const searches = createSnapshots({ maxKept: MAX_SEARCHES })
  const layouts = new Map<string, Layout>()
  /** As in the fleet service, only what actors who see everything read is cached. */
  const shared = <T>(scope: ReturnType<typeof scopeOf>, key: string | null, work: () => Promise<T>): Promise<T> =>
    scope.kind === 'all' && key !== null ? snapshots(key, work) : work()

  function laidOut(
    devices: readonly MapDevice[],
    links: readonly MapLink[],
    ends: readonly (readonly [key: number, device: number])[],
  ): Layout {
    const ids = [...devices.map((one) => one.device_id), ...new Set(ends.map(([key]) => key))]
    const edges = [...links.map(({ a, b }) => (a < b ? ([a, b] as const) : ([b, a] as const))), ...ends]
    const key = Bun.hash(`${ids.join()};${[...new Set(edges.map(String))].sort().join(';')}`).toString(36)
    const known = layouts.get(key)
    if (known !== undefined) return known
    const made = layoutOf(ids, edges)
    if (layouts.size >= LAYOUTS) layouts.clear()
    layouts.set(key, made)
    return made
  }

  return {
    /** A page of ports, and their numbers by state. The first pages may be ten seconds old, at most two minutes. */
    async ports(actor: Actor, query: FleetPortQuery): Promise<{ rows: FleetPort[]; counts: PortCounts }> {
      const scope = scopeOf(actor)
      const read = () => listFleetPorts(store, scope, query)
      if (scope.kind !== 'all' || query.offset >= REMEMBERED_PAGES * query.limit || query.limit > MAX_KEPT_ROWS) {
        return await read()
      }
      return await (query.text === '' ? snapshots : searches)(`ports ${JSON.stringify(query)}`, read)
    },

    /**
     * Ports by their traffic or errors in a range, each traffic once. The first page of a list without a search text may
     * be ten seconds old, at most two minutes. `key`: the range as it was asked for.
     */
    async topPorts(
      actor: Actor,
      query: TopQuery,
      key: string,
      nowMs: number,
    ): Promise<{ rows: TopPort[]; total: number }> {
      const scope = scopeOf(actor)
      const isKept = query.text === '' && query.offset === 0 && query.limit <= MAX_KEPT_ROWS
      const { span: _, before: __, ...rest } = query
      return await shared(scope, isKept ? `top ${key} ${JSON.stringify(rest)}` : null, () =>
        listTopPorts(store, scope, query, nowMs),
      )
    },

    /** The speeds of ports, bit/s, highest first, each once. */
    async speeds(actor: Actor): Promise<number[]> {
      const scope = scopeOf(actor)
      return await shared(scope, 'speeds', () => portSpeeds(store, scope))
    },

    /** Sensors, processors, memory and storage, worst first; or wireless values. */
    async health(actor: Actor, of: 'health' | 'wireless', query: HealthQuery) {
      const scope = scopeOf(actor)
      const kept = query.text === '' && query.offset < REMEMBERED_PAGES * query.limit && (query.class?.length ?? 0) < 30
      return await shared(scope, kept ? `${of} ${JSON.stringify(query)}` : null, () =>
        listFleetHealth(store, scope, of, query),
      )
    },

    /** One of these values; null: it does not exist, or is not granted. */
    healthValue: (actor: Actor, of: 'health' | 'wireless', which: Pick<FleetHealthRow, 'kind' | 'id'>) =>
      fleetHealthValue(store, scopeOf(actor), of, which),

    /** What discovery found of a kind, by device. */
    found: <K extends FoundKind>(actor: Actor, kind: K, query: FoundQuery) =>
      listFound(store, scopeOf(actor), kind, query),

    /** null: it does not exist, or its device is not granted. */
    bgpSession: (actor: Actor, id: number) => findBgpSession(store, scopeOf(actor), id),
    /** Changes of a session, the latest first. Callers check access. */
    bgpSessionEvents: (session: BgpSession, limit: number) => bgpSessionEvents(store, session, limit),

    sessions: (actor: Actor, query: SessionQuery) => listSessions(store, scopeOf(actor), query),
    vrfs: (actor: Actor, of: Paged) => listVrfs(store, scopeOf(actor), of),
    locations: (actor: Actor, of: Paged) => listLocationPage(store, scopeOf(actor), of),

    /**
     * The map of the network; may be a few seconds old. `neighbours`: those that are not monitored and are to be drawn,
     * of which the first GHOSTS_ON_MAP with a device of the map are.
     */
    async map(actor: Actor, unmonitored: readonly UnmonitoredNeighbour[] = []): Promise<NetworkMap> {
      const scope = scopeOf(actor)
      const read = await shared(scope, 'map', () => readMap(store, scope))
      const known = new Set(read.devices.map((one) => one.device_id))
      const links = read.links.filter(({ a, b }) => known.has(a) && known.has(b))
      const neighbours = unmonitored
        .filter((neighbour) => neighbour.links.some(({ deviceId }) => known.has(deviceId)))
        .slice(0, GHOSTS_ON_MAP)
        .map((neighbour, i) => ({ key: -1 - i, neighbour }))
      const ends = neighbours.flatMap(({ key, neighbour }) =>
        neighbour.links.filter(({ deviceId }) => known.has(deviceId)).map(({ deviceId }) => [key, deviceId] as const),
      )
      const linked = new Set([...links.flatMap(({ a, b }) => [a, b]), ...ends.map(([, id]) => id)])
      const devices = read.devices.filter((one) => linked.has(one.device_id))
      return { ...read, devices, links, neighbours, layout: laidOut(devices, links, ends) }
    },
  }
}

export type NetworkService = ReturnType<typeof createNetworkService>
