import type { SnmpValue, Varbind } from './value.ts'

/** Name of an object and label of its enumeration value; null: unknown. */
export interface Naming {
  readonly name: string | null
  readonly label: string | null
}

/**
 * A varbind as net-snmp's tools print it: `IF-MIB::ifOperStatus.1 = INTEGER: up(1)`, or without names, as with -On:
 * `.1.3.6.1.2.1.1.3.0 = Timeticks: (4242) 0:00:42.42`.
 */
export function formatVarbind({ oid, value }: Varbind, { name, label }: Naming = { name: null, label: null }): string {
  return `${name ?? `.${oid}`} = ${formatValue(value, label)}`
}

function formatValue(value: SnmpValue, label: string | null): string {
  switch (value.kind) {
    case 'Integer32':
      return `INTEGER: ${label === null ? value.value : `${label}(${value.value})`}`
    case 'OctetString': {
      const text = printable(value.value)
      return text === null ? `Hex-STRING: ${spacedHex(value.value)}` : `STRING: "${text.replace(/["\\]/g, '\\$&')}"`
    }
    case 'ObjectIdentifier':
      return `OID: .${value.value}`
    case 'TimeTicks':
      return `Timeticks: (${value.value}) ${formatTicks(value.value)}`
    case 'OpaqueFloat':
      return `Opaque: Float: ${value.value.toFixed(6)}`
    case 'OpaqueDouble':
      return `Opaque: Double: ${value.value.toFixed(6)}`
    case 'Opaque':
      return `OPAQUE: ${spacedHex(value.value)}`
    case 'Null':
      return 'NULL'
    case 'noSuchObject':
      return 'No Such Object available on this agent at this OID'
    case 'noSuchInstance':
      return 'No Such Instance currently exists at this OID'
    case 'endOfMibView':
      return 'No more variables left in this MIB View (It is past the end of the MIB tree)'
    default:
      return `${value.kind}: ${value.value}`
  }
}

/** Plain data for JSON: a Counter64 as decimal text, octets as hex digits plus the text where printable. */
export function varbindToJson({ oid, value }: Varbind): Record<string, unknown> {
  switch (value.kind) {
    case 'OctetString':
    case 'Opaque':
      return { oid, type: value.kind, value: printable(value.value), hex: value.value.toHex() }
    case 'Counter64':
      return { oid, type: value.kind, value: String(value.value) }
    default:
      return { oid, type: value.kind, value: 'value' in value ? value.value : null }
  }
}

/** Octets as text that is safe for a terminal; null when they are not UTF-8 or contain control characters. */
function printable(octets: Uint8Array): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(octets)
    return /[^\P{C}\t\r\n]/u.test(text) ? null : text
  } catch {
    return null
  }
}

function spacedHex(octets: Uint8Array): string {
  return octets
    .toHex()
    .toUpperCase()
    .replace(/..(?=.)/g, '$& ')
}

/** Days, hours, minutes, seconds of TimeTicks (1/100 s). */
function formatTicks(ticks: number): string {
  const two = (n: number) => String(Math.floor(n)).padStart(2, '0')
  const days = Math.floor(ticks / 8_640_000)
  const rest = ticks % 8_640_000
  const clock = `${Math.floor(rest / 360_000)}:${two((rest / 6000) % 60)}:${two((rest / 100) % 60)}.${two(rest % 100)}`
  return days === 0 ? clock : `${days} day${days === 1 ? '' : 's'}, ${clock}`
}
