import type { Rows } from '@portlight/snmp/table.ts'
import { decodeIndex } from '../../lib/index-decode.ts'
import { looseMac } from '../../lib/loose-index.ts'
import { dot1dTpFdbTable } from '../../mibs/bridge-mib.ts'
import { ieee8021QBridgeTpFdbTable } from '../../mibs/ieee8021-q-bridge-mib.ts'
import { dot1qPortVlanTable, dot1qTpFdbTable, dot1qVlanCurrentTable } from '../../mibs/q-bridge-mib.ts'
import { type FollowUp, need, phase, type Scalars, type TableNeed } from '../module.ts'
import { type BridgePorts, bridgePorts, portOffset } from '../vlans/bridge-ports.ts'
import { DEFAULT_VLAN, vlanContexts } from '../vlans/cisco.ts'
import { BRIDGE_PORTS, CURRENT_MEMBERS, LEARNED, VTP_VLANS } from '../vlans/discover.ts'
import { portCount } from '../vlans/port-list.ts'
import { currentMembers, type Members } from '../vlans/q-bridge.ts'
import { isVlan } from '../vlans/vlan-number.ts'
import type { FdbRow } from './observation.ts'
import { sourcesOf } from './sources.ts'

const PLAIN = need(dot1dTpFdbTable)
const IEEE = need(ieee8021QBridgeTpFdbTable)
const MAIN = 'main'
const MEMBERS = 'members'
const LAST = 'last'

/** Keys of the vendors' own tables. */
const SOURCE = 'source'

/** A learned MAC address whose bridge port is not yet mapped to an interface. */
interface Learned {
  readonly mac: string
  readonly vlan: number | null
  readonly port: number
}

/**
 * Forwarding databases: Q-BRIDGE-MIB (RFC 4363) for all VLANs, else the vendor's own table, else BRIDGE-MIB (RFC 4188),
 * of which Cisco has one instance per VLAN, each in its own SNMP context, else Q-BRIDGE-MIB's successor of IEEE 802.1Q.
 * Addresses on unknown ports (bridge port 0) are left out.
 */
export const discoverFdb = phase({
  tables: { bridge: BRIDGE_PORTS, vtp: VTP_VLANS, learned: LEARNED },
  likely: [PLAIN, need(dot1qVlanCurrentTable, ['dot1qVlanFdbId'])],
  *follow({ device, tables: { bridge, vtp, learned }, followed }): Generator<FollowUp<FdbTables, Scalars>> {
    const known = learned.rows.size > 0
    for (const [i, { tables }] of known ? [] : sourcesOf(device).entries()) {
      // the source reads its own tables
      yield { key: `${SOURCE} ${i}`, tables: tables as unknown as FdbTables }
      if (Object.values(followed.get(`${SOURCE} ${i}`)?.tables ?? {}).some(({ rows }) => rows.size > 0)) return
    }
    const ids = need(dot1qVlanCurrentTable, ['dot1qVlanFdbId'])
    yield { key: MAIN, tables: more(known ? { databases: ids } : { plain: PLAIN }) }
    // The result of the last `yield`; it has the type of the table asked for.
    const main = followed.get(MAIN)?.tables
    const databases = main?.['databases']?.rows as Rows<typeof dot1qVlanCurrentTable> | undefined
    if ([...vlansOf(databases).values()].some((vlans) => vlans.length > 1)) {
      yield { key: MEMBERS, tables: more({ databases: CURRENT_MEMBERS, pvids: need(dot1qPortVlanTable) }) }
    }
    for (const vlan of known ? [] : vlanContexts(vtp.rows)) {
      yield { key: String(vlan), context: String(vlan), tables: more({ bridge: BRIDGE_PORTS, plain: PLAIN }) }
    }
    const none = !known && vtp.rows.size === 0 && main?.['plain']?.rows.size === 0
    if (none && bridge.rows.size > 0) yield { key: LAST, tables: more({ ieee: IEEE }) }
  },
  run({ device, tables: { bridge, vtp, learned }, followed, unread }) {
    const ports = bridgePorts(bridge.rows)
    const main = followed.get(MAIN)?.tables
    const rows: FdbRow[] = sourcesOf(device).flatMap((source, i) => {
      const tables = followed.get(`${SOURCE} ${i}`)?.tables
      return tables === undefined ? [] : source.read(tables, undefined)
    })
    if (learned.rows.size > 0) {
      if (learned.rows.keys().every((index) => looseMac(index, 1) === null))
        unread(dot1qTpFdbTable, learned.rows.keys())
      const asked = followed.get(MEMBERS)?.tables
      const members = membersOf(asked?.databases.rows, asked?.pvids.rows, ports)
      rows.push(...located(byDatabase(learned.rows, vlansOf(main?.databases.rows), members), ports))
    } else {
      const vlan = vtp.rows.size > 0 ? DEFAULT_VLAN : null
      rows.push(...located(plainRows(main?.plain.rows, vlan), ports))
      rows.push(...located(ieeeRows(followed.get(LAST)?.tables.ieee.rows), ports))
      for (const [key, { tables }] of followed) {
        if (!/^\d+$/.test(key)) continue
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

type FdbTables = ReturnType<typeof more>

/** Tables of a follow-up; tables that are not given are not requested. */
function more(asked: {
  readonly bridge?: typeof BRIDGE_PORTS
  readonly plain?: typeof PLAIN
  readonly databases?: TableNeed<typeof dot1qVlanCurrentTable>
  readonly pvids?: TableNeed<typeof dot1qPortVlanTable>
  readonly ieee?: TableNeed<typeof ieee8021QBridgeTpFdbTable>
}) {
  return {
    bridge: need(BRIDGE_PORTS.table, []),
    plain: need(dot1dTpFdbTable, []),
    databases: need(dot1qVlanCurrentTable, []),
    pvids: need(dot1qPortVlanTable, []),
    ieee: need(ieee8021QBridgeTpFdbTable, []),
    ...asked,
  }
}

/** VLANs by filtering database (dot1qVlanFdbId). In 802.1Q, a database with several VLANs is called shared learning. */
function vlansOf(rows: Rows<typeof dot1qVlanCurrentTable> | undefined): ReadonlyMap<number, readonly number[]> {
  const vlans = new Map<number, number[]>()
  for (const [index, { dot1qVlanFdbId: database }] of rows ?? []) {
    const vlan = decodeIndex(index, ['integer', 'integer'])?.[1]
    if (!isVlan(vlan) || database === undefined) continue
    const known = vlans.get(database)
    if (known === undefined) vlans.set(database, [vlan])
    else if (!known.includes(vlan)) known.push(vlan)
  }
  return vlans
}

/** Used to choose between VLANs that share a database. */
interface Membership {
  /** Bridge ports by VLAN: all members, and those that send its frames untagged. */
  readonly egress: ReadonlyMap<number, ReadonlySet<number>>
  readonly untagged: ReadonlyMap<number, ReadonlySet<number>>
  /** dot1qPvid by bridge port: the VLAN of untagged frames received. */
  readonly pvids: ReadonlyMap<number, number>
}

function membersOf(
  current: Rows<typeof dot1qVlanCurrentTable> | undefined,
  pvids: Rows<typeof dot1qPortVlanTable> | undefined,
  ports: BridgePorts,
): Membership {
  const members = current === undefined ? [] : currentMembers(current, portCount(ports))
  const portsOf = (of: (one: Members) => readonly number[]) =>
    new Map(members.map((one) => [one.vlan, new Set(of(one))] as const))
  return {
    egress: portsOf((one) => one.egress),
    untagged: portsOf((one) => one.untagged),
    pvids: new Map(
      [...(pvids ?? [])].flatMap(([index, { dot1qPvid }]) =>
        dot1qPvid === undefined ? [] : [[Number(index), dot1qPvid] as const],
      ),
    ),
  }
}

/**
 * The VLAN of an address in a database shared by these VLANs. With shared learning (IEEE 802.1Q) an entry applies to
 * all of them and does not show in which one the address was seen, so it must be a VLAN of the port. If that leaves
 * several and the port sends all of them untagged, its frames arrive untagged and belong to dot1qPvid (RFC 4363).
 * Otherwise the last VLAN number in text order is used, which is what clients know from LibreNMS
 * (docs/reference/compatibility.md).
 */
function vlanIn(vlans: readonly number[], port: number, { egress, untagged, pvids }: Membership): number {
  const carrying = vlans.filter((vlan) => egress.get(vlan)?.has(port))
  const [only, ...others] = vlans.length === 1 ? vlans : carrying
  if (only !== undefined && others.length === 0) return only
  const pvid = pvids.get(port) ?? null
  const allUntagged = carrying.every((vlan) => untagged.get(vlan)?.has(port))
  if (pvid !== null && carrying.includes(pvid) && allUntagged) return pvid
  const candidates = carrying.length > 0 ? carrying : vlans
  return Number(candidates.map(String).sort().at(-1))
}

const MAC_OCTETS = 6

/** If no VLAN is known for a database, the database's number is usually the VLAN's, unless it is too large. */
function byDatabase(
  rows: Rows<typeof dot1qTpFdbTable>,
  vlans: ReadonlyMap<number, readonly number[]>,
  members: Membership,
): readonly Learned[] {
  // some agents leave the database out of all indexes
  const bare = rows.keys().every((index) => index.split('.').length === MAC_OCTETS)
  return [...rows].flatMap(([index, { dot1qTpFdbPort: port }]): Learned[] => {
    const key = looseMac(index, 1)
    if (key === null || port === undefined || port <= 0) return []
    const { mac } = key
    const [database] = key.integers
    if (database === undefined) return bare ? [{ mac, vlan: null, port }] : []
    const sharing = vlans.get(database)
    const own = isVlan(database) ? database : null
    return [{ mac, vlan: sharing === undefined ? own : vlanIn(sharing, port, members), port }]
  })
}

/** The database's number is the VLAN's. The components of a bridge share its ports. */
function ieeeRows(rows: Rows<typeof ieee8021QBridgeTpFdbTable> | undefined): readonly Learned[] {
  return [...(rows ?? [])].flatMap(([index, { ieee8021QBridgeTpFdbPort: port }]) => {
    const key = looseMac(index, 2)
    const vlan = key?.integers.at(-1)
    if (key === null || port === undefined || port <= 0) return []
    return [{ mac: key.mac, vlan: isVlan(vlan) ? vlan : null, port }]
  })
}

function plainRows(rows: Rows<typeof dot1dTpFdbTable> | undefined, vlan: number | null): readonly Learned[] {
  return [...(rows ?? [])].flatMap(([index, { dot1dTpFdbPort: port }]) => {
    // MacAddress has a fixed length and therefore no length octet (RFC 2578 §7.7), but some agents send one.
    const mac = looseMac(index, 0)?.mac
    return mac === undefined || port === undefined || port <= 0 ? [] : [{ mac, vlan, port }]
  })
}

/**
 * Maps bridge ports to interfaces. A bridge port missing from dot1dBasePortTable is taken as an ifIndex. Some agents
 * number bridge ports from an offset in that table but from 1 in the forwarding database: if none of the ports is
 * known, port n is the n-th of the table.
 */
function located(learned: readonly Learned[], ports: BridgePorts): readonly FdbRow[] {
  const offset = portOffset(
    ports,
    learned.map(({ port }) => port),
  )
  const renumbered = ports.size > 0 && learned.every(({ port }) => !ports.has(port) && port <= ports.size)
  const inOrder = renumbered ? [...ports].sort(([a], [b]) => a - b).map(([, ifIndex]) => ifIndex) : []
  return learned.map(({ mac, vlan, port }) => ({
    mac_address: mac,
    vlan,
    ifIndex: ports.get(port - offset) ?? inOrder[port - 1] ?? port,
  }))
}
