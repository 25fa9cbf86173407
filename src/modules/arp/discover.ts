import type { Rows } from '@portlight/snmp/table.ts'
import { decodeIndex, type InetAddress } from '../../lib/index-decode.ts'
import { expandIpv6 } from '../../lib/ip.ts'
import { bareAddress, looseIpv4 } from '../../lib/loose-index.ts'
import { ipNetToMediaTable, ipNetToPhysicalTable } from '../../mibs/ip-mib.ts'
import { need, phase } from '../module.ts'
import type { ArpRow } from './observation.ts'

const MEDIA = need(ipNetToMediaTable, ['ipNetToMediaPhysAddress'])

/**
 * ARP and IPv6 neighbour caches. ipNetToPhysicalTable (RFC 4293) covers both families, but most agents still use
 * ipNetToMediaTable; if an agent has both, IPv4 entries may be in either. Only the addresses are read: types and states
 * would double the cost of tables with ten thousand rows, and unresolved entries have an empty or zero MAC address
 * anyway.
 */
export const discoverArp = phase({
  tables: {
    media: MEDIA,
    physical: need(ipNetToPhysicalTable),
  },
  // the addresses are in the index, and again in a column, which is read only where the index does not fit
  follow: ({ tables: { media } }) => [
    {
      key: 'own',
      tables: {
        own: need(ipNetToMediaTable, media.rows.keys().every(isPlain) ? [] : ['ipNetToMediaNetAddress']),
      },
    },
  ],
  run({ tables: { media, physical }, followed, unread }) {
    const own = followed.get('own')?.tables.own.rows
    if (media.rows.size > 0 && media.rows.keys().every((index) => looseIpv4(index, 1) === null) && !own?.size)
      unread(ipNetToMediaTable, media.rows.keys())
    const addresses = readPhysical(physical.rows)
    return [
      {
        kind: 'arp',
        complete: media.complete && physical.complete,
        rows: unique([
          ...readMedia(media.rows, own),
          ...addresses.filter(({ family }) => family === 4).map(({ row }) => row),
        ]),
      },
      {
        kind: 'nd',
        complete: physical.complete,
        rows: unique(addresses.filter(({ family }) => family === 6).map(({ row }) => row)),
      },
    ]
  },
})

/** True for an index of ifIndex and address, as the MIB demands. */
function isPlain(index: string): boolean {
  return index.split('.').length === 5
}

function readMedia(rows: Rows<typeof ipNetToMediaTable>, own: Rows<typeof ipNetToMediaTable> | undefined): ArpRow[] {
  return [...rows].flatMap(([index, { ipNetToMediaPhysAddress: mac }]) => {
    const address = looseIpv4(index, 1, isPlain(index) ? undefined : own?.get(index)?.ipNetToMediaNetAddress)
    const ifIndex = Number(index.slice(0, index.indexOf('.')))
    return address === null || !isMac(mac) ? [] : [{ ifIndex, address, mac, context: null }]
  })
}

interface Read {
  readonly family: 4 | 6
  readonly row: ArpRow
}

function readPhysical(rows: Rows<typeof ipNetToPhysicalTable>): Read[] {
  return [...rows].flatMap(([index, { ipNetToPhysicalPhysAddress: mac }]): Read[] => {
    if (!isMac(mac)) return []
    const key = decodeIndex(index, ['integer', 'inetAddress'])
    const at = index.indexOf('.')
    const ifIndex = Number(index.slice(0, at))
    const octets = key?.[1].octets ?? bareAddress(index.slice(at + 1))
    if (octets === null) return []
    const family = key === null ? (octets.length === 4 ? 4 : 6) : familyOf(key[1])
    if (family === null) return []
    const address = family === 4 ? octets.join('.') : expandIpv6(octets)
    return [{ family, row: { ifIndex, address, mac, context: null } }]
  })
}

function familyOf({ type }: InetAddress): 4 | 6 | null {
  if (type === 'ipv4' || type === 'ipv4z') return 4
  return type === 'ipv6' || type === 'ipv6z' ? 6 : null
}

/** Six octets that are not all zero. Anything else is an unresolved entry or not Ethernet. */
function isMac(mac: string | undefined): mac is string {
  return mac !== undefined && /^[0-9a-f]{12}$/.test(mac) && mac !== '000000000000'
}

/** The first row for each address on an interface. */
function unique(rows: readonly ArpRow[]): readonly ArpRow[] {
  const byAddress = new Map<string, ArpRow>()
  for (const row of rows) {
    const key = `${row.ifIndex} ${row.address}`
    if (!byAddress.has(key)) byAddress.set(key, row)
  }
  return [...byAddress.values()]
}
