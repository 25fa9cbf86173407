import type { Observation, PortStatus, SetObservation, SystemObservation } from '../../modules/observation.ts'
import type { Store } from '../client.ts'
import { guarded } from '../errors.ts'
import { INVENTORY_CHANNEL } from './groups.ts'
import { syncIpv4, syncIpv6 } from './inventory/addresses.ts'
import type { Dirt, Values } from './inventory/columns.ts'
import { COMPONENTS, syncComponents } from './inventory/components.ts'
import { lockDevice, syncSystem } from './inventory/device.ts'
import { syncDeviceComponents } from './inventory/device-components.ts'
import { condensed, type Event, writeEvents } from './inventory/events.ts'
import { adoptLinks } from './inventory/far-ends.ts'
import { syncNeighbours } from './inventory/neighbours.ts'
import type { Change, SetOutcome } from './inventory/outcome.ts'
import { lockedAliases, portChange, readPorts, readPortsById, syncPorts, updatePorts } from './inventory/ports.ts'
import type { Tx } from './inventory/rows.ts'
import { writeStates } from './inventory/states.ts'
import { syncSwitching } from './inventory/switching.ts'

/** What writing a discovery did. */
export interface DiscoveryChanges {
  /** By kind of observation; a kind that was not observed is absent. */
  readonly kinds: Readonly<Partial<Record<SetKind, Change>>>
  /** Columns of the device that changed. */
  readonly system: number
  /** Rows of the event log. */
  readonly events: number
  /** Values that did not fit their column and were cut or dropped. */
  readonly cleaned: number
}

export type SetKind = Exclude<Observation['kind'], 'system'>

/** A discovery that ended; absent for what a poll observed. */
export interface DiscoveryRun {
  readonly tookMs: number
  /** False: the deadline passed before every module had run. */
  readonly complete: boolean
}

/**
 * Stores what modules found out about a device, in one transaction: rows are added, changed and, where the observation
 * is complete, removed; every change worth knowing becomes an event, except at the first discovery, whose rows are all
 * new. Observations of one kind from several modules count as one set, complete when all of them are. With `run`,
 * `last_discovered` moves. A device that is gone meanwhile changes nothing. Throws StoreError.
 */
export function writeDiscovery(
  store: Store,
  deviceId: number,
  observations: readonly Observation[],
  run?: DiscoveryRun,
): Promise<DiscoveryChanges> {
  return guarded(async () => {
    const changes = await store.sql.begin((tx) => discovery(tx, deviceId, observations, run))
    // Rows of other devices: by themselves, since two discoveries that hold their own rows would wait for each other.
    const { ports } = changes.kinds
    if (ports !== undefined && ports.added + ports.changed > 0) await store.sql.begin((tx) => adoptLinks(tx, deviceId))
    return changes
  })
}

async function discovery(
  tx: Tx,
  deviceId: number,
  observations: readonly Observation[],
  run: DiscoveryRun | undefined,
): Promise<DiscoveryChanges> {
  const device = await lockDevice(tx, deviceId)
  if (device === null) return { kinds: {}, system: 0, events: 0, cleaned: 0 }
  // The device's row before the rows that belong to it: the order in which polls write them, so that the two never
  // wait for each other in a ring.
  if (run !== undefined) {
    await tx`update devices set last_discovered = now(), last_discovered_timetaken = ${run.tookMs / 1000}
      where device_id = ${deviceId}`
  }
  const dirt: Dirt = { count: 0 }
  const kinds: Partial<Record<SetKind, Change>> = {}
  const events: Event[] = []
  let systemChanges = 0
  for (const observation of observations) {
    if (observation.kind !== 'system') continue
    const outcome = await syncSystem(tx, device, observation, dirt)
    systemChanges += outcome.changed
    events.push(...outcome.events)
  }
  const tell = (kind: SetKind, { counts, events: told }: SetOutcome) => {
    kinds[kind] = counts
    events.push(...condensed(told, `changes of ${kind}`))
  }
  const sets = merged(observations)
  let ports: ReadonlyMap<number, number> | null = null
  const {
    ports: seen,
    ipv4,
    ipv6,
    'port-stack': stack,
    vlans,
    'port-vlans': members,
    'port-switching': switching,
    fdb,
    arp,
    nd,
    links,
    nac,
    port_security,
    components: parts,
    ...components
  } = sets
  if (seen !== undefined) {
    const owner = { deviceId, port_association_mode: device.port_association_mode }
    const outcome = await syncPorts(tx, owner, seen.rows, seen.complete, dirt)
    ports = outcome.byIfIndex
    tell('ports', outcome)
  }
  if (ipv4 !== undefined || ipv6 !== undefined) ports ??= await portIds(tx, deviceId)
  if (ipv4 !== undefined && ports !== null) tell('ipv4', await syncIpv4(tx, deviceId, ports, ipv4.rows, ipv4.complete))
  if (ipv6 !== undefined && ports !== null) tell('ipv6', await syncIpv6(tx, deviceId, ports, ipv6.rows, ipv6.complete))
  const bridging = { 'port-stack': stack, vlans, 'port-vlans': members, 'port-switching': switching, fdb }
  if (Object.values(bridging).some((set) => set !== undefined)) {
    ports ??= await portIds(tx, deviceId)
    for (const [kind, outcome] of await syncSwitching(tx, deviceId, ports, bridging, dirt)) tell(kind, outcome)
  }
  const neighbours = { arp, nd, links, nac, port_security }
  if (Object.values(neighbours).some((set) => set !== undefined)) {
    ports ??= await portIds(tx, deviceId)
    for (const [kind, outcome] of await syncNeighbours(tx, deviceId, ports, neighbours, dirt)) tell(kind, outcome)
  }
  if (parts !== undefined) tell('components', await syncDeviceComponents(tx, deviceId, parts.rows, parts.complete))
  for (const [kind, set] of Object.entries(components)) {
    const table = COMPONENTS[kind as keyof typeof COMPONENTS]
    tell(kind as SetKind, await syncComponents(tx, table, deviceId, set.rows, set.complete, dirt))
  }
  if (sets.sensors !== undefined) await writeStates(tx, deviceId, sets.sensors.rows)
  const written = device.first ? firstEvents(deviceId, kinds) : events
  await writeEvents(tx, written)
  if (run !== undefined) await tx`select pg_notify(${INVENTORY_CHANNEL}, '')`
  return { kinds, system: systemChanges, events: written.length, cleaned: dirt.count }
}

type Sets = {
  [K in SetKind]?: { complete: boolean; rows: Extract<Observation, SetObservation<K, unknown>>['rows'][number][] }
}

/** One set of each kind. */
function merged(observations: readonly Observation[]): Sets {
  const sets: Partial<Record<SetKind, { complete: boolean; rows: unknown[] }>> = {}
  for (const observation of observations as readonly Exclude<Observation, SystemObservation>[]) {
    if ((observation.kind as string) === 'system') continue
    const set = sets[observation.kind]
    if (set === undefined) sets[observation.kind] = { complete: observation.complete, rows: [...observation.rows] }
    else {
      set.complete &&= observation.complete
      set.rows.push(...observation.rows)
    }
  }
  // Rows of a kind only ever came from observations of that kind.
  return sets as Sets
}

/** port_id by ifIndex of the live ports. */
async function portIds(tx: Tx, deviceId: number): Promise<ReadonlyMap<number, number>> {
  const ports = await readPorts(tx, deviceId)
  return new Map(ports.flatMap((p) => (p.deleted === 0 && p.ifIndex !== null ? [[p.ifIndex, p.port_id] as const] : [])))
}

/** At the first discovery everything is new: one event says how much. */
function firstEvents(deviceId: number, kinds: Readonly<Partial<Record<SetKind, Change>>>): readonly Event[] {
  const found = Object.entries(kinds).flatMap(([kind, { added }]) => (added > 0 ? [`${added} ${kind}`] : []))
  if (found.length === 0) return []
  return [{ deviceId, message: `Discovered ${found.join(', ')}`, type: 'discovery', reference: deviceId, severity: 2 }]
}

/** What a poll noticed of a port. Members that are absent did not change. */
export interface PortChange {
  readonly port_id: number
  readonly ifAdminStatus?: PortStatus
  readonly ifOperStatus?: PortStatus
  /** bit/s. */
  readonly ifSpeed?: number
  /** Mbit/s. */
  readonly ifHighSpeed?: number
  readonly ifName?: string
  readonly ifAlias?: string
}

/**
 * Stores what polls noticed of ports of any devices, with `_prev` columns and events. An ifAlias that a person set stays;
 * an empty name or alias takes the place that discovery gives it. Ports that are gone are passed over. Throws StoreError.
 */
export function writePortChanges(store: Store, changes: readonly PortChange[]): Promise<void> {
  if (changes.length === 0) return Promise.resolve()
  return guarded(() =>
    store.sql.begin(async (tx) => {
      const ports = await readPortsById(tx, [...new Set(changes.map(({ port_id }) => port_id))])
      const locked = await lockedAliases(tx, [...new Set(ports.map(({ device_id }) => device_id))])
      const stored = new Map(ports.map((port) => [port.port_id, port]))
      const updates = new Map<number, Values>()
      const events: Event[] = []
      for (const { port_id, ...seen } of changes) {
        const port = stored.get(port_id)
        if (port === undefined) continue
        const named = {
          ...seen,
          ...(seen.ifName === '' && { ifName: port.ifDescr }),
          ...(seen.ifAlias === '' && { ifAlias: port.ifDescr }),
        }
        const change = portChange(port, named, locked, { count: 0 })
        if (change === null) continue
        updates.set(port_id, change.values)
        stored.set(port_id, { ...port, ...change.values } as typeof port)
        events.push(...change.events)
      }
      await updatePorts(
        tx,
        [...updates].map(([id, values]) => ({ id, values })),
      )
      await writeEvents(tx, events)
    }),
  ).then(() => undefined)
}
