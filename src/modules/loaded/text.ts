import type { SnmpValue } from '@portlight/snmp/value.ts'
import { twoDigits } from '../../lib/two-digits.ts'
import type { FormObject } from '../../librenms/form.ts'

/**
 * How a value is converted to text. `plain`, for sensors and processors: enumerations as numbers, octets as ASCII.
 * `named`, for memory pools, storage and OS fields: labels and display hints. `detection`: display hints, but
 * enumerations as numbers.
 */
export type Reading = 'plain' | 'named' | 'detection' | 'os'

/** How values become text. */
export interface Printing {
  /** Enumerations as labels. */
  readonly labels: boolean
  /** Display hints apply. */
  readonly hints: boolean
  /** TimeTicks as days and a time of day. */
  readonly clock: boolean
  /** Octets as ASCII, as hex pairs, or as hex pairs unless all are printable. */
  readonly octets: 'ascii' | 'hex' | 'guess'
}

export const PRINTING: Readonly<Record<Reading, Printing>> = {
  plain: { labels: false, hints: false, clock: false, octets: 'ascii' },
  named: { labels: true, hints: true, clock: false, octets: 'guess' },
  detection: { labels: false, hints: true, clock: false, octets: 'guess' },
  os: { labels: true, hints: true, clock: true, octets: 'guess' },
}

const latin1 = new TextDecoder('latin1')
const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Limit of a text, in characters; the rest is ignored. */
const MAX_TEXT = 4096

/** The text of a value; undefined for an SNMP exception. */
export function valueText(
  value: SnmpValue,
  object: FormObject | undefined,
  reading: Reading | Printing,
): string | undefined {
  const printing = typeof reading === 'string' ? PRINTING[reading] : reading
  switch (value.kind) {
    case 'Integer32':
    case 'Counter32':
    case 'Gauge32':
      return numberText(value.value, value.kind === 'Integer32', object, printing)
    case 'TimeTicks':
      return printing.clock ? ticksText(value.value) : String(value.value)
    case 'Counter64':
      return String(value.value)
    case 'OpaqueFloat':
    case 'OpaqueDouble':
      return value.value.toFixed(6)
    case 'OctetString':
    case 'Opaque':
      return octetsText(value.value.subarray(0, MAX_TEXT), object, printing)
    case 'ObjectIdentifier':
      return `.${value.value}`
    case 'IpAddress':
      return value.value
    default:
      return undefined
  }
}

function numberText(value: number, signed: boolean, object: FormObject | undefined, printing: Printing): string {
  if (object === undefined) return String(value)
  // a value of another type than the MIB's has no label
  const label = signed && printing.labels ? object.labels?.[value] : undefined
  if (label !== undefined) return label
  if (!printing.hints) return String(value)
  const decimals = /^d-(\d+)$/.exec(object.hint ?? '')?.[1]
  return decimals === undefined || object.base === 'octets'
    ? String(value)
    : withPoint(value, Math.min(18, Number(decimals)))
}

/** The number with a decimal point before its last digits: `-.05` for -5 with two decimals. */
function withPoint(value: number, decimals: number): string {
  const digits = String(Math.abs(value)).padStart(decimals, '0')
  return `${value < 0 ? '-' : ''}${digits.slice(0, digits.length - decimals)}.${digits.slice(digits.length - decimals)}`
}

/** TimeTicks as `1:2:03:04.56`: days, hours, minutes, seconds. */
function ticksText(ticks: number): string {
  const seconds = Math.floor(ticks / 100)
  const [days, hours] = [Math.floor(seconds / 86_400), Math.floor(seconds / 3600) % 24]
  return `${days}:${hours}:${twoDigits(Math.floor(seconds / 60) % 60)}:${twoDigits(seconds % 60)}.${twoDigits(ticks % 100)}`
}

function octetsText(bytes: Uint8Array, object: FormObject | undefined, { hints, octets }: Printing): string {
  if (object?.base === 'bits') return pairs(bytes)
  const hint = hints && object?.base === 'octets' ? object.hint : undefined
  if (hint !== undefined && hint !== '') {
    if (/^\d+[at]$/.test(hint)) return unquoted(clean(decoded(bytes).replaceAll('\0', '.')))
    return hinted(bytes, hint)
  }
  if (octets === 'ascii') return clean(ascii(bytes))
  return octets === 'guess' && bytes.every(isPrintable) ? clean(latin1.decode(bytes)) : pairs(bytes)
}

/** The octets as ASCII; each that is neither printable nor white space becomes a dot. */
function ascii(bytes: Uint8Array): string {
  if (bytes.every(isPrintable)) return latin1.decode(bytes)
  return latin1.decode(bytes.map((c) => (isPrintable(c) ? c : 0x2e)))
}

function isPrintable(c: number): boolean {
  return (c >= 0x20 && c < 0x7f) || (c >= 9 && c <= 13)
}

function pairs(bytes: Uint8Array): string {
  return [...bytes].map((c) => c.toString(16).toUpperCase().padStart(2, '0')).join(' ')
}

/** The octets as UTF-8, else as Windows-1252. */
function decoded(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

const MAX_PARTS = 4096

/** The octets formatted by a DISPLAY-HINT (RFC 2579 section 3.1); the last part of the hint repeats. */
function hinted(bytes: Uint8Array, hint: string): string {
  const parts = [...hint.matchAll(/(\*?)(\d+)([xdoat])([^\d*]?)([^\d*]?)/g)]
  if (parts.length === 0) return pairs(bytes)
  let out = ''
  let at = 0
  for (let i = 0; at < bytes.length && i < MAX_PARTS; i++) {
    const part = parts[Math.min(i, parts.length - 1)]
    const [, repeated, length = '1', format = 'x', separator = '', end = ''] = part ?? []
    const size = Math.max(1, Number(length))
    const times = repeated === '*' ? (bytes[at++] ?? 0) : 1
    for (let n = 0; n < times && at < bytes.length; n++) {
      out += piece(bytes.subarray(at, at + size), format)
      at += size
      if (at < bytes.length && (n < times - 1 || end === '')) out += separator
    }
    if (end !== '' && at < bytes.length) out += end
  }
  return out
}

function piece(bytes: Uint8Array, format: string): string {
  if (format === 'a' || format === 't') return decoded(bytes)
  let value = 0n
  for (const c of bytes) value = (value << 8n) | BigInt(c)
  return value.toString(format === 'x' ? 16 : format === 'o' ? 8 : 10)
}

/**
 * The text of a hint without quotes around it. Texts without a hint are sent between quotes of the reader's own, so
 * quotes in them belong to the text.
 */
function unquoted(text: string): string {
  return text.length >= 2 && text.startsWith('"') && text.endsWith('"') ? text.slice(1, -1).trim() : text
}

/** The text without blank lines and surrounding white space. */
function clean(text: string): string {
  const out = text.trim()
  return out.includes('\n') ? out.replace(/(\r?\n)\s*(\r?\n)+/g, '$1') : out
}
