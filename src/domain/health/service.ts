import type { Store } from '../../store/client.ts'
import {
  findHealthItem,
  findWirelessItem,
  type GraphItem,
  type HealthKind,
  type HealthRecord,
  listHealthItems,
  listWirelessItems,
} from '../../store/health/read.ts'
import { deviceHas } from '../../store/series/subjects.ts'
import type { WirelessRecord } from '../../store/wireless/read.ts'

export type { GraphItem, HealthKind, HealthRecord }

/** A graph of a device, as listed by health and wireless operations. */
export interface AvailableGraph {
  readonly desc: string
  readonly name: string
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/**
 * Operations on objects of a device that have graphs: sensors, processors, file systems, memory pools and wireless
 * sensors.
 */
export function createHealthService({ store }: { readonly store: Store }) {
  return {
    /** Health graphs of a device: one per sensor class, then the others. The caller has checked access. */
    async graphs(deviceId: number): Promise<AvailableGraph[]> {
      const has = await deviceHas(store, deviceId)
      return [
        ...has.sensorClasses.map((name) => ({ desc: capital(name), name: `device_${name}` })),
        ...(has.kinds.includes('processor') ? [{ desc: 'Processors', name: 'device_processor' }] : []),
        ...(has.kinds.includes('storage') ? [{ desc: 'Storage', name: 'device_storage' }] : []),
        ...(has.kinds.includes('mempool') ? [{ desc: 'Memory Pools', name: 'device_mempool' }] : []),
      ]
    },

    /** Objects of a kind on a device; none for unknown classes. The caller has checked access. */
    async items(deviceId: number, kind: HealthKind): Promise<GraphItem[]> {
      return await listHealthItems(store, deviceId, kind)
    },

    /** One object, deleted or not; null: no such object of this kind on the device. The caller has checked access. */
    async item(deviceId: number, kind: HealthKind, id: number): Promise<HealthRecord | null> {
      return await findHealthItem(store, deviceId, kind, id)
    },

    /** Wireless graphs of a device, one per class. The caller has checked access. */
    async wirelessGraphs(deviceId: number): Promise<AvailableGraph[]> {
      const { wirelessClasses } = await deviceHas(store, deviceId)
      return wirelessClasses.map((name) => ({ desc: capital(name), name: `device_wireless_${name}` }))
    },

    /** Wireless sensors of a class on a device. The caller has checked access. */
    async wirelessItems(deviceId: number, sensorClass: string): Promise<GraphItem[]> {
      return await listWirelessItems(store, deviceId, sensorClass)
    },

    /** One wireless sensor, deleted or not; null: none of this class with this id. The caller has checked access. */
    async wirelessItem(deviceId: number, sensorClass: string, id: number): Promise<Required<WirelessRecord> | null> {
      return await findWirelessItem(store, deviceId, sensorClass, id)
    },
  }
}

export type HealthService = ReturnType<typeof createHealthService>
