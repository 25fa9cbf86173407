import { SnmpError } from './errors.ts'

/** Tags of the Basic Encoding Rules (X.690) that SNMP uses, with the application types of RFC 2578 §7.1. */
export const TAG = {
  Integer: 0x02,
  BitString: 0x03,
  OctetString: 0x04,
  Null: 0x05,
  ObjectIdentifier: 0x06,
  Sequence: 0x30,
  IpAddress: 0x40,
  Counter32: 0x41,
  Gauge32: 0x42,
  TimeTicks: 0x43,
  Opaque: 0x44,
  NsapAddress: 0x45,
  Counter64: 0x46,
  UInteger32: 0x47,
  noSuchObject: 0x80,
  noSuchInstance: 0x81,
  endOfMibView: 0x82,
} as const

/** Maximum payload of a UDP datagram over IPv4, octets. */
export const MAX_DATAGRAM = 65_507

/** Longer than any datagram. */
const NO_LENGTH = 0x1_0000

/**
 * Reads definite-length TLVs from untrusted octets. After `enter` or `skip` the members `start` and `end` bound the
 * contents; no length is followed beyond its limit. Throws only SnmpError `malformed`.
 */
export class BerReader {
  bytes: Uint8Array
  /** Position of the next octet. */
  at: number
  /** Contents of the last TLV read. */
  start = 0
  end = 0

  constructor(bytes: Uint8Array, at = 0) {
    this.bytes = bytes
    this.at = at
  }

  reset(bytes: Uint8Array, at = 0): void {
    this.bytes = bytes
    this.at = at
  }

  /**
   * Reads the tag and length of a TLV that must have `tag` and end at or before `limit`; leaves `at` at its contents.
   */
  enter(tag: number, limit: number): void {
    if (this.at >= limit || this.bytes[this.at] !== tag) {
      throw new SnmpError('malformed', `expected tag ${tag} at octet ${this.at}`)
    }
    this.header(limit)
  }

  /** Like `enter`, and moves past the TLV. */
  skip(tag: number, limit: number): void {
    this.enter(tag, limit)
    this.at = this.end
  }

  /** Reads the tag and length of a TLV of any type; returns the tag. */
  any(limit: number): number {
    if (this.at >= limit) throw new SnmpError('malformed', `nothing at octet ${this.at}`)
    const tag = this.bytes[this.at] ?? 0
    this.header(limit)
    return tag
  }

  private header(limit: number): void {
    const { bytes } = this
    let at = this.at + 1
    if (at >= limit) throw new SnmpError('malformed', `no length at octet ${at}`)
    let length = bytes[at++] ?? 0
    if (length >= 0x80) {
      const octets = length & 0x7f
      if (octets === 0 || octets > 4 || octets > limit - at) {
        throw new SnmpError('malformed', `bad length at octet ${at - 1}`)
      }
      length = 0
      for (let i = 0; i < octets; i++) length = length * 256 + (bytes[at++] ?? 0)
    }
    if (length > limit - at) throw new SnmpError('malformed', `length ${length} before octet ${at} is too long`)
    this.at = at
    this.start = at
    this.end = at + length
  }

  /**
   * Length of the TLV at `at`, which need not end before `limit`; sets `start` to where its contents would begin.
   * NO_LENGTH when there is no valid length.
   */
  longLength(at: number, limit: number): number {
    const { bytes } = this
    this.start = at + 2
    if (at + 1 >= limit) return NO_LENGTH
    const first = bytes[at + 1] ?? 0
    if (first < 0x80) return first
    const octets = first & 0x7f
    if (octets === 0 || octets > 4 || octets > limit - this.start) return NO_LENGTH
    let length = 0
    for (let i = 0; i < octets; i++) length = length * 256 + (bytes[this.start++] ?? 0)
    return length
  }

  /** A signed INTEGER of up to 32 bits; one encoded in up to nine octets is accepted and read modulo 2^32. */
  integer(limit: number): number {
    this.skip(TAG.Integer, limit)
    const size = this.end - this.start
    if (size < 1 || size > 9) throw new SnmpError('malformed', `integer of ${size} octets`)
    let value = (this.bytes[this.start] ?? 0) >= 0x80 ? -1 : 0
    for (let i = this.start; i < this.end; i++) value = (value << 8) | (this.bytes[i] ?? 0)
    return value
  }
}

/**
 * Writes BER back to front, so every length is already known when it is written and takes the fewest octets. One writer
 * is reused for many messages: `begin`, then the parts from last to first, then `finish`.
 */
export class BerWriter {
  readonly bytes: Uint8Array
  /** First octet written so far. */
  at: number

  /** `capacity`: size of the longest message, octets. */
  constructor(capacity = MAX_DATAGRAM) {
    this.bytes = new Uint8Array(capacity)
    this.at = capacity
  }

  begin(): void {
    this.at = this.bytes.length
  }

  /** A copy of the octets written since `begin`. */
  finish(): Uint8Array {
    return this.bytes.slice(this.at)
  }

  private room(octets: number): number {
    if (octets > this.at) throw new SnmpError('tooBig', `message exceeds ${this.bytes.length} octets`)
    this.at -= octets
    return this.at
  }

  /** Prepends tag and length to everything written since `at` was `mark`. */
  wrap(tag: number, mark: number): void {
    this.length(mark - this.at)
    this.bytes[this.room(1)] = tag
  }

  private length(length: number): void {
    if (length < 0x80) {
      this.bytes[this.room(1)] = length
      return
    }
    let octets = 0
    for (let rest = length; rest > 0; rest = rest >>> 8) {
      this.bytes[this.room(1)] = rest & 0xff
      octets++
    }
    this.bytes[this.room(1)] = 0x80 | octets
  }

  /** Raw octets. */
  raw(octets: Uint8Array): void {
    this.bytes.set(octets, this.room(octets.length))
  }

  /** A primitive TLV. */
  primitive(tag: number, contents: Uint8Array): void {
    const mark = this.at
    this.raw(contents)
    this.wrap(tag, mark)
  }

  /** INTEGER, signed 32 bit. */
  integer(value: number): void {
    const mark = this.at
    let rest = value | 0
    for (;;) {
      this.bytes[this.room(1)] = rest & 0xff
      if (rest >= -128 && rest <= 127) break
      rest >>= 8
    }
    this.wrap(TAG.Integer, mark)
  }

  /** An unsigned integer type of up to 64 bits, given as two 32-bit halves. */
  unsigned(tag: number, high: number, low: number): void {
    const mark = this.at
    let hi = high >>> 0
    let lo = low >>> 0
    for (;;) {
      this.bytes[this.room(1)] = lo & 0xff
      if (hi === 0 && lo < 0x80) break
      lo = ((lo >>> 8) | (hi << 24)) >>> 0
      hi >>>= 8
    }
    this.wrap(tag, mark)
  }

  /** One varbind with the value NULL and the OID `octets[start, end)`. */
  requestPart(octets: Uint8Array, start: number, end: number): void {
    const mark = this.at
    const at = this.room(2 + end - start)
    // a loop, because creating a view of a dozen octets costs more than copying them
    for (let from = start, to = at; from < end; from++, to++) this.bytes[to] = octets[from] as number
    this.bytes[mark - 2] = TAG.Null
    this.bytes[mark - 1] = 0
    this.wrap(TAG.ObjectIdentifier, mark - 2)
    this.wrap(TAG.Sequence, mark)
  }

  /** One varbind with the value NULL, as requests have them: `oid`, and below it `index` unless that is negative. */
  requestVarbind(oid: Uint8Array, index: number): void {
    const mark = this.at
    const at = this.room(2)
    this.bytes[at] = TAG.Null
    this.bytes[at + 1] = 0
    const oidEnd = this.at
    if (index >= 0) this.arc(index)
    this.raw(oid)
    this.wrap(TAG.ObjectIdentifier, oidEnd)
    this.wrap(TAG.Sequence, mark)
  }

  private arc(arc: number): void {
    let rest = arc >>> 0
    this.bytes[this.room(1)] = rest & 0x7f
    for (rest >>>= 7; rest > 0; rest >>>= 7) this.bytes[this.room(1)] = 0x80 | (rest & 0x7f)
  }
}
