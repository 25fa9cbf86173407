/** Kinds of index components and the types they are decoded to. */
export interface IndexTypes {
  /** INTEGER: one sub-identifier. */
  readonly integer: number
  /** IpAddress: four sub-identifiers, as dotted decimal. */
  readonly ipAddress: string
  /** MacAddress: six sub-identifiers without a length, as 12 hex digits. */
  readonly mac: string
  /** Ipv6Address of RFC 2465: 16 sub-identifiers without a length. */
  readonly ipv6: Uint8Array
  /** OCTET STRING of variable length: the length, then the octets. */
  readonly octets: Uint8Array
  /** The same, decoded as text. */
  readonly text: string
  /** IMPLIED OCTET STRING as the last component: all remaining sub-identifiers. */
  readonly impliedText: string
  /** OBJECT IDENTIFIER: the length, then its sub-identifiers. */
  readonly oid: string
  /** IMPLIED OBJECT IDENTIFIER as the last component. */
  readonly impliedOid: string
  /** InetAddressType followed by InetAddress (RFC 4001 §4.1). */
  readonly inetAddress: InetAddress
}
export type IndexPart = keyof IndexTypes

/**
 * InetAddressType and InetAddress (RFC 4001). `octets` has 4 or 16 for IP types; `zone` is set only for ipv4z and
 * ipv6z.
 */
export interface InetAddress {
  readonly type: 'unknown' | 'ipv4' | 'ipv6' | 'ipv4z' | 'ipv6z' | 'dns'
  readonly octets: Uint8Array
  readonly zone: number | null
}

type Decoded<P extends readonly IndexPart[]> = { readonly [K in keyof P]: IndexTypes[P[K]] }

/**
 * The components of a row's index (RFC 2578 §7.7): `decodeIndex('3.1.4.10.0.0.1', ['integer', 'inetAddress'])`.
 * Null when a component is too short or out of range, or when sub-identifiers remain: agents do send malformed indexes,
 * and a guess could assign a row to the wrong object.
 */
export function decodeIndex<const P extends readonly IndexPart[]>(index: string, parts: P): Decoded<P> | null {
  const ids = parseIds(index)
  if (ids === null) return null
  const cursor = { ids, at: 0 }
  const values: unknown[] = []
  for (const part of parts) {
    const value = READERS[part](cursor)
    if (value === null) return null
    values.push(value)
  }
  // the cast is safe: each value comes from the reader of its part
  return cursor.at === ids.length ? (values as unknown as Decoded<P>) : null
}

/** Maximum number of sub-identifiers, as of an OID (RFC 2578 §3.5). */
const MAX_IDS = 128
const ZERO = 48
/** Character code of `.` minus that of `0`. */
const DOT = -2

function parseIds(index: string): number[] | null {
  const ids: number[] = []
  let id = 0
  let digits = 0
  // character by character, because splitting the indexes of 100,000 rows would create much garbage
  for (let i = 0; i <= index.length; i++) {
    const digit = i === index.length ? DOT : index.charCodeAt(i) - ZERO
    if (digit === DOT) {
      if (digits === 0 || digits > 10 || id > 0xffffffff || ids.length === MAX_IDS) return null
      ids.push(id)
      id = digits = 0
    } else if (digit >= 0 && digit <= 9) {
      id = id * 10 + digit
      digits++
    } else return null
  }
  return ids
}

interface Cursor {
  readonly ids: readonly number[]
  at: number
}

function take(cursor: Cursor, count: number): readonly number[] | null {
  if (cursor.at + count > cursor.ids.length) return null
  const taken = cursor.ids.slice(cursor.at, cursor.at + count)
  cursor.at += count
  return taken
}

/** Least sub-identifier of an octet that an agent sent as a signed number: 252 as 4294967292. */
const SIGN_EXTENDED = 0xffff_ff80

/** The octet that a sub-identifier stands for; null if it is none. */
export function octetOf(id: number): number | null {
  return Number.isInteger(id) && id >= 0 && id <= 255 ? id : id >= SIGN_EXTENDED && id <= 0xffff_ffff ? id & 0xff : null
}

function takeOctets(cursor: Cursor, count: number): Uint8Array | null {
  const taken = take(cursor, count)
  // conversion to octets keeps the last eight bits
  return taken === null || taken.some((id) => id > 255 && id < SIGN_EXTENDED) ? null : Uint8Array.from(taken)
}

function takeLength(cursor: Cursor): number | null {
  return take(cursor, 1)?.[0] ?? null
}

function counted<T>(read: (cursor: Cursor, count: number) => T | null): (cursor: Cursor) => T | null {
  return (cursor) => {
    const length = takeLength(cursor)
    return length === null ? null : read(cursor, length)
  }
}

const decoder = new TextDecoder()
const asText = (octets: Uint8Array | null) => (octets === null ? null : decoder.decode(octets))
const rest = (cursor: Cursor) => cursor.ids.length - cursor.at

const READERS: { readonly [K in IndexPart]: (cursor: Cursor) => IndexTypes[K] | null } = {
  integer: takeLength,
  ipAddress: (cursor) => takeOctets(cursor, 4)?.join('.') ?? null,
  mac: (cursor) => takeOctets(cursor, 6)?.toHex() ?? null,
  ipv6: (cursor) => takeOctets(cursor, 16),
  octets: counted(takeOctets),
  text: counted((cursor, count) => asText(takeOctets(cursor, count))),
  impliedText: (cursor) => asText(takeOctets(cursor, rest(cursor))),
  oid: counted((cursor, count) => take(cursor, count)?.join('.') ?? null),
  impliedOid: (cursor) => take(cursor, rest(cursor))?.join('.') ?? null,
  inetAddress,
}

const INET_TYPES = new Map<number, { type: InetAddress['type']; octets: number; zone: boolean }>([
  [1, { type: 'ipv4', octets: 4, zone: false }],
  [2, { type: 'ipv6', octets: 16, zone: false }],
  [3, { type: 'ipv4z', octets: 4, zone: true }],
  [4, { type: 'ipv6z', octets: 16, zone: true }],
])

/**
 * The zone is part of the address octets (RFC 4001 §3): ipv6z has 20 octets, the last four of which are the zone. Some
 * agents report IPv4 octets with type `unknown`, or omit zones; only lengths that the type allows are accepted.
 */
function inetAddress(cursor: Cursor): InetAddress | null {
  const type = takeLength(cursor)
  const octets = READERS.octets(cursor)
  if (type === null || octets === null) return null
  if (type === 0) return { type: 'unknown', octets, zone: null }
  if (type === 16) return { type: 'dns', octets, zone: null }
  const known = INET_TYPES.get(type)
  if (known === undefined || octets.length !== known.octets + (known.zone ? 4 : 0)) return null
  const zone = known.zone ? new DataView(octets.buffer).getUint32(known.octets) : null
  return { type: known.type, octets: octets.slice(0, known.octets), zone }
}
