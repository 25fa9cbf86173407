import type { Curve, Windows } from '../curve.ts'
import type { Instant } from '../instant.ts'
import { dot3StatsTable, ifTable, ifXTable, interfaces } from '../mib/interfaces.ts'
import { type AgentRow, type Instance, scalarValues, tableRows } from '../table.ts'
import { type Flow, noFlow, reading } from '../traffic.ts'

/** The IANAifType numbers that the fleet uses. */
export const IF_TYPE = {
  other: 1,
  ethernetCsmacd: 6,
  softwareLoopback: 24,
  propVirtual: 53,
  tunnel: 131,
  l2vlan: 135,
  l3ipvlan: 136,
  ieee80211: 71,
  bridge: 209,
  ieee8023adLag: 161,
} as const

const UP = 1
const DOWN = 2
const TRUE = 1
const FALSE = 2
const DUPLEX = { unknown: 1, half: 2, full: 3 } as const

/** An interface of a device. Defaults are those of an ordinary copper port that is up. */
export interface Port {
  readonly index: number
  readonly name: string
  /** ifDescr, if different from the name. */
  readonly descr?: string
  readonly alias?: string
  readonly type?: keyof typeof IF_TYPE
  readonly mtu?: number
  readonly mbps: number
  /** Six octets; absent for interfaces without an address. */
  readonly mac?: Uint8Array
  readonly admin?: 'up' | 'down'
  /** Constant, or down during the windows. */
  readonly link?: 'up' | 'down' | Windows
  readonly duplex?: keyof typeof DUPLEX
  readonly connector?: boolean
  readonly in?: Flow
  readonly out?: Flow
  readonly inErrors?: Curve
  readonly outErrors?: Curve
  readonly inDiscards?: Curve
  readonly outDiscards?: Curve
}

/** Capabilities of the agent. `highCapacity` false: no 64-bit columns of ifXTable. */
export interface PortOptions {
  readonly highCapacity?: boolean
  readonly etherLike?: boolean
}

/** ifNumber, ifTable, ifXTable and dot3StatsTable. */
export function portTables(
  ports: readonly Port[],
  { highCapacity = true, etherLike = true }: PortOptions = {},
): Instance[] {
  const ethernet = etherLike ? ports.filter((p) => (p.type ?? 'ethernetCsmacd') === 'ethernetCsmacd') : []
  return [
    ...scalarValues(interfaces, { ifNumber: ports.length }),
    ...tableRows(
      ifTable,
      ports.map((p) => [p.index, ifRow(p)] as const),
    ),
    ...tableRows(
      ifXTable,
      ports.map((p) => [p.index, ifXRow(p, highCapacity)] as const),
    ),
    ...tableRows(
      dot3StatsTable,
      ethernet.map((p) => [p.index, dot3Row(p)] as const),
    ),
  ]
}

const NEVER: Curve = () => 0
const counter = (curve: Curve) => (t: Instant) => reading(curve, t.s, t.bootS)

function isUp(port: Port, t: Instant): boolean {
  if (port.admin === 'down') return false
  if (port.link === undefined || typeof port.link === 'string') return port.link !== 'down'
  return port.link.isOn(t.s)
}

function lastChange(port: Port): number | ((t: Instant) => number) {
  const { link } = port
  // links come up half a minute after boot
  if (link === undefined || typeof link === 'string') return link === 'down' ? 0 : 3000
  return (t) => Math.max(0, Math.floor((link.changedAt(t.s) - t.bootS) * 100))
}

function flows(port: Port): { in: Flow; out: Flow } {
  const dead = port.admin === 'down' || port.link === 'down'
  return dead ? { in: noFlow, out: noFlow } : { in: port.in ?? noFlow, out: port.out ?? noFlow }
}

function ifRow(port: Port): AgentRow<typeof ifTable> {
  const { in: inFlow, out: outFlow } = flows(port)
  return {
    ifIndex: port.index,
    ifDescr: port.descr ?? port.name,
    ifType: IF_TYPE[port.type ?? 'ethernetCsmacd'],
    ifMtu: port.mtu ?? 1500,
    // RFC 2863: the maximum value if the speed fits only in ifHighSpeed
    ifSpeed: Math.min(port.mbps * 1_000_000, 2 ** 32 - 1),
    ifPhysAddress: port.mac ?? new Uint8Array(0),
    ifAdminStatus: port.admin === 'down' ? DOWN : UP,
    ifOperStatus: (t) => (isUp(port, t) ? UP : DOWN),
    ifLastChange: lastChange(port),
    ifInOctets: counter(inFlow.octets),
    ifInUcastPkts: counter(inFlow.unicast),
    ifInDiscards: counter(port.inDiscards ?? NEVER),
    ifInErrors: counter(port.inErrors ?? NEVER),
    ifInUnknownProtos: 0n,
    ifOutOctets: counter(outFlow.octets),
    ifOutUcastPkts: counter(outFlow.unicast),
    ifOutDiscards: counter(port.outDiscards ?? NEVER),
    ifOutErrors: counter(port.outErrors ?? NEVER),
  }
}

function ifXRow(port: Port, highCapacity: boolean): AgentRow<typeof ifXTable> {
  const { in: inFlow, out: outFlow } = flows(port)
  return {
    ifName: port.name,
    ifInMulticastPkts: counter(inFlow.multicast),
    ifInBroadcastPkts: counter(inFlow.broadcast),
    ifOutMulticastPkts: counter(outFlow.multicast),
    ifOutBroadcastPkts: counter(outFlow.broadcast),
    ...(highCapacity && {
      ifHCInOctets: counter(inFlow.octets),
      ifHCInUcastPkts: counter(inFlow.unicast),
      ifHCInMulticastPkts: counter(inFlow.multicast),
      ifHCInBroadcastPkts: counter(inFlow.broadcast),
      ifHCOutOctets: counter(outFlow.octets),
      ifHCOutUcastPkts: counter(outFlow.unicast),
      ifHCOutMulticastPkts: counter(outFlow.multicast),
      ifHCOutBroadcastPkts: counter(outFlow.broadcast),
    }),
    ifLinkUpDownTrapEnable: 1,
    ifHighSpeed: port.mbps,
    ifPromiscuousMode: FALSE,
    ifConnectorPresent: (port.connector ?? (port.type ?? 'ethernetCsmacd') === 'ethernetCsmacd') ? TRUE : FALSE,
    ifAlias: port.alias ?? '',
    ifCounterDiscontinuityTime: 0,
  }
}

function dot3Row(port: Port): AgentRow<typeof dot3StatsTable> {
  return {
    dot3StatsIndex: port.index,
    dot3StatsAlignmentErrors: 0n,
    dot3StatsFCSErrors: counter(port.inErrors ?? NEVER),
    dot3StatsLateCollisions: 0n,
    dot3StatsFrameTooLongs: 0n,
    dot3StatsDuplexStatus: (t) => (isUp(port, t) ? DUPLEX[port.duplex ?? 'full'] : DUPLEX.unknown),
  }
}
