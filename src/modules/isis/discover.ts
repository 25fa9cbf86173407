import { formatIp } from '@portlight/addresses/ip.ts'
import type { Rows } from '@portlight/snmp/table.ts'
import { decodeIndex } from '../../lib/index-decode.ts'
import { wholeUpTo } from '../../lib/whole.ts'
import {
  CISCO_ISIS,
  ISIS,
  ISIS_ADJ_STATE,
  ISIS_ADMIN_STATE,
  ISIS_LEVEL,
  ISIS_NEIGH_SYS_TYPE,
} from '../../mibs/isis-mib.ts'
import { sysUpTime } from '../../mibs/snmpv2-mib.ts'
import { enumName } from '../../mibs/snmpv2-tc.ts'
import { atMost } from '../at-most.ts'
import { need, phase, type Read } from '../module.ts'
import { isFrom, when } from '../vendor.ts'
import type { IsisAdjacencyRow } from './observation.ts'

const ADJACENCIES = need(ISIS.adjacencies)
const CISCO_ADJACENCIES = need(CISCO_ISIS.adjacencies)
/** Keys of the follow-ups. */
const CISCO = 'cisco'
const DETAILS = 'details'

const detailsOf = ({ circuits, areas, addresses }: typeof ISIS) => ({
  circuits: need(circuits),
  areas: need(areas),
  addresses: need(addresses),
})
const NO_DETAILS = {
  circuits: need(ISIS.circuits, []),
  areas: need(ISIS.areas, []),
  addresses: need(ISIS.addresses, []),
}

/** IS-IS adjacencies: ISIS-MIB (RFC 4444), on Cisco also its draft. Read at discovery and at each poll. */
export const discoverIsis = phase({
  tables: { standard: ADJACENCIES },
  *follow({ device, tables: { standard }, followed }) {
    const asked = standard.rows.size === 0 && isFrom(device, 'cisco')
    if (asked) yield { key: CISCO, tables: { ...NO_DETAILS, cisco: when(true, CISCO_ADJACENCIES) }, scalars: NONE }
    const theirs = (followed.get(CISCO)?.tables['cisco']?.rows.size ?? 0) > 0
    if (standard.rows.size === 0 && !theirs) return
    const tables = { ...detailsOf(theirs ? CISCO_ISIS : ISIS), cisco: when(false, CISCO_ADJACENCIES) }
    yield { key: DETAILS, tables, scalars: { upTime: sysUpTime } }
  },
  run({ tables: { standard }, followed, unread }) {
    const cisco = followed.get(CISCO)?.tables.cisco
    const details = followed.get(DETAILS)
    const theirs = cisco !== undefined && cisco.rows.size > 0
    const { adjacencies } = theirs ? CISCO_ISIS : ISIS
    const found = atMost(MAX_ADJACENCIES, adjacencies, theirs ? cisco.rows : standard.rows, unread)
    return [
      {
        kind: 'isis',
        complete: standard.complete && (cisco?.complete ?? true),
        rows: details === undefined ? [] : adjacencyRows(found, details),
      },
    ]
  },
})

/** Adjacencies that are read of a device. */
const MAX_ADJACENCIES = 10_000

const NONE = {} as { readonly upTime: typeof sysUpTime }

type Details = Read<ReturnType<typeof detailsOf>, { readonly upTime: typeof sysUpTime }>

/** IEEE 10589: at most 20 octets. */
const MAX_AREA = 20
const MAX_AREAS = 3
const MAX_INDEX = 0xffff_ffff
const MAX_IF_INDEX = 0x7fff_ffff

function adjacencyRows(
  rows: Rows<typeof ISIS.adjacencies>,
  { tables: { circuits, areas, addresses }, scalars: { upTime } }: Details,
): readonly IsisAdjacencyRow[] {
  const areasOf = Map.groupBy(
    [...areas.rows].flatMap(([index, row]) => {
      const area = areaText(row.isisISAdjAreaAddress)
      return area === null ? [] : [{ adjacency: parentOf(index), area }]
    }),
    ({ adjacency }) => adjacency,
  )
  const addressOf = new Map<string, string>()
  for (const [index, row] of addresses.rows) {
    const address = ipText(row.isisISAdjIPAddrAddress)
    if (address !== null && !addressOf.has(parentOf(index))) addressOf.set(parentOf(index), address)
  }
  const found = new Map<string, IsisAdjacencyRow>()
  for (const [index, row] of rows) {
    const [circuit, number] = decodeIndex(index, ['integer', 'integer']) ?? []
    if (circuit === undefined || number === undefined || circuit > MAX_INDEX) continue
    const { isisCircIfIndex: ifIndex, isisCircAdminState } = circuits.rows.get(String(circuit)) ?? {}
    const isisISAdjState = enumName(ISIS_ADJ_STATE, row.isisISAdjState)
    const listed = areasOf.get(index)?.map(({ area }) => area)
    const adjacency: IsisAdjacencyRow = {
      isisCircIndex: circuit,
      isisISAdjNeighSysID: systemId(row.isisISAdjNeighSysID) ?? String(number),
      isisISAdjUsage: enumName(ISIS_LEVEL, row.isisISAdjUsage) ?? '',
      ...(circuits.complete && { ifIndex: wholeUpTo(ifIndex, MAX_IF_INDEX) || null }),
      isisISAdjState,
      isisISAdjNeighSysType: enumName(ISIS_NEIGH_SYS_TYPE, row.isisISAdjNeighSysType),
      isisISAdjHoldTimer: wholeUpTo(row.isisISAdjHoldTimer, 0xffff),
      isisISAdjNeighPriority: wholeUpTo(row.isisISAdjNeighPriority, 127),
      isisISAdjUptime: isisISAdjState === 'up' ? upFor(upTime, row.isisISAdjLastUpTime) : null,
      ...(areas.complete && { isisISAdjAreaAddress: listed?.slice(0, MAX_AREAS).join(', ') ?? null }),
      ...(addresses.complete && { isisISAdjIPAddrAddress: addressOf.get(index) ?? null }),
      isisCircAdminState: enumName(ISIS_ADMIN_STATE, isisCircAdminState),
    }
    const key = `${circuit} ${adjacency.isisISAdjNeighSysID} ${adjacency.isisISAdjUsage}`
    // what is left of the adjacency before a flap does not hide the one that is up
    if (found.get(key)?.isisISAdjState !== 'up') found.set(key, adjacency)
  }
  return [...found.values()]
}

/** The index of the adjacency that a row with one more component belongs to. */
function parentOf(index: string): string {
  return index.slice(0, index.lastIndexOf('.'))
}

/** Six octets as routers write them: `0100.9919.1255`. null: something else. */
function systemId(octets: Uint8Array | undefined): string | null {
  if (octets?.length !== 6) return null
  return octets.toHex().replace(/(.{4})(.{4})(.{4})/, '$1.$2.$3')
}

/** An area address as routers write it: the first octet, then pairs: `49.0001`. Some agents send its length first. */
function areaText(octets: Uint8Array | undefined): string | null {
  if (octets === undefined || octets.length === 0 || octets.length > MAX_AREA) return null
  const own = octets.length > 1 && octets[0] === octets.length - 1 ? octets.subarray(1) : octets
  const [first = '', ...rest] = own.toHex().match(/^..|.{1,4}/g) ?? []
  return [first, ...rest].join('.')
}

function ipText(octets: Uint8Array | undefined): string | null {
  const text = formatIp(octets)
  return text === '0.0.0.0' ? null : text
}

/** Seconds since `lastUp`, a value of sysUpTime; null: not reported, or from before the counter wrapped. */
function upFor(now: number | undefined, lastUp: number | undefined): number | null {
  if (now === undefined || lastUp === undefined || !(lastUp > 0 && lastUp <= now)) return null
  return Math.floor((now - lastUp) / 100)
}
