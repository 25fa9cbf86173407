import { octetText } from './table.ts'
import type { SnmpValue, Varbind } from './value.ts'

/**
 * Anonymises a recording of an agent: IP and MAC addresses, serial numbers, and the names and descriptions of people
 * and places are replaced consistently in values and indexes; credentials are left out. Sizes, masks, counters, states
 * and manufacturers (OUI) are kept.
 */
export function scrub(varbinds: readonly Varbind[], random: () => number = Math.random): Varbind[] {
  const kept = withoutSecrets(varbinds)
  const names = new Replacements()
  const addresses = new Map<string, string>()
  const macs = new Map<string, string>()
  const sixes = new Map<string, string>()
  for (const { oid, value } of kept) {
    noteIndex(oid, { addresses, macs, sixes }, random)
    if (value.kind === 'IpAddress') noteAddress(addresses, value.value, random)
    if (value.kind !== 'OctetString') continue
    if (MAC.some((root) => isUnder(oid, root)) && value.value.length === 6) noteMac(macs, value.value, random)
    const kind = NAMES.find(([root]) => isUnder(oid, root))?.[1]
    if (kind !== undefined) names.note(octetText(value.value), kind)
  }
  const scrubbed = kept.map(({ oid, value }) => ({
    oid: scrubIndex(oid, { addresses, macs, sixes }),
    value: scrubValue(value, names, { addresses, macs, sixes }),
  }))
  return scrubbed.sort((a, b) => compare(a.oid, b.oid))
}

/** The varbinds without objects that hold credentials. */
export function withoutSecrets(varbinds: readonly Varbind[]): Varbind[] {
  return varbinds.filter(({ oid }) => !SECRET.some((root) => isUnder(oid, root)))
}

/** The MIBs of targets, notifications, USM, VACM and communities, which hold credentials and access control. */
const SECRET = ['1.3.6.1.6.3.12', '1.3.6.1.6.3.13', '1.3.6.1.6.3.15', '1.3.6.1.6.3.16', '1.3.6.1.6.3.18']

/** Objects whose text identifies the owner, and the kind of replacement. */
const NAMES: readonly (readonly [root: string, kind: string])[] = [
  ['1.3.6.1.2.1.1.4', 'contact'],
  ['1.3.6.1.2.1.1.5', 'host'],
  ['1.3.6.1.2.1.1.6', 'location'],
  ['1.3.6.1.2.1.31.1.1.1.18', 'port'], // ifAlias
  ['1.3.6.1.2.1.47.1.1.1.1.11', 'serial'], // entPhysicalSerialNum
  ['1.3.6.1.2.1.47.1.1.1.1.14', 'alias'], // entPhysicalAlias
  ['1.3.6.1.2.1.47.1.1.1.1.15', 'asset'], // entPhysicalAssetID
  ['1.0.8802.1.1.2.1.3.3', 'host'], // lldpLocSysName
  ['1.0.8802.1.1.2.1.4.1.1.9', 'host'], // lldpRemSysName
  ['1.0.8802.1.1.2.1.4.1.1.8', 'port'], // lldpRemPortDesc
  ['1.3.6.1.4.1.9.9.23.1.2.1.1.6', 'host'], // cdpCacheDeviceId
  ['1.3.6.1.2.1.17.7.1.4.3.1.1', 'vlan'], // dot1qVlanStaticName
  ['1.3.6.1.4.1.9.9.46.1.3.1.1.4', 'vlan'], // vtpVlanName
]

/** Columns that hold MAC addresses. */
const MAC = [
  '1.3.6.1.2.1.2.2.1.6',
  '1.3.6.1.2.1.4.22.1.2',
  '1.3.6.1.2.1.4.35.1.4',
  '1.3.6.1.2.1.17.1.1',
  '1.3.6.1.2.1.17.4.3.1.1',
  '1.0.8802.1.1.2.1.3.2', // lldpLocChassisId
  '1.0.8802.1.1.2.1.3.7.1.3', // lldpLocPortId
  '1.0.8802.1.1.2.1.4.1.1.5', // lldpRemChassisId
  '1.0.8802.1.1.2.1.4.1.1.7', // lldpRemPortId
  '1.3.6.1.4.1.9.9.315.1.2.1.1.10', // cpsIfSecureLastMacAddress
  '1.3.6.1.4.1.9.9.656.1.4.1.1.2', // cafSessionClientMacAddress
]

/** Tables with addresses in their indexes: the entry, and the number of sub-identifiers before the address. */
const MAC_INDEX: readonly (readonly [entry: string, before: number])[] = [
  ['1.3.6.1.2.1.17.4.3.1', 0], // dot1dTpFdbTable
  ['1.3.6.1.2.1.17.7.1.2.2.1', 1], // dot1qTpFdbTable
]
const IPV4_INDEX: typeof MAC_INDEX = [
  ['1.3.6.1.2.1.4.20.1', 0], // ipAddrTable
  ['1.3.6.1.2.1.4.22.1', 1], // ipNetToMediaTable
  ['1.3.6.1.2.1.14.7.1', 0], // ospfIfTable
  ['1.3.6.1.2.1.14.8.1', 0], // ospfIfMetricTable
  ['1.3.6.1.2.1.14.10.1', 0], // ospfNbrTable
  ['1.3.6.1.2.1.15.3.1', 0], // bgpPeerTable
]
/** InetAddressType and InetAddress (RFC 4001), with the length between them. */
const INET_INDEX: typeof MAC_INDEX = [
  ['1.3.6.1.2.1.4.32.1', 1], // ipAddressPrefixTable
  ['1.3.6.1.2.1.4.34.1', 0], // ipAddressTable
  ['1.3.6.1.2.1.4.35.1', 1], // ipNetToPhysicalTable
  ['1.0.8802.1.1.2.1.4.2.1', 3], // lldpRemManAddrTable
  ['1.3.6.1.4.1.9.9.187.1.2.5.1', 0], // cbgpPeer2Table
  ['1.3.6.1.4.1.9.9.187.1.2.8.1', 0], // cbgpPeer2AddrFamilyPrefixTable
]

/** Replacements: dotted IPv4 addresses, MAC addresses and IPv6 addresses in hex. */
interface Known {
  readonly addresses: Map<string, string>
  readonly macs: Map<string, string>
  readonly sixes: Map<string, string>
}

/** Collects the addresses in an index, which may not occur in any value: learned stations, neighbours of a router. */
function noteIndex(oid: string, { addresses, macs, sixes }: Known, random: () => number): void {
  const at = (table: readonly [string, number]): string[] | null => {
    const [entry, before] = table
    // after the column
    return isUnder(oid, entry)
      ? oid
          .slice(entry.length + 1)
          .split('.')
          .slice(1 + before)
      : null
  }
  for (const table of MAC_INDEX) {
    const mac = at(table)?.slice(0, 6).map(Number)
    if (mac?.length === 6 && mac.every((n) => n < 256)) noteMac(macs, Uint8Array.from(mac), random)
  }
  for (const table of IPV4_INDEX) {
    const address = at(table)?.slice(0, 4)
    if (address?.length === 4) noteAddress(addresses, address.join('.'), random)
  }
  for (const table of INET_INDEX) {
    const [, length, ...octets] = at(table) ?? []
    if (length === '4' && octets.length >= 4) noteAddress(addresses, octets.slice(0, 4).join('.'), random)
    if (length === '16' && octets.length >= 16) noteSix(sixes, octets.slice(0, 16).map(Number), random)
  }
}

/**
 * Chooses the replacement of a global or unique local IPv6 address. Each /64 is mapped to a /64 of 2001:db8::/32; in an
 * interface identifier made from a MAC address, the half that identifies the station is replaced.
 */
function noteSix(sixes: Map<string, string>, octets: readonly number[], random: () => number): void {
  const hex = Uint8Array.from(octets).toHex()
  if (sixes.has(hex) || octets.some((n) => n > 255)) return
  const [first = 0, second = 0] = octets
  const general = first === 0 || first === 0xff
  if (general) return
  const net = hex.slice(0, 16)
  const known = [...sixes].find(([from]) => from.startsWith(net))?.[1].slice(0, 16)
  const local = first === 0xfe && second >= 0x80
  const made = () =>
    Math.floor(random() * 0x10000)
      .toString(16)
      .padStart(4, '0')
  const prefix = local ? net : (known ?? `20010db8${made()}${made()}`)
  const eui = hex.slice(22, 26) === 'fffe'
  sixes.set(hex, prefix + (eui ? `${hex.slice(16, 26)}${made()}${made().slice(0, 2)}` : hex.slice(16)))
}

/** Texts to replace everywhere, longest first; texts of three characters or fewer would match too much. */
class Replacements {
  private readonly found = new Map<string, string>()
  private readonly counts = new Map<string, number>()
  private sorted: [string, string][] | null = null

  note(text: string, kind: string): void {
    if (text === '' || this.found.has(text)) return
    const count = (this.counts.get(kind) ?? 0) + 1
    this.counts.set(kind, count)
    this.found.set(text, `${kind}-${count}`)
    this.sorted = null
  }

  apply(text: string): string {
    const whole = this.found.get(text)
    if (whole !== undefined) return whole
    this.sorted ??= [...this.found].filter(([from]) => from.length > 3).sort((a, b) => b[0].length - a[0].length)
    let out = text
    for (const [from, to] of this.sorted) if (out.includes(from)) out = out.replaceAll(from, to)
    return out
  }
}

/** True for addresses that identify nobody: masks, loopback, unspecified, broadcast, multicast. */
function isGeneral(address: string): boolean {
  const octets = address.split('.').map(Number)
  const [a = 0] = octets
  const bits = octets.reduce((n, o) => n * 256 + o, 0)
  const inverted = 2 ** 32 - 1 - bits
  return a === 0 || a === 127 || a >= 224 || Math.log2(inverted + 1) % 1 === 0
}

function noteAddress(addresses: Map<string, string>, address: string, random: () => number): void {
  if (isGeneral(address) || addresses.has(address)) return
  const taken = new Set(addresses.values())
  // a /24 maps to one /24, so addresses of one subnet stay in one subnet
  const net = address.slice(0, address.lastIndexOf('.'))
  const known = [...addresses].find(([from]) => from.slice(0, from.lastIndexOf('.')) === net)?.[1]
  const base =
    known === undefined
      ? `10.${Math.floor(random() * 256)}.${Math.floor(random() * 256)}`
      : known.slice(0, known.lastIndexOf('.'))
  let last = Number(address.slice(address.lastIndexOf('.') + 1))
  while (taken.has(`${base}.${last}`)) last = (last + 1) % 256
  addresses.set(address, `${base}.${last}`)
}

/** Chooses the replacement of a MAC address; the OUI is kept. */
function noteMac(macs: Map<string, string>, mac: Uint8Array, random: () => number): void {
  const hex = mac.toHex()
  if (macs.has(hex) || /^(0{12}|f{12})$/.test(hex)) return
  const tail = Array.from({ length: 3 }, () =>
    Math.floor(random() * 256)
      .toString(16)
      .padStart(2, '0'),
  ).join('')
  macs.set(hex, hex.slice(0, 6) + tail)
}

function scrubValue(value: SnmpValue, names: Replacements, known: Known): SnmpValue {
  const { addresses, macs, sixes } = known
  if (value.kind === 'IpAddress') return { kind: 'IpAddress', value: addresses.get(value.value) ?? value.value }
  if (value.kind === 'ObjectIdentifier') return { kind: 'ObjectIdentifier', value: scrubIndex(value.value, known) }
  if (value.kind !== 'OctetString') return value
  const mac = value.value.length === 6 ? macs.get(value.value.toHex()) : undefined
  if (mac !== undefined) return { kind: 'OctetString', value: Uint8Array.fromHex(mac) }
  const address = value.value.length === 4 ? addresses.get(value.value.join('.')) : undefined
  if (address !== undefined) return { kind: 'OctetString', value: Uint8Array.from(address.split('.'), Number) }
  const six = value.value.length === 16 ? sixes.get(value.value.toHex()) : undefined
  if (six !== undefined) return { kind: 'OctetString', value: Uint8Array.fromHex(six) }
  const text = octetText(value.value)
  const replaced = replaceAddresses(names.apply(text), addresses)
  return replaced === text ? value : { kind: 'OctetString', value: new TextEncoder().encode(replaced) }
}

function replaceAddresses(text: string, addresses: ReadonlyMap<string, string>): string {
  return text.replace(/\b\d{1,3}(?:\.\d{1,3}){3}\b/g, (found) => addresses.get(found) ?? found)
}

/** Replaces known IP and MAC addresses in the index of an OID: runs of four, six or sixteen sub-identifiers. */
function scrubIndex(oid: string, { addresses, macs, sixes }: Known): string {
  const ids = oid.split('.')
  // the part before the index has at least this many sub-identifiers
  for (let i = 8; i < ids.length; i++) {
    const address = addresses.get(ids.slice(i, i + 4).join('.'))
    if (address !== undefined) ids.splice(i, 4, ...address.split('.'))
    const long = ids.slice(i, i + 16).map(Number)
    if (long.length === 16 && long.every((n) => n < 256)) {
      const six = sixes.get(Uint8Array.from(long).toHex())
      if (six !== undefined) ids.splice(i, 16, ...[...Uint8Array.fromHex(six)].map(String))
    }
    const run = ids.slice(i, i + 6)
    if (run.length < 6 || run.some((n) => Number(n) > 255)) continue
    const mac = macs.get(run.map((n) => Number(n).toString(16).padStart(2, '0')).join(''))
    if (mac !== undefined) ids.splice(i, 6, ...[...Uint8Array.fromHex(mac)].map(String))
  }
  return ids.join('.')
}

function isUnder(oid: string, root: string): boolean {
  return oid.startsWith(root) && (oid.length === root.length || oid[root.length] === '.')
}

function compare(a: string, b: string): number {
  const left = a.split('.')
  const right = b.split('.')
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    const difference = Number(left[i]) - Number(right[i])
    if (difference !== 0) return difference
  }
  return left.length - right.length
}
