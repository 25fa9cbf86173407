import { ipAddressPrefixTable, ipAddressTable, ipAddrTable } from '../mib/addresses.ts'
import { type Instance, tableRows } from '../table.ts'

/** An interface address: `10.0.0.1/24`, or an IPv6 address with all eight groups and prefix length. */
export interface InterfaceAddress {
  readonly ifIndex: number
  readonly cidr: string
}

interface Parsed {
  readonly ifIndex: number
  readonly octets: readonly number[]
  readonly prefixLength: number
}

/** ipAddrTable, ipAddressPrefixTable and ipAddressTable. `modern` false: only ipAddrTable. */
export function addressTables(addresses: readonly InterfaceAddress[], { modern = true } = {}): Instance[] {
  const parsed = addresses.map(parse)
  const v4 = parsed.filter((a) => a.octets.length === 4)
  return [
    ...tableRows(
      ipAddrTable,
      v4.map((a) => {
        const address = a.octets.join('.')
        return [
          address,
          {
            ipAdEntAddr: address,
            ipAdEntIfIndex: a.ifIndex,
            ipAdEntNetMask: prefixOctets([255, 255, 255, 255], a.prefixLength).join('.'),
            ipAdEntBcastAddr: 1,
            ipAdEntReasmMaxSize: 65_535,
          },
        ] as const
      }),
    ),
    ...(modern ? modernTables(parsed) : []),
  ]
}

function modernTables(addresses: readonly Parsed[]): Instance[] {
  // addresses in the same network share a row
  const prefixes = new Map(addresses.map((a) => [prefixIndex(a), a]))
  return [
    ...tableRows(
      ipAddressPrefixTable,
      [...prefixes.keys()].map(
        (index) =>
          [
            index,
            { ipAddressPrefixOrigin: 2, ipAddressPrefixOnLinkFlag: 1, ipAddressPrefixAutonomousFlag: 2 },
          ] as const,
      ),
    ),
    ...tableRows(
      ipAddressTable,
      addresses.map(
        (a) =>
          [
            inetAddress(a.octets),
            {
              ipAddressIfIndex: a.ifIndex,
              ipAddressType: 1,
              ipAddressPrefix: `${ipAddressPrefixTable.entry}.5.${prefixIndex(a)}`,
              // link-local addresses are linklayer(5), others manual(2) (RFC 4293, IpAddressOriginTC)
              ipAddressOrigin: a.octets[0] === 0xfe && a.octets.length === 16 ? 5 : 2,
              ipAddressStatus: 1,
              ipAddressRowStatus: 1,
              ipAddressStorageType: 3,
            },
          ] as const,
      ),
    ),
  ]
}

function prefixIndex(a: Parsed): string {
  return `${a.ifIndex}.${inetAddress(prefixOctets(a.octets, a.prefixLength))}.${a.prefixLength}`
}

/** InetAddressType and InetAddress (RFC 4001) as index components: type, length, octets. */
function inetAddress(octets: readonly number[]): string {
  return [octets.length === 4 ? 1 : 2, octets.length, ...octets].join('.')
}

function prefixOctets(octets: readonly number[], length: number): number[] {
  return octets.map((octet, i) => octet & (0xff00 >> Math.min(8, Math.max(0, length - 8 * i))) & 0xff)
}

function parse({ ifIndex, cidr }: InterfaceAddress): Parsed {
  const slash = cidr.lastIndexOf('/')
  const address = cidr.slice(0, slash)
  const octets = address.includes(':')
    ? address.split(':').flatMap((group) => {
        const value = Number.parseInt(group, 16)
        return [value >> 8, value & 0xff]
      })
    : address.split('.').map(Number)
  if (octets.length !== 4 && octets.length !== 16) throw new RangeError(`not a complete address: ${cidr}`)
  return { ifIndex, octets, prefixLength: Number(cidr.slice(slash + 1)) }
}
