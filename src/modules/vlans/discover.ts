import { dot1dBasePortTable, dot1dStpPortTable } from '../../mibs/bridge-mib.ts'
import { vlanTrunkPortTable, vmMembershipTable, vtpVlanTable } from '../../mibs/cisco-vtp-mib.ts'
import {
  dot1qPortVlanTable,
  dot1qTpFdbTable,
  dot1qVlanCurrentTable,
  dot1qVlanStaticTable,
} from '../../mibs/q-bridge-mib.ts'
import { type DeviceFacts, type FollowUp, need, phase, type Read, type Tables } from '../module.ts'
import type { Observation } from '../observation.ts'
import { isFrom, type Vendor, when } from '../vendor.ts'
import { bridgePorts } from './bridge-ports.ts'
import { ciscoPortVlans, ciscoSwitching, DEFAULT_VLAN, nativeVlans, vlanContexts, vtpVlans } from './cisco.ts'
import type { PortSwitchingRow, PortVlanRow, VlanRow } from './observation.ts'
import { portCount, textPortList } from './port-list.ts'
import { currentMembers, memberRows, pvids, staticMembers, staticVlans, usedVlans, vlanRow } from './q-bridge.ts'
import { sourcesOf } from './sources.ts'
import type { VendorVlans } from './vendors.ts'

export const BRIDGE_PORTS = need(dot1dBasePortTable)
export const LEARNED = need(dot1qTpFdbTable)
export const VTP_VLANS = need(vtpVlanTable)
export const CURRENT_MEMBERS = need(dot1qVlanCurrentTable, [
  'dot1qVlanCurrentEgressPorts',
  'dot1qVlanCurrentUntaggedPorts',
])

/** Whether the device is from the vendor, or from an unknown one (no sysObjectID). */
function mayBeFrom(device: DeviceFacts, vendor: Vendor): boolean {
  return device.sysObjectID === null || isFrom(device, vendor)
}

/** Standard and Cisco tables that only some agents are asked for; tables that are not asked for cost nothing. */
function more(ask: { readonly [K in 'stp' | 'cisco' | 'static' | 'learned']?: boolean }) {
  return {
    bridge: need(dot1dBasePortTable, []),
    stp: when(ask.stp, need(dot1dStpPortTable)),
    membership: when(ask.cisco, need(vmMembershipTable)),
    trunks: when(ask.cisco, need(vlanTrunkPortTable)),
    configured: when(
      ask.static,
      need(dot1qVlanStaticTable, ['dot1qVlanStaticEgressPorts', 'dot1qVlanStaticUntaggedPorts']),
    ),
    learned: when(ask.learned, LEARNED),
  }
}

type More = Read<ReturnType<typeof more>>['tables']

/** Key of the follow-up in the default context. */
const MORE = 'more'

/**
 * VLANs, their ports, and each port's own VLAN. Cisco has its VLANs in VTP, with each VLAN's spanning tree in its own
 * SNMP context. Other vendors use Q-BRIDGE-MIB (RFC 4363), or their own MIB if that is empty.
 */
export const discoverVlans = phase({
  tables: {
    bridge: BRIDGE_PORTS,
    pvids: need(dot1qPortVlanTable),
    names: need(dot1qVlanStaticTable, ['dot1qVlanStaticName']),
    current: CURRENT_MEMBERS,
    vtp: VTP_VLANS,
  },
  follow({ device, tables: { bridge, names, current, vtp } }): FollowUp<Tables, Record<string, never>>[] {
    const vtpKnown = vtp.rows.size > 0
    const bridging = bridge.supported || names.supported
    const contexts = vlanContexts(vtp.rows).map((vlan) => ({
      key: String(vlan),
      context: String(vlan),
      tables: { ...more({ stp: true }), bridge: BRIDGE_PORTS },
    }))
    const asked = more({
      stp: vtpKnown,
      cisco: vtpKnown || mayBeFrom(device, 'cisco'),
      static: current.rows.size === 0 && !vtpKnown && (bridging || mayBeFrom(device, 'juniper')),
      // a large forwarding database is not kept for module `fdb`, so it is not read without need
      learned: current.rows.size === 0 && names.rows.size === 0 && !vtpKnown,
    })
    const others = names.rows.size === 0 && !vtpKnown ? sourcesOf(device, bridging) : []
    return [
      { key: MORE, tables: asked },
      ...others.map(({ tables }, i) => ({ key: `source ${i}`, tables })),
      ...contexts,
    ]
  },
  run({ device, tables: { bridge, pvids: own, names, current, vtp }, followed, unread }): readonly Observation[] {
    // the follow-ups, in the default context and in those of the VLANs, read these tables
    const moreOf = (key: string) => followed.get(key)?.tables as More | undefined
    const rest = moreOf(MORE)
    if (rest === undefined) return []
    const ports = bridgePorts(bridge.rows)
    const switching = merged(pvids(own.rows, ports), ciscoSwitching(rest.membership.rows, rest.trunks.rows))
    const others = sourcesOf(device, bridge.supported || names.supported).flatMap((source, i) => {
      const tables = followed.get(`source ${i}`)?.tables
      return tables === undefined ? [] : [{ source, tables }]
    })
    const count = portCount(ports)
    const found = ((): VendorVlans => {
      if (vtp.rows.size > 0) {
        const vlans = vtpVlans(vtp.rows)
        const bridgeOf = (vlan: number) => (vlan === DEFAULT_VLAN ? { bridge, stp: rest.stp } : moreOf(String(vlan)))
        const natives = nativeVlans(rest.membership.rows, rest.trunks.rows)
        const numbers = [...new Set(vlans.map((vlan) => vlan.vlan_vlan))]
        return { vlans, members: ciscoPortVlans(numbers, switching, natives, bridgeOf), switching: [] }
      }
      const read = isFrom(device, 'juniper') ? textPortList : undefined
      const now = currentMembers(current.rows, count, read)
      const standard = now.length > 0 ? now : staticMembers(rest.configured.rows, count, read)
      const members = memberRows(standard, ports)
      const named = staticVlans(names.rows)
      if (named.length > 0) {
        const known = new Set(named.map((row) => row.vlan_vlan))
        // some agents leave out the row, or the name, of VLANs without a name, although ports are members of them
        const unnamed = standard.filter(({ vlan, egress }) => egress.length > 0 && !known.has(vlan))
        return { vlans: [...named, ...unnamed.map(({ vlan }) => vlanRow(vlan, undefined))], members, switching: [] }
      }
      for (const { source, tables } of others) {
        const theirs = source.read(tables, { ports, members, count })
        if (theirs !== null) return theirs
      }
      const numbers = standard.length > 0 ? standard.map(({ vlan }) => vlan) : usedVlans(own.rows, rest.learned.rows)
      return { vlans: numbers.map((vlan) => vlanRow(vlan, undefined)), members, switching: [] }
    })()
    const read = [bridge, own, names, current, vtp, ...Object.values(rest)]
    const whole = [...read, ...others.flatMap(({ tables }) => Object.values(tables))].every((table) => table.complete)
    const contexts = [...followed.values()].every(({ tables }) => Object.values(tables).every((t) => t.complete))
    if (count.isExceeded) unread(dot1qVlanStaticTable, names.rows.keys())
    // The VLAN contexts and the length of the lists affect only the memberships.
    const membersComplete = whole && contexts && !count.isExceeded
    return observations(found.vlans, found.members, merged(found.switching, switching), whole, membersComplete)
  },
})

function observations(
  vlans: readonly VlanRow[],
  members: readonly PortVlanRow[],
  switching: readonly PortSwitchingRow[],
  complete: boolean,
  membersComplete: boolean,
): readonly Observation[] {
  return [
    { kind: 'vlans', complete, rows: vlans },
    { kind: 'port-vlans', complete: membersComplete, rows: members },
    { kind: 'port-switching', complete, rows: switching },
  ]
}

/** Rows merged by interface. Rows of `over` take precedence if they have a VLAN or a trunk. */
function merged(under: readonly PortSwitchingRow[], over: readonly PortSwitchingRow[]): readonly PortSwitchingRow[] {
  const rows = new Map(under.map((row) => [row.ifIndex, row]))
  for (const row of over) {
    if (row.ifVlan !== null || row.ifTrunk !== null || !rows.has(row.ifIndex)) rows.set(row.ifIndex, row)
  }
  return [...rows.values()]
}
