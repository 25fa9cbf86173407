import { SENSOR_CLASSES } from '../../lib/sensor-classes.ts'
import { WIRELESS_UNITS } from '../../lib/wireless-classes.ts'
import type { KindName } from '../../series/kinds.ts'
import { DEVICE_GRAPHS } from './devices.ts'
import type { DataName } from './graph-type.ts'
import { DEVICE_BITS, PORT_GRAPHS } from './ports.ts'

const ofPorts = (kind: DataName) => PORT_GRAPHS.filter(({ data }) => data === kind).map(({ name }) => name)

/** Names of the graph types that draw samples of the kind, for the reference documentation. */
export function graphsOfKind(kind: KindName): readonly string[] {
  if (kind === 'port') return [...ofPorts('ports'), DEVICE_BITS.name]
  if (kind === 'sensor') return Object.keys(SENSOR_CLASSES).map((name) => `device_${name}`)
  if (kind === 'wireless') return Object.keys(WIRELESS_UNITS).map((name) => `device_wireless_${name}`)
  if (kind === 'service') return ['service_graph']
  if (kind === 'etherlike') return ofPorts(kind)
  return DEVICE_GRAPHS.filter(({ data }) => data === kind).map(({ name }) => name)
}
