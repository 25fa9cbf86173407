import { decodeIndex, octetOf } from './index-decode.ts'

// Indexes as agents send them, which differ from RFC 2578 §7.7 in ways that leave no doubt about the meaning.

/** The sub-identifiers as octets, from `at`; null if one is out of range or missing. */
function octetsAt(ids: readonly string[], at: number, count: number): Uint8Array | null {
  const octets = ids.slice(at, at + count).map((id) => octetOf(Number(id)))
  return octets.length === count && octets.every((octet) => octet !== null) ? Uint8Array.from(octets as number[]) : null
}

/**
 * The IPv4 address after `before` integers. Agents also send the length of an OCTET STRING in front of it (`4.10.0.0.1`)
 * or a number after it (FortiOS: the virtual domain, `10.0.0.1.3`). `column` is the address in the row itself, if the
 * agent has it; where the index alone could mean two addresses, it decides.
 */
export function looseIpv4(index: string, before: number, column?: string): string | null {
  const ids = index.split('.')
  const extra = ids.length - before - 4
  if (extra === 0) return octetsAt(ids, before, 4)?.join('.') ?? null
  if (extra < 0) return null
  for (let at = before; at + 4 <= ids.length; at++) {
    const octets = octetsAt(ids, at, 4)
    if (column !== undefined && octets?.join('.') === column) return column
  }
  if (extra !== 1) return null
  return octetsAt(ids, ids[before] === '4' ? before + 1 : before, 4)?.join('.') ?? null
}

/** The MAC address in the last six sub-identifiers, and the integers before it without a length of 6. */
export function looseMac(index: string, before: number): { readonly mac: string; readonly integers: number[] } | null {
  const ids = index.split('.')
  const mac = octetsAt(ids, ids.length - 6, 6)?.toHex()
  const integers = ids.slice(0, -6).map(Number)
  if (mac === undefined || ids.length < 6) return null
  if (integers.length === before + 1 && integers.at(-1) === 6) integers.pop()
  return integers.length <= before ? { mac, integers } : null
}

/** Length of an address without its zone, by InetAddressType (RFC 4001 §3): ipv4, ipv6, ipv4z, ipv6z. */
const BARE_LENGTHS: ReadonlyMap<string, number> = new Map([
  ['1', 4],
  ['2', 16],
  ['3', 4],
  ['4', 16],
])
const ZONE_OCTETS = 4

/**
 * The address after a type that lacks the length octet required by RFC 2578 §7.7. Cisco ASA and OcNOS omit it, and also
 * mix up the types with and without a zone, so the number of octets decides.
 */
export function bareAddress(index: string): Uint8Array | null {
  const ids = index.split('.')
  const octets = decodeIndex(`${ids.length - 1}.${ids.slice(1).join('.')}`, ['octets'])?.[0]
  if (octets === undefined) return null
  const length = BARE_LENGTHS.get(ids[0] ?? '')
  return length === octets.length || length === octets.length - ZONE_OCTETS ? octets.slice(0, length) : null
}
