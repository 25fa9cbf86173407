import type { KindName } from '../../../../series/kinds.ts'
import type { DevicePoll, SampleBatch } from '../../../../series/samples.ts'
import { writePollerEvent, writeReboot, writeStatus } from '../../../availability/write.ts'
import type { Store } from '../../../database/client.ts'
import { writeFailure } from '../../../devices/write-failures.ts'
import type { EventBudget, EventChoice } from '../../../discovery/event-budget.ts'
import { writeDiscovery, writePortChanges } from '../../../discovery/write.ts'
import { writeModules } from '../../../polling/read-modules.ts'
import { writeSamples } from '../../../series/write.ts'
import type { SightingLimits } from '../../../sightings/sighting.ts'
import { devicesOfSubjects, foreignSubjects } from '../read.ts'
import { type Delivered, deliverOnce, type Position } from '../write-delivery.ts'
import { MessageError } from './checks.ts'
import { type FloorOf, withoutEarlier } from './handover.ts'
import type { Delivery } from './message.ts'
import { rowCount, subjectsOf, without } from './owned.ts'
import { ClaimLostError, type SiteClaims } from './site-claims.ts'

/** The remote poller that delivers. */
export interface DeliveringPoller {
  readonly id: number
  /** The poller group whose devices it may deliver. */
  readonly poller_group: number
}

export interface StoredDelivery {
  readonly outcome: Delivered
  /** Rows left out because their device is not in the poller's group. */
  readonly foreignRows: number
  /** Sample rows stored. */
  readonly rows: number
  /** Sample rows left out because they were more than 7 days old or in the future. */
  readonly tooOld: number
  readonly deviceIds: readonly number[]
  /** What was stored, as for `PollerDeps.written`. */
  readonly what: readonly string[]
  readonly polls: readonly DevicePoll[]
}

/** Tries to store samples whose device another poller claims at the same time. */
const MAX_TRIES = 3
/** How far the time of a delivery may be ahead of our clock, ms. */
const MAX_AHEAD_MS = 3_600_000

interface StoreOptions {
  readonly considerMaintenance: boolean
  /** Limits the events of changes. */
  readonly budget: EventBudget
  /** Limits the sightings. */
  readonly sightings: SightingLimits
}

/**
 * Stores what a remote poller delivered, only once, and only for devices in its group. Throws StoreError, and
 * MessageError for deliveries about other devices.
 */
export async function storeDelivery(
  store: Store,
  poller: DeliveringPoller,
  position: Position,
  measuredAt: Date,
  delivery: Delivery,
  options: StoreOptions & { readonly claims: SiteClaims },
): Promise<StoredDelivery> {
  if (delivery.kind === 'samples') {
    for (let tries = 1; ; tries++) {
      try {
        return await storeSamples(store, poller, position, measuredAt, delivery.batch, options.claims)
      } catch (error) {
        // the next try checks again whether the device is still in the group
        if (!(error instanceof ClaimLostError) || tries === MAX_TRIES) throw error
      }
    }
  }
  const { deviceId } = delivery
  await requireOwn(store, poller, new Map([['device', new Set([deviceId])]]))
  if (delivery.kind === 'ports')
    await requireOwn(store, poller, new Map([['port', new Set(delivery.changes.map(({ port_id }) => port_id))]]))
  if ('at' in delivery && delivery.at > Date.now() + MAX_AHEAD_MS)
    throw new MessageError('garbled', 'the message has a time in the future')
  // counted once all of it is stored: it is stored again after a deadlock
  const choices: EventChoice[] = []
  const budget = { ...options.budget, count: (choice: EventChoice) => void choices.push(choice) }
  const outcome = await deliverOnce(store, poller.id, position, measuredAt, (inside) => {
    choices.length = 0
    return apply(inside, delivery, { ...options, budget }, measuredAt)
  })
  for (const choice of choices) options.budget.count(choice)
  return { outcome, foreignRows: 0, rows: 0, tooOld: 0, deviceIds: [deviceId], what: WHAT[whatOf(delivery)], polls: [] }
}

const WHAT = {
  ports: ['ports'],
  status: ['status'],
  observed: ['observed'],
  discovered: ['discovered'],
  other: [],
} as const

function whatOf(delivery: Exclude<Delivery, { kind: 'samples' }>): keyof typeof WHAT {
  if (delivery.kind === 'discovery') return delivery.ended === null ? 'observed' : 'discovered'
  return delivery.kind === 'ports' || delivery.kind === 'status' ? delivery.kind : 'other'
}

async function storeSamples(
  store: Store,
  poller: DeliveringPoller,
  position: Position,
  measuredAt: Date,
  batch: SampleBatch,
  claims: SiteClaims,
): Promise<StoredDelivery> {
  let own = await ownPart(store, poller, batch)
  // a device may have moved to another group before it was claimed; if it moves later, either `require` fails or its
  // next poller finds this message stored
  if (await claims.take(devicesOf(own.batch))) own = await ownPart(store, poller, batch)
  const deviceIds = devicesOf(own.batch)
  const later = withoutEarlier(own.batch, await floorsOf(store, own.batch, claims, deviceIds))
  let tooOld = 0
  const outcome = await deliverOnce(store, poller.id, position, measuredAt, async (inside) => {
    await claims.require(inside, deviceIds)
    tooOld = (await writeSamples(inside, later.batch)).untimely
  })
  for (const { deviceId, time } of own.batch.portState)
    if (time >= (claims.floor(deviceId) ?? 0)) claims.passed(deviceId)
  const { polls, ports, series } = later.batch
  const kinds = Object.entries(series).flatMap(([kind, rows]) => (rows.id.length > 0 ? [kind] : []))
  return {
    outcome,
    foreignRows: own.removed,
    rows: own.left - later.removed - tooOld,
    tooOld,
    deviceIds,
    what: ['polled', ...kinds, ...(ports.length > 0 ? ['port'] : [])],
    polls,
  }
}

/** The part of a batch that the poller may deliver. Throws MessageError if nothing is left. */
async function ownPart(
  store: Store,
  poller: DeliveringPoller,
  batch: SampleBatch,
): Promise<{ readonly batch: SampleBatch; readonly left: number; readonly removed: number }> {
  const foreign = await foreignSubjects(store, poller.poller_group, subjectsOf(batch))
  if (foreign.size === 0) return { batch, left: rowCount(batch), removed: 0 }
  const own = without(batch, foreign)
  if (own.left === 0 && own.removed > 0)
    throw new MessageError('foreign_device', 'all samples are of devices that this poller does not poll')
  return own
}

/** Devices that were polled or pinged. */
function devicesOf({ polls, portState, series }: SampleBatch): number[] {
  const polled = [...polls, ...portState].map(({ deviceId }) => deviceId)
  return [...new Set([...polled, ...(series.icmp?.id ?? [])])]
}

/** When another poller last polled the devices in the batch. Reads nothing if none did. */
async function floorsOf(
  store: Store,
  batch: SampleBatch,
  claims: SiteClaims,
  deviceIds: readonly number[],
): Promise<FloorOf> {
  if (deviceIds.every((id) => claims.floor(id) === null)) return () => null
  const subjects = [...subjectsOf(batch)].filter(([, ids]) => ids.size > 0)
  const found = await Promise.all(
    subjects.map(async ([kind, ids]) => [kind, await devicesOfSubjects(store, kind, [...ids])] as const),
  )
  const devices = new Map(found)
  return (kind, id) => claims.floor(devices.get(kind)?.get(id) ?? 0)
}

async function requireOwn(
  store: Store,
  { poller_group }: DeliveringPoller,
  subjects: ReadonlyMap<KindName, ReadonlySet<number>>,
): Promise<void> {
  if ((await foreignSubjects(store, poller_group, subjects)).size > 0)
    throw new MessageError('foreign_device', 'the message is about a device that this poller does not poll')
}

async function apply(
  store: Store,
  delivery: Exclude<Delivery, { kind: 'samples' }>,
  { considerMaintenance, budget, sightings }: StoreOptions,
  measuredAt: Date,
): Promise<void> {
  switch (delivery.kind) {
    case 'discovery': {
      const { deviceId, observations, ended } = delivery
      await writeDiscovery(store, deviceId, observations, ended?.run, budget, {
        limits: sightings,
        at: measuredAt.getTime(),
      })
      if (ended !== null) await writeModules(store, deviceId, ended.modules)
      return
    }
    case 'ports':
      return await writePortChanges(store, delivery.changes, budget)
    case 'status': {
      const { deviceId, up, reason, at } = delivery
      return await writeStatus(store, { deviceId, up, reason, at, considerMaintenance })
    }
    case 'failure': {
      const { deviceId, failure, event, at } = delivery
      return await writeFailure(store, { deviceId, failure, event, at })
    }
    case 'reboot':
      return await writeReboot(store, delivery.deviceId, delivery.beforeS, delivery.at)
    case 'event':
      return await writePollerEvent(store, delivery.deviceId, delivery.message, delivery.severity, delivery.at)
  }
}
