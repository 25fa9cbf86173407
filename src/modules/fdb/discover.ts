import { decodeIndex } from '../../lib/index-decode.ts'
import { dot1dTpFdbTable } from '../../mibs/bridge-mib.ts'
import { dot1qTpFdbTable, dot1qVlanCurrentTable } from '../../mibs/q-bridge-mib.ts'
import type { Rows } from '../../snmp/table.ts'
import { need, phase } from '../module.ts'
import { type BridgePorts, bridgePorts } from '../vlans/bridge-ports.ts'
import { DEFAULT_VLAN, vlanContexts } from '../vlans/cisco.ts'
import { BRIDGE_PORTS, VTP_VLANS } from '../vlans/discover.ts'
import type { FdbRow } from './observation.ts'

const PLAIN = need(dot1dTpFdbTable)
const MAIN = 'main'

/** A MAC address behind a bridge port, before the port has an interface. */
interface Learned {
  readonly mac: string
  readonly vlan: number | null
  readonly port: number
}

/**
 * Forwarding databases: of all VLANs in Q-BRIDGE-MIB (RFC 4363), else the one of BRIDGE-MIB (RFC 4188), which Cisco has
 * once for each VLAN, in an SNMP context of its own. Addresses of unknown ports (bridge port 0) are left out.
 */
export const discoverFdb = phase({
  tables: { bridge: BRIDGE_PORTS, vtp: VTP_VLANS, learned: need(dot1qTpFdbTable) },
  follow({ tables: { vtp, learned } }) {
    const known = learned.rows.size > 0
    const main = {
      key: MAIN,
      tables: {
        bridge: need(BRIDGE_PORTS.table, []),
        plain: known ? need(dot1dTpFdbTable, []) : PLAIN,
        databases: need(dot1qVlanCurrentTable, known ? ['dot1qVlanFdbId'] : []),
      },
    }
    const vlans = known ? [] : vlanContexts(vtp.rows)
    const contexts = vlans.map((vlan) => ({
      key: String(vlan),
      context: String(vlan),
      tables: { bridge: BRIDGE_PORTS, plain: PLAIN, databases: need(dot1qVlanCurrentTable, []) },
    }))
    return [main, ...contexts]
  },
  run({ tables: { bridge, vtp, learned }, followed }) {
    const ports = bridgePorts(bridge.rows)
    const main = followed.get(MAIN)?.tables
    const rows: FdbRow[] = []
    if (learned.rows.size > 0) {
      rows.push(...located(byDatabase(learned.rows, vlansOf(main?.databases.rows)), ports))
    } else {
      const vlan = vtp.rows.size > 0 ? DEFAULT_VLAN : null
      rows.push(...located(plainRows(main?.plain.rows, vlan), ports))
      for (const [key, { tables }] of followed) {
        if (key === MAIN) continue
        const own = bridgePorts(tables.bridge.rows)
        rows.push(...located(plainRows(tables.plain.rows, Number(key)), own.size > 0 ? own : ports))
      }
    }
    const complete =
      bridge.complete &&
      vtp.complete &&
      learned.complete &&
      [...followed.values()].every(({ tables }) => tables.plain.complete && tables.databases.complete)
    return [
      {
        kind: 'fdb',
        complete,
        rows: [...new Map(rows.map((r) => [`${r.vlan} ${r.mac_address} ${r.ifIndex}`, r])).values()],
      },
    ]
  },
})

/** VLAN by filtering database (dot1qVlanFdbId). A database that several VLANs share counts as the highest's. */
function vlansOf(rows: Rows<typeof dot1qVlanCurrentTable> | undefined): ReadonlyMap<number, number> {
  const vlans = new Map<number, number>()
  for (const [index, { dot1qVlanFdbId: database }] of rows ?? []) {
    const vlan = decodeIndex(index, ['integer', 'integer'])?.[1]
    if (vlan === undefined || database === undefined) continue
    vlans.set(database, Math.max(vlan, vlans.get(database) ?? 0))
  }
  return vlans
}

/** Where a database belongs to no VLAN that is known, its number is most often the VLAN's. */
function byDatabase(rows: Rows<typeof dot1qTpFdbTable>, vlans: ReadonlyMap<number, number>): readonly Learned[] {
  return [...rows].flatMap(([index, { dot1qTpFdbPort: port }]) => {
    const [database, mac] = decodeIndex(index, ['integer', 'mac']) ?? []
    if (database === undefined || mac === undefined || port === undefined || port <= 0) return []
    return [{ mac, vlan: vlans.get(database) ?? database, port }]
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
