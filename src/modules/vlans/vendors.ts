import type { Rows } from '@portlight/snmp/table.ts'
import { decodeIndex } from '../../lib/index-decode.ts'
import type { ieee8021QBridgeVlanStaticTable } from '../../mibs/ieee8021-q-bridge-mib.ts'
import {
  JNX_EX_VLAN_TYPE,
  type jnxExVlanPortGroupTable,
  type jnxExVlanTable,
  type jnxL2aldVlanTable,
} from '../../mibs/juniper-vlan-mib.ts'
import type { rcVlanPortTable, rcVlanTable } from '../../mibs/rc-vlan-mib.ts'
import { enumName } from '../../mibs/snmpv2-tc.ts'
import type { sapBaseInfoTable } from '../../mibs/timetra-serv-mib.ts'
import type { tplinkVlanConfigTable, tplinkVlanPortConfigTable } from '../../mibs/tplink-dot1q-vlan-mib.ts'
import { type BridgePorts, ifIndexOf } from './bridge-ports.ts'
import { NO_TREE } from './cisco.ts'
import type { PortSwitchingRow, PortVlanRow, VlanRow } from './observation.ts'
import { namedPortList, portList } from './port-list.ts'
import { type Members, vlanRow } from './q-bridge.ts'

/** VLANs and their ports, from a vendor MIB. */
export interface VendorVlans {
  readonly vlans: readonly VlanRow[]
  readonly members: readonly PortVlanRow[]
  readonly switching: readonly PortSwitchingRow[]
}

const UNTAGGED = 2

/** Juniper EX without ELS: jnxExVlanPortGroupTable is indexed by the VLAN's internal ID. */
export function juniperEx(
  vlans: Rows<typeof jnxExVlanTable>,
  groups: Rows<typeof jnxExVlanPortGroupTable>,
  ports: BridgePorts,
): VendorVlans {
  const tags = new Map<number, number>()
  const rows: VlanRow[] = []
  for (const [index, row] of vlans) {
    const id = Number(index)
    const tag = row.jnxExVlanTag
    if (tag === undefined || tag < 1 || tag > 4094) continue
    tags.set(id, tag)
    const vlan_type = enumName(JNX_EX_VLAN_TYPE, row.jnxExVlanType) ?? null
    rows.push(vlanRow(tag, row.jnxExVlanName, { vlan_domain: id, vlan_type }))
  }
  const members = [...groups].flatMap(([index, row]): PortVlanRow[] => {
    const [id, port] = decodeIndex(index, ['integer', 'integer']) ?? []
    const vlan = id === undefined ? undefined : tags.get(id)
    const ifIndex = port === undefined ? undefined : ifIndexOf(ports, port)
    if (vlan === undefined || port === undefined || ifIndex === undefined || ifIndex <= 0) return []
    const untagged = row.jnxExVlanPortTagness === UNTAGGED ? 1 : 0
    return [{ ...NO_TREE, ifIndex, vlan, baseport: ports.size === 0 ? 0 : port, untagged }]
  })
  return { vlans: rows, members, switching: [] }
}

/** VLANs of Junos with ELS, whose members are in Q-BRIDGE-MIB. Tag 0 is an internal bridge of the system. */
export function juniperEls(rows: Rows<typeof jnxL2aldVlanTable>): readonly VlanRow[] {
  return [...rows.values()].flatMap(({ jnxL2aldVlanName, jnxL2aldVlanTag: tag }) =>
    tag !== undefined && tag >= 1 && tag <= 4094 ? [vlanRow(tag, jnxL2aldVlanName)] : [],
  )
}

/** Nortel, Avaya and Extreme switches of the BOSS family. Ports are numbered by ifIndex; the first bit is port 0. */
export function rapidCity(vlans: Rows<typeof rcVlanTable>, ports: Rows<typeof rcVlanPortTable>): VendorVlans {
  const switching = [...ports].map(([index, { rcVlanPortDefaultVlanId: vlan }]) => ({
    ifIndex: Number(index),
    ifVlan: vlan !== undefined && vlan > 0 ? String(vlan) : null,
    ifTrunk: null,
  }))
  const defaults = new Map(switching.map(({ ifIndex, ifVlan }) => [ifIndex, ifVlan]))
  const members = [...vlans].flatMap(([index, row]) =>
    portList(row.rcVlanPortMembers?.subarray(0, MAX_RC_OCTETS), 0)
      .filter((port) => defaults.has(port))
      .map((port): PortVlanRow => {
        const untagged = defaults.get(port) === index ? 1 : 0
        return { ...NO_TREE, ifIndex: port, vlan: Number(index), baseport: port, untagged }
      }),
  )
  return { vlans: [...vlans].map(([index, row]) => vlanRow(Number(index), row.rcVlanName)), members, switching }
}

/** Size of rcVlanPortMembers (RAPID-CITY). */
const MAX_RC_OCTETS = 88

/** Higher service IDs are internal to the system (TIMETRA-TC-MIB, TmnxServId). */
const MAX_SERVICE_ID = 2_147_483_647

/**
 * The VLAN of a service access point, from its encapsulation value: the lower 16 bits are the only or the outer tag
 * (TIMETRA-TC-MIB, TmnxEncapVal). Null: untagged (0) or any (4095).
 */
export function sapVlan(encapsulation: number): number | null {
  const vlan = encapsulation % 0x10000
  return vlan >= 1 && vlan <= 4094 ? vlan : null
}

/** Nokia SR OS has no VLAN table; its VLANs are the outer tags of service access points. */
export function nokia(saps: Rows<typeof sapBaseInfoTable>): VendorVlans {
  const vlans = new Map<number, VlanRow>()
  const members = new Map<string, PortVlanRow>()
  for (const index of saps.keys()) {
    const [service, ifIndex, encapsulation] = decodeIndex(index, ['integer', 'integer', 'integer']) ?? []
    if (service === undefined || ifIndex === undefined || encapsulation === undefined) continue
    const vlan = sapVlan(encapsulation)
    if (vlan === null || service > MAX_SERVICE_ID) continue
    vlans.set(vlan, vlanRow(vlan, undefined, { vlan_domain: null }))
    members.set(`${ifIndex} ${vlan}`, { ...NO_TREE, ifIndex, vlan, baseport: 0, untagged: 0 })
  }
  return { vlans: [...vlans.values()], members: [...members.values()], switching: [] }
}

/** TP-Link JetStream: members are lists of port names. */
export function tplink(
  vlans: Rows<typeof tplinkVlanConfigTable>,
  ports: Rows<typeof tplinkVlanPortConfigTable>,
): VendorVlans {
  const byName = new Map<string, number>()
  const switching = [...ports].map(([index, row]) => {
    if (row.vlanPortNumber) byName.set(row.vlanPortNumber, Number(index))
    return { ifIndex: Number(index), ifVlan: row.vlanPortPvid ? String(row.vlanPortPvid) : null, ifTrunk: null }
  })
  const members = [...vlans].flatMap(([index, row]) => {
    const on = (list: string | undefined, untagged: 0 | 1) =>
      namedPortList(list).flatMap((name): PortVlanRow[] => {
        const ifIndex = byName.get(name)
        return ifIndex === undefined ? [] : [{ ...NO_TREE, ifIndex, vlan: Number(index), baseport: ifIndex, untagged }]
      })
    return [...on(row.vlanTagPortMemberAdd, 0), ...on(row.vlanUntagPortMemberAdd, 1)]
  })
  return {
    vlans: [...vlans].map(([index, row]) => vlanRow(Number(index), row.dot1qVlanDescription)),
    members,
    switching,
  }
}

/** IEEE 802.1Q's successor of Q-BRIDGE-MIB. VLANs of several bridge components are merged. */
export function ieeeVlans(rows: Rows<typeof ieee8021QBridgeVlanStaticTable>): {
  readonly vlans: readonly VlanRow[]
  readonly members: readonly Members[]
} {
  const vlans: VlanRow[] = []
  const members: Members[] = []
  for (const [index, row] of rows) {
    const vlan = decodeIndex(index, ['integer', 'integer'])?.[1]
    if (vlan === undefined || vlan < 1 || vlan > 4094) continue
    vlans.push(vlanRow(vlan, row.ieee8021QBridgeVlanStaticName))
    const egress = portList(row.ieee8021QBridgeVlanStaticEgressPorts)
    members.push({ vlan, egress, untagged: portList(row.ieee8021QBridgeVlanStaticUntaggedPorts) })
  }
  return { vlans, members }
}
