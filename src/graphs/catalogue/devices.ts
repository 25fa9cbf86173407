import type { SampleKind } from '../../series/kind.ts'
import { KINDS, NARROW_NAMES } from '../../series/kinds.ts'
import { PAINTS } from '../palette.ts'
import type { DeviceHas } from '../series-source.ts'
import type { GraphType } from './graph-type.ts'
import { DEVICE_BITS } from './ports.ts'
import { sensorGraph, wirelessGraph } from './sensors.ts'
import { STATISTICS_GRAPHS } from './statistics.ts'

/** Graphs declared by the kinds: a line for each of a device's processors, filesystems and so on. */
const LINES_GRAPHS: readonly GraphType[] = NARROW_NAMES.flatMap((kind) =>
  ((KINDS[kind] as SampleKind).graphs ?? []).map(({ name, ...graph }) => ({
    ...graph,
    name: `device_${name}`,
    data: kind,
    prefixes: graph.unit === '%' ? ('none' as const) : ('large' as const),
    elements: 'lines' as const,
    columns:
      graph.amounts === undefined ? (['now', 'avg', 'max'] as const) : (['now', 'avg', 'max', 'used', 'size'] as const),
  })),
)

/** Graphs of a device, except those of its sensors. */
export const DEVICE_GRAPHS: readonly GraphType[] = [
  DEVICE_BITS,
  {
    name: 'device_uptime',
    label: 'System Uptime',
    data: 'device',
    unit: 's',
    prefixes: 'none',
    format: 'duration',
    axis: 'zero',
    elements: [
      {
        series: 'uptime',
        label: 'Uptime',
        scale: 1,
        paint: PAINTS.neutral,
        draw: 'area',
        side: 'above',
      },
    ],
    columns: ['now', 'max'],
  },
  {
    name: 'device_poller_perf',
    label: 'Poller Time',
    data: 'device',
    unit: 's',
    prefixes: 'all',
    axis: 'zero',
    elements: [{ series: 'poll_time', label: 'Poll', scale: 1, paint: PAINTS.neutral, draw: 'area', side: 'above' }],
    columns: ['now', 'min', 'avg', 'max'],
  },
  {
    name: 'device_icmp_perf',
    label: 'Ping Response',
    data: 'icmp',
    unit: 'ms',
    prefixes: 'none',
    axis: 'zero',
    elements: [
      {
        series: 'rtt_max',
        base: 'rtt_min',
        label: 'Spread',
        scale: 1,
        paint: PAINTS.spread,
        draw: 'band',
        side: 'above',
        silent: true,
      },
      { series: 'loss', label: 'Loss', scale: 1, paint: PAINTS.loss, draw: 'area', side: 'above', percent: true },
      { series: 'rtt_avg', label: 'Round trip', scale: 1, paint: PAINTS.neutral, draw: 'line', side: 'above' },
    ],
    columns: ['now', 'min', 'avg', 'max'],
  },
  {
    name: 'device_ping_perf',
    label: 'Ping Response',
    data: 'icmp',
    unit: 'ms',
    prefixes: 'none',
    axis: 'zero',
    elements: [
      { series: 'rtt_avg', label: 'Round trip', scale: 1, paint: PAINTS.neutral, draw: 'area', side: 'above' },
    ],
    columns: ['now', 'min', 'avg', 'max'],
  },
  {
    name: 'device_availability',
    label: 'Device Availability',
    data: 'device',
    unit: '%',
    prefixes: 'none',
    axis: 'percent',
    elements: [{ series: 'available', label: 'Available', scale: 1, paint: PAINTS.in, draw: 'area', side: 'above' }],
    columns: ['now', 'min', 'avg'],
  },
  ...LINES_GRAPHS,
  ...STATISTICS_GRAPHS,
]

const WIRELESS = 'device_wireless_'

/** A graph by name, as `device_bits`, `device_temperature` or `device_wireless_rssi`; null: unknown type. */
export function deviceGraph(name: string): GraphType | null {
  const fixed = DEVICE_GRAPHS.find((type) => type.name === name)
  if (fixed) return fixed
  if (name.startsWith(WIRELESS)) return wirelessGraph(name.slice(WIRELESS.length))
  return name.startsWith('device_') ? sensorGraph(name.slice('device_'.length)) : null
}

/**
 * The graphs of a device that has these objects, in the order of operation get_graphs: poller and ping, which it always
 * lists, then by name.
 */
export function deviceGraphs(has: DeviceHas): readonly GraphType[] {
  const names = [
    ...(has.polls ? ['device_uptime', 'device_availability'] : []),
    ...(has.pings ? ['device_ping_perf'] : []),
    ...(has.ports > 0 ? ['device_bits'] : []),
    ...LINES_GRAPHS.flatMap(({ name, data, lines }) => {
      const there =
        lines === undefined
          ? data !== 'ports' && has.kinds.includes(data)
          : has.lines.includes(name.slice('device_'.length))
      return there ? [name] : []
    }),
    ...has.statistics.map((graph) => `device_${graph}`),
    ...has.sensorClasses.map((sensorClass) => `device_${sensorClass}`),
    ...has.wirelessClasses.map((sensorClass) => WIRELESS + sensorClass),
  ].sort()
  return [...new Set(['device_poller_perf', 'device_icmp_perf', ...names])].flatMap((name) => deviceGraph(name) ?? [])
}
