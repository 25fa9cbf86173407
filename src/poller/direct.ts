import { writePollerEvent, writeReboot, writeStatus } from '../store/availability/write.ts'
import type { Store } from '../store/client.ts'
import { writeFailure } from '../store/devices/failures.ts'
import { writeDiscovery, writePortChanges } from '../store/discovery/write.ts'
import { toStoreError } from '../store/errors.ts'
import { writeModules } from '../store/polling/modules.ts'
import { deviceIds, loadDevicePlan } from '../store/polling/plan.ts'
import { loadPortStates } from '../store/ports/read-state.ts'
import { writeSamples } from '../store/series/write.ts'
import type { Centre } from './centre.ts'

/** A centre whose database this process reaches. */
export function directCentre(store: Store): Centre {
  return {
    deviceIds: () => deviceIds(store),
    plans: (ids) => loadDevicePlan(store, ids),
    portStates: () => loadPortStates(store),
    samples: (batch) => writeSamples(store, batch),
    async discovery(deviceId, observations, ended) {
      const { cleaned } = await writeDiscovery(store, deviceId, observations, ended?.run)
      if (ended !== undefined) await writeModules(store, deviceId, ended.modules)
      return { cleaned }
    },
    portChanges: (_deviceId, changes) => writePortChanges(store, changes),
    status: (change) => writeStatus(store, change),
    failure: (change) => writeFailure(store, change),
    reboot: (deviceId, beforeS, at) => writeReboot(store, deviceId, beforeS, at),
    event: (deviceId, message, severity, at) => writePollerEvent(store, deviceId, message, severity, at),
    retryable: (error) => toStoreError(error).retryable,
  }
}
