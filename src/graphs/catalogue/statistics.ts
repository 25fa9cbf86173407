import { STAT_GRAPHS } from '../../lib/system-stats.ts'
import { lineColour, PAINTS, type Paint, stackPaint } from '../palette.ts'
import type { Element, GraphType } from './graph-type.ts'

/** Title of a statistics graph, its unit, how its series are drawn, and the common prefix of their names. */
type StatisticKind = readonly [label: string, unit: string, draw: 'lines' | 'area' | 'stack' | 'pair', prefix?: string]

/** By name without `device_`; labels as operation get_graphs has them (contract BEHAVIOUR.md 11). */
const KINDS: Readonly<Record<string, StatisticKind>> = {
  ucd_load: ['Load Averages', '', 'lines', ''],
  ucd_cpu: ['Detailed Processor Usage', '%', 'stack', 'ssCpuRaw'],
  ucd_io: ['System I/O Activity', 'blocks/s', 'pair', 'ssIORaw'],
  ucd_swap_io: ['Swap I/O Activity', 'blocks/s', 'pair', 'ssRaw'],
  ucd_contexts: ['Context Switches', '/s', 'area', 'ssRaw'],
  ucd_interrupts: ['Interrupts', '/s', 'area', 'ssRaw'],
  ucd_io_wait: ['I/O Wait', '%', 'area', 'ssCpuRaw'],
  ucd_cpu_steal: ['CPU Steal', '%', 'area', 'ssCpuRaw'],
  hr_processes: ['Running Processes', '', 'area', 'hrSystem'],
  hr_users: ['Users Logged In', '', 'area', 'hrSystem'],
  fdb_count: ['MAC Addresses Learnt', '', 'area', ''],
  netstat_ip: ['IP Statistics', 'pps', 'lines', 'ip'],
  netstat_ip_frag: ['IP Fragmentation Statistics', 'pps', 'lines', 'ip'],
  netstat_ip_forward: ['IP Forwarding Statistics', 'pps', 'area', 'ip'],
  netstat_icmp: ['ICMP Statistics', 'pps', 'lines', 'icmp'],
  netstat_icmp_info: ['ICMP Informational Statistics', 'pps', 'lines', 'icmp'],
  netstat_tcp: ['TCP Statistics', '/s', 'lines', 'tcp'],
  netstat_udp: ['UDP Statistics', 'pps', 'lines', 'udp'],
  netstat_snmp: ['SNMP Statistics', '/s', 'lines', 'snmp'],
  netstat_snmp_pkt: ['SNMP Packet Type Statistics', 'pps', 'lines', 'snmp'],
  ipsystemstats_ipv4: ['IPv4 Packet Statistics', 'pps', 'lines', 'ipv4'],
  ipsystemstats_ipv4_frag: ['IPv4 Fragmentation Statistics', 'pps', 'lines', 'ipv4'],
  ipsystemstats_ipv6: ['IPv6 Packet Statistics', 'pps', 'lines', 'ipv6'],
  ipsystemstats_ipv6_frag: ['IPv6 Fragmentation Statistics', 'pps', 'lines', 'ipv6'],
}

/** Graphs of counts. */
const WHOLE = ['hr_processes', 'hr_users', 'fdb_count']

/** Labels of series whose object names are not clear enough; directions are those of the device. */
const LABELS: Readonly<Record<string, string>> = {
  fdb_count: 'MAC addresses',
  load1: '1 minute',
  load5: '5 minutes',
  load15: '15 minutes',
  ssCpuRawWait: 'I/O wait',
  ssIORawReceived: 'Read',
  ssIORawSent: 'Written',
  ssRawSwapIn: 'Swapped in',
  ssRawSwapOut: 'Swapped out',
  hrSystemNumUsers: 'Users',
  hrSystemProcesses: 'Processes',
}

/** Not stacked because System already includes them. */
const NOT_STACKED = ['ssCpuRawKernel', 'ssCpuRawInterrupt', 'ssCpuRawSoftIRQ', 'ssCpuRawGuest', 'ssCpuRawIdle']

/** Statistics graphs of a device as a whole, for example `device_ucd_load`. */
export const STATISTICS_GRAPHS: readonly GraphType[] = Object.entries(KINDS).map(
  ([name, [label, unit, draw, prefix = '']]) => ({
    name: `device_${name}`,
    label,
    data: 'stats',
    unit,
    ...(WHOLE.includes(name) && { whole: true }),
    prefixes: unit === '%' ? 'none' : 'large',
    axis: draw === 'stack' ? 'percent' : 'zero',
    elements: elementsOf(STAT_GRAPHS[name] ?? [], draw, prefix),
    columns: ['now', 'avg', 'max'],
  }),
)

function elementsOf(series: readonly string[], draw: StatisticKind[2], prefix: string): readonly Element[] {
  const drawn = draw === 'stack' ? series.filter((name) => !NOT_STACKED.includes(name)) : series
  return drawn.map((name, i): Element => {
    const words = name.slice(prefix.length)
    return {
      series: name,
      label: LABELS[name] ?? words.charAt(0).toUpperCase() + words.slice(1).replaceAll('_', ' '),
      scale: 1,
      paint: paintOf(i, draw),
      draw: draw === 'lines' ? 'line' : draw === 'stack' ? 'stack' : 'area',
      // outbound is drawn below the axis, as for ports
      side: draw !== 'stack' && (/Out|Sent/.test(words) || words === 'SwapOut') ? 'below' : 'above',
    }
  })
}

function paintOf(i: number, draw: StatisticKind[2]): Paint {
  if (draw === 'pair') return i === 0 ? PAINTS.in : PAINTS.out
  if (draw === 'area') return PAINTS.neutral
  if (draw === 'stack') return stackPaint(i)
  return { line: lineColour(i), fill: lineColour(i) }
}
