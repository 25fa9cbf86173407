import { expandIpv6, parseIpv4, parseIpv6 } from '@portlight/addresses/ip.ts'

/**
 * An address in the form used in records: dotted IPv4 or uncompressed IPv6. With 8 or 20 octets the last four are a
 * zone, which is dropped; undefined for other lengths.
 */
export function addressText(octets: Uint8Array | undefined): string | undefined {
  if (octets === undefined) return undefined
  if (octets.length === 4 || octets.length === 8) return octets.subarray(0, 4).join('.')
  if (octets.length === 16 || octets.length === 20) return expandIpv6(octets.slice(0, 16))
  // Some agents send the text of the address instead of its octets.
  return textAddress(new TextDecoder().decode(octets))
}

/** The same for an address in text form, with or without a zone. */
export function textAddress(text: string | undefined): string | undefined {
  const address = text?.trim().split('%', 1)[0] ?? ''
  if (parseIpv4(address) !== null) return address
  const octets = address === '' ? null : parseIpv6(address)
  return octets === null ? undefined : expandIpv6(octets)
}

const LENGTHS: Readonly<Record<number, number>> = { 1: 4, 2: 16, 3: 8, 4: 20 }

/**
 * `count` addresses from the sub-identifiers of an index, each preceded by its InetAddressType, and by its length (RFC
 * 2578 §7.7) unless the agent omits lengths (Junos, FRRouting). null: neither form fits.
 */
export function indexAddresses(ids: readonly number[], count: number): readonly string[] | null {
  return take(ids, count, true) ?? take(ids, count, false)
}

function take(ids: readonly number[], count: number, withLength: boolean): readonly string[] | null {
  const addresses: string[] = []
  let at = 0
  for (let i = 0; i < count; i++) {
    const length = LENGTHS[ids[at] ?? -1]
    at++
    if (length === undefined || (withLength && ids[at++] !== length)) return null
    const octets = ids.slice(at, at + length)
    at += length
    if (octets.length !== length || octets.some((octet) => octet > 255)) return null
    const text = addressText(Uint8Array.from(octets))
    if (text === undefined) return null
    addresses.push(text)
  }
  return at === ids.length ? addresses : null
}

/** Sub-identifiers of an index. */
export function idsOf(index: string): readonly number[] {
  return index.split('.').map(Number)
}

/** Address, AFI and SAFI from an index that ends in AFI and SAFI. */
export function addressFamily(ids: readonly number[]): [string, number, number] | null {
  const [afi, safi] = ids.slice(-2)
  const address = indexAddresses(ids.slice(0, -2), 1)?.[0]
  return address === undefined || afi === undefined || safi === undefined ? null : [address, afi, safi]
}

/** Code and subcode of a NOTIFICATION (RFC 4271 §4.5) from its two octets. */
export function lastError(octets: Uint8Array | undefined) {
  if (octets === undefined || octets.length < 2) return {}
  return { bgpPeerLastErrorCode: octets[0] ?? null, bgpPeerLastErrorSubCode: octets[1] ?? null }
}

const AFI: Readonly<Record<number, string>> = { 1: 'ipv4', 2: 'ipv6', 25: 'l2vpn', 196: 'l2vpn', 16388: 'bgp-ls' }
const SAFI: Readonly<Record<number, string>> = {
  1: 'unicast',
  2: 'multicast',
  3: 'unicastAndMulticast',
  4: 'labeledUnicast',
  5: 'mvpn',
  65: 'vpls',
  66: 'mdt',
  70: 'evpn',
  128: 'vpn',
  129: 'vpn-multicast',
  132: 'rtfilter',
  133: 'flowspec',
}

/** Names of an address family (AFI) and subsequent address family (SAFI) by their IANA numbers. */
export function family(afi: number, safi: number): { readonly afi: string; readonly safi: string } {
  return { afi: AFI[afi] ?? String(afi), safi: SAFI[safi] ?? String(safi) }
}

/**
 * The name of a special-purpose AS number (IANA, RFC 7249); '' for all others, because names are not looked up in DNS.
 */
export function asText(asn: number): string {
  if (asn === 23456) return 'AS_TRANS'
  if ((asn >= 64496 && asn <= 64511) || (asn >= 65536 && asn <= 65551)) return 'Documentation'
  if ((asn >= 64512 && asn <= 65534) || (asn >= 4200000000 && asn <= 4294967294)) return 'Private'
  return ''
}

/** An AS number above 2^31 that an agent sent as a signed integer. */
export function asNumber(asn: number | undefined): number | undefined {
  return asn !== undefined && asn < 0 ? asn + 2 ** 32 : asn
}
