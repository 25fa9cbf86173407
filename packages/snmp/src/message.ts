import { BerReader, type BerWriter, MAX_DATAGRAM, TAG } from './ber.ts'
import { SnmpError } from './errors.ts'
import { PduView, writePdu } from './pdu.ts'
import type { Varbind } from './value.ts'
import { writeVarbinds } from './write-varbinds.ts'

/** The version field of a message. */
export const VERSION = { v1: 0, v2c: 1, v3: 3 } as const

/** msgFlags (RFC 3412 §6.4). */
export const FLAG = { auth: 1, priv: 2, reportable: 4 } as const

const USM_SECURITY_MODEL = 3

/** A span of the message's octets. */
export interface Span {
  start: number
  end: number
}

/**
 * A received message, decoded in place; the object is reused. `decode` reads the framing and, for v1 and v2c, the PDU.
 * The PDU of a v3 message is read by `decodeScoped` once the digest has been checked and the scoped PDU decrypted.
 */
export class MessageView {
  readonly pdu = new PduView()
  private readonly reader = new BerReader(new Uint8Array(0))
  bytes: Uint8Array = new Uint8Array(0)
  version = 0
  /** Size of the whole message, octets; a datagram may have more. */
  size = 0
  readonly community: Span = { start: 0, end: 0 }
  msgID = 0
  msgMaxSize = 0
  msgFlags = 0
  engineBoots = 0
  engineTime = 0
  readonly engineID: Span = { start: 0, end: 0 }
  readonly userName: Span = { start: 0, end: 0 }
  readonly authParameters: Span = { start: 0, end: 0 }
  readonly privParameters: Span = { start: 0, end: 0 }
  /** The ScopedPDU with its tag, or its ciphertext if encrypted. */
  readonly scoped: Span = { start: 0, end: 0 }
  readonly contextEngineID: Span = { start: 0, end: 0 }
  readonly contextName: Span = { start: 0, end: 0 }

  /** Decodes a datagram. Throws SnmpError `malformed`, or `unsupported` for another version or security model. */
  decode(bytes: Uint8Array): void {
    const { reader } = this
    this.bytes = bytes
    this.pdu.count = 0
    reader.reset(bytes)
    reader.enter(TAG.Sequence, bytes.length)
    const end = reader.end
    this.size = end
    this.version = reader.integer(end)
    if (this.version === VERSION.v1 || this.version === VERSION.v2c) {
      reader.skip(TAG.OctetString, end)
      take(this.community, reader)
      this.pdu.decode(reader, end)
    } else if (this.version === VERSION.v3) this.decodeV3(reader, end)
    else throw new SnmpError('unsupported', `version ${this.version}`)
  }

  private decodeV3(reader: BerReader, end: number): void {
    reader.enter(TAG.Sequence, end)
    const header = reader.end
    this.msgID = reader.integer(header)
    this.msgMaxSize = reader.integer(header)
    reader.skip(TAG.OctetString, header)
    if (reader.end - reader.start !== 1) throw new SnmpError('malformed', 'msgFlags')
    this.msgFlags = this.bytes[reader.start] ?? 0
    const model = reader.integer(header)
    if (reader.at !== header) throw new SnmpError('malformed', 'octets after msgGlobalData')
    if (model !== USM_SECURITY_MODEL) throw new SnmpError('unsupported', `security model ${model}`)
    reader.enter(TAG.OctetString, end)
    const security = reader.end
    reader.enter(TAG.Sequence, security)
    if (reader.end !== security) throw new SnmpError('malformed', 'octets after msgSecurityParameters')
    reader.skip(TAG.OctetString, security)
    take(this.engineID, reader)
    this.engineBoots = reader.integer(security)
    this.engineTime = reader.integer(security)
    reader.skip(TAG.OctetString, security)
    take(this.userName, reader)
    reader.skip(TAG.OctetString, security)
    take(this.authParameters, reader)
    reader.skip(TAG.OctetString, security)
    take(this.privParameters, reader)
    if (reader.at !== security) throw new SnmpError('malformed', 'octets after msgPrivacyParameters')
    const start = reader.at
    reader.any(end)
    if (reader.end !== end) throw new SnmpError('malformed', 'octets after msgData')
    if ((this.msgFlags & FLAG.priv) !== 0) take(this.scoped, reader)
    else {
      this.scoped.start = start
      this.scoped.end = end
    }
  }

  /** Decodes the ScopedPDU in `bytes` at `start` into `pdu`; padding may follow it. Throws SnmpError `malformed`. */
  decodeScoped(bytes: Uint8Array, start: number, limit: number): void {
    const { reader } = this
    reader.reset(bytes, start)
    reader.enter(TAG.Sequence, limit)
    const end = reader.end
    reader.skip(TAG.OctetString, end)
    take(this.contextEngineID, reader)
    reader.skip(TAG.OctetString, end)
    take(this.contextName, reader)
    this.pdu.decode(reader, end)
  }

  /** A copy of a span's octets. */
  octets(span: Span): Uint8Array {
    return this.bytes.slice(span.start, span.end)
  }

  /** True when the span holds exactly these octets. */
  holds(span: Span, octets: Uint8Array): boolean {
    if (span.end - span.start !== octets.length) return false
    for (let i = 0; i < octets.length; i++) if (this.bytes[span.start + i] !== octets[i]) return false
    return true
  }
}

function take(span: Span, reader: BerReader): void {
  span.start = reader.start
  span.end = reader.end
}

/**
 * The number that matches a datagram to its request, without decoding the rest: the msgID of v3, the request-id of v1
 * and v2c. -1 when there is none.
 */
export function peekId(bytes: Uint8Array): number {
  let at = contents(bytes, 0, TAG.Sequence)
  if (at < 0 || bytes[at] !== TAG.Integer || bytes[at + 1] !== 1) return -1
  const version = bytes[at + 2]
  at += 3
  if (version === VERSION.v3) at = contents(bytes, at, TAG.Sequence)
  else {
    const community = contents(bytes, at, TAG.OctetString)
    if (community < 0) return -1
    at = community + shortLength(bytes, at, community)
    at = contents(bytes, at, bytes[at] ?? 0)
  }
  const size = bytes[at + 1] ?? 0
  if (at < 0 || bytes[at] !== TAG.Integer || size < 1 || size > 4 || at + 2 + size > bytes.length) return -1
  let id = (bytes[at + 2] ?? 0) >= 0x80 ? -1 : 0
  for (let i = 0; i < size; i++) id = (id << 8) | (bytes[at + 2 + i] ?? 0)
  return id
}

/** Start of the contents of the TLV at `at`; -1 when the tag differs or the length is impossible for a datagram. */
function contents(bytes: Uint8Array, at: number, tag: number): number {
  if (at < 0 || bytes[at] !== tag) return -1
  const first = bytes[at + 1] ?? 0x80
  if (first < 0x80) return at + 2
  return first > 0x80 && first <= 0x84 ? at + 2 + (first & 0x7f) : -1
}

/** Length of the contents of the TLV at `at`, which start at `start`. */
function shortLength(bytes: Uint8Array, at: number, start: number): number {
  if (start === at + 2) return bytes[at + 1] ?? 0
  let length = 0
  for (let i = at + 2; i < start; i++) length = length * 256 + (bytes[i] ?? 0)
  return length
}

/** Wraps the PDU written since `mark` into a v1 or v2c message. */
export function writeCommunityHeader(
  writer: BerWriter,
  mark: number,
  version: 'v1' | 'v2c',
  community: Uint8Array,
): void {
  writer.primitive(TAG.OctetString, community)
  writer.integer(VERSION[version])
  writer.wrap(TAG.Sequence, mark)
}

/** Wraps the PDU written since `mark` into a ScopedPDU (RFC 3412 §6.8). */
export function writeScoped(
  writer: BerWriter,
  mark: number,
  contextEngineID: Uint8Array,
  contextName: Uint8Array,
): void {
  writer.primitive(TAG.OctetString, contextName)
  writer.primitive(TAG.OctetString, contextEngineID)
  writer.wrap(TAG.Sequence, mark)
}

/** Fields around the ScopedPDU of a v3 message (RFC 3412 §6, RFC 3414 §2.4). */
export interface V3Header {
  readonly msgID: number
  readonly msgFlags: number
  readonly engineID: Uint8Array
  readonly engineBoots: number
  readonly engineTime: number
  readonly userName: Uint8Array
  /** Zeros of the digest's length, or empty. */
  readonly authParameters: Uint8Array
  readonly privParameters: Uint8Array
}

/**
 * Wraps msgData, written since `mark`, into a v3 message. Returns the position of the contents of
 * msgAuthenticationParameters in `writer.bytes`, for the digest.
 */
export function writeV3Header(writer: BerWriter, mark: number, header: V3Header): number {
  const security = writer.at
  writer.primitive(TAG.OctetString, header.privParameters)
  writer.raw(header.authParameters)
  const digest = writer.at
  writer.wrap(TAG.OctetString, digest + header.authParameters.length)
  writer.primitive(TAG.OctetString, header.userName)
  writer.integer(header.engineTime)
  writer.integer(header.engineBoots)
  writer.primitive(TAG.OctetString, header.engineID)
  writer.wrap(TAG.Sequence, security)
  writer.wrap(TAG.OctetString, security)
  const global = writer.at
  writer.integer(USM_SECURITY_MODEL)
  writer.primitive(TAG.OctetString, Uint8Array.of(header.msgFlags))
  writer.integer(MAX_DATAGRAM)
  writer.integer(header.msgID)
  writer.wrap(TAG.Sequence, global)
  writer.integer(VERSION.v3)
  writer.wrap(TAG.Sequence, mark)
  return digest
}

/** A whole v1 or v2c message as values, for simulated agents and codec tests. */
export interface CommunityMessage {
  readonly version: 'v1' | 'v2c'
  readonly community: Uint8Array
  /** A tag of `PDU`. */
  readonly type: number
  readonly requestId: number
  /** error-status, or non-repeaters in a GetBulkRequest. */
  readonly errorStatus: number
  /** error-index, or max-repetitions in a GetBulkRequest. */
  readonly errorIndex: number
  readonly varbinds: readonly Varbind[]
}

/** Encodes a v1 or v2c message. Throws SnmpError `invalid` or `tooBig`. */
export function encodeMessage(writer: BerWriter, message: CommunityMessage): Uint8Array {
  writer.begin()
  const mark = writer.at
  writePdu(writer, message.type, message.requestId, message.errorStatus, message.errorIndex, (w) =>
    writeVarbinds(w, message.varbinds),
  )
  writeCommunityHeader(writer, mark, message.version, message.community)
  return writer.finish()
}

/**
 * Decodes a v1 or v2c message of any PDU type into values; `view` may be reused. Throws SnmpError `malformed` or
 * `unsupported`.
 */
export function decodeMessage(bytes: Uint8Array, view = new MessageView()): CommunityMessage {
  view.decode(bytes)
  if (view.version === VERSION.v3) throw new SnmpError('unsupported', 'version 3 needs the keys of a session')
  const { pdu } = view
  return {
    version: view.version === VERSION.v1 ? 'v1' : 'v2c',
    community: view.octets(view.community),
    type: pdu.type,
    requestId: pdu.requestId,
    errorStatus: pdu.errorStatus,
    errorIndex: pdu.errorIndex,
    varbinds: pdu.varbindList(),
  }
}
