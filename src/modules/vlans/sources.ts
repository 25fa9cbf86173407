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
