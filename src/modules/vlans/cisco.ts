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
import type { Rows } from '../../snmp/table.ts'
import { bridgePorts } from './bridge-ports.ts'
import type { PortSwitchingRow, PortVlanRow, VlanRow } from './observation.ts'

const ETHERNET = 1
const OPERATIONAL = 1

/** The default SNMP context of a Cisco bridge is that of VLAN 1. */
export const DEFAULT_VLAN = 1

/** VLANs of VTP. Those of FDDI and token ring are there on every switch and carry nothing. */
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

/** VLANs whose bridge has an SNMP context of its own: those that are in operation, but for the default one. */
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
 * VLANs on ports: those that take part in a VLAN's spanning tree, and access ports assigned to it. `bridgeOf` gives the
 * bridge of a VLAN where its context was read.
 */
export function ciscoPortVlans(
  vlans: readonly number[],
  switching: readonly PortSwitchingRow[],
  bridgeOf: (vlan: number) => VlanBridge | undefined,
): readonly PortVlanRow[] {
  return vlans.flatMap((vlan) => {
    const context = bridgeOf(vlan)
    const ports = bridgePorts(context?.bridge.rows)
    const baseports = new Map([...ports].map(([port, ifIndex]) => [ifIndex, port]))
    const untagged = new Set(switching.filter((row) => row.ifVlan === String(vlan)).map((row) => row.ifIndex))
    const trunks = new Set(switching.filter((row) => row.ifTrunk !== null).map((row) => row.ifIndex))
    const rows = new Map<number, PortVlanRow>()
    for (const ifIndex of untagged) {
      if (trunks.has(ifIndex)) continue
      rows.set(ifIndex, { ...NO_TREE, ifIndex, vlan, baseport: baseports.get(ifIndex) ?? 0, untagged: 1 })
    }
    for (const [index, row] of context?.stp.rows ?? []) {
      const baseport = Number(index)
      const ifIndex = ports.get(baseport)
      if (ifIndex === undefined) continue
      rows.set(ifIndex, {
        ifIndex,
        vlan,
        baseport,
        priority: row.dot1dStpPortPriority ?? 0,
        state: enumName(DOT1D_STP_PORT_STATE, row.dot1dStpPortState) ?? 'unknown',
        cost: row.dot1dStpPortPathCost ?? 0,
        untagged: untagged.has(ifIndex) ? 1 : 0,
      })
    }
    return [...rows.values()]
  })
}

/** What a port has in a VLAN whose spanning tree is not known. */
export const NO_TREE = { priority: 0, state: 'unknown', cost: 0 } as const

/** Access VLAN of a port, and encapsulation and native VLAN of a trunk. */
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
