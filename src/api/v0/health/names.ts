import type { HealthKind } from '../../../core/inventory/sensors.ts'

const TABLES = ['processor', 'storage', 'mempool'] as const

/** Removes the prefix: `device_voltage` and `voltage` both mean class voltage. */
function bare(type: string, prefix: string): string {
  return type.startsWith(prefix) ? type.slice(prefix.length) : type
}

/** Parses the `:type` of a health operation. */
export function healthKind(type: string): HealthKind {
  const word = bare(type, 'device_')
  return TABLES.find((table) => table === word) ?? { sensorClass: word }
}

/** The wireless class in a `:type`: `device_wireless_rssi` or just `rssi`. */
export function wirelessClass(type: string): string {
  return bare(bare(type, 'device_'), 'wireless_')
}

/** The device graph of a health `:type`. */
export function healthGraph(type: string): string {
  return `device_${bare(type, 'device_')}`
}

/** The device graph of a wireless `:type`. */
export function wirelessGraph(type: string): string {
  return `device_wireless_${wirelessClass(type)}`
}

/** Name of an item's graph in messages: `sensor_voltage`, `wireless_ccq`, `processor_usage`. */
export function itemGraph(graph: string): string {
  const name = bare(graph, 'device_')
  if (TABLES.some((table) => table === name)) return `${name}_usage`
  return name.startsWith('wireless_') ? name : `sensor_${name}`
}
