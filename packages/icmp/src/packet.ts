/** ICMP and ICMPv6 echo (RFC 792, RFC 4443 §4): pure encoding and decoding. */

const ECHO_TYPES = { 4: { request: 8, reply: 0 }, 6: { request: 128, reply: 129 } } as const

export interface Echo {
  readonly family: 4 | 6
  /** 16 bits; a datagram socket replaces it with its own. */
  readonly id: number
  /** 16 bits. */
  readonly sequence: number
  readonly payload: Uint8Array
}

/** Size of an echo header, octets. */
export const ECHO_HEADER_OCTETS = 8

/**
 * An echo request. The ICMPv6 checksum stays zero here; the kernel fills it in, because it covers the source address.
 */
export function encodeEchoRequest(echo: Echo): Uint8Array {
  const packet = new Uint8Array(ECHO_HEADER_OCTETS + echo.payload.length)
  const view = new DataView(packet.buffer)
  view.setUint8(0, ECHO_TYPES[echo.family].request)
  view.setUint16(4, echo.id)
  view.setUint16(6, echo.sequence)
  packet.set(echo.payload, ECHO_HEADER_OCTETS)
  if (echo.family === 4) view.setUint16(2, checksum(packet))
  return packet
}

/**
 * The echo reply in `packet`, or null when the packet is something else, truncated or damaged. `ipHeader`: the packet
 * starts with an IPv4 header, as on raw IPv4 sockets. ICMPv6 checksums have already been verified by the kernel.
 */
export function decodeEchoReply(packet: Uint8Array, family: 4 | 6, ipHeader: boolean): Echo | null {
  const body = ipHeader ? withoutIpHeader(packet) : packet
  if (body === null || body.length < ECHO_HEADER_OCTETS || body[0] !== ECHO_TYPES[family].reply || body[1] !== 0)
    return null
  if (family === 4 && checksum(body) !== 0) return null
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength)
  return { family, id: view.getUint16(4), sequence: view.getUint16(6), payload: body.subarray(ECHO_HEADER_OCTETS) }
}

function withoutIpHeader(packet: Uint8Array): Uint8Array | null {
  const first = packet[0] ?? 0
  const size = (first & 0x0f) * 4
  return first >> 4 === 4 && size >= 20 && packet.length >= size ? packet.subarray(size) : null
}

/** The Internet checksum (RFC 1071); zero for data that includes its own correct checksum. */
export function checksum(data: Uint8Array): number {
  let sum = 0
  for (let i = 0; i < data.length; i += 2) sum += ((data[i] ?? 0) << 8) | (data[i + 1] ?? 0)
  while (sum > 0xffff) sum = (sum & 0xffff) + (sum >>> 16)
  return ~sum & 0xffff
}
