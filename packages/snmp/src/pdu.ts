import { type BerReader, type BerWriter, MAX_DATAGRAM, TAG } from './ber.ts'
import { SnmpError } from './errors.ts'
import { formatIndex, formatOid } from './oid.ts'
import { OidText } from './oid-text.ts'
import type { SnmpValue, Varbind } from './value.ts'
import { isInteger, leadingNumber, makeValue, opaqueNumber, plausible } from './value-octets.ts'

/** PDU tags (RFC 3416 §3, RFC 3412 §6 for Report). */
export const PDU = {
  GetRequest: 0xa0,
  GetNextRequest: 0xa1,
  Response: 0xa2,
  SetRequest: 0xa3,
  /** Trap-PDU of v1 (RFC 1157 §4.1.6). */
  Trap: 0xa4,
  GetBulkRequest: 0xa5,
  InformRequest: 0xa6,
  TrapV2: 0xa7,
  Report: 0xa8,
} as const

/** error-status names by number (RFC 3416 §3). */
export const ERROR_STATUS = [
  'noError',
  'tooBig',
  'noSuchName',
  'badValue',
  'readOnly',
  'genErr',
  'noAccess',
  'wrongType',
  'wrongLength',
  'wrongEncoding',
  'wrongValue',
  'noCreation',
  'inconsistentValue',
  'resourceUnavailable',
  'commitFailed',
  'undoFailed',
  'authorizationError',
  'notWritable',
  'inconsistentName',
] as const
export type ErrorStatus = (typeof ERROR_STATUS)[number] | 'unknownStatus'

/** A varbind takes at least six octets (30 04 06 00 05 00), so no datagram has more varbinds than this. */
const MAX_VARBINDS = Math.ceil(MAX_DATAGRAM / 6)

/** The fields of a v1 Trap-PDU before its varbinds (RFC 1157 §4.1.6). */
export interface TrapHeader {
  /** Dotted decimal. */
  readonly enterprise: string
  readonly agentAddr: string
  readonly generic: number
  readonly specific: number
}

/**
 * A received PDU, decoded into reused arrays with the position of each varbind's OID and value in `bytes`. Values are
 * created on request. Everything is valid until the next `decode`.
 */
export class PduView {
  bytes: Uint8Array = new Uint8Array(0)
  type = 0
  /** Whether a v1 Trap-PDU is accepted; it is never the response to a request. */
  takesTraps = false
  /** Fields of a v1 Trap-PDU; null for other PDUs. */
  trap: TrapHeader | null = null
  requestId = 0
  /** error-status, or non-repeaters in a GetBulkRequest. */
  errorStatus = 0
  /** error-index, or max-repetitions in a GetBulkRequest. */
  errorIndex = 0
  /** Number of varbinds. */
  count = 0
  readonly oidStart = new Uint16Array(MAX_VARBINDS)
  readonly oidEnd = new Uint16Array(MAX_VARBINDS)
  readonly tag = new Uint8Array(MAX_VARBINDS)
  readonly valueStart = new Uint16Array(MAX_VARBINDS)
  readonly valueEnd = new Uint16Array(MAX_VARBINDS)
  private readonly oidText = new OidText()
  /** Halves of the integer read by `load`. */
  low = 0
  high = 0

  /**
   * Decodes the PDU at `reader.at`, which must end exactly at `limit`. A value that is not valid BER of an SMI type, or
   * whose length contradicts that of its varbind, becomes NULL; the other varbinds are unaffected. Throws SnmpError
   * `malformed` for everything else.
   */
  decode(reader: BerReader, limit: number): void {
    this.count = 0
    this.bytes = reader.bytes
    if (limit > 0xffff) throw new SnmpError('malformed', 'message is larger than a datagram')
    this.type = reader.any(limit)
    this.trap = null
    if (this.type < 0xa0 || this.type > 0xa8 || (this.type === PDU.Trap && !this.takesTraps)) {
      throw new SnmpError('malformed', `unknown PDU ${this.type}`)
    }
    const end = reader.end
    if (end !== limit) throw new SnmpError('malformed', 'octets after the PDU')
    if (this.type === PDU.Trap) this.trap = trapHeader(reader, end)
    else this.requestFields(reader, end)
    reader.enter(TAG.Sequence, end)
    if (reader.end !== end) throw new SnmpError('malformed', 'octets after the varbinds')
    this.varbinds(reader, end)
  }

  private requestFields(reader: BerReader, end: number): void {
    this.requestId = reader.integer(end)
    this.errorStatus = reader.integer(end)
    this.errorIndex = reader.integer(end)
  }

  private varbinds(reader: BerReader, limit: number): void {
    const bytes = this.bytes
    let count = 0
    let at = reader.at
    while (at < limit) {
      // nearly all varbinds have short-form lengths in their three headers
      const size = bytes[at + 1] ?? 0x80
      const oidSize = bytes[at + 3] ?? 0x80
      let varbindEnd = at + 2 + size
      let oidStart = at + 4
      let oidEnd = oidStart + oidSize
      if (
        bytes[at] !== TAG.Sequence ||
        size >= 0x80 ||
        varbindEnd > limit ||
        bytes[at + 2] !== TAG.ObjectIdentifier ||
        oidSize >= 0x80 ||
        oidEnd > varbindEnd
      ) {
        reader.at = at
        reader.enter(TAG.Sequence, limit)
        varbindEnd = reader.end
        reader.skip(TAG.ObjectIdentifier, varbindEnd)
        oidStart = reader.start
        oidEnd = reader.end
      }
      let tag = bytes[oidEnd] ?? 0
      let valueStart = oidEnd + 2
      let valueEnd = valueStart + (bytes[oidEnd + 1] ?? 0x80)
      if ((bytes[oidEnd + 1] ?? 0x80) >= 0x80 || valueEnd > varbindEnd) {
        const length = reader.longLength(oidEnd, varbindEnd)
        valueStart = reader.start
        valueEnd = valueStart + length
      }
      if (oidEnd > oidStart && (bytes[oidEnd - 1] ?? 0) >= 0x80) throw new SnmpError('malformed', 'OID ends early')
      if (valueEnd !== varbindEnd || !plausible(tag, valueEnd - valueStart, bytes[valueEnd - 1] ?? 0)) {
        // the varbind's own length says where the next one starts, so a bad value costs nothing but itself
        tag = TAG.Null
        valueStart = varbindEnd
        valueEnd = varbindEnd
      }
      if (count === MAX_VARBINDS) throw new SnmpError('malformed', 'too many varbinds')
      this.oidStart[count] = oidStart
      this.oidEnd[count] = oidEnd
      this.tag[count] = tag
      this.valueStart[count] = valueStart
      this.valueEnd[count] = valueEnd
      count++
      at = varbindEnd
    }
    this.count = count
  }

  /**
   * Removes padding from the OIDs, in place: some agents begin sub-identifiers with 0x80, which X.690 §8.19.2 forbids and
   * which makes an OID differ from the one that was asked for. True if there was any.
   */
  unpad(): boolean {
    const { bytes, oidStart, oidEnd } = this
    let padded = false
    for (let i = 0; i < this.count; i++) {
      const end = oidEnd[i] ?? 0
      let to = oidStart[i] ?? 0
      let first = true
      for (let at = to; at < end; at++) {
        const octet = bytes[at] ?? 0
        if (first && octet === 0x80) continue
        first = octet < 0x80
        bytes[to++] = octet
      }
      if (to !== end) padded = true
      oidEnd[i] = to
    }
    return padded
  }

  /** Name of error-status. */
  get status(): ErrorStatus {
    return ERROR_STATUS[this.errorStatus] ?? 'unknownStatus'
  }

  /** OID of varbind `i`, dotted decimal. */
  oid(i: number): string {
    return this.oidText.format(this.bytes, this.oidStart[i] ?? 0, this.oidEnd[i] ?? 0)
  }

  /** A copy of the contents octets of varbind `i`'s OID. */
  oidBytes(i: number): Uint8Array {
    return this.bytes.slice(this.oidStart[i] ?? 0, this.oidEnd[i] ?? 0)
  }

  /** Sub-identifiers after the first `prefix` octets of varbind `i`'s OID, dotted decimal without a leading dot. */
  index(i: number, prefix: number): string {
    return formatIndex(this.bytes, (this.oidStart[i] ?? 0) + prefix, this.oidEnd[i] ?? 0).slice(1)
  }

  /** True when varbind `i` has no value: an exception of RFC 3416 §3, or NULL. */
  absent(i: number): boolean {
    const tag = this.tag[i] ?? 0
    return tag >= 0x80 || tag === TAG.Null
  }

  /**
   * Reads the integer of varbind `i`, of any integer type, into `low` and `high` (unsigned 32-bit halves; a negative
   * Integer32 is sign-extended). False, with both zero, when the value is not an integer.
   */
  load(i: number): boolean {
    const tag = this.tag[i] ?? 0
    let low = 0
    let high = 0
    const integer = isInteger(tag)
    if (integer) {
      const { bytes } = this
      const end = this.valueEnd[i] ?? 0
      let at = this.valueStart[i] ?? 0
      if (tag === TAG.Integer && (bytes[at] ?? 0) >= 0x80) low = high = -1
      if (end - at <= 4) for (; at < end; at++) low = (low << 8) | (bytes[at] ?? 0)
      else {
        for (; at < end; at++) {
          high = (high << 8) | (low >>> 24)
          low = (low << 8) | (bytes[at] ?? 0)
        }
      }
    }
    this.low = low >>> 0
    this.high = high >>> 0
    return integer
  }

  /**
   * Varbind `i` as a number: integers (a Counter64 above 2^53 loses its low bits), Opaque float and double, and an
   * OCTET STRING that starts with a number. NaN for everything else.
   */
  number(i: number): number {
    const first = this.valueStart[i] ?? 0
    if (this.tag[i] === TAG.Integer && (this.valueEnd[i] ?? 0) - first === 1)
      return ((this.bytes[first] ?? 0) << 24) >> 24
    if (this.load(i)) {
      if (this.tag[i] === TAG.Integer) return (this.high | 0) * 2 ** 32 + this.low
      return this.tag[i] === TAG.Counter64 ? this.high * 2 ** 32 + this.low : this.low
    }
    const start = this.valueStart[i] ?? 0
    const end = this.valueEnd[i] ?? 0
    if (this.tag[i] === TAG.Opaque) return opaqueNumber(this.bytes, start, end)
    return this.tag[i] === TAG.OctetString ? leadingNumber(this.bytes, start, end) : Number.NaN
  }

  /** Value of varbind `i`; octets are copied. */
  value(i: number): SnmpValue {
    return makeValue(this.bytes, this.tag[i] ?? 0, this.valueStart[i] ?? 0, this.valueEnd[i] ?? 0)
  }

  /** All varbinds as values. */
  varbindList(): Varbind[] {
    const { bytes, count, oidText, oidStart, oidEnd, tag, valueStart, valueEnd } = this
    const list: Varbind[] = new Array(count)
    for (let i = 0; i < count; i++) {
      list[i] = {
        oid: oidText.format(bytes, oidStart[i] ?? 0, oidEnd[i] ?? 0),
        value: makeValue(bytes, tag[i] ?? 0, valueStart[i] ?? 0, valueEnd[i] ?? 0),
      }
    }
    return list
  }
}

function trapHeader(reader: BerReader, end: number): TrapHeader {
  reader.skip(TAG.ObjectIdentifier, end)
  const enterprise = formatOid(reader.bytes, reader.start, reader.end)
  reader.skip(TAG.IpAddress, end)
  if (reader.end - reader.start !== 4) throw new SnmpError('malformed', 'agent-addr is no address')
  const agentAddr = reader.bytes.subarray(reader.start, reader.end).join('.')
  const generic = reader.integer(end)
  const specific = reader.integer(end)
  reader.skip(TAG.TimeTicks, end)
  return { enterprise, agentAddr, generic, specific }
}

/** Writes a PDU; `varbinds` writes its varbinds, last one first. */
export function writePdu(
  writer: BerWriter,
  type: number,
  requestId: number,
  errorStatus: number,
  errorIndex: number,
  varbinds: (writer: BerWriter) => void,
): void {
  const mark = writer.at
  varbinds(writer)
  writer.wrap(TAG.Sequence, mark)
  writer.integer(errorIndex)
  writer.integer(errorStatus)
  writer.integer(requestId)
  writer.wrap(type, mark)
}
