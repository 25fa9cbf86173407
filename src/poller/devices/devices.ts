import type { Settings } from '../../config/schema.ts'
import type { Upstream } from '../../core/pollers/upstream.ts'
import type { DevicePlan } from '../../core/polling/read-plan.ts'
import { slices } from '../../lib/slices.ts'
import { createYielder } from '../../lib/yield-thread.ts'
import { FOLDER_SETTING } from '../../modules/loaded/rules.ts'
import type { Log } from '../../observe/log.ts'
import type { DeviceClaim } from '../../series/samples.ts'
import type { Clock } from '../clock.ts'
import { MODULE_SETTINGS } from '../module-settings.ts'
import { switchesOf } from '../module-toggles.ts'
import type { Pool } from '../pool.ts'
import { catchUpAt } from '../scheduler.ts'
import type { Addresses } from './addresses.ts'
import type { DeviceChanges } from './device-changes.ts'
import type { DeviceStatus } from './device-status.ts'
import type { Repeats } from './discovery-retries.ts'
import { lastAddress } from './lookups.ts'
import { newEntry, type PolledDevice, pollIntervalMs, replan, usesSnmp } from './polled-device.ts'
import type { Quarantine } from './quarantine.ts'
import { createReloads } from './reloads.ts'
import { resync } from './resync.ts'
import { type Schedules, unschedule } from './schedules.ts'
import { createTakeovers } from './takeover.ts'
import type { UnstoredDiscoveries } from './unstored.ts'

/** Keeps this poller's devices as they are in the store: the only part that adds and removes devices. */
export interface Devices {
  /** Reads all devices of this poller. Throws StoreError. */
  load(): Promise<void>
  /** Reads the device unless it is known. Throws StoreError. */
  ensure(deviceId: number): Promise<void>
  /** Reads the device again soon; resolves when it has been read after the call. */
  refresh(deviceId: number): Promise<void>
  /** Reads the devices again that changed without a notification. */
  resync(): Promise<void>
  /** Releases devices that are no longer its own and takes over those that now are. Throws StoreError. */
  rebalance(): Promise<void>
  /** Schedules all devices again, after settings have changed. */
  placeAll(): void
  /** Drops and reloads a device that another poller has claimed, because its state here is out of date. */
  lost(claim: DeviceClaim): void
}

export interface DevicesParts {
  readonly upstream: Upstream
  readonly settings: Settings
  readonly log: Log
  readonly clock: Clock
  readonly pool: Pool
  /** The devices by id, which the other parts read. */
  readonly devices: Map<number, PolledDevice>
  readonly schedules: Schedules
  readonly changes: DeviceChanges
  readonly status: DeviceStatus
  readonly addresses: Addresses
  readonly quarantine: Quarantine
  /** Drops what the events know of a device. */
  readonly events: { delete(deviceId: number): void }
  readonly repeats: Repeats
  readonly unstored: UnstoredDiscoveries
  /** Folder of compiled definitions; '': none. */
  readonly definitions: string
}

/** Number of devices read from the store at a time, limited because their rows take memory. */
const RELOADED_AT_ONCE = 100

export function createDevices(parts: DevicesParts): Devices {
  const { upstream, settings, log, clock, devices, schedules, changes, addresses, repeats } = parts
  const takeovers = createTakeovers(upstream)
  const reloads = createReloads(changes, reload)
  /** Number of the last reload. */
  let readings = 0
  /** All devices have been loaded once. */
  let loaded = false
  /**
   * Another poller has claimed devices of this one, so the known division of devices among pollers may be out of date.
   */
  let outdated = false

  /** `read`: digests that were read before; devices without one are read once more by `resync`. */
  async function reload(deviceIds: readonly number[], read?: ReadonlyMap<number, string>): Promise<void> {
    await learnDivision()
    const reading = ++readings
    const before = new Map(deviceIds.map((id) => [id, devices.get(id)]))
    // first, so that what changes in between is read again
    const digests = read ?? (await upstream.digests(deviceIds))
    const found = new Map((await upstream.plans(deviceIds)).map((d) => [d.device_id, d]))
    const taken = await takeOver(found)
    const lookups = await addresses.lookUp(found)
    const rest = createYielder()
    for (const id of deviceIds) {
      await rest()
      const stored = found.get(id)
      const device = devices.get(id)
      // an entry that was taken over or read again in the meantime is newer than this reading
      if (stored === undefined) {
        if (device === before.get(id)) forget(id, parts)
      } else if (device !== undefined && device.readBy <= reading) {
        device.readBy = reading
        device.digest = digests.get(id) ?? null
        const lookup = lookups.get(id)
        plan(device, stored, lookup?.address === undefined ? lastAddress(device, stored) : lookup.address, parts)
        place(device, parts)
        addresses.apply(device, lookup)
        if (taken.has(id)) catchUp(device)
        if (taken.has(id) && stored.truncated) repeats.resumed(id)
      }
    }
  }

  async function learnDivision(): Promise<void> {
    if (!outdated) return
    outdated = false
    await upstream.learn().catch((error: unknown) => {
      outdated = true
      throw error
    })
  }

  /** Takes over those of the devices that this poller does not have yet. Returns their ids. */
  async function takeOver(found: ReadonlyMap<number, DevicePlan>): Promise<ReadonlySet<number>> {
    const taken = new Set<number>()
    const fresh = (): number[] => [...found.keys()].filter((id) => !devices.has(id))
    await takeovers.take(fresh, ({ claim, states }) => {
      for (const id of fresh()) {
        const stored = found.get(id)
        if (stored === undefined) continue
        devices.set(id, newEntry(stored, claim, states.get(id) ?? null))
        taken.add(id)
      }
    })
    return taken
  }

  /**
   * Polls a device taken over from another poller early if it has missed a poll. Not done when this poller starts
   * alone, because then all devices have missed polls, and keep to their phases.
   */
  function catchUp(device: PolledDevice): void {
    const { id, state } = device
    if (state === null || (!loaded && !upstream.isShared())) return
    const now = clock.steady()
    const at = catchUpAt(id, pollIntervalMs(settings, device), now - (clock.now() - state.time), now)
    if (at !== null) schedules.polls.hasten(id, at)
  }

  /** Ids of this poller's devices according to the store; drops all others. */
  async function ownIds(): Promise<number[]> {
    const ids = await upstream.deviceIds()
    const own = new Set(ids)
    for (const id of devices.keys()) if (!own.has(id)) forget(id, parts)
    return ids
  }

  async function reloadAll(ids: readonly number[]): Promise<void> {
    // digests take as long as the rows, and a start waits for this
    for (const part of slices(ids, RELOADED_AT_ONCE)) await reload(part, new Map())
  }

  return {
    async load() {
      await reloadAll(await ownIds())
      loaded = true
    },
    async ensure(deviceId) {
      if (!devices.has(deviceId)) await reload([deviceId])
    },
    refresh: (deviceId) => reloads.ask(deviceId),
    resync: () => resync({ upstream, devices, ownIds, reload }),
    rebalance: async () => await reloadAll((await ownIds()).filter((id) => !devices.has(id))),
    placeAll() {
      for (const device of devices.values()) place(device, parts)
    },
    lost({ deviceId, claim }) {
      if (devices.get(deviceId)?.claim.claim !== claim) return
      log.debug({ deviceId }, 'another poller has claimed the device')
      outdated = true
      forget(deviceId, parts)
      void reloads.ask(deviceId)
    },
  }
}

/** Makes the device's poll plan anew from its rows. */
function plan(
  device: PolledDevice,
  stored: DevicePlan,
  address: string | null,
  { settings, definitions }: DevicesParts,
): void {
  replan(device, stored, address, {
    isOn: switchesOf(stored, settings),
    nonunicast: settings.get('poller.nonunicast'),
    settings: {
      ...Object.fromEntries(MODULE_SETTINGS.map((name) => [name, settings.get(name)])),
      [FOLDER_SETTING]: definitions,
    },
  })
}

/** Schedules what is done for the device, by its record and the settings. */
function place(device: PolledDevice, { clock, settings, schedules, status, unstored }: DevicesParts): void {
  const now = clock.steady()
  const { stored, id } = device
  if (stored.disabled === 1) {
    unschedule(schedules, id)
    return
  }
  if (usesSnmp(stored)) {
    if (device.checks.snmp === 'off') device.checks.snmp = 'unknown'
    schedules.polls.set(id, pollIntervalMs(settings, device), now)
    unstored.place(stored, schedules.discoveries, now)
  } else {
    schedules.polls.remove(id)
    schedules.discoveries.remove(id)
    device.checks.snmp = 'off'
    if (device.failure !== null && device.failure.kind !== 'unresolved')
      status.note(device, null, clock.now(), { event: false })
  }
  schedules.pings.place(device, now)
}

/** Drops all that is known of the device. */
function forget(id: number, { devices, schedules, quarantine, events, repeats, unstored, pool }: DevicesParts): void {
  devices.delete(id)
  unschedule(schedules, id)
  quarantine.release(id)
  for (const known of [events, repeats, unstored]) known.delete(id)
  pool.tell({ kind: 'forget', deviceId: id })
}
