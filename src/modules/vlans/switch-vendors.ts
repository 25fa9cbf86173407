import type { Rows } from '@portlight/snmp/table.ts'
import { decodeIndex } from '../../lib/index-decode.ts'
import type { aosVlanTable, aosVpaTable } from '../../mibs/alcatel-vlan-mgr-mib.ts'
import type { extremeVlanIfTable, extremeVlanOpaqueTable } from '../../mibs/extreme-vlan-mib.ts'
import type { snVLanByPortCfgTable, snVLanByPortMemberTable } from '../../mibs/foundry-vlan-mib.ts'
import type { BridgePorts } from './bridge-ports.ts'
import { NO_TREE } from './cisco.ts'
import type { PortVlanRow } from './observation.ts'
import { portListReader } from './port-list.ts'
import { vlanRow } from './q-bridge.ts'
import type { VendorVlans } from './vendors.ts'

const MAX_VLAN = 4094
const isVlan = (vlan: number | undefined): vlan is number => vlan !== undefined && vlan >= 1 && vlan <= MAX_VLAN

/** Members by ifIndex, with their bridge ports if dot1dBasePortTable has them. */
function memberOf(ports: BridgePorts): (ifIndex: number, vlan: number, untagged: boolean) => PortVlanRow {
  const baseports = new Map([...ports].map(([port, ifIndex]) => [ifIndex, port]))
  return (ifIndex, vlan, untagged) => {
    return { ...NO_TREE, ifIndex, vlan, baseport: baseports.get(ifIndex) ?? 0, untagged: untagged ? 1 : 0 }
  }
}

const UNTAGGED = 2

/** Foundry, Brocade and Ruckus switches with IronWare: VLANs by port. */
export function foundry(
  vlans: Rows<typeof snVLanByPortCfgTable>,
  members: Rows<typeof snVLanByPortMemberTable>,
  ports: BridgePorts,
): VendorVlans {
  const member = memberOf(ports)
  return {
    vlans: [...vlans].flatMap(([index, { snVLanByPortCfgVLanName: name }]) => {
      const vlan = Number(index)
      return isVlan(vlan) ? [vlanRow(vlan, name)] : []
    }),
    members: [...members].flatMap(([index, { snVLanByPortMemberTagMode: mode }]) => {
      const [vlan, ifIndex] = decodeIndex(index, ['integer', 'integer']) ?? []
      return isVlan(vlan) && ifIndex !== undefined ? [member(ifIndex, vlan, mode === UNTAGGED)] : []
    }),
    switching: [],
  }
}

const ACTIVE = 1

/** Alcatel-Lucent OmniSwitch. `types`: the values of vpaType of untagged members, and of ports that are no members. */
export function alcatel(
  vlans: Rows<typeof aosVlanTable>,
  associations: Rows<typeof aosVpaTable>,
  ports: BridgePorts,
  types: { readonly untagged: ReadonlySet<number>; readonly none: ReadonlySet<number> },
): VendorVlans {
  const member = memberOf(ports)
  return {
    vlans: [...vlans].flatMap(([index, { vlanDescription, vlanOperStatus = ACTIVE }]) => {
      const vlan = Number(index)
      return isVlan(vlan) ? [vlanRow(vlan, vlanDescription, { vlan_state: vlanOperStatus === ACTIVE ? 1 : 0 })] : []
    }),
    members: [...associations].flatMap(([index, { vpaType }]) => {
      const [vlan, ifIndex] = decodeIndex(index, ['integer', 'integer']) ?? []
      if (!isVlan(vlan) || ifIndex === undefined || vpaType === undefined || types.none.has(vpaType)) return []
      return [member(ifIndex, vlan, types.untagged.has(vpaType))]
    }),
    switching: [],
  }
}

/** EXOS numbers port p of slot s as interface 1000 s + p. */
const SLOT = 1000
/** Slots of the largest chassis or stack. */
const MAX_SLOT = 64

/** Extreme Networks EXOS. */
export function extreme(
  vlans: Rows<typeof extremeVlanIfTable>,
  lists: Rows<typeof extremeVlanOpaqueTable>,
  ports: BridgePorts,
): VendorVlans {
  const member = memberOf(ports)
  const read = portListReader(
    [...lists.values()].flatMap((row) => [row.extremeVlanOpaqueTaggedPorts, row.extremeVlanOpaqueUntaggedPorts]),
  )
  const members = [...lists].flatMap(([index, row]): PortVlanRow[] => {
    const [vlanIf, slot] = decodeIndex(index, ['integer', 'integer']) ?? []
    const vlan = vlans.get(String(vlanIf))?.extremeVlanIfVlanId
    if (!isVlan(vlan) || slot === undefined || slot < 1 || slot > MAX_SLOT) return []
    const on = (list: Uint8Array | undefined, untagged: boolean) =>
      read(list)
        .filter((port) => port < SLOT)
        .map((port) => member(slot * SLOT + port, vlan, untagged))
    return [...on(row.extremeVlanOpaqueTaggedPorts, false), ...on(row.extremeVlanOpaqueUntaggedPorts, true)]
  })
  return {
    vlans: [...vlans.values()].flatMap(({ extremeVlanIfVlanId: vlan, extremeVlanIfDescr: name }) =>
      isVlan(vlan) ? [vlanRow(vlan, name)] : [],
    ),
    members,
    switching: [],
  }
}
