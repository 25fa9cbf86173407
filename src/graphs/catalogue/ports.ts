import { ETHERLIKE_COUNTERS } from '../../lib/etherlike-counters.ts'
import { PAINTS, stackPaint } from '../palette.ts'
import type { Column, Element, GraphType } from './graph-type.ts'

const RATES: readonly Column[] = ['now', 'avg', 'max']

function pair(
  series: string,
  label: string,
  scale: number,
  draw: Element['draw'],
  paint?: Element['paint'],
): Element[] {
  return [
    { series: `in_${series}`, label: `${label}In`, scale, paint: paint ?? PAINTS.in, draw, side: 'above' },
    { series: `out_${series}`, label: `${label}Out`, scale, paint: paint ?? PAINTS.out, draw, side: 'below' },
  ]
}

/** In and out octets, drawn as bits: for a port, or for all ports that count as a device's traffic. */
const bits = {
  data: 'ports',
  unit: 'bit/s',
  prefixes: 'large',
  axis: 'zero',
  fineDays: 32,
  elements: pair('octets', '', 8, 'area'),
  columns: ['now', 'avg', 'max', 'p95', 'total'],
} as const satisfies Omit<GraphType, 'name' | 'label'>

const packets = {
  data: 'ports',
  unit: 'pps',
  prefixes: 'large',
  axis: 'zero',
  columns: RATES,
} as const

/** Graphs of one port. In is above the axis, out below. */
export const PORT_GRAPHS: readonly GraphType[] = [
  { name: 'port_bits', label: 'Traffic', ...bits },
  { name: 'port_upkts', label: 'Unicast Packets', ...packets, elements: pair('pkts', '', 1, 'area') },
  {
    name: 'port_nupkts',
    label: 'Broadcast and Multicast Packets',
    ...packets,
    elements: [
      ...pair('mcast', 'Multicast ', 1, 'stack', PAINTS.multicast),
      ...pair('bcast', 'Broadcast ', 1, 'stack', PAINTS.broadcast),
    ],
  },
  {
    name: 'port_errors',
    label: 'Errors and Discards',
    ...packets,
    elements: [
      ...pair('err', 'Errors ', 1, 'stack', PAINTS.error),
      ...pair('disc', 'Discards ', 1, 'stack', PAINTS.discard),
    ],
  },
  {
    name: 'port_etherlike',
    label: 'Ethernet Errors',
    data: 'etherlike',
    unit: '/s',
    prefixes: 'large',
    axis: 'zero',
    columns: RATES,
    elements: ETHERLIKE_COUNTERS.map(({ series, label }, at) => ({
      series,
      label,
      scale: 1,
      paint: stackPaint(at),
      draw: 'line',
      side: 'above',
    })),
  },
]

/** The sum of a device's ports; see `isTrafficPort`. Fewer days at fine detail, since every port adds to the cost. */
export const DEVICE_BITS: GraphType = { name: 'device_bits', label: 'Total Traffic', ...bits, fineDays: 8 }

/** A graph by name, as `port_bits`; null: unknown type. */
export function portGraph(name: string): GraphType | null {
  return PORT_GRAPHS.find((type) => type.name === name) ?? null
}
