import { decodeIndex } from '../../lib/index-decode.ts'
import { dot1dTpFdbTable } from '../../mibs/bridge-mib.ts'
import { hwdbDynFdbTable } from '../../mibs/huawei-l2mam-mib.ts'
import { dot1qTpFdbTable, dot1qVlanCurrentTable } from '../../mibs/q-bridge-mib.ts'
import type { Rows } from '../../snmp/table.ts'
import { isMadeBy } from '../maker.ts'
import { need, phase, type TableNeed } from '../module.ts'
import { type BridgePorts, bridgePorts } from '../vlans/bridge-ports.ts'
import { DEFAULT_VLAN, vlanContexts } from '../vlans/cisco.ts'
import { BRIDGE_PORTS, CURRENT_MEMBERS, VTP_VLANS } from '../vlans/discover.ts'
import { portList } from '../vlans/port-list.ts'
import type { FdbRow } from './observation.ts'

const PLAIN = need(dot1dTpFdbTable)
const MAIN = 'main'
const MEMBERS = 'members'
const HUAWEI = 'huawei'

/** A MAC address behind a bridge port, before the port has an interface. */
interface Learned {
  readonly mac: string
  readonly vlan: number | null
  readonly port: number
}

/**
 * Forwarding databases: of all VLANs in Q-BRIDGE-MIB (RFC 4363), else the one of BRIDGE-MIB (RFC 4188), which Cisco has
 * once for each VLAN, in an SNMP context of its own; Huawei's own table is asked before that. Addresses of unknown ports (bridge port 0) are left out.
 */
export const discoverFdb = phase({
  tables: { bridge: BRIDGE_PORTS, vtp: VTP_VLANS, learned: need(dot1qTpFdbTable) },
  *follow({ device, tables: { vtp, learned }, followed }) {
    const known = learned.rows.size > 0
    const huawei = !known && isMadeBy(device, 'huawei')
    if (huawei) yield { key: HUAWEI, tables: more({ huawei: need(hwdbDynFdbTable) }) }
    if ((followed.get(HUAWEI)?.tables['huawei']?.rows.size ?? 0) > 0) return
    const ids = need(dot1qVlanCurrentTable, ['dot1qVlanFdbId'])
    yield { key: MAIN, tables: more(known ? { databases: ids } : { plain: PLAIN }) }
    // What was yielded above is there, under the names of its tables.
    const databases = followed.get(MAIN)?.tables['databases']?.rows as Rows<typeof dot1qVlanCurrentTable> | undefined
    if ([...vlansOf(databases).values()].some((vlans) => vlans.length > 1)) {
      yield { key: MEMBERS, tables: more({ databases: CURRENT_MEMBERS }) }
    }
    for (const vlan of known ? [] : vlanContexts(vtp.rows)) {
      yield { key: String(vlan), context: String(vlan), tables: more({ bridge: BRIDGE_PORTS, plain: PLAIN }) }
    }
  },
  run({ tables: { bridge, vtp, learned }, followed }) {
    const ports = bridgePorts(bridge.rows)
    const main = followed.get(MAIN)?.tables
    const rows: FdbRow[] = [...huaweiRows(followed.get(HUAWEI)?.tables.huawei.rows)]
    if (learned.rows.size > 0) {
      const members = membersOf(followed.get(MEMBERS)?.tables.databases.rows)
      rows.push(...located(byDatabase(learned.rows, vlansOf(main?.databases.rows), members), ports))
    } else {
      const vlan = vtp.rows.size > 0 ? DEFAULT_VLAN : null
      rows.push(...located(plainRows(main?.plain.rows, vlan), ports))
      for (const [key, { tables }] of followed) {
        if (key === MAIN || key === HUAWEI) continue
        const own = bridgePorts(tables.bridge.rows)
        rows.push(...located(plainRows(tables.plain.rows, Number(key)), own.size > 0 ? own : ports))
      }
    }
    const complete =
      bridge.complete &&
      vtp.complete &&
      learned.complete &&
      [...followed.values()].every(({ tables }) => Object.values(tables).every((table) => table.complete))
    return [
      {
        kind: 'fdb',
        complete,
        rows: [...new Map(rows.map((r) => [`${r.vlan} ${r.mac_address} ${r.ifIndex}`, r])).values()],
      },
    ]
  },
})

/** Tables of a follow-up; of those that are not given nothing is asked. */
function more(asked: {
  readonly bridge?: typeof BRIDGE_PORTS
  readonly plain?: typeof PLAIN
  readonly databases?: TableNeed<typeof dot1qVlanCurrentTable>
  readonly huawei?: TableNeed<typeof hwdbDynFdbTable>
}) {
  return {
    bridge: need(BRIDGE_PORTS.table, []),
    plain: need(dot1dTpFdbTable, []),
    databases: need(dot1qVlanCurrentTable, []),
    huawei: need(hwdbDynFdbTable, []),
    ...asked,
  }
}

/** Huawei: VLAN and interface of each address, so that no bridge port stands between. Those of a VSI have no VLAN. */
function huaweiRows(rows: Rows<typeof hwdbDynFdbTable> | undefined): readonly FdbRow[] {
  return [...(rows ?? [])].flatMap(([index, { hwDynFdbPort: ifIndex }]) => {
    const [mac_address, vlan] = decodeIndex(index, ['mac', 'integer', 'text']) ?? []
    if (mac_address === undefined || vlan === undefined || ifIndex === undefined || ifIndex <= 0) return []
    return [{ mac_address, vlan: vlan > 0 ? vlan : null, ifIndex }]
  })
}

/** VLANs by filtering database (dot1qVlanFdbId). One that learns for several VLANs is what 802.1Q calls shared. */
function vlansOf(rows: Rows<typeof dot1qVlanCurrentTable> | undefined): ReadonlyMap<number, readonly number[]> {
  const vlans = new Map<number, number[]>()
  for (const [index, { dot1qVlanFdbId: database }] of rows ?? []) {
    const vlan = decodeIndex(index, ['integer', 'integer'])?.[1]
    if (vlan === undefined || database === undefined) continue
    const known = vlans.get(database)
    if (known === undefined) vlans.set(database, [vlan])
    else if (!known.includes(vlan)) known.push(vlan)
  }
  return vlans
}

/** Bridge ports by VLAN. */
function membersOf(rows: Rows<typeof dot1qVlanCurrentTable> | undefined): ReadonlyMap<number, ReadonlySet<number>> {
  const members = new Map<number, ReadonlySet<number>>()
  for (const [index, row] of rows ?? []) {
    const vlan = decodeIndex(index, ['integer', 'integer'])?.[1]
    if (vlan !== undefined) members.set(vlan, new Set(portList(row.dot1qVlanCurrentEgressPorts)))
  }
  return members
}

/**
 * The VLAN of an address in a database: of those that share it one that has the port. Where that leaves several, they
 * are all as likely; the last in the order of their text is taken, so that it is the same one each time.
 */
function vlanIn(
  vlans: readonly number[],
  port: number,
  members: ReadonlyMap<number, ReadonlySet<number>>,
): number | undefined {
  if (vlans.length <= 1) return vlans[0]
  const having = vlans.filter((vlan) => members.get(vlan)?.has(port))
  const text = (having.length > 0 ? having : vlans).map(String).sort()
  return Number(text.at(-1))
}

/** Where a database belongs to no VLAN that is known, its number is most often the VLAN's. */
function byDatabase(
  rows: Rows<typeof dot1qTpFdbTable>,
  vlans: ReadonlyMap<number, readonly number[]>,
  members: ReadonlyMap<number, ReadonlySet<number>>,
): readonly Learned[] {
  return [...rows].flatMap(([index, { dot1qTpFdbPort: port }]) => {
    const [database, mac] = decodeIndex(index, ['integer', 'mac']) ?? []
    if (database === undefined || mac === undefined || port === undefined || port <= 0) return []
    return [{ mac, vlan: vlanIn(vlans.get(database) ?? [], port, members) ?? database, port }]
  })
}

const MAC_DIGITS = 12

function plainRows(rows: Rows<typeof dot1dTpFdbTable> | undefined, vlan: number | null): readonly Learned[] {
  return [...(rows ?? [])].flatMap(([index, { dot1dTpFdbPort: port }]) => {
    // MacAddress is of fixed length and so comes without one (RFC 2578 §7.7), but some agents send it.
    const mac = decodeIndex(index, ['mac'])?.[0] ?? decodeIndex(index, ['octets'])?.[0].toHex()
    return mac?.length !== MAC_DIGITS || port === undefined || port <= 0 ? [] : [{ mac, vlan, port }]
  })
}

/**
 * The interface of each. A bridge port that dot1dBasePortTable does not have is taken as an ifIndex. Some agents number
 * their bridge ports from an offset there and from 1 in the database: where none of the ports is known, the n-th is meant.
 */
function located(learned: readonly Learned[], ports: BridgePorts): readonly FdbRow[] {
  const strange = ports.size > 0 && learned.every(({ port }) => !ports.has(port) && port <= ports.size)
  const inOrder = strange ? [...ports].sort(([a], [b]) => a - b).map(([, ifIndex]) => ifIndex) : []
  return learned.map(({ mac, vlan, port }) => ({
    mac_address: mac,
    vlan,
    ifIndex: ports.get(port) ?? inOrder[port - 1] ?? port,
  }))
}
