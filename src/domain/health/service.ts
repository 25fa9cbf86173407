import type { Store } from '../../store/client.ts'
import { deviceHas } from '../../store/readers/graph-subjects.ts'
import {
  findHealthItem,
  findRadioItem,
  type GraphItem,
  type HealthKind,
  type HealthRecord,
  listHealthItems,
  listRadioItems,
} from '../../store/readers/health.ts'
import type { WirelessRecord } from '../../store/readers/wireless.ts'

export type { GraphItem, HealthKind, HealthRecord }

/** A graph of a device, as health and wireless operations list it. */
export interface AvailableGraph {
  readonly desc: string
  readonly name: string
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** What is measured on a device and has graphs: sensors of health, processors, file systems, memory pools, radios. */
export function createHealthService({ store }: { readonly store: Store }) {
  return {
    /** Graphs of the health of a device: a class of sensors each, then what is no sensor. The caller has checked access. */
    async graphs(deviceId: number): Promise<AvailableGraph[]> {
      const has = await deviceHas(store, deviceId)
      return [
        ...has.sensorClasses.map((name) => ({ desc: capital(name), name: `device_${name}` })),
        ...(has.processors > 0 ? [{ desc: 'Processors', name: 'device_processor' }] : []),
        ...(has.storage > 0 ? [{ desc: 'Storage', name: 'device_storage' }] : []),
        ...(has.mempools > 0 ? [{ desc: 'Memory Pools', name: 'device_mempool' }] : []),
      ]
    },

    /** What a device has of a kind; unknown classes have nothing. The caller has checked access. */
    async items(deviceId: number, kind: HealthKind): Promise<GraphItem[]> {
      return await listHealthItems(store, deviceId, kind)
    },

    /** One of them, deleted or not; null: the device has none of this kind with this id. The caller has checked access. */
    async item(deviceId: number, kind: HealthKind, id: number): Promise<HealthRecord | null> {
      return await findHealthItem(store, deviceId, kind, id)
    },

    /** Graphs of the wireless sensors of a device, one for each class. The caller has checked access. */
    async wirelessGraphs(deviceId: number): Promise<AvailableGraph[]> {
      const { wirelessClasses } = await deviceHas(store, deviceId)
      return wirelessClasses.map((name) => ({ desc: capital(name), name: `device_wireless_${name}` }))
    },

    /** Wireless sensors of a class of a device. The caller has checked access. */
    async radios(deviceId: number, sensorClass: string): Promise<GraphItem[]> {
      return await listRadioItems(store, deviceId, sensorClass)
    },

    /** One of them, deleted or not; null: there is none of this class with this id. The caller has checked access. */
    async radio(deviceId: number, sensorClass: string, id: number): Promise<Required<WirelessRecord> | null> {
      return await findRadioItem(store, deviceId, sensorClass, id)
    },
  }
}

export type HealthService = ReturnType<typeof createHealthService>
