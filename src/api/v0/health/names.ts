import type { HealthKind } from '../../../domain/health/service.ts'

const TABLES = ['processor', 'storage', 'mempool'] as const

/** The word of a path without its prefix: `device_voltage` and `voltage` both mean class voltage. */
function bare(type: string, prefix: string): string {
  return type.startsWith(prefix) ? type.slice(prefix.length) : type
}

/** What a health operation's `:type` means. */
export function healthKind(type: string): HealthKind {
  const word = bare(type, 'device_')
  return TABLES.find((table) => table === word) ?? { sensorClass: word }
}

/** The wireless class of a `:type`: `device_wireless_rssi`, and the bare `rssi`. */
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

/** What messages call the graph of one item: `sensor_voltage`, `wireless_ccq`, `processor_usage`. */
export function itemGraph(graph: string): string {
  const name = bare(graph, 'device_')
  if (TABLES.some((table) => table === name)) return `${name}_usage`
  return name.startsWith('wireless_') ? name : `sensor_${name}`
}
