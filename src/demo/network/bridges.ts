import { dot1dBasePortTable, dot1dStpPortTable, dot1dTpFdbTable } from '../../mibs/bridge-mib.ts'
import { vlanTrunkPortTable, vmMembershipTable, vtpVlanTable } from '../../mibs/cisco-vtp-mib.ts'
import {
  dot1qPortVlanTable,
  dot1qTpFdbTable,
  dot1qVlanCurrentTable,
  dot1qVlanStaticTable,
} from '../../mibs/q-bridge-mib.ts'
import { macIndex, mibRows } from '../mib/of-mibs.ts'
import type { Instance } from '../table.ts'
import type { Campus, NetworkPort } from './campus.ts'
import { cablesOf, macOf } from './neighbours.ts'
import { STATIONS, VLANS } from './plan.ts'

const CORE = 'core-1'
/** Switches with one SNMP context per VLAN (`community@20`) instead of a single table. */
const CISCO = new Set([CORE, 'access-1'])
const OTHERS = new Set(['access-2', 'access-3'])

const DEFAULT_VLAN = 1
const OPERATIONAL = 1
const ETHERNET = 1
const DOT1Q = 4
const NOT_APPLICABLE = 6
const FORWARDING = 5
const PATH_COST = 4
const PRIORITY = 128

interface Member {
  readonly port: NetworkPort
  /** Bridge port. */
  readonly number: number
  /** Untagged VLAN; null: a trunk with all VLANs. */
  readonly vlan: number | null
}

interface Learned {
  readonly mac: Uint8Array
  readonly vlan: number
  readonly number: number
}

/** VLANs and learned addresses of a switch; `contexts` by VLAN if it has contexts. */
export function bridgeTables(
  campus: Campus,
  device: string,
): { readonly tables: readonly Instance[]; readonly contexts: ReadonlyMap<string, readonly Instance[]> } {
  const members = CISCO.has(device) || OTHERS.has(device) ? membersOf(campus, device) : []
  if (members.length === 0) return { tables: [], contexts: new Map() }
  const learned = learnedBy(campus, device, members)
  if (OTHERS.has(device)) return { tables: qBridge(members, learned), contexts: new Map() }
  return {
    tables: [...vtp(members), ...bridge(members, [], DEFAULT_VLAN)],
    contexts: new Map(VLANS.map(([vlan]) => [String(vlan), bridge(members, learned, vlan)])),
  }
}

/** Ports to stations, then ports to other switches. */
function membersOf(campus: Campus, device: string): readonly Member[] {
  const access = STATIONS.filter((s) => s.device === device).map((s) => ({
    port: campus.port(device, s.ifName),
    vlan: s.vlan,
  }))
  const trunks = cablesOf(campus, device)
    .filter(({ farDevice }) => CISCO.has(farDevice) || OTHERS.has(farDevice))
    .map(({ near }) => ({ port: near, vlan: null }))
  return [...access, ...trunks].map((member, i) => ({ ...member, number: i + 1 }))
}

/**
 * Stations are learned on their own port or, on the core, on the port to their switch; the gateway is learned on the
 * uplink.
 */
function learnedBy(campus: Campus, device: string, members: readonly Member[]): readonly Learned[] {
  const numberOf = (ifIndex: number | undefined) => members.find((m) => m.port.ifIndex === ifIndex)?.number
  const cables = cablesOf(campus, device)
  const learned: Learned[] = STATIONS.flatMap((station) => {
    const port =
      station.device === device
        ? campus.port(device, station.ifName)
        : device === CORE
          ? cables.find(({ farDevice }) => farDevice === station.device)?.near
          : undefined
    const number = numberOf(port?.ifIndex)
    return number === undefined ? [] : [{ mac: macOf(station), vlan: station.vlan, number }]
  })
  const uplink = numberOf(cables.find(({ farDevice }) => farDevice === CORE)?.near.ifIndex)
  if (uplink === undefined) return learned
  return [...learned, ...VLANS.map(([vlan]) => ({ mac: campus.port(CORE, `Vl${vlan}`).mac, vlan, number: uplink }))]
}

const carries = ({ vlan }: Member, wanted: number): boolean => vlan === null || vlan === wanted

function bridge(members: readonly Member[], learned: readonly Learned[], vlan: number): Instance[] {
  const own = members.filter((member) => carries(member, vlan))
  return [
    ...mibRows(
      dot1dBasePortTable,
      own.map(({ number, port }) => [number, { dot1dBasePortIfIndex: port.ifIndex }]),
    ),
    ...mibRows(
      dot1dStpPortTable,
      own.map(({ number }) => [
        number,
        { dot1dStpPortPriority: PRIORITY, dot1dStpPortState: FORWARDING, dot1dStpPortPathCost: PATH_COST },
      ]),
    ),
    ...mibRows(
      dot1dTpFdbTable,
      learned.filter((l) => l.vlan === vlan).map(({ mac, number }) => [macIndex(mac), { dot1dTpFdbPort: number }]),
    ),
  ]
}

function vtp(members: readonly Member[]): Instance[] {
  const named = [[DEFAULT_VLAN, 'default'] as const, ...VLANS]
  return [
    ...mibRows(
      vtpVlanTable,
      named.map(([vlan, name]) => [
        `1.${vlan}`,
        { vtpVlanState: OPERATIONAL, vtpVlanType: ETHERNET, vtpVlanName: name },
      ]),
    ),
    ...mibRows(
      vmMembershipTable,
      members.flatMap(({ port, vlan }) => (vlan === null ? [] : [[port.ifIndex, { vmVlan: vlan }] as const])),
    ),
    ...mibRows(
      vlanTrunkPortTable,
      members.map(({ port, vlan }) => [
        port.ifIndex,
        {
          vlanTrunkPortNativeVlan: DEFAULT_VLAN,
          vlanTrunkPortEncapsulationOperType: vlan === null ? DOT1Q : NOT_APPLICABLE,
        },
      ]),
    ),
  ]
}

function qBridge(members: readonly Member[], learned: readonly Learned[]): Instance[] {
  const lists = (vlan: number) => ({
    egress: portList(members.filter((member) => carries(member, vlan))),
    untagged: portList(members.filter((member) => member.vlan === vlan)),
  })
  return [
    ...mibRows(
      dot1dBasePortTable,
      members.map(({ number, port }) => [number, { dot1dBasePortIfIndex: port.ifIndex }]),
    ),
    ...mibRows(
      dot1qVlanStaticTable,
      VLANS.map(([vlan, name]) => [
        vlan,
        {
          dot1qVlanStaticName: name,
          dot1qVlanStaticEgressPorts: lists(vlan).egress,
          dot1qVlanStaticUntaggedPorts: lists(vlan).untagged,
        },
      ]),
    ),
    ...mibRows(
      dot1qVlanCurrentTable,
      VLANS.map(([vlan]) => [
        `0.${vlan}`,
        {
          dot1qVlanFdbId: vlan,
          dot1qVlanCurrentEgressPorts: lists(vlan).egress,
          dot1qVlanCurrentUntaggedPorts: lists(vlan).untagged,
        },
      ]),
    ),
    ...mibRows(
      dot1qPortVlanTable,
      members.map(({ number, vlan }) => [number, { dot1qPvid: vlan ?? DEFAULT_VLAN }]),
    ),
    ...mibRows(
      dot1qTpFdbTable,
      learned.map(({ mac, vlan, number }) => [`${vlan}.${macIndex(mac)}`, { dot1qTpFdbPort: number }]),
    ),
  ]
}

/** PortList (RFC 4363): the most significant bit of the first octet is bridge port 1. */
function portList(members: readonly Member[]): Uint8Array {
  const octets = new Uint8Array(8)
  for (const { number } of members) {
    const at = (number - 1) >> 3
    octets[at] = (octets[at] ?? 0) | (0x80 >> ((number - 1) & 7))
  }
  return octets
}
