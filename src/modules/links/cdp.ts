import type { Rows } from '@portlight/snmp/table.ts'
import { decodeIndex } from '../../lib/index-decode.ts'
import { parseMac } from '../../lib/mac.ts'
import { namesOfPort } from '../../lib/port-names.ts'
import type { cdpCacheTable } from '../../mibs/cisco-cdp-mib.ts'
import type { extremeEdpTable } from '../../mibs/extreme-edp-mib.ts'
import { FDP_VENDOR, type snFdpCacheTable } from '../../mibs/foundry-mib.ts'
import { enumName } from '../../mibs/snmpv2-tc.ts'
import { lldpId, unquoted } from './ids.ts'
import type { LinkRow } from './observation.ts'

/** Neighbours from cdpCacheTable. */
export function cdpLinks(rows: Rows<typeof cdpCacheTable>): readonly LinkRow[] {
  return [...rows].flatMap(([index, row]) => {
    const key = decodeIndex(index, ['integer', 'integer'])
    if (key === null) return []
    const address = row.cdpCacheAddress
    const known = (row.cdpCacheAddressType ?? 1) === 1 && address?.length === 4
    return named({
      ifIndex: key[0],
      protocol: 'cdp',
      deviceId: row.cdpCacheDeviceId,
      port: row.cdpCacheDevicePort,
      platform: row.cdpCachePlatform,
      version: row.cdpCacheVersion,
      addresses: known ? [address.join('.')] : [],
    })
  })
}

/** Neighbours from Foundry's cache, learned by FDP or CDP. */
export function fdpLinks(rows: Rows<typeof snFdpCacheTable>): readonly LinkRow[] {
  return [...rows].flatMap(([index, row]) => {
    const key = decodeIndex(index, ['integer', 'integer'])
    if (key === null) return []
    return named({
      ifIndex: key[0],
      protocol: enumName(FDP_VENDOR, row.snFdpCacheVendorId) ?? 'fdp',
      deviceId: row.snFdpCacheDeviceId,
      port: row.snFdpCacheDevicePort,
      platform: row.snFdpCachePlatform,
      version: row.snFdpCacheVersion,
      addresses: [],
    })
  })
}

/** Neighbours from extremeEdpTable, which gives their ports as slot and port number. */
export function edpLinks(rows: Rows<typeof extremeEdpTable>): readonly LinkRow[] {
  return [...rows].flatMap(([index, row]) => {
    const ids = index.split('.')
    const ifIndex = Number(ids[0])
    if (ids.length < 7 || !Number.isInteger(ifIndex)) return []
    const port = row.extremeEdpNeighborPort === undefined ? '' : String(row.extremeEdpNeighborPort)
    const slot = row.extremeEdpNeighborSlot ?? 0
    const [link] = named({
      ifIndex,
      protocol: 'edp',
      deviceId: row.extremeEdpNeighborName,
      port: slot > 0 ? `${slot}:${port}` : port,
      platform: undefined,
      version: row.extremeEdpNeighborSoftwareVersion,
      addresses: [],
    })
    if (link === undefined) return []
    const octets = ids.slice(-6).map(Number)
    const mac = octets.every((octet) => octet <= 255) ? Uint8Array.from(octets).toHex() : null
    return [{ ...link, remote: { ...link.remote, mac, portNames: [...link.remote.portNames, port] } }]
  })
}

interface Named {
  readonly ifIndex: number
  readonly protocol: string
  readonly deviceId: Uint8Array | string | undefined
  readonly port: string | undefined
  readonly platform: string | undefined
  readonly version: string | undefined
  readonly addresses: readonly string[]
}

function named({ ifIndex, protocol, deviceId: id, port = '', platform, version, addresses }: Named): LinkRow[] {
  // mostly a name, but some devices send the octets of their MAC address
  const { text: deviceId, mac } = lldpId(undefined, typeof id === 'string' ? new TextEncoder().encode(id) : id)
  if (deviceId === '') return []
  return [
    {
      local: [{ by: 'ifIndex', value: String(ifIndex) }],
      protocol,
      remote_hostname: deviceId,
      remote_port: port,
      remote_platform: platform ?? null,
      remote_version: unquoted(version),
      remote: {
        // NX-OS appends the chassis serial number to its name.
        name: deviceId.replace(/\([^()]*\)$/, ''),
        mac: mac ?? parseMac(deviceId),
        addresses,
        portNames: namesOfPort(port),
        portMac: null,
        portIndex: null,
      },
    },
  ]
}
