import type { SnmpValue, Varbind } from './value.ts'

/**
 * A varbind as a line of a `.snmprec` recording, the text format of SNMP simulators: `OID|TAG|VALUE`. The tag is the
 * BER tag in decimal, with `x` where the value is in hex. Null for exceptions, which the format cannot hold.
 */
export function snmprecLine({ oid, value }: Varbind): string | null {
  const field = fieldOf(value)
  return field === null ? null : `${oid}|${field}`
}

function fieldOf(value: SnmpValue): string | null {
  switch (value.kind) {
    case 'Integer32':
      return `2|${value.value}`
    case 'OctetString':
      return octets(value.value)
    case 'Null':
      return '5|'
    case 'ObjectIdentifier':
      return `6|${value.value}`
    case 'IpAddress':
      return `64|${value.value}`
    case 'Counter32':
      return `65|${value.value}`
    case 'Gauge32':
      return `66|${value.value}`
    case 'TimeTicks':
      return `67|${value.value}`
    case 'Counter64':
      return `70|${value.value}`
    case 'Opaque':
      return `68x|${value.value.toHex()}`
    case 'OpaqueFloat':
      return `68x|9f7804${bytesOf(4, (view) => view.setFloat32(0, value.value))}`
    case 'OpaqueDouble':
      return `68x|9f7908${bytesOf(8, (view) => view.setFloat64(0, value.value))}`
    default:
      return null
  }
}

const strict = new TextDecoder('utf-8', { fatal: true })

/** Text if printable and on one line, else hex. */
function octets(bytes: Uint8Array): string {
  try {
    const text = strict.decode(bytes)
    if (!/\p{Cc}/u.test(text)) return `4|${text}`
  } catch {
    // not UTF-8
  }
  return `4x|${bytes.toHex()}`
}

function bytesOf(length: number, write: (view: DataView) => void): string {
  const bytes = new Uint8Array(length)
  write(new DataView(bytes.buffer))
  return bytes.toHex()
}
