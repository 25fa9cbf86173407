import type { Observation } from '../../modules/observation.ts'
import type { PortStatus } from '../../modules/ports/observation.ts'
import { INVENTORY_CHANNEL } from '../base/channels.ts'
import type { Store } from '../database/client.ts'
import { toStoreError } from '../database/errors.ts'
import { SIGHTING_LIMITS } from '../sightings/sighting.ts'
import { syncAddresses } from './addresses.ts'
import type { AdjustedValues, Values } from './columns.ts'
import { syncComponents } from './components.ts'
import { lockDevice, syncSystem } from './device.ts'
import { type EventBudget, type EventChoice, UNLIMITED_EVENTS } from './event-budget.ts'
import { condensed, type Event, writeEvents } from './events.ts'
import { type Parts, separately, together } from './isolate-row.ts'
import { adoptLinks, hasOpenLinks } from './match-imported-links.ts'
import { merged, type SetKind, type Sets } from './merge-observations.ts'
import { type Change, counting, type SetOutcome } from './outcome.ts'
import { lockedValues, portChange, readPorts, readPortsById, syncPorts, updatePorts } from './ports.ts'
import { heldKinds } from './rows-at-risk.ts'
import { type Sighted, withSightings } from './sightings.ts'
import { writeStates } from './states.ts'
import { syncSwitching } from './switching.ts'
import type { Found } from './table.ts'
import { DISCOVERED, syncDiscovered } from './tables.ts'
import { EVERYTHING, reasonOf, recordUnstored, type Unstored } from './unstored.ts'
import type { Tx } from './write-rows.ts'

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
  /** What the database rejected. */
  readonly unstored: readonly Unstored[]
}

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
 * nothing if the device is gone.
 *
 * If the database rejects something, each kind is stored on its own, so that only what is rejected is left out. That is
 * recorded, and becomes an event. `budget` limits the events, `sighted` the sightings. Throws StoreError if nothing can be stored now.
 */
export async function writeDiscovery(
  store: Store,
  deviceId: number,
  observations: readonly Observation[],
  run?: DiscoveryRun,
  budget: EventBudget = UNLIMITED_EVENTS,
  sighted: Sighted = { limits: SIGHTING_LIMITS },
): Promise<DiscoveryChanges> {
  const { choice, ...changes } = await store.sql
    .begin((tx) => discovery(tx, deviceId, observations, run, { parts: together(tx), unstored: [], budget, sighted }))
    .catch((error: unknown) => {
      if (toStoreError(error).retryable) throw error
      return inParts(store, deviceId, observations, run, { budget, sighted })
    })
  budget.count(choice)
  // Rows of other devices get their own transaction: two discoveries that also hold their own rows could deadlock.
  const { ports } = changes.kinds
  if (ports !== undefined && ports.added + ports.changed > 0 && (await hasOpenLinks(store.sql, deviceId)))
    await store.sql.begin((tx) => adoptLinks(tx, deviceId))
  return changes
}

/** Stores each kind on its own; if that fails too, records why. */
async function inParts(
  store: Store,
  deviceId: number,
  observations: readonly Observation[],
  run: DiscoveryRun | undefined,
  limits: Pick<Storing, 'budget' | 'sighted'>,
): Promise<Written> {
  try {
    return await store.sql.begin((tx) => {
      const unstored: Unstored[] = []
      return discovery(tx, deviceId, observations, run, { parts: separately(tx, unstored), unstored, ...limits })
    })
  } catch (error) {
    if (toStoreError(error).retryable) throw error
    const unstored: Unstored[] = [{ subject: EVERYTHING, row: null, kept: false, reason: reasonOf(error) }]
    await store.sql.begin(async (tx) => {
      if ((await lockDevice(tx, deviceId)) === null) return
      await writeEvents(tx, await recordUnstored(tx, deviceId, [], unstored))
    })
    return { ...NOTHING, unstored }
  }
}

/** What was stored, with the events to count. */
interface Written extends DiscoveryChanges {
  readonly choice: EventChoice
}

interface Storing {
  readonly parts: Parts
  /** What `parts` could not store so far. */
  readonly unstored: readonly Unstored[]
  readonly budget: EventBudget
  readonly sighted: Sighted
}

const NO_EVENTS: EventChoice = { listed: [], unlisted: [] }
const NOTHING: Written = { kinds: {}, system: 0, events: 0, cleaned: 0, unstored: [], choice: NO_EVENTS }

async function discovery(
  tx: Tx,
  deviceId: number,
  observations: readonly Observation[],
  run: DiscoveryRun | undefined,
  { parts, unstored, budget, sighted }: Storing,
): Promise<Written> {
  const device = await lockDevice(tx, deviceId)
  if (device === null) return NOTHING
  // Update the device's row before its dependent rows, in the same order as polls, to avoid deadlocks.
  if (run !== undefined) {
    await tx`update devices set last_discovered = now(), last_discovered_timetaken = ${run.tookMs / 1000}
      where device_id = ${deviceId}`
  }
  const adjusted: AdjustedValues = { count: 0 }
  const kinds: Partial<Record<SetKind, Change>> = {}
  const events: Event[] = []
  let systemChanges = 0
  for (const observation of observations) {
    if (observation.kind !== 'system') continue
    const outcome = await parts.one('system', (inner) => syncSystem(inner, device, observation, adjusted))
    systemChanges += outcome?.changed ?? 0
    events.push(...(outcome?.events ?? []))
  }
  const record = (kind: SetKind, outcome: SetOutcome | null) => {
    if (outcome === null) return
    kinds[kind] = outcome.counts
    events.push(...condensed(outcome.events, `changes of ${kind}`))
  }
  const sets = merged(observations)
  let ports: ReadonlyMap<number, number> | null = null
  const { ports: seen, ...others } = sets
  if (seen !== undefined) {
    const owner = { deviceId, port_association_mode: device.port_association_mode }
    const outcome = await parts.set('ports', seen, (inner, { rows, complete }) =>
      syncPorts(inner, owner, rows, complete, adjusted),
    )
    ports = outcome?.byIfIndex ?? null
    record('ports', outcome)
  }
  const {
    ipv4,
    ipv6,
    'port-stack': stack,
    vlans,
    'port-vlans': members,
    'port-switching': switching,
    etherlike,
    fdb,
    arp,
    nd,
    links,
    nac,
    'port-security': security,
    components,
    ...tables
  } = await remaining(tx, deviceId, others, (kind) => {
    kinds[kind] = counting()
  })
  const ofPorts = {
    'port-stack': stack,
    vlans,
    'port-vlans': members,
    'port-switching': switching,
    etherlike,
    fdb,
    arp,
    nd,
    links,
    nac,
    'port-security': security,
  }
  const { fdb: learned, arp: arps, nd: nds, nac: sessions } = sets
  if ([ipv4, ipv6, ...Object.values(ofPorts), learned, arps, nds, sessions].some((set) => set !== undefined)) {
    const ids = ports ?? (await portIds(tx, deviceId))
    const stored = async () => {
      await syncAddresses(parts, deviceId, ids, { ipv4, ipv6 }, record)
      await syncSwitching(parts, deviceId, ids, ofPorts, adjusted, record)
    }
    events.push(...(await withSightings(parts, { deviceId, ports: ids, sets, adjusted, ...sighted }, stored)))
  }
  if (components !== undefined)
    record(
      'components',
      await parts.set('components', components, (inner, { rows, complete }) =>
        syncComponents(inner, deviceId, rows, complete),
      ),
    )
  for (const [kind, set] of Object.entries(tables)) {
    const table = DISCOVERED[kind as keyof typeof DISCOVERED]
    const found: Found<object> = set
    record(
      kind as SetKind,
      await parts.set(kind as SetKind, found, (inner, part) => syncDiscovered(inner, table, deviceId, part, adjusted)),
    )
  }
  if (sets.sensors !== undefined)
    await parts.set('states', sets.sensors, (inner, { rows }) => writeStates(inner, deviceId, rows, adjusted))
  const written = device.first ? firstEvents(deviceId, kinds) : events
  const lost =
    unstored.length === 0 && !device.failing
      ? []
      : await recordUnstored(
          tx,
          deviceId,
          [...Object.keys(sets), 'system', 'states', 'sightings', EVERYTHING],
          unstored,
        )
  const choice = budget.choose([...written, ...lost])
  await writeEvents(tx, choice.listed)
  if (run !== undefined) await tx`select pg_notify(${INVENTORY_CHANNEL}, '')`
  return { kinds, system: systemChanges, events: choice.listed.length, cleaned: adjusted.count, unstored, choice }
}

/**
 * With at least this many sets without rows, one query for those that have stored rows is cheaper than comparing each.
 */
const MANY_EMPTY = 3

/** The sets, except those that have no rows, neither now nor stored, for which there is nothing to do. */
async function remaining<T extends Omit<Sets, 'ports'>>(
  tx: Tx,
  deviceId: number,
  sets: T,
  skip: (kind: SetKind) => void,
): Promise<T> {
  const empty = (Object.keys(sets) as Exclude<SetKind, 'ports'>[]).filter((kind) => sets[kind]?.rows.length === 0)
  if (empty.length < MANY_EMPTY) return sets
  const held = await heldKinds(tx, deviceId)
  const left = { ...sets }
  for (const kind of empty) {
    if (held.has(kind)) continue
    skip(kind)
    delete left[kind]
  }
  return left
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
 * a person; an empty name or alias gets the value that discovery would give it. Ignores deleted ports. `budget` limits the
 * events. Throws StoreError.
 */
export async function writePortChanges(
  store: Store,
  changes: readonly PortChange[],
  budget: EventBudget = UNLIMITED_EVENTS,
): Promise<void> {
  if (changes.length === 0) return Promise.resolve()
  const choice = await store.sql.begin(async (tx) => {
    const ports = await readPortsById(tx, [...new Set(changes.map(({ port_id }) => port_id))])
    const locked = await lockedValues(tx, [...new Set(ports.map(({ device_id }) => device_id))])
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
    // a change of all ports at once is one event for each device and severity, as in a discovery
    const groups = Map.groupBy(events, ({ deviceId, severity }) => `${deviceId} ${severity}`)
    const chosen = budget.choose([...groups.values()].flatMap((own) => condensed(own, 'changes of ports')))
    await writeEvents(tx, chosen.listed)
    return chosen
  })
  budget.count(choice)
}
