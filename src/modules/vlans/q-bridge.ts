import type { Row, Rows } from '@portlight/snmp/table.ts'
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
import { type PortCount, type PortListReader, portListReader } from './port-list.ts'
import { isVlan } from './vlan-number.ts'

/** The bridge ports that send frames of a VLAN, and those that send them untagged. */
export interface Members {
  readonly vlan: number
  readonly egress: readonly number[]
  readonly untagged: readonly number[]
}

/** The VLAN number from an index; null for other indexes, which are skipped. */
function vlanOf(index: string): number | null {
  const vlan = decodeIndex(index, ['integer'])?.[0]
  return isVlan(vlan) ? vlan : null
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

/** Current members of the VLANs, of several time marks the last. */
export function currentMembers(
  rows: Rows<typeof dot1qVlanCurrentTable>,
  count: PortCount,
  lists: PortListReader = portListReader(
    [...rows.values()].flatMap((row) => [row.dot1qVlanCurrentEgressPorts, row.dot1qVlanCurrentUntaggedPorts]),
  ),
): readonly Members[] {
  const newest = new Map<number, Row<typeof dot1qVlanCurrentTable>>()
  for (const [index, row] of rows) {
    const vlan = decodeIndex(index, ['integer', 'integer'])?.[1]
    if (isVlan(vlan) && row.dot1qVlanCurrentEgressPorts !== undefined) newest.set(vlan, row)
  }
  const read = count.ofBridge(lists)
  return [...newest].map(([vlan, row]) => {
    const egress = read(row.dot1qVlanCurrentEgressPorts)
    return { vlan, egress, untagged: read(row.dot1qVlanCurrentUntaggedPorts) }
  })
}

/** Configured members of the VLANs. */
export function staticMembers(
  rows: Rows<typeof dot1qVlanStaticTable>,
  count: PortCount,
  lists: PortListReader = portListReader(
    [...rows.values()].flatMap((row) => [row.dot1qVlanStaticEgressPorts, row.dot1qVlanStaticUntaggedPorts]),
  ),
): readonly Members[] {
  const read = count.ofBridge(lists)
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

const RESERVED = 4095

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
  return [...vlans].filter((vlan) => isVlan(vlan) && vlan !== RESERVED).sort((a, b) => a - b)
}

/** The VLAN of untagged frames received on a port; a dot1qPvid of 0 means none. */
export function pvids(rows: Rows<typeof dot1qPortVlanTable>, ports: BridgePorts): readonly PortSwitchingRow[] {
  return [...rows].flatMap(([index, { dot1qPvid }]) => {
    const baseport = decodeIndex(index, ['integer'])?.[0]
    const ifIndex = baseport === undefined ? undefined : (ports.get(baseport) ?? baseport)
    if (ifIndex === undefined || ifIndex <= 0 || dot1qPvid === undefined) return []
    return [{ ifIndex, ifVlan: isVlan(dot1qPvid) ? String(dot1qPvid) : null, ifTrunk: null }]
  })
}
