import { formatIp } from '@portlight/addresses/ip.ts'
import { octetText } from '@portlight/snmp/table.ts'
import { colons, parseMac } from '../../lib/mac.ts'

/** A decoded LLDP chassis or port ID (IEEE 802.1AB §8.5.2 and §8.5.3). */
export interface LldpId {
  /** Readable text; '' if empty. */
  readonly text: string
  /** 12 lower-case hex digits if the ID is a MAC address. */
  readonly mac: string | null
  /** Dotted quad or RFC 5952 form if it is a network address. */
  readonly address: string | null
}

const NOTHING: LldpId = { text: '', mac: null, address: null }

/**
 * Decodes an ID by its subtype. Agents omit subtypes, or send MAC addresses as text and text as MAC addresses, so
 * octets that cannot be text are decoded by their length.
 */
export function lldpId(subtype: string | undefined, octets: Uint8Array | undefined): LldpId {
  if (octets === undefined || octets.length === 0) return NOTHING
  if (subtype === 'networkAddress') {
    const address = networkAddress(octets)
    if (address !== null) return { text: address, mac: null, address }
  }
  const printable = isPrintable(octets)
  if (subtype === 'macAddress' || !printable) {
    const mac = octets.length === 6 ? octets.toHex() : parseMac(octetText(octets))
    if (mac !== null) return { text: colons(mac), mac, address: null }
  }
  const text = printable || octets.some((octet) => octet >= 0x20) ? octetText(octets) : colons(octets.toHex())
  return { text, mac: null, address: null }
}

/** Octets of an address, by IANA address family number. */
const FAMILY_OCTETS: Readonly<Record<number, number>> = { 1: 4, 2: 16 }

/** IANA address family number, then the address (IEEE 802.1AB §8.5.2.3): 1 IPv4, 2 IPv6. */
export function networkAddress(octets: Uint8Array): string | null {
  const address = octets.subarray(1)
  return address.length === FAMILY_OCTETS[octets[0] ?? 0] ? formatIp(address) : null
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** UTF-8 text, possibly padded with NULs or ending in a line break. */
function isPrintable(octets: Uint8Array): boolean {
  const end = octets.findLastIndex((octet) => octet !== 0 && octet !== 0x0a && octet !== 0x0d) + 1
  const used = octets.subarray(0, end)
  if (end === 0 || used.some((octet) => octet < 0x20 || octet === 0x7f)) return false
  try {
    utf8.decode(used)
    return true
  } catch {
    return false
  }
}

/** Text without the quotes that some agents put around multi-line descriptions, or at only one end of them. */
export function unquoted(text: string | undefined): string {
  return (text ?? '').replace(/^"|"$/g, '').trim()
}
