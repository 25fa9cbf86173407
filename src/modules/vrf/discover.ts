import { formatIpv4 } from '@portlight/addresses/ip.ts'
import type { Rows } from '@portlight/snmp/table.ts'
import { decodeIndex } from '../../lib/index-decode.ts'
import {
  aos6VirtualRouterTable,
  aosVirtualRouterTable,
  aristaVrfTable,
  cvVrfTable,
  mplsL3VpnVrfTable,
  mplsVpnVrfTable,
  versaIfTable,
  vRtrConfTable,
} from '../../mibs/l3vpn-mibs.ts'
import { type DeviceFacts, need, phase } from '../module.ts'
import { isOf, type Source, source } from '../source.ts'
import type { VrfRow } from './observation.ts'

/** In the order in which they are tried: the draft of the standard MIB first. */
const SOURCES: readonly Source<undefined, readonly VrfRow[]>[] = [
  source({
    vendors: ['cisco', 'juniper'],
    tables: { vrfs: need(mplsVpnVrfTable) },
    read: ({ vrfs }) => draftRows(vrfs),
  }),
  source({ vendors: ['cisco'], tables: { vrfs: need(cvVrfTable) }, read: ({ vrfs }) => ciscoRows(vrfs) }),
  source({ vendors: ['arista'], tables: { vrfs: need(aristaVrfTable) }, read: ({ vrfs }) => aristaRows(vrfs) }),
  source({ vendors: ['nokia'], tables: { vrfs: need(vRtrConfTable) }, read: ({ vrfs }) => nokiaRows(vrfs) }),
  source({
    vendors: ['alcatelAos'],
    tables: { vrfs: need(aosVirtualRouterTable) },
    read: ({ vrfs }) => aosRows(vrfs),
  }),
  source({
    vendors: ['alcatelAos6'],
    tables: { vrfs: need(aos6VirtualRouterTable) },
    read: ({ vrfs }) => aosRows(vrfs),
  }),
  source({
    vendors: ['versa'],
    tables: { interfaces: need(versaIfTable) },
    read: ({ interfaces }) => versaRows(interfaces),
  }),
]

const sourcesOf = (device: DeviceFacts) => SOURCES.filter(({ vendors }) => isOf(device, vendors))

/** VRFs. If the standard MIB is empty, its draft and the vendor's own MIB are read from the vendors that have them. */
export const discoverVrf = phase({
  tables: { standard: need(mplsL3VpnVrfTable) },
  follow({ tables: { standard }, device }) {
    if (standard.rows.size > 0) return []
    return sourcesOf(device).map(({ tables }, i) => ({ key: `source ${i}`, tables }))
  },
  run({ device, tables: { standard }, followed }) {
    const read = [...followed.values()].flatMap(({ tables }) => Object.values(tables))
    const known = [...standard.rows].map(([index, row]) =>
      byName(index, index, row.mplsL3VpnVrfRD, row.mplsL3VpnVrfDescription),
    )
    const others = sourcesOf(device).map((source, i) => {
      const tables = followed.get(`source ${i}`)?.tables
      return tables === undefined ? [] : source.read(tables, undefined)
    })
    const complete = standard.complete && read.every((table) => table.complete)
    return [{ kind: 'vrfs', complete, rows: [known, ...others].find((rows) => rows.length > 0) ?? [] }]
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

/**
 * Other AOS tables refer to a virtual router by its number. The table always contains `default`, which is not a VRF.
 */
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

/** Each VRF once, by its name. */
function versaRows(rows: Rows<typeof versaIfTable>): readonly VrfRow[] {
  const names = new Set([...rows.values()].flatMap(({ versaIfVIfVrfName: name }) => (name ? [name] : [])))
  return [...names].map((name) => ({
    vrf_oid: name,
    vrf_name: name,
    mplsVpnVrfRouteDistinguisher: null,
    mplsVpnVrfDescription: '',
  }))
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

/**
 * A route distinguisher as text (RFC 4364 §4.2): 2-octet AS, IPv4 address or 4-octet AS, followed by a number. null:
 * none.
 */
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
