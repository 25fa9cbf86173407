import type { Rows } from '@portlight/snmp/table.ts'
import { decodeIndex } from '../../lib/index-decode.ts'
import { DOT1D_STP_PORT_STATE, type dot1dBasePortTable, type dot1dStpPortTable } from '../../mibs/bridge-mib.ts'
import {
  TRUNK_ENCAPSULATION,
  VTP_VLAN_TYPE,
  type vlanTrunkPortTable,
  type vmMembershipTable,
  type vtpVlanTable,
} from '../../mibs/cisco-vtp-mib.ts'
import { enumName } from '../../mibs/snmpv2-tc.ts'
import { bridgePorts } from './bridge-ports.ts'
import type { PortSwitchingRow, PortVlanRow, VlanRow } from './observation.ts'

const ETHERNET = 1
const OPERATIONAL = 1

/** The default SNMP context of a Cisco bridge is VLAN 1. */
export const DEFAULT_VLAN = 1

/** VLANs known to VTP. The FDDI and Token Ring VLANs exist on every switch and carry nothing, so they are left out. */
export function vtpVlans(rows: Rows<typeof vtpVlanTable>): readonly VlanRow[] {
  return [...rows].flatMap(([index, row]) => {
    const [domain, vlan] = decodeIndex(index, ['integer', 'integer']) ?? []
    if (domain === undefined || vlan === undefined || (row.vtpVlanType ?? ETHERNET) !== ETHERNET) return []
    return [
      {
        vlan_vlan: vlan,
        vlan_domain: domain,
        vlan_name: row.vtpVlanName || `VLAN ${vlan}`,
        vlan_type: enumName(VTP_VLAN_TYPE, row.vtpVlanType) ?? null,
        vlan_state: row.vtpVlanState === OPERATIONAL ? 1 : 0,
      },
    ]
  })
}

/** VLANs with their own SNMP context: all operational ones except the default VLAN. */
export function vlanContexts(rows: Rows<typeof vtpVlanTable>): readonly number[] {
  const vlans = vtpVlans(rows).filter((vlan) => vlan.vlan_state === 1 && vlan.vlan_vlan !== DEFAULT_VLAN)
  return [...new Set(vlans.map((vlan) => vlan.vlan_vlan))]
}

/** The bridge of one VLAN. */
export interface VlanBridge {
  readonly bridge: { readonly rows: Rows<typeof dot1dBasePortTable> }
  readonly stp: { readonly rows: Rows<typeof dot1dStpPortTable> }
}

/**
 * Port memberships: the ports of each VLAN's bridge, the access ports assigned to it, and the trunks whose native VLAN
 * it is, which send it untagged (`natives`, by ifIndex). `bridgeOf` returns the bridge of a VLAN, if its context was
 * read.
 */
export function ciscoPortVlans(
  vlans: readonly number[],
  switching: readonly PortSwitchingRow[],
  natives: ReadonlyMap<number, number>,
  bridgeOf: (vlan: number) => VlanBridge | undefined,
): readonly PortVlanRow[] {
  const own = new Map(switching.map((row) => [row.ifIndex, row]))
  return vlans.flatMap((vlan) => {
    const context = bridgeOf(vlan)
    const rows = new Map<number, PortVlanRow>()
    const assigned = switching.flatMap(({ ifIndex, ifVlan }) => (ifVlan === String(vlan) ? [ifIndex] : []))
    const native = [...natives].flatMap(([ifIndex, of]) => (of === vlan ? [ifIndex] : []))
    for (const ifIndex of [...assigned, ...native]) {
      rows.set(ifIndex, { ...NO_TREE, ifIndex, vlan, baseport: 0, untagged: 1 })
    }
    for (const [baseport, ifIndex] of bridgePorts(context?.bridge.rows)) {
      const tree = context?.stp.rows.get(String(baseport))
      const port = own.get(ifIndex)
      rows.set(ifIndex, {
        ifIndex,
        vlan,
        baseport,
        priority: tree?.dot1dStpPortPriority ?? 0,
        state: enumName(DOT1D_STP_PORT_STATE, tree?.dot1dStpPortState) ?? 'unknown',
        cost: tree?.dot1dStpPortPathCost ?? 0,
        // A trunk sends only its native VLAN untagged; every other port of the bridge is an access port.
        untagged: (port?.ifTrunk ?? null) === null || port?.ifVlan === String(vlan) ? 1 : 0,
      })
    }
    return [...rows.values()]
  })
}

/** Spanning tree columns of a port in a VLAN whose spanning tree is unknown. */
export const NO_TREE = { priority: 0, state: 'unknown', cost: 0 } as const

/**
 * The native VLAN of each port that is set to be a trunk, by ifIndex, whether or not it is one at present. Ports with a
 * VLAN in vmMembershipTable are access ports, whatever encapsulation the agent reports.
 */
export function nativeVlans(
  membership: Rows<typeof vmMembershipTable>,
  trunks: Rows<typeof vlanTrunkPortTable>,
): ReadonlyMap<number, number> {
  return new Map(
    [...trunks].flatMap(([index, { vlanTrunkPortNativeVlan: vlan = 0 }]) =>
      vlan > 0 && !membership.get(index)?.vmVlan ? [[Number(index), vlan] as const] : [],
    ),
  )
}

/** The access VLAN of a port, or the encapsulation and native VLAN of a trunk. */
export function ciscoSwitching(
  membership: Rows<typeof vmMembershipTable>,
  trunks: Rows<typeof vlanTrunkPortTable>,
): readonly PortSwitchingRow[] {
  return [...new Set([...membership.keys(), ...trunks.keys()])].flatMap((index) => {
    const ifIndex = Number(index)
    if (!Number.isInteger(ifIndex)) return []
    const trunk = trunks.get(index)
    const ifTrunk = enumName(TRUNK_ENCAPSULATION, trunk?.vlanTrunkPortEncapsulationOperType) ?? null
    const vlan = membership.get(index)?.vmVlan || (ifTrunk === null ? 0 : (trunk?.vlanTrunkPortNativeVlan ?? 0))
    return [{ ifIndex, ifVlan: vlan > 0 ? String(vlan) : null, ifTrunk }]
  })
}
