import {
  AOS_NO_MEMBER,
  AOS_UNTAGGED,
  AOS6_NO_MEMBER,
  AOS6_UNTAGGED,
  aos6VlanTable,
  aos6VpaTable,
  aosVlanTable,
  aosVpaTable,
} from '../../mibs/alcatel-vlan-mgr-mib.ts'
import { extremeVlanIfTable, extremeVlanOpaqueTable } from '../../mibs/extreme-vlan-mib.ts'
import { snVLanByPortCfgTable, snVLanByPortMemberTable } from '../../mibs/foundry-vlan-mib.ts'
import { ieee8021QBridgeVlanStaticTable } from '../../mibs/ieee8021-q-bridge-mib.ts'
import { jnxExVlanPortGroupTable, jnxExVlanTable, jnxL2aldVlanTable } from '../../mibs/juniper-vlan-mib.ts'
import { rcVlanPortTable, rcVlanTable } from '../../mibs/rc-vlan-mib.ts'
import { sapBaseInfoTable } from '../../mibs/timetra-serv-mib.ts'
import { tplinkVlanConfigTable, tplinkVlanPortConfigTable } from '../../mibs/tplink-dot1q-vlan-mib.ts'
import { type DeviceFacts, need } from '../module.ts'
import { isOf, type Source, source } from '../source.ts'
import type { Vendor } from '../vendor.ts'
import type { BridgePorts } from './bridge-ports.ts'
import type { PortVlanRow } from './observation.ts'
import { memberRows } from './q-bridge.ts'
import { alcatel, extreme, foundry } from './switch-vendors.ts'
import { ieeeVlans, juniperEls, juniperEx, nokia, rapidCity, tplink, type VendorVlans } from './vendors.ts'

/** What was found in Q-BRIDGE-MIB and BRIDGE-MIB. */
interface Standard {
  readonly ports: BridgePorts
  readonly members: readonly PortVlanRow[]
}

/**
 * Other VLAN tables, read from devices without VLANs in Q-BRIDGE-MIB. `read` returns null if there are none here
 * either.
 */
interface VlanSource extends Omit<Source<Standard, VendorVlans | null>, 'vendors'> {
  /** Vendors whose devices are asked, as well as devices without sysObjectID; absent: all bridges. */
  readonly vendors?: readonly Vendor[]
  /** Devices without sysObjectID are not asked. */
  readonly certain?: true
}

/** In order of precedence: the first that has VLANs is used. */
const SOURCES: readonly VlanSource[] = [
  source({
    vendors: ['juniper'],
    tables: { vlans: need(jnxExVlanTable), groups: need(jnxExVlanPortGroupTable) },
    read: ({ vlans, groups }, { ports }: Standard) => (vlans.size === 0 ? null : juniperEx(vlans, groups, ports)),
  }),
  source({
    vendors: ['juniper'],
    tables: { vlans: need(jnxL2aldVlanTable, ['jnxL2aldVlanName', 'jnxL2aldVlanTag']) },
    read: ({ vlans }, { members }: Standard) =>
      vlans.size === 0 ? null : { vlans: juniperEls(vlans), members, switching: [] },
  }),
  source({
    vendors: ['nortel'],
    tables: { vlans: need(rcVlanTable), ports: need(rcVlanPortTable) },
    read: ({ vlans, ports }) => (vlans.size === 0 ? null : rapidCity(vlans, ports)),
  }),
  source({
    vendors: ['nokia'],
    certain: true,
    tables: { saps: need(sapBaseInfoTable, ['sapRowStatus']) },
    read: ({ saps }) => (saps.size === 0 ? null : nokia(saps)),
  }),
  source({
    vendors: ['tplink'],
    tables: { vlans: need(tplinkVlanConfigTable), ports: need(tplinkVlanPortConfigTable) },
    read: ({ vlans, ports }) => (vlans.size === 0 ? null : tplink(vlans, ports)),
  }),
  source({
    vendors: ['foundry'],
    certain: true,
    tables: { vlans: need(snVLanByPortCfgTable), members: need(snVLanByPortMemberTable) },
    read: ({ vlans, members }, { ports }: Standard) => (vlans.size === 0 ? null : foundry(vlans, members, ports)),
  }),
  source({
    vendors: ['alcatelAos'],
    certain: true,
    tables: { vlans: need(aosVlanTable), ports: need(aosVpaTable) },
    read: ({ vlans, ports: associations }, { ports }: Standard) =>
      vlans.size === 0 ? null : alcatel(vlans, associations, ports, { untagged: AOS_UNTAGGED, none: AOS_NO_MEMBER }),
  }),
  source({
    vendors: ['alcatelAos6'],
    certain: true,
    tables: { vlans: need(aos6VlanTable), ports: need(aos6VpaTable) },
    read: ({ vlans, ports: associations }, { ports }: Standard) =>
      vlans.size === 0 ? null : alcatel(vlans, associations, ports, { untagged: AOS6_UNTAGGED, none: AOS6_NO_MEMBER }),
  }),
  source({
    vendors: ['extreme'],
    certain: true,
    tables: { vlans: need(extremeVlanIfTable), lists: need(extremeVlanOpaqueTable) },
    read: ({ vlans, lists }, { ports }: Standard) => (vlans.size === 0 ? null : extreme(vlans, lists, ports)),
  }),
  source({
    tables: { ieee: need(ieee8021QBridgeVlanStaticTable) },
    read({ ieee }, { ports }: Standard) {
      const { vlans, members } = ieeeVlans(ieee)
      return vlans.length === 0 ? null : { vlans, members: memberRows(members, ports), switching: [] }
    },
  }),
]

/** The sources for a device without named VLANs. `bridging`: it has bridge ports or Q-BRIDGE-MIB. */
export function sourcesOf(device: DeviceFacts, bridging: boolean): readonly VlanSource[] {
  return SOURCES.filter(({ vendors, certain }) => {
    if (vendors === undefined) return bridging
    return isOf(device, vendors) || (device.sysObjectID === null && certain !== true)
  })
}
