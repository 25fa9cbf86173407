import type { DeviceChanges } from '../devices/device-changes.ts'
import type { ModuleCost } from '../protocol.ts'

/** Writes events about tables with rows that cannot be read. */
export interface UnreadTables {
  /** Writes an event for each such table that the device did not have at its last discovery. */
  report(deviceId: number, modules: readonly ModuleCost[]): void
  delete(deviceId: number): void
}

export function createUnreadTables(changes: DeviceChanges): UnreadTables {
  const known = new Map<number, ReadonlySet<string>>()
  // without the index, which differs from time to time
  const nameOf = (table: string) => table.split(' (')[0] ?? table
  return {
    report(deviceId, modules) {
      const tables = modules.flatMap(({ unread = [] }) => unread)
      const before = known.get(deviceId)
      for (const table of tables) {
        if (before?.has(nameOf(table))) continue
        const message = `Table ${table} has rows that cannot be read, because their index has an unknown form or is too large, or because there are too many`
        changes.event('unread', deviceId, message, 4)
      }
      if (tables.length === 0) known.delete(deviceId)
      else known.set(deviceId, new Set(tables.map(nameOf)))
    },
    delete: (deviceId) => void known.delete(deviceId),
  }
}
