import { type BulkState, bulkRefusalText } from '@portlight/snmp/bulk.ts'
import type { DeviceChanges } from '../devices/device-changes.ts'

/** Writes events about agents that are read with GETNEXT, because GETBULK gives nothing. */
export interface BulkRefusals {
  /** Writes an event if this has changed since the device was last polled or discovered. */
  report(deviceId: number, state: BulkState): void
  delete(deviceId: number): void
}

export function createBulkRefusals(changes: DeviceChanges): BulkRefusals {
  const refusing = new Set<number>()
  return {
    report(deviceId, state) {
      if (state === null || refusing.has(deviceId) === (state !== 'works')) return
      const works = state === 'works'
      if (works) refusing.delete(deviceId)
      else refusing.add(deviceId)
      const message = works
        ? 'GETBULK works again, so tables are no longer read with GETNEXT'
        : `Tables are read with GETNEXT, which is slower, because GETBULK gives nothing: ${bulkRefusalText(state)}`
      changes.event('bulk', deviceId, message, works ? 1 : 4)
    },
    delete: (deviceId) => void refusing.delete(deviceId),
  }
}
