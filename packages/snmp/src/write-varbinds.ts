import { type BerWriter, TAG } from './ber.ts'
import { SnmpError } from './errors.ts'
import { encodeOid } from './oid.ts'
import type { SnmpValue, Varbind } from './value.ts'

/** Writes varbinds with their values. Throws SnmpError `invalid` for an invalid OID or address. */
export function writeVarbinds(writer: BerWriter, varbinds: readonly Varbind[]): void {
  for (const { oid, value } of varbinds.toReversed()) {
    const mark = writer.at
    writeValue(writer, value)
    writer.primitive(TAG.ObjectIdentifier, checkedOid(oid))
    writer.wrap(TAG.Sequence, mark)
  }
}

function checkedOid(oid: string): Uint8Array {
  try {
    return encodeOid(oid)
  } catch (cause) {
    throw new SnmpError('invalid', `not an OID: ${oid}`, { cause })
  }
}

function writeValue(writer: BerWriter, value: SnmpValue): void {
  switch (value.kind) {
    case 'Integer32':
      writer.integer(value.value)
      return
    case 'OctetString':
      writer.primitive(TAG.OctetString, value.value)
      return
    case 'ObjectIdentifier':
      writer.primitive(TAG.ObjectIdentifier, checkedOid(value.value))
      return
    case 'IpAddress':
      writer.primitive(TAG.IpAddress, ipv4Octets(value.value))
      return
    case 'Counter32':
    case 'Gauge32':
    case 'TimeTicks':
      writer.unsigned(TAG[value.kind], 0, value.value)
      return
    case 'Counter64':
      writer.unsigned(TAG.Counter64, Number((value.value >> 32n) & 0xffffffffn), Number(value.value & 0xffffffffn))
      return
    case 'OpaqueFloat':
      writer.primitive(
        TAG.Opaque,
        opaqueOctets(0x78, 4, (view) => view.setFloat32(3, value.value)),
      )
      return
    case 'OpaqueDouble':
      writer.primitive(
        TAG.Opaque,
        opaqueOctets(0x79, 8, (view) => view.setFloat64(3, value.value)),
      )
      return
    case 'Opaque':
      writer.primitive(TAG.Opaque, value.value)
      return
    case 'Null':
      writer.primitive(TAG.Null, EMPTY)
      return
    default:
      writer.primitive(TAG[value.kind], EMPTY)
      return
  }
}

const EMPTY = new Uint8Array(0)

function ipv4Octets(address: string): Uint8Array {
  const octets = address.split('.').map(Number)
  if (octets.length !== 4 || octets.some((o) => !Number.isInteger(o) || o < 0 || o > 255)) {
    throw new SnmpError('invalid', `not an IPv4 address: ${address}`)
  }
  return Uint8Array.from(octets)
}

function opaqueOctets(type: number, size: number, set: (view: DataView) => void): Uint8Array {
  const octets = new Uint8Array(3 + size)
  octets.set([0x9f, type, size])
  set(new DataView(octets.buffer))
  return octets
}
