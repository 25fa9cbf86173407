import type { Rows } from '@portlight/snmp/table.ts'
import { decodeIndex } from '../../lib/index-decode.ts'
import { looseMac } from '../../lib/loose-index.ts'
import type {
  dot1qPortVlanTable,
  dot1qTpFdbTable,
  dot1qVlanCurrentTable,
  dot1qVlanStaticTable,
} from '../../mibs/q-bridge-mib.ts'
import { type BridgePorts, ifIndexOf, portOffset } from './bridge-ports.ts'
import { NO_TREE } from './cisco.ts'
import type { PortSwitchingRow, PortVlanRow, VlanRow } from './observation.ts'
import { type PortListReader, portListReader } from './port-list.ts'

/** The bridge ports that send frames of a VLAN, and those that send them untagged. */
export interface Members {
  readonly vlan: number
  readonly egress: readonly number[]
  readonly untagged: readonly number[]
}

/** 4095 is reserved (IEEE 802.1Q), but some agents use it for a control VLAN. */
const MAX_VLAN = 4095

/** The VLAN number from an index; null for other indexes, which are skipped. */
function vlanOf(index: string): number | null {
  const vlan = decodeIndex(index, ['integer'])?.[0] ?? 0
  return vlan >= 1 && vlan <= MAX_VLAN ? vlan : null
}

export function vlanRow(vlan: number, name: string | undefined, rest: Partial<VlanRow> = {}): VlanRow {
  return {
    vlan_vlan: vlan,
    vlan_domain: 1,
    vlan_name: name || `VLAN ${vlan}`,
    vlan_type: null,
    vlan_state: 1,
    ...rest,
  }
}

/** Configured VLANs. */
export function staticVlans(rows: Rows<typeof dot1qVlanStaticTable>): readonly VlanRow[] {
  return [...rows].flatMap(([index, row]) => {
    const vlan = vlanOf(index)
    return vlan === null ? [] : [vlanRow(vlan, row.dot1qVlanStaticName)]
  })
}

/** Current members of the VLANs. Rows with several time marks are merged. */
export function currentMembers(
  rows: Rows<typeof dot1qVlanCurrentTable>,
  read: PortListReader = portListReader(
    [...rows.values()].flatMap((row) => [row.dot1qVlanCurrentEgressPorts, row.dot1qVlanCurrentUntaggedPorts]),
  ),
): readonly Members[] {
  const members = new Map<number, Members>()
  for (const [index, row] of rows) {
    const vlan = decodeIndex(index, ['integer', 'integer'])?.[1]
    if (vlan === undefined || vlan < 1 || vlan > MAX_VLAN || row.dot1qVlanCurrentEgressPorts === undefined) continue
    const untagged = read(row.dot1qVlanCurrentUntaggedPorts)
    members.set(vlan, { vlan, egress: read(row.dot1qVlanCurrentEgressPorts), untagged })
  }
  return [...members.values()]
}

/** Configured members of the VLANs. */
export function staticMembers(
  rows: Rows<typeof dot1qVlanStaticTable>,
  read: PortListReader = portListReader(
    [...rows.values()].flatMap((row) => [row.dot1qVlanStaticEgressPorts, row.dot1qVlanStaticUntaggedPorts]),
  ),
): readonly Members[] {
  return [...rows].flatMap(([index, row]) => {
    const vlan = vlanOf(index)
    if (vlan === null || row.dot1qVlanStaticEgressPorts === undefined) return []
    return [{ vlan, egress: read(row.dot1qVlanStaticEgressPorts), untagged: read(row.dot1qVlanStaticUntaggedPorts) }]
  })
}

/** The members as port rows. Bridge ports without an interface are left out. */
export function memberRows(members: readonly Members[], ports: BridgePorts): readonly PortVlanRow[] {
  const offset = portOffset(
    ports,
    members.flatMap(({ egress }) => egress),
  )
  return members.flatMap(({ vlan, egress, untagged }) => {
    const plain = new Set(untagged)
    return egress.flatMap((port): PortVlanRow[] => {
      const baseport = port - offset
      const ifIndex = ifIndexOf(ports, baseport)
      if (ifIndex === undefined || ifIndex <= 0) return []
      return [{ ...NO_TREE, ifIndex, vlan, baseport, untagged: plain.has(port) ? 1 : 0 }]
    })
  })
}

/**
 * The VLANs of a bridge that lists none: those of untagged frames (dot1qPvid), and those with a filtering database of
 * their own, whose number is then the VLAN's. In ascending order.
 */
export function usedVlans(
  own: Rows<typeof dot1qPortVlanTable>,
  learned: Rows<typeof dot1qTpFdbTable>,
): readonly number[] {
  const vlans = new Set<number>()
  for (const { dot1qPvid } of own.values()) if (dot1qPvid !== undefined) vlans.add(dot1qPvid)
  for (const index of learned.keys()) {
    const database = looseMac(index, 1)?.integers[0]
    if (database !== undefined) vlans.add(database)
  }
  return [...vlans].filter((vlan) => vlan >= 1 && vlan < MAX_VLAN).sort((a, b) => a - b)
}

/** The VLAN of untagged frames received on a port; a dot1qPvid of 0 means none. */
export function pvids(rows: Rows<typeof dot1qPortVlanTable>, ports: BridgePorts): readonly PortSwitchingRow[] {
  return [...rows].flatMap(([index, { dot1qPvid }]) => {
    const baseport = decodeIndex(index, ['integer'])?.[0]
    const ifIndex = baseport === undefined ? undefined : (ports.get(baseport) ?? baseport)
    if (ifIndex === undefined || ifIndex <= 0 || dot1qPvid === undefined) return []
    const known = dot1qPvid >= 1 && dot1qPvid <= MAX_VLAN
    return [{ ifIndex, ifVlan: known ? String(dot1qPvid) : null, ifTrunk: null }]
  })
}
