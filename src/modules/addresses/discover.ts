import { classfulPrefix, expandIpv6, formatIpv6, parseIpv4, parseIpv6, prefixOfMask } from '@portlight/addresses/ip.ts'
import type { Rows } from '@portlight/snmp/table.ts'
import { decodeIndex } from '../../lib/index-decode.ts'
import { bareAddress, looseIpv4 } from '../../lib/loose-index.ts'
import {
  IP_ADDRESS_ORIGIN,
  IP_ADDRESS_TYPE,
  ipAddressPrefixTable,
  ipAddressTable,
  ipAddrTable,
} from '../../mibs/ip-mib.ts'
import { ipv6AddrTable } from '../../mibs/ipv6-mib.ts'
import { enumName } from '../../mibs/snmpv2-tc.ts'
import { TPLINK_IPV6_SOURCE, tplinkIpv6AddressTable } from '../../mibs/tplink-ipv6addr-mib.ts'
import { need, phase } from '../module.ts'
import type { Ipv4Row, Ipv6Row } from '../observation.ts'
import { isFrom, when } from '../vendor.ts'

/**
 * Interface addresses. ipAddressTable (RFC 4293) covers both families, but most agents still implement only ipAddrTable
 * and ipv6AddrTable. If an address is in several tables, the table for its own family supplies the interface and the
 * mask. ipv6AddrTable is read only if ipAddressTable has no IPv6 address. TP-Link has its own table instead.
 */
export const discoverAddresses = phase({
  tables: {
    ipv4: need(ipAddrTable, ['ipAdEntIfIndex', 'ipAdEntNetMask']),
    both: need(ipAddressTable),
  },
  likely: [need(ipv6AddrTable, ['ipv6AddrPfxLength'])],
  follow({ device, tables }) {
    const addresses = readAddresses(tables.both.rows, new Map())
    const noIpv6 = !addresses.some(({ octets }) => octets.length === 16)
    const isTplink = isFrom(device, 'tplink')
    return [
      {
        key: 'more',
        tables: {
          own: need(ipAddrTable, [...tables.ipv4.rows.keys()].every(isIpv4Index) ? [] : ['ipAdEntAddr']),
          ipv6: need(ipv6AddrTable, noIpv6 && !isTplink ? ['ipv6AddrPfxLength'] : []),
          tplink: when(noIpv6 && isTplink, need(tplinkIpv6AddressTable)),
          prefixes: need(
            ipAddressPrefixTable,
            addresses.some(({ prefixLen }) => prefixLen === null) ? ['ipAddressPrefixOrigin'] : [],
          ),
        },
      },
    ]
  },
  run({ tables: { ipv4, both }, followed, unread }) {
    const more = followed.get('more')?.tables
    const addresses = readAddresses(both.rows, readPrefixes(more?.prefixes.rows ?? new Map()))
    const complete = both.complete && (more?.prefixes.complete ?? true)
    const complete6 = complete && (more?.ipv6.complete ?? true) && (more?.tplink.complete ?? true)
    const isRead = (index: string) => looseIpv4(index, 0, more?.own.rows.get(index)?.ipAdEntAddr) !== null
    if (ipv4.rows.size > 0 && !ipv4.rows.keys().some(isRead)) unread(ipAddrTable, ipv4.rows.keys())
    return [
      { kind: 'ipv4', complete: complete && ipv4.complete, rows: ipv4Rows(ipv4.rows, more?.own.rows, addresses) },
      {
        kind: 'ipv6',
        complete: complete6,
        rows: [...ipv6Rows(more?.ipv6.rows, addresses), ...tplinkRows(more?.tplink.rows)],
      },
    ]
  },
})

interface Address {
  readonly octets: Uint8Array
  readonly ifIndex: number
  readonly prefixLen: number | null
  readonly origin: string
}

/** Unicast addresses of ipAddressTable; rows of other types are broadcast or anycast addresses. */
function readAddresses(rows: Rows<typeof ipAddressTable>, prefixes: ReadonlyMap<string, number>): readonly Address[] {
  return [...rows].flatMap(([index, row]) => {
    const octets = addressOf(index)
    const ifIndex = row.ipAddressIfIndex
    if (octets === null || ifIndex === undefined || ifIndex < 0) return []
    if (enumName(IP_ADDRESS_TYPE, row.ipAddressType) === 'broadcast') return []
    return [
      {
        octets,
        ifIndex,
        prefixLen: pointedPrefix(row.ipAddressPrefix, octets.length * 8) ?? onLink(prefixes, ifIndex, octets),
        origin: enumName(IP_ADDRESS_ORIGIN, row.ipAddressOrigin) ?? '',
      },
    ]
  })
}

/** The 4 or 16 octets of a row's address. Brocade sends the address as text. */
function addressOf(index: string): Uint8Array | null {
  const address = decodeIndex(index, ['inetAddress'])?.[0]
  if (address !== undefined) return address.type === 'dns' || address.type === 'unknown' ? null : address.octets
  const bare = bareAddress(index)
  if (bare !== null) return bare
  const text = decodeIndex(index, ['integer', 'text'])?.[1]
  return text === undefined ? null : parseIpv6(text)
}

const PREFIX_COLUMN = `${ipAddressPrefixTable.entry}.5.`

/**
 * The prefix length at the end of a row pointer to ipAddressPrefixOrigin; null for zeroDotZero and for pointers to
 * other tables.
 */
function pointedPrefix(pointer: string | undefined, bits: number): number | null {
  if (!pointer?.startsWith(PREFIX_COLUMN)) return null
  const length = Number(pointer.slice(pointer.lastIndexOf('.') + 1))
  return length <= bits ? length : null
}

/** Prefix lengths by `ifIndex prefix`, the prefix's octets in hex. */
function readPrefixes(rows: Rows<typeof ipAddressPrefixTable>): ReadonlyMap<string, number> {
  const prefixes = new Map<string, number>()
  for (const index of rows.keys()) {
    const key = decodeIndex(index, ['integer', 'inetAddress', 'integer'])
    if (key !== null && key[2] <= key[1].octets.length * 8)
      prefixes.set(`${key[0]} ${key[2]} ${key[1].octets.toHex()}`, key[2])
  }
  return prefixes
}

/** The longest prefix of this interface that contains the address. */
function onLink(prefixes: ReadonlyMap<string, number>, ifIndex: number, octets: Uint8Array): number | null {
  if (prefixes.size === 0) return null
  for (let length = octets.length * 8; length >= 0; length--) {
    const masked = octets.map((octet, i) => octet & (0xff << (8 - Math.min(8, Math.max(0, length - i * 8)))))
    if (prefixes.has(`${ifIndex} ${length} ${masked.toHex()}`)) return length
  }
  return null
}

/** True for an index of four sub-identifiers, as the MIB demands. */
function isIpv4Index(index: string): boolean {
  return index.split('.').length === 4
}

/** `own`: ipAdEntAddr, read if some index is not an address alone. */
function ipv4Rows(
  table: Rows<typeof ipAddrTable>,
  own: Rows<typeof ipAddrTable> | undefined,
  addresses: readonly Address[],
): readonly Ipv4Row[] {
  const rows = new Map<string, Ipv4Row>()
  const elsewhere = new Map<string, number | null>()
  for (const { octets, prefixLen } of addresses) {
    const address = octets.join('.')
    if (octets.length === 4 && !elsewhere.has(address)) elsewhere.set(address, prefixLen)
  }
  for (const [index, row] of table) {
    const address = looseIpv4(index, 0, own?.get(index)?.ipAdEntAddr)
    const ifIndex = row.ipAdEntIfIndex
    if (address === null || ifIndex === undefined) continue
    addIpv4(rows, address, ifIndex, ownPrefix(row.ipAdEntNetMask, elsewhere.get(address) ?? null))
  }
  for (const { octets, ifIndex, prefixLen } of addresses) {
    if (octets.length === 4 && !rows.has(octets.join('.'))) addIpv4(rows, octets.join('.'), ifIndex, prefixLen)
  }
  return [...rows.values()]
}

/**
 * A missing mask, or a mask of 0.0.0.0, means that the agent does not know it (null). A value that is no mask says
 * nothing, so only the other table may know.
 */
function ownPrefix(mask: string | undefined, elsewhere: number | null): number | null {
  if (mask === undefined) return null
  const own = prefixOfMask(mask)
  return own === 0 ? null : (own ?? elsewhere ?? UNKNOWN_PREFIX)
}

/** Stored for an address whose mask is not known: it is in no network. */
const UNKNOWN_PREFIX = 0

/** `prefixLen` null: the agent itself does not know the mask; the address class is then the best guess. */
function addIpv4(rows: Map<string, Ipv4Row>, address: string, ifIndex: number, prefixLen: number | null): void {
  const number = parseIpv4(address)
  if (number === null || number === 0 || ifIndex < 0) return
  rows.set(address, { address, prefixLen: prefixLen ?? classfulPrefix(number), ifIndex, context: null })
}

function ipv6Rows(old: Rows<typeof ipv6AddrTable> | undefined, addresses: readonly Address[]): readonly Ipv6Row[] {
  const rows: Ipv6Row[] = []
  for (const { octets, ifIndex, prefixLen, origin } of addresses) {
    if (octets.length === 16 && isUseful(octets)) rows.push(ipv6Row(octets, ifIndex, prefixLen ?? 0, origin))
  }
  for (const [index, row] of old ?? []) {
    // Ipv6Address has a fixed length and therefore no length octet (RFC 2578 §7.7), but agents send both forms.
    const key = decodeIndex(index, ['integer', 'ipv6']) ?? decodeIndex(index, ['integer', 'octets'])
    if (key === null || key[1].length !== 16 || !isUseful(key[1])) continue
    rows.push(ipv6Row(key[1], key[0], ipv6Prefix(row.ipv6AddrPfxLength), ''))
  }
  return rows
}

function tplinkRows(table: Rows<typeof tplinkIpv6AddressTable> | undefined): readonly Ipv6Row[] {
  return [...(table ?? [])].flatMap(([index, row]) => {
    const ifIndex = Number(index.slice(0, index.indexOf('.')))
    const octets = row.ipv6ParaConfigAddress
    if (octets?.length !== 16 || !isUseful(octets) || !Number.isInteger(ifIndex)) return []
    const origin = enumName(TPLINK_IPV6_SOURCE, row.ipv6ParaConfigSourceType) ?? ''
    return [ipv6Row(octets, ifIndex, ipv6Prefix(row.ipv6ParaConfigPrefixLength), origin)]
  })
}

/** 0: not known. */
function ipv6Prefix(length: number | undefined): number {
  return length !== undefined && length >= 0 && length <= 128 ? length : 0
}

/** Neither unspecified nor loopback (RFC 4291 §2.5). */
function isUseful(octets: Uint8Array): boolean {
  return octets.subarray(0, 15).some((octet) => octet !== 0) || (octets[15] ?? 0) > 1
}

function ipv6Row(octets: Uint8Array, ifIndex: number, prefixLen: number, origin: string): Ipv6Row {
  return { address: expandIpv6(octets), compressed: formatIpv6(octets), prefixLen, origin, ifIndex, context: null }
}
