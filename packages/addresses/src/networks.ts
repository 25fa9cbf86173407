import { formatIpv4, formatIpv6, parseIpv4, parseIpv6 } from './ip.ts'

/** An IPv4 or IPv6 network: the octets of its address, and its prefix length. */
export interface Network {
  readonly octets: Uint8Array
  readonly bits: number
}

/** The 4 or 16 octets of an address without a zone; null: not an address. */
export function addressOctets(text: string): Uint8Array | null {
  const number = parseIpv4(text)
  if (number === null) return parseIpv6(text)
  return Uint8Array.of(number >>> 24, (number >>> 16) & 255, (number >>> 8) & 255, number & 255)
}

/** The address of 4 or 16 octets, dotted decimal or in RFC 5952 form. */
export function addressText(octets: Uint8Array): string {
  return octets.length === 4
    ? formatIpv4(new DataView(octets.buffer, octets.byteOffset, 4).getUint32(0))
    : formatIpv6(octets)
}

/** Parses `10.0.0.0/8`, `fd00::/8` or a single address; null: neither. */
export function parseNetwork(text: string): Network | null {
  const [address = '', length, ...rest] = text.trim().split('/')
  const octets = addressOctets(address)
  if (octets === null || rest.length > 0 || (length !== undefined && !/^\d{1,3}$/.test(length))) return null
  const bits = length === undefined ? octets.length * 8 : Number(length)
  return bits > octets.length * 8 ? null : { octets, bits }
}

/** The network as CIDR text, with zeros after its prefix. */
export function networkText({ octets, bits }: Network): string {
  const masked = octets.map((octet, i) => octet & (0xff << (8 - Math.min(8, Math.max(0, bits - i * 8)))))
  return `${addressText(masked)}/${bits}`
}

/** True when the address is in the network; addresses of the other family never are. */
export function inNetwork(address: Uint8Array, { octets, bits }: Network): boolean {
  if (address.length !== octets.length) return false
  for (let i = 0; i * 8 < bits; i++) {
    const mask = 0xff & (0xff << Math.max(0, 8 - (bits - i * 8)))
    if ((((address[i] ?? 0) ^ (octets[i] ?? 0)) & mask) !== 0) return false
  }
  return true
}
