import { decodeIndex } from '../../lib/index-decode.ts'
import { formatIpv4 } from '../../lib/ip.ts'
import {
  aos6VirtualRouterTable,
  aosVirtualRouterTable,
  aristaVrfTable,
  cvVrfTable,
  mplsL3VpnVrfTable,
  mplsVpnVrfTable,
  vRtrConfTable,
} from '../../mibs/l3vpn-mibs.ts'
import type { MibTable, Rows } from '../../snmp/table.ts'
import { type DeviceFacts, need, phase, type TableNeed } from '../module.ts'
import { isFrom, type Vendor } from '../vendor.ts'
import type { VrfRow } from './observation.ts'

/** A vendor's own table of VRFs, read only from devices of that vendor without the standard MIB. */
interface Source {
  readonly vendors: readonly Vendor[]
  readonly vrfs: TableNeed
  rows(rows: Rows<MibTable>): readonly VrfRow[]
}

function source<T extends MibTable>(
  vendors: readonly Vendor[],
  table: T,
  rows: (rows: Rows<T>) => readonly VrfRow[],
): Source {
  // the runner reads this source's own table, so the rows have its type
  return { vendors, vrfs: need(table), rows: (found) => rows(found as Rows<T>) }
}

/** In the order in which they are tried: the draft of the standard first. */
const SOURCES: readonly Source[] = [
  source(['cisco', 'juniper'], mplsVpnVrfTable, draftRows),
  source(['cisco'], cvVrfTable, ciscoRows),
  source(['arista'], aristaVrfTable, aristaRows),
  source(['nokia'], vRtrConfTable, nokiaRows),
  source(['alcatelAos'], aosVirtualRouterTable, aosRows),
  source(['alcatelAos6'], aos6VirtualRouterTable, aosRows),
]

const sourcesOf = (device: DeviceFacts): readonly Source[] =>
  SOURCES.filter(({ vendors }) => vendors.some((vendor) => isFrom(device, vendor)))

/** VRFs. If the standard MIB is empty, its draft and the vendor's own MIB are read from vendors that have them. */
export const discoverVrf = phase({
  tables: { standard: need(mplsL3VpnVrfTable) },
  follow({ tables: { standard }, device }) {
    if (standard.rows.size > 0) return []
    return sourcesOf(device).map(({ vrfs }, i) => ({ key: `source ${i}`, tables: { vrfs } }))
  },
  run({ device, tables: { standard }, followed }) {
    const others = sourcesOf(device).flatMap((source, i) => {
      const read = followed.get(`source ${i}`)?.tables.vrfs
      return read === undefined ? [] : [{ source, read }]
    })
    const complete = standard.complete && others.every(({ read }) => read.complete)
    const known = [...standard.rows].map(([index, row]) =>
      byName(index, index, row.mplsL3VpnVrfRD, row.mplsL3VpnVrfDescription),
    )
    const found = [known, ...others.map(({ source, read }) => source.rows(read.rows))]
    return [{ kind: 'vrfs', complete, rows: found.find((rows) => rows.length > 0) ?? [] }]
  },
})

/** A VRF from a row indexed by its name. */
function byName(vrf_oid: string, index: string, rd: string | undefined, description: string | undefined): VrfRow {
  return {
    vrf_oid,
    vrf_name: nameOf(index),
    mplsVpnVrfRouteDistinguisher: rd || null,
    mplsVpnVrfDescription: description ?? '',
  }
}

const nameOf = (index: string): string => decodeIndex(index, ['text'])?.[0] ?? index

function draftRows(rows: Rows<typeof mplsVpnVrfTable>): readonly VrfRow[] {
  return [...rows].map(([index, row]) =>
    byName(index, index, row.mplsVpnVrfRouteDistinguisher, row.mplsVpnVrfDescription),
  )
}

function aristaRows(rows: Rows<typeof aristaVrfTable>): readonly VrfRow[] {
  return [...rows].map(([index, row]) => byName(nameOf(index), index, row.aristaVrfRouteDistinguisher, undefined))
}

/** Routers of AOS are known by their number elsewhere. The table always has `default`, which is no VRF. */
function aosRows(rows: Rows<typeof aosVirtualRouterTable>): readonly VrfRow[] {
  return [...rows].flatMap(([index, { alaVirtualRouterNameIndex: number }]) =>
    number === undefined || nameOf(index) === 'default' ? [] : [byName(String(number), index, undefined, undefined)],
  )
}

function ciscoRows(rows: Rows<typeof cvVrfTable>): readonly VrfRow[] {
  return [...rows].flatMap(([vrf_oid, { cvVrfName }]) =>
    cvVrfName === undefined
      ? []
      : [{ vrf_oid, vrf_name: cvVrfName, mplsVpnVrfRouteDistinguisher: null, mplsVpnVrfDescription: '' }],
  )
}

function nokiaRows(rows: Rows<typeof vRtrConfTable>): readonly VrfRow[] {
  return [...rows].map(([vrf_oid, row]) => ({
    vrf_oid,
    vrf_name: row.vRtrName ?? null,
    bgpLocalAs: row.vRtrAS4Byte || null,
    mplsVpnVrfRouteDistinguisher: routeDistinguisher(row.vRtrRouteDistinguisher),
    mplsVpnVrfDescription: row.vRtrDescription ?? '',
  }))
}

/** A route distinguisher as text (RFC 4364 §4.2): 2-octet AS, IPv4 address or 4-octet AS, then a number. null: none. */
export function routeDistinguisher(octets: Uint8Array | undefined): string | null {
  if (octets?.length !== 8 || octets.every((octet) => octet === 0)) return null
  const view = new DataView(octets.buffer, octets.byteOffset, 8)
  switch (view.getUint16(0)) {
    case 0:
      return `${view.getUint16(2)}:${view.getUint32(4)}`
    case 1:
      return `${formatIpv4(view.getUint32(2))}:${view.getUint16(6)}`
    case 2:
      return `${view.getUint32(2)}:${view.getUint16(6)}`
    default:
      return null
  }
}
