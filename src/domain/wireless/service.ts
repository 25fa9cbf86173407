import { isWirelessClass } from '../../lib/wireless-classes.ts'
import type { Store } from '../../store/client.ts'
import {
  listWirelessSensors,
  WIRELESS_COLUMNS,
  type WirelessColumn,
  type WirelessRecord,
} from '../../store/wireless/read.ts'
import { type Actor, scopeOf } from '../actor.ts'

export type { WirelessColumn, WirelessRecord }
export { isWirelessClass, WIRELESS_COLUMNS }

/** Operations on wireless sensors. */
export function createWirelessService({ store }: { readonly store: Store }) {
  return {
    /** Wireless sensors of a device that the actor may see, by class, index and description, without deleted ones. */
    async list(
      actor: Actor,
      of: { readonly deviceId: number; readonly sensorClass: string | null },
      columns: readonly WirelessColumn[],
    ): Promise<WirelessRecord[]> {
      return await listWirelessSensors(store, scopeOf(actor), of, columns)
    },
  }
}

export type WirelessService = ReturnType<typeof createWirelessService>
