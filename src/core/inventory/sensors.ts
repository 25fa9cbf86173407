import { isWirelessClass } from '../../lib/wireless-classes.ts'
import { type Actor, scopeOf } from '../base/actor.ts'
import type { ListChunks } from '../base/lists.ts'
import type { Store } from '../database/client.ts'
import { deviceHas } from '../series/read-subjects.ts'
import { findHealthItem, type HealthTable, type HealthTables, listHealthItems } from './read-health.ts'
import {
  findSensor,
  type GraphItem,
  listSensorItems,
  listWirelessSensors,
  type SensorRow,
  sensorChunks,
  WIRELESS_COLUMNS,
  type WirelessColumn,
  type WirelessRow,
} from './read-sensors.ts'

export type { GraphItem, SensorRow, WirelessColumn, WirelessRow }
export { isWirelessClass, WIRELESS_COLUMNS }

/** Kinds of health data: sensors of a class, or one of the tables other than sensors. */
export type HealthKind = HealthTable | { readonly sensorClass: string }
export type HealthRow = SensorRow | HealthTables[HealthTable]

/** A graph of a device as listed by the health and wireless operations. */
export interface AvailableGraph {
  readonly desc: string
  readonly name: string
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/**
 * Operations on objects of a device that have graphs: sensors, processors, file systems, memory pools and wireless
 * sensors.
 */
export function sensorOperations(store: Store) {
  return {
    /** All sensors that the actor may see, including deleted ones, in order of id and in chunks of JSON. */
    sensors(actor: Actor): ListChunks {
      return sensorChunks(store, scopeOf(actor))
    },

    /**
     * Wireless sensors of a device that the actor may see, without deleted ones, in order of class, index and
     * description.
     */
    async wirelessSensors(
      actor: Actor,
      of: { readonly deviceId: number; readonly sensorClass: string | null },
      columns: readonly WirelessColumn[],
    ): Promise<Partial<WirelessRow>[]> {
      return await listWirelessSensors(store, scopeOf(actor), of, columns)
    },

    /** Health graphs of a device: one per sensor class, then the others. Callers check access. */
    async healthGraphs(deviceId: number): Promise<AvailableGraph[]> {
      const has = await deviceHas(store, deviceId)
      return [
        ...has.sensorClasses.map((name) => ({ desc: capital(name), name: `device_${name}` })),
        ...(has.kinds.includes('processor') ? [{ desc: 'Processors', name: 'device_processor' }] : []),
        ...(has.kinds.includes('storage') ? [{ desc: 'Storage', name: 'device_storage' }] : []),
        ...(has.kinds.includes('mempool') ? [{ desc: 'Memory Pools', name: 'device_mempool' }] : []),
      ]
    },

    /** Objects of a kind on a device; none for unknown classes. Callers check access. */
    async healthItems(deviceId: number, kind: HealthKind): Promise<GraphItem[]> {
      return typeof kind === 'string'
        ? await listHealthItems(store, deviceId, kind)
        : await listSensorItems(store, 'sensors', deviceId, kind.sensorClass)
    },

    /** One object, deleted or not; null: no such object of this kind on the device. Callers check access. */
    async healthItem(deviceId: number, kind: HealthKind, id: number): Promise<HealthRow | null> {
      return typeof kind === 'string'
        ? await findHealthItem(store, deviceId, kind, id)
        : await findSensor(store, 'sensors', deviceId, kind.sensorClass, id)
    },

    /** Wireless graphs of a device, one per class. Callers check access. */
    async wirelessGraphs(deviceId: number): Promise<AvailableGraph[]> {
      const { wirelessClasses } = await deviceHas(store, deviceId)
      return wirelessClasses.map((name) => ({ desc: capital(name), name: `device_wireless_${name}` }))
    },

    /** Wireless sensors of a class on a device. Callers check access. */
    async wirelessItems(deviceId: number, sensorClass: string): Promise<GraphItem[]> {
      return await listSensorItems(store, 'wireless_sensors', deviceId, sensorClass)
    },

    /** One wireless sensor, deleted or not; null: none of this class with this id. Callers check access. */
    async wirelessItem(deviceId: number, sensorClass: string, id: number): Promise<WirelessRow | null> {
      return await findSensor(store, 'wireless_sensors', deviceId, sensorClass, id)
    },
  }
}
