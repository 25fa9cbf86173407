import { endingText } from '@portlight/snmp/endings.ts'
import type { Log } from '../../observe/log.ts'
import type { DeviceChanges } from '../devices/device-changes.ts'
import type { ModuleCost } from '../protocol.ts'

/** Writes events about tables that ended early, by our limits or for another reason. */
export interface Limited {
  /** Writes an event if other tables were truncated than at the device's last discovery. */
  report(deviceId: number, modules: readonly ModuleCost[]): void
  delete(deviceId: number): void
}

/** Maximum number of tables in an event; `device explain` shows all. */
const MAX_TABLES_NAMED = 5

export function createLimited(changes: DeviceChanges, log: Log): Limited {
  /** Truncated tables of each device as last reported. */
  const known = new Map<number, string>()
  return {
    report(deviceId, modules) {
      const ended = new Set(modules.flatMap((module) => module.truncated ?? module.limited))
      // what the deadline leaves is read by the next run, a minute later
      const all = [...ended].filter((table) => !table.endsWith(`(${endingText('deadline')})`))
      const others = all.length - MAX_TABLES_NAMED
      const tables = all.slice(0, MAX_TABLES_NAMED).join('; ') + (others > 0 ? `; and ${others} other tables` : '')
      // compare without the number of rows, which varies
      const names = all.map((table) => table.split(' (')[0]).join()
      if (tables !== '' && names !== known.get(deviceId)) {
        log.warn({ deviceId, tables }, 'tables of a discovery were truncated')
        changes.event('limited', deviceId, `Discovery was truncated: ${tables}`, 4)
      }
      if (tables === '') known.delete(deviceId)
      else known.set(deviceId, names)
    },
    delete: (deviceId) => void known.delete(deviceId),
  }
}
