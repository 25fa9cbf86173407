import type { KindName } from '../series/kinds.ts'
import { writePollerEvent, writeReboot, writeStatus } from '../store/availability/write.ts'
import type { Store } from '../store/client.ts'
import { writeFailure } from '../store/devices/failures.ts'
import { writeDiscovery, writePortChanges } from '../store/discovery/write.ts'
import { writeModules } from '../store/polling/modules.ts'
import { type Delivered, deliverOnce, type Position } from '../store/remote-pollers/deliver.ts'
import { foreignSubjects } from '../store/remote-pollers/read.ts'
import type { DevicePoll } from '../store/series/samples.ts'
import { writeSamples } from '../store/series/write.ts'
import { MessageError } from './checks.ts'
import type { Delivery } from './message.ts'
import { rowCount, subjectsOf, without } from './owned.ts'

/** A remote poller as its deliveries need it. */
export interface DeliveringPoller {
  readonly id: number
  /** The one group whose devices it may write to. */
  readonly poller_group: number
}

export interface StoredDelivery {
  readonly outcome: Delivered
  /** Rows left out, because they are not of a device of the poller's group. */
  readonly foreignRows: number
  /** Rows of samples stored. */
  readonly rows: number
  readonly deviceIds: readonly number[]
  /** What was stored, in the words of `PollerDeps.written`. */
  readonly what: readonly string[]
  readonly polls: readonly DevicePoll[]
}

/** Times of events may be this far ahead of our clock, ms. */
const MAX_AHEAD_MS = 3_600_000

/**
 * Stores what a remote poller delivered, once, and only for devices of its group. Throws MessageError for deliveries that
 * are about another device, or StoreError.
 */
export async function storeDelivery(
  store: Store,
  poller: DeliveringPoller,
  position: Position,
  measuredAt: Date,
  delivery: Delivery,
  options: { readonly considerMaintenance: boolean },
): Promise<StoredDelivery> {
  if (delivery.kind === 'samples') return await storeSamples(store, poller, position, measuredAt, delivery.batch)
  const { deviceId } = delivery
  await requireOwn(store, poller, new Map([['device', new Set([deviceId])]]))
  if (delivery.kind === 'ports')
    await requireOwn(store, poller, new Map([['port', new Set(delivery.changes.map(({ port_id }) => port_id))]]))
  if ('at' in delivery && delivery.at > Date.now() + MAX_AHEAD_MS)
    throw new MessageError('garbled', 'the message is of a time to come')
  const outcome = await deliverOnce(store, poller.id, position, measuredAt, (inside) =>
    apply(inside, delivery, options),
  )
  return { outcome, foreignRows: 0, rows: 0, deviceIds: [deviceId], what: WHAT[whatOf(delivery)], polls: [] }
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
  batch: Extract<Delivery, { kind: 'samples' }>['batch'],
): Promise<StoredDelivery> {
  const foreign = await foreignSubjects(store, poller.poller_group, subjectsOf(batch))
  const own = foreign.size === 0 ? { batch, left: rowCount(batch), removed: 0 } : without(batch, foreign)
  if (own.left === 0 && own.removed > 0)
    throw new MessageError('foreign_device', 'all samples are of devices that this poller does not poll')
  const outcome = await deliverOnce(store, poller.id, position, measuredAt, async (inside) => {
    await writeSamples(inside, own.batch)
  })
  const { polls, ports, series } = own.batch
  const kinds = Object.entries(series).flatMap(([kind, rows]) => (rows.id.length > 0 ? [kind] : []))
  return {
    outcome,
    foreignRows: own.removed,
    rows: own.left,
    deviceIds: [...new Set([...polls.map(({ deviceId }) => deviceId), ...(series.icmp?.id ?? [])])],
    what: ['polled', ...kinds, ...(ports.length > 0 ? ['port'] : [])],
    polls,
  }
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
  { considerMaintenance }: { readonly considerMaintenance: boolean },
): Promise<void> {
  switch (delivery.kind) {
    case 'discovery': {
      const { deviceId, observations, ended } = delivery
      await writeDiscovery(store, deviceId, observations, ended?.run)
      if (ended !== null) await writeModules(store, deviceId, ended.modules)
      return
    }
    case 'ports':
      return await writePortChanges(store, delivery.changes)
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
