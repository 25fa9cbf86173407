import { type Actor, scopeOf } from '../base/actor.ts'
import type { Store } from '../database/client.ts'
import { deviceSparks, isSparkKind, portSparks, type SparkPoint, valueSparks } from '../series/read-sparklines.ts'
import { type AddableAddress, addableAddresses } from './read-addable.ts'
import { type ChartAnnotation, type ChartAnnotationsQuery, chartAnnotations } from './read-chart-annotations.ts'
import {
  countDevices,
  DEVICE_SORTS,
  DEVICE_STATES,
  type DeviceChoices,
  type DeviceCounts,
  type DeviceListRow,
  type DeviceQuery,
  type DeviceState,
  type DeviceTraffic,
  deviceChoices,
  listDevicePage,
  polledDevices,
} from './read-device-list.ts'
import { type HealthValue, listHealth, listPortSensors } from './read-health-values.ts'
import { addedAt, oldSince } from './read-old-values.ts'
import {
  type BusyPort,
  busyPorts,
  type EventRow,
  type FleetCounts,
  fleetCounts,
  type NearLimit,
  recentEvents,
  sensorsNearLimit,
} from './read-overview.ts'
import { type PollHealth, pollHealth } from './read-poll-health.ts'
import { listDevicePorts, type PortListRow, type PortStation, portStations } from './read-port-list.ts'
import { listPeers, type RoutingProtocol } from './read-routing.ts'
import { search } from './read-search.ts'
import * as tabs from './read-tabs.ts'
import type { Hit } from './search-hit.ts'
import { createSnapshots } from './snapshots.ts'
import { createTraffic } from './traffic.ts'

export type { PeerRow } from './read-routing.ts'
export type {
  NeighbourRow,
  ServiceRow,
  StationRow,
  TabCounts,
  VlanTabRow as VlanRow,
} from './read-tabs.ts'
export type {
  BusyPort,
  DeviceChoices,
  DeviceCounts,
  DeviceListRow,
  DeviceQuery,
  DeviceState,
  DeviceTraffic,
  EventRow,
  FleetCounts,
  HealthValue,
  Hit,
  NearLimit,
  PortListRow,
  PortStation,
}
export { DEVICE_SORTS, DEVICE_STATES }

const MIN_SEARCH = 2
const MAX_SEARCH = 100

/** Which events; absent: of any device, port or time. */
interface EventsWanted {
  readonly deviceId?: number
  readonly portId?: number
  /** Of this many seconds. */
  readonly sinceS?: number
  /** Epoch ms, both inclusive. */
  readonly between?: readonly [from: number, to: number]
  readonly limit: number
}

/**
 * Data for the web pages: paged lists, and figures over many objects. Operations that take an actor return what the
 * actor may see; for those that take only the id of a device or port, callers check access.
 */
export function createFleetService({ store }: { readonly store: Store }) {
  const trafficOf = createTraffic(store)
  const snapshots = createSnapshots()
  /**
   * Used only for actors who see everything: removed grants must take effect at once, and granted objects are read
   * quickly.
   */
  const snapshot = <T>(scope: ReturnType<typeof scopeOf>, key: string, work: () => Promise<T>): Promise<T> =>
    scope.kind === 'all' ? snapshots(key, work) : work()

  return {
    /** A page of devices, and the number of devices in each state. */
    async devices(actor: Actor, query: DeviceQuery): Promise<{ rows: DeviceListRow[]; counts: DeviceCounts }> {
      const scope = scopeOf(actor)
      const isByTraffic = query.sort === 'in' || query.sort === 'out'
      const traffic = isByTraffic
        ? await trafficOf(await polledDevices(store, scope))
        : new Map<number, DeviceTraffic>()
      const [rows, counts] = await Promise.all([
        listDevicePage(store, scope, query, [...traffic.values()]),
        countDevices(store, scope, query),
      ])
      return { rows, counts }
    },

    async deviceCounts(actor: Actor): Promise<DeviceCounts> {
      return await countDevices(store, scopeOf(actor), ALL)
    },

    async deviceChoices(actor: Actor): Promise<DeviceChoices> {
      return await deviceChoices(store, scopeOf(actor))
    },

    traffic: trafficOf,

    /** Ports of a device that the actor may see, in order of ifIndex. */
    async ports(actor: Actor, deviceId: number): Promise<PortListRow[]> {
      return await listDevicePorts(store, scopeOf(actor), deviceId)
    },

    async stations(portId: number, limit: number): Promise<PortStation[]> {
      return await portStations(store, portId, limit)
    },

    /** Numbers of objects in the fleet; may be a few seconds old. */
    async counts(actor: Actor): Promise<FleetCounts> {
      const scope = scopeOf(actor)
      return await snapshot(scope, 'counts', () => fleetCounts(store, scope))
    },

    /** Latest events; without `sinceS`, of any age. */
    async events(actor: Actor, of: EventsWanted): Promise<EventRow[]> {
      const { deviceId = null, portId = null, sinceS = null, between = null, limit } = of
      return await recentEvents(store, scopeOf(actor), { deviceId, portId, sinceS, between, limit })
    },

    /** Events that charts of a device or port mark on their time axis, latest first. */
    chartAnnotations: (query: ChartAnnotationsQuery): Promise<ChartAnnotation[]> => chartAnnotations(store, query),

    /**
     * Small charts of the last 24 whole hours, of ports, devices (their traffic) or values of a kind, without what the
     * actor may not see. Null: no such kind.
     */
    async sparks(actor: Actor, kind: string, ids: readonly number[]): Promise<SparkPoint[] | null> {
      const scope = scopeOf(actor)
      if (kind === 'port') return await portSparks(store, scope, ids)
      if (kind === 'device') return await deviceSparks(store, scope, ids)
      return isSparkKind(kind) ? await valueSparks(store, scope, kind, ids) : null
    },

    /** State of polling; may be a few seconds old. `intervalS`: setting poller.interval. */
    async pollHealth(actor: Actor, intervalS: number): Promise<PollHealth> {
      const scope = scopeOf(actor)
      return await snapshot(scope, `polls ${intervalS}`, () => pollHealth(store, scope, intervalS))
    },

    async nearLimit(actor: Actor, limit: number): Promise<NearLimit[]> {
      const scope = scopeOf(actor)
      return await snapshot(scope, `near ${limit}`, () => sensorsNearLimit(store, scope, limit))
    },

    /** Ports with the most traffic, and with the most errors, in the last `seconds`; may be a few seconds old. */
    async busyPorts(actor: Actor, seconds: number, limit: number) {
      const scope = scopeOf(actor)
      return await snapshot(scope, `busy ${seconds} ${limit}`, () => busyPorts(store, scope, { seconds, limit }))
    },

    /** Objects that contain the text, at most `limit` of each kind; none for fewer than two characters. */
    async search(actor: Actor, text: string, limit: number): Promise<Hit[]> {
      const query = text.trim().slice(0, MAX_SEARCH)
      return query.length < MIN_SEARCH ? [] : await search(store, scopeOf(actor), query, limit)
    },

    tabCounts: (deviceId: number) => tabs.tabCounts(store, deviceId),
    /** Neighbours of a device or port. Devices that the actor may not see have no id. */
    neighbours: (actor: Actor, of: { readonly deviceId: number } | { readonly portId: number }) =>
      tabs.listNeighbours(store, scopeOf(actor), of),
    vlans: (deviceId: number) => tabs.listDeviceVlans(store, deviceId),
    stationsOf: (deviceId: number, page: Parameters<typeof tabs.listStations>[2]) =>
      tabs.listStations(store, deviceId, page),
    /** Of addresses of an ARP table, those at which no monitored device answers. */
    addable: (actor: Actor, addresses: readonly string[]): Promise<AddableAddress[]> =>
      addableAddresses(store, scopeOf(actor), addresses),
    health: (deviceId: number) => listHealth(store, deviceId),
    /** When a device last answered, if it no longer does or is disabled; null: its values are current. */
    oldSince: (deviceId: number) => oldSince(store, deviceId),
    addedAt: (deviceId: number) => addedAt(store, deviceId),
    /** Sensors of a port, such as the optical power of its transceiver. */
    portSensors: (portId: number) => listPortSensors(store, portId),
    peers: (deviceId: number, protocols: readonly RoutingProtocol[]) => listPeers(store, deviceId, protocols),
    hostServices: (deviceId: number) => tabs.listDeviceServices(store, deviceId),
  }
}

export type { PollHealth }
export type FleetService = ReturnType<typeof createFleetService>

const ALL: DeviceQuery = {
  state: null,
  text: '',
  location: null,
  os: null,
  type: null,
  groupId: null,
  sort: 'state',
  descending: false,
  offset: 0,
  limit: 0,
}
