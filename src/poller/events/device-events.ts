import type { BulkState } from '@portlight/snmp/bulk.ts'
import type { Log } from '../../observe/log.ts'
import type { DeviceChanges } from '../devices/device-changes.ts'
import type { ModuleCost } from '../protocol.ts'
import { createBulkRefusals } from './bulk-refusals.ts'
import { createLimited } from './truncation-events.ts'
import { createUnreadTables } from './unread-tables.ts'

/** Events about how a device is read, written when something changes. */
export interface DeviceEvents {
  polled(deviceId: number, bulk: BulkState): void
  discovered(deviceId: number, bulk: BulkState, modules: readonly ModuleCost[]): void
  delete(deviceId: number): void
}

export function createDeviceEvents(changes: DeviceChanges, log: Log): DeviceEvents {
  const limited = createLimited(changes, log)
  const bulkRefusals = createBulkRefusals(changes)
  const unreadTables = createUnreadTables(changes)
  return {
    polled: (deviceId, bulk) => bulkRefusals.report(deviceId, bulk),
    discovered(deviceId, bulk, modules) {
      limited.report(deviceId, modules)
      bulkRefusals.report(deviceId, bulk)
      unreadTables.report(deviceId, modules)
    },
    delete(deviceId) {
      for (const known of [limited, bulkRefusals, unreadTables]) known.delete(deviceId)
    },
  }
}
