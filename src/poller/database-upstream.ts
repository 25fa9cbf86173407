import { writePollerEvent, writeReboot, writeStatus } from '../core/availability/write.ts'
import type { Store } from '../core/database/client.ts'
import { toStoreError } from '../core/database/errors.ts'
import { claimDevices, isClaimed } from '../core/database/write-claims.ts'
import { writeFailure } from '../core/devices/write-failures.ts'
import { type EventBudget, UNLIMITED_EVENTS } from '../core/discovery/event-budget.ts'
import { unstoredText } from '../core/discovery/unstored.ts'
import { writeDiscovery, writePortChanges } from '../core/discovery/write.ts'
import { centralDeviceIds } from '../core/pollers/remote/read.ts'
import type { Upstream } from '../core/pollers/upstream.ts'
import { writeModules } from '../core/polling/read-modules.ts'
import { deviceGroups, loadDevicePlan, planDigests } from '../core/polling/read-plan.ts'
import { loadPortStates } from '../core/series/read-port-state.ts'
import { writeSamples } from '../core/series/write.ts'
import { SIGHTING_LIMITS } from '../core/sightings/sighting.ts'

/** This poller's share of the devices, among the pollers that use the same database. */
export interface PollerShare {
  owns(deviceId: number, pollerGroup: number): boolean
  /** False while no other process shares the database. */
  shared(): boolean
  /** The poller's id, for display; null: none. */
  id(): number | null
  /** Reads from the database which other pollers are running. Throws StoreError. */
  learn(): Promise<void>
}

const ALONE: PollerShare = { owns: () => true, shared: () => false, id: () => null, learn: () => Promise.resolve() }

/** The upstream of a process that has the database. Without `share` all devices are its own. `budget` limits events, `limits` sightings. */
export function databaseUpstream(
  store: Store,
  share = ALONE,
  budget: EventBudget = UNLIMITED_EVENTS,
  limits = () => SIGHTING_LIMITS,
): Upstream {
  const isOwn = (d: { readonly device_id: number; readonly poller_group: number }) =>
    share.owns(d.device_id, d.poller_group)
  return {
    deviceIds: async () => (await deviceGroups(store)).filter(isOwn).map((d) => d.device_id),
    plans: async (ids) => (await loadDevicePlan(store, await centralDeviceIds(store, ids))).filter(isOwn),
    digests: (ids) => planDigests(store, ids),
    async claim(ids) {
      const claim = await claimDevices(store, ids, share.id())
      return { claim, states: await loadPortStates(store, ids) }
    },
    learn: share.learn,
    isShared: share.shared,
    holds: (claim) => isClaimed(store, claim),
    samples: (batch) => writeSamples(store, batch),
    async discovery(deviceId, observations, ended) {
      const { cleaned, unstored } = await writeDiscovery(store, deviceId, observations, ended?.run, budget, {
        limits: limits(),
      })
      if (ended !== undefined) await writeModules(store, deviceId, ended.modules)
      return { cleaned, unstored: unstored.map(unstoredText) }
    },
    portChanges: (_deviceId, changes) => writePortChanges(store, changes, budget),
    status: (change) => writeStatus(store, change),
    failure: (change) => writeFailure(store, change),
    reboot: (deviceId, beforeS, at) => writeReboot(store, deviceId, beforeS, at),
    event: (deviceId, message, severity, at) => writePollerEvent(store, deviceId, message, severity, at),
    retryable: (error) => toStoreError(error).retryable,
    reported: () => false,
  }
}
