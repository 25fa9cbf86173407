import type { PollerContext } from './context.ts'
import type { ModuleCost } from './protocol.ts'

/** Writes events about tables with rows that cannot be read. */
export interface UnreadTables {
  /** Writes an event for each such table that the device did not have at its last discovery. */
  report(deviceId: number, modules: readonly ModuleCost[]): void
  delete(deviceId: number): void
}

export function createUnreadTables({
  changes,
  upstream: centre,
}: Pick<PollerContext, 'changes' | 'upstream'>): UnreadTables {
  const known = new Map<number, ReadonlySet<string>>()
  // without the index, which differs from time to time
  const nameOf = (table: string) => table.split(' (')[0] ?? table
  return {
    report(deviceId, modules) {
      const tables = modules.flatMap(({ unread = [] }) => unread)
      const before = known.get(deviceId)
      const at = Date.now()
      for (const table of tables) {
        if (before?.has(nameOf(table))) continue
        const message = `Table ${table} has rows that cannot be read, because their index has an unknown form or is too large`
        void changes.push('unread', deviceId, () => centre.event(deviceId, message, 4, at))
      }
      if (tables.length === 0) known.delete(deviceId)
      else known.set(deviceId, new Set(tables.map(nameOf)))
    },
    delete: (deviceId) => void known.delete(deviceId),
  }
}
