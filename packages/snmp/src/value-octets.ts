import { TAG } from './ber.ts'
import { formatOid } from './oid.ts'
import type { SnmpValue } from './value.ts'

/** Shared objects, because most INTEGERs are states with small values. */
const SMALL_INTEGERS: readonly SnmpValue[] = Array.from({ length: 256 }, (_, value) => ({ kind: 'Integer32', value }))
const NULL: SnmpValue = { kind: 'Null' }
const NO_SUCH_OBJECT: SnmpValue = { kind: 'noSuchObject' }
const NO_SUCH_INSTANCE: SnmpValue = { kind: 'noSuchInstance' }
const END_OF_MIB_VIEW: SnmpValue = { kind: 'endOfMibView' }

/** A value from its tag and contents octets, which are copied. */
export function makeValue(bytes: Uint8Array, tag: number, start: number, end: number): SnmpValue {
  switch (tag) {
    case TAG.Integer: {
      const number = signed(bytes, start, end)
      return SMALL_INTEGERS[number] ?? { kind: 'Integer32', value: number }
    }
    case TAG.Counter32:
      return { kind: 'Counter32', value: lowBits(bytes, start, end) }
    case TAG.Gauge32:
    case TAG.UInteger32:
      return { kind: 'Gauge32', value: lowBits(bytes, start, end) }
    case TAG.TimeTicks:
      return { kind: 'TimeTicks', value: lowBits(bytes, start, end) }
    case TAG.Counter64:
      return { kind: 'Counter64', value: unsigned64(bytes, start, end) }
    case TAG.OctetString:
    case TAG.BitString:
    case TAG.NsapAddress:
      return { kind: 'OctetString', value: copy(bytes, start, end) }
    case TAG.ObjectIdentifier:
      return { kind: 'ObjectIdentifier', value: formatOid(bytes, start, end) }
    case TAG.IpAddress:
      return { kind: 'IpAddress', value: bytes.subarray(start, end).join('.') }
    case TAG.Opaque:
      return opaqueValue(bytes, start, end)
    case TAG.Null:
      return NULL
    case TAG.noSuchObject:
      return NO_SUCH_OBJECT
    case TAG.noSuchInstance:
      return NO_SUCH_INSTANCE
    default:
      return END_OF_MIB_VIEW
  }
}

/** An INTEGER; one longer than SMI allows is read to the precision of a JavaScript number. */
function signed(bytes: Uint8Array, start: number, end: number): number {
  const first = ((bytes[start] ?? 0) << 24) >> 24
  if (end - start === 1) return first
  let value = first
  for (let at = start + 1; at < end; at++) value = value * 256 + (bytes[at] ?? 0)
  return value
}

/** The last 64 bits of an unsigned integer. */
function unsigned64(bytes: Uint8Array, start: number, end: number): bigint {
  let high = 0
  let low = 0
  for (let at = start; at < end - 4; at++) high = (high << 8) | (bytes[at] ?? 0)
  for (let at = Math.max(start, end - 4); at < end; at++) low = (low << 8) | (bytes[at] ?? 0)
  high >>>= 0
  return high < 2 ** 21 ? BigInt(high * 2 ** 32 + (low >>> 0)) : (BigInt(high) << 32n) | BigInt(low >>> 0)
}

/** The last 32 bits of an unsigned integer. */
function lowBits(bytes: Uint8Array, start: number, end: number): number {
  let value = 0
  for (let at = start; at < end; at++) value = (value << 8) | (bytes[at] ?? 0)
  return value >>> 0
}

/** A copy; short ones are copied octet by octet, which is faster than calling `slice`. */
function copy(bytes: Uint8Array, start: number, end: number): Uint8Array {
  const size = end - start
  if (size > 32) return bytes.slice(start, end)
  const octets = new Uint8Array(size)
  for (let i = 0; i < size; i++) octets[i] = bytes[start + i] ?? 0
  return octets
}

/** The contents a value may have, by tag; 0: SMI has no such tag. */
const RULE = { any: 1, oid: 2, empty: 3, four: 4, integer: 5 } as const
const RULES = new Uint8Array(256)
for (const tag of [TAG.OctetString, TAG.BitString, TAG.Opaque, TAG.NsapAddress]) RULES[tag] = RULE.any
for (const tag of [TAG.Null, TAG.noSuchObject, TAG.noSuchInstance, TAG.endOfMibView]) RULES[tag] = RULE.empty
for (const tag of [TAG.Integer, TAG.Counter32, TAG.Gauge32, TAG.TimeTicks, TAG.Counter64, TAG.UInteger32]) {
  RULES[tag] = RULE.integer
}
RULES[TAG.ObjectIdentifier] = RULE.oid
RULES[TAG.IpAddress] = RULE.four

/** True for a tag of an integer type. */
export function isInteger(tag: number): boolean {
  return RULES[tag] === RULE.integer
}

/** True for a tag of SMI with a valid length; `last` is the value's last octet. */
export function plausible(tag: number, size: number, last: number): boolean {
  switch (RULES[tag]) {
    case RULE.integer:
      return size >= 1 && size <= 9
    case RULE.any:
      return true
    case RULE.oid:
      return size === 0 || last < 0x80
    case RULE.empty:
      return size === 0
    case RULE.four:
      return size === 4
    default:
      return false
  }
}

/** net-snmp's floats inside an Opaque (draft-perkins-opaque-01): 9f 78 04 and 9f 79 08 before the IEEE 754 octets. */
export function opaqueNumber(bytes: Uint8Array, start: number, end: number): number {
  if (bytes[start] !== 0x9f) return Number.NaN
  const view = new DataView(bytes.buffer, bytes.byteOffset + start, end - start)
  if (bytes[start + 1] === 0x78 && bytes[start + 2] === 4 && end - start === 7) return view.getFloat32(3)
  if (bytes[start + 1] === 0x79 && bytes[start + 2] === 8 && end - start === 11) return view.getFloat64(3)
  return Number.NaN
}

function opaqueValue(bytes: Uint8Array, start: number, end: number): SnmpValue {
  if (bytes[start] === 0x9f && bytes[start + 1] === 0x78 && end - start === 7) {
    return { kind: 'OpaqueFloat', value: opaqueNumber(bytes, start, end) }
  }
  if (bytes[start] === 0x9f && bytes[start + 1] === 0x79 && end - start === 11) {
    return { kind: 'OpaqueDouble', value: opaqueNumber(bytes, start, end) }
  }
  return { kind: 'Opaque', value: bytes.slice(start, end) }
}

/**
 * The number in a text. Many vendors report sensors as text: `23.5 C`, with a name (`CPU Temperature: 67 C`), or as
 * averages over several periods (`5 Secs ( 40.8%) 60 Secs ( 18.2%)`), of which the first counts.
 */
export function leadingNumber(bytes: Uint8Array, start: number, end: number): number {
  if (end - start > 128) return Number.NaN
  let text = ''
  for (let i = start; i < end; i++) text += String.fromCharCode(bytes[i] ?? 0)
  // a name has letters, so `12:34` is read as 12
  const match = /^(?:\s*\d+ secs? ?\( *|(?:[^:]*[A-Za-z].*:)?\s*)([-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?)/i.exec(text)
  return match === null ? Number.NaN : Number(match[1])
}
