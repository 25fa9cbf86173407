import type { Observation, PortStatus, SetObservation, SystemObservation } from '../../modules/observation.ts'
import type { Store } from '../client.ts'
import { syncComponents } from '../components/discovered.ts'
import { guarded } from '../errors.ts'
import { INVENTORY_CHANNEL } from '../groups/write.ts'
import { syncIpv4, syncIpv6 } from './addresses.ts'
import { adoptLinks } from './adopt-links.ts'
import type { Dirt, Values } from './columns.ts'
import { lockDevice, syncSystem } from './device.ts'
import { condensed, type Event, writeEvents } from './events.ts'
import type { Change, SetOutcome } from './outcome.ts'
import { lockedAliases, portChange, readPorts, readPortsById, syncPorts, updatePorts } from './ports.ts'
import type { Tx } from './rows.ts'
import { writeStates } from './states.ts'
import { syncSwitching } from './switching.ts'
import { DISCOVERED, syncDiscovered } from './tables.ts'

/** Result of writing a discovery. */
export interface DiscoveryChanges {
  /** By kind of observation; a kind that was not observed is absent. */
  readonly kinds: Readonly<Partial<Record<SetKind, Change>>>
  /** Columns of the device that changed. */
  readonly system: number
  /** Rows of the event log. */
  readonly events: number
  /** Values that did not fit their column and were truncated or dropped. */
  readonly cleaned: number
}

export type SetKind = Exclude<Observation['kind'], 'system'>

/** A discovery that ended; absent for observations of a poll. */
export interface DiscoveryRun {
  readonly tookMs: number
  /** False: the deadline passed before every module had run. */
  readonly complete: boolean
}

/**
 * Stores what modules found on a device in one transaction. Rows are added, changed and, where the observation is
 * complete, removed. Notable changes become events, except at the first discovery, when every row is new. Observations
 * of one kind from several modules form one set, complete if all of them are. With `run`, sets `last_discovered`. Does
 * nothing if the device is gone. Throws StoreError.
 */
export function writeDiscovery(
  store: Store,
  deviceId: number,
  observations: readonly Observation[],
  run?: DiscoveryRun,
): Promise<DiscoveryChanges> {
  return guarded(async () => {
    const changes = await store.sql.begin((tx) => discovery(tx, deviceId, observations, run))
    // Rows of other devices get their own transaction: two discoveries that also hold their own rows could deadlock.
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
  // Update the device's row before its dependent rows, in the same order as polls, to avoid deadlocks.
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
  const record = (kind: SetKind, { counts, events: logged }: SetOutcome) => {
    kinds[kind] = counts
    events.push(...condensed(logged, `changes of ${kind}`))
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
    'port-security': security,
    components,
    ...others
  } = sets
  if (seen !== undefined) {
    const owner = { deviceId, port_association_mode: device.port_association_mode }
    const outcome = await syncPorts(tx, owner, seen.rows, seen.complete, dirt)
    ports = outcome.byIfIndex
    record('ports', outcome)
  }
  if (ipv4 !== undefined || ipv6 !== undefined) ports ??= await portIds(tx, deviceId)
  if (ipv4 !== undefined && ports !== null)
    record('ipv4', await syncIpv4(tx, deviceId, ports, ipv4.rows, ipv4.complete))
  if (ipv6 !== undefined && ports !== null)
    record('ipv6', await syncIpv6(tx, deviceId, ports, ipv6.rows, ipv6.complete))
  const ofPorts = {
    'port-stack': stack,
    vlans,
    'port-vlans': members,
    'port-switching': switching,
    fdb,
    arp,
    nd,
    links,
    nac,
    'port-security': security,
  }
  if (Object.values(ofPorts).some((set) => set !== undefined)) {
    ports ??= await portIds(tx, deviceId)
    for (const [kind, outcome] of await syncSwitching(tx, deviceId, ports, ofPorts, dirt)) record(kind, outcome)
  }
  if (components !== undefined)
    record('components', await syncComponents(tx, deviceId, components.rows, components.complete))
  for (const [kind, set] of Object.entries(others)) {
    const table = DISCOVERED[kind as keyof typeof DISCOVERED]
    record(kind as SetKind, await syncDiscovered(tx, table, deviceId, set.rows, set.complete, dirt))
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

/** Merges the observations into one set per kind. */
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
  // Rows of a kind come only from observations of that kind.
  return sets as Sets
}

/** port_id of live ports by ifIndex. */
async function portIds(tx: Tx, deviceId: number): Promise<ReadonlyMap<number, number>> {
  const ports = await readPorts(tx, deviceId)
  return new Map(ports.flatMap((p) => (p.deleted === 0 && p.ifIndex !== null ? [[p.ifIndex, p.port_id] as const] : [])))
}

/** At the first discovery everything is new: a single event gives the counts. */
function firstEvents(deviceId: number, kinds: Readonly<Partial<Record<SetKind, Change>>>): readonly Event[] {
  const found = Object.entries(kinds).flatMap(([kind, { added }]) => (added > 0 ? [`${added} ${kind}`] : []))
  if (found.length === 0) return []
  return [{ deviceId, message: `Discovered ${found.join(', ')}`, type: 'discovery', reference: deviceId, severity: 2 }]
}

/** A change of a port that a poll noticed. Absent members did not change. */
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
 * Stores changes of ports that polls noticed, on any devices, with `_prev` columns and events. Keeps an ifAlias set by
 * a person; an empty name or alias gets the value that discovery would give it. Ignores deleted ports. Throws
 * StoreError.
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
