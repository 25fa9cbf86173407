import { octetText } from './table.ts'
import type { SnmpValue, Varbind } from './value.ts'

/**
 * Makes a recording of an agent fit to be shown to others: addresses, MAC addresses, serial numbers, names and
 * descriptions of people and places are replaced, the same one by the same other one throughout, in values and in
 * indexes; credentials are left out. What the tables are about stays: sizes, masks, counters, states, vendors (OUI).
 */
export function scrub(varbinds: readonly Varbind[], random: () => number = Math.random): Varbind[] {
  const kept = withoutSecrets(varbinds)
  const names = new Replacements()
  const addresses = new Map<string, string>()
  const macs = new Map<string, string>()
  for (const { oid, value } of kept) {
    if (value.kind === 'IpAddress') noteAddress(addresses, value.value, random)
    if (value.kind !== 'OctetString') continue
    if (MAC.some((root) => isUnder(oid, root)) && value.value.length === 6) noteMac(macs, value.value, random)
    const kind = NAMES.find(([root]) => isUnder(oid, root))?.[1]
    if (kind !== undefined) names.note(octetText(value.value), kind)
  }
  const scrubbed = kept.map(({ oid, value }) => ({
    oid: scrubIndex(oid, addresses, macs),
    value: scrubValue(value, names, addresses, macs),
  }))
  return scrubbed.sort((a, b) => compare(a.oid, b.oid))
}

/** All but the objects that hold credentials. */
export function withoutSecrets(varbinds: readonly Varbind[]): Varbind[] {
  return varbinds.filter(({ oid }) => !SECRET.some((root) => isUnder(oid, root)))
}

/** SNMP-COMMUNITY-MIB, USM, VACM, targets and notifications: credentials and who may see what. */
const SECRET = ['1.3.6.1.6.3.12', '1.3.6.1.6.3.13', '1.3.6.1.6.3.15', '1.3.6.1.6.3.16', '1.3.6.1.6.3.18']

/** Objects whose text names something of the owner's, and what it becomes. */
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
]

/** Texts to be replaced wherever they stand, the longest first; a text of three characters or less would hit too much. */
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

/** Addresses that say nothing of a place: masks, loopback, any, broadcast, multicast. */
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
  // neighbours stay neighbours: one /24 becomes one /24
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

/** The vendor's half stays. */
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

function scrubValue(
  value: SnmpValue,
  names: Replacements,
  addresses: ReadonlyMap<string, string>,
  macs: ReadonlyMap<string, string>,
): SnmpValue {
  if (value.kind === 'IpAddress') return { kind: 'IpAddress', value: addresses.get(value.value) ?? value.value }
  if (value.kind === 'ObjectIdentifier')
    return { kind: 'ObjectIdentifier', value: scrubIndex(value.value, addresses, macs) }
  if (value.kind !== 'OctetString') return value
  const mac = value.value.length === 6 ? macs.get(value.value.toHex()) : undefined
  if (mac !== undefined) return { kind: 'OctetString', value: Uint8Array.fromHex(mac) }
  const address = value.value.length === 4 ? addresses.get(value.value.join('.')) : undefined
  if (address !== undefined) return { kind: 'OctetString', value: Uint8Array.from(address.split('.'), Number) }
  const text = octetText(value.value)
  const replaced = replaceAddresses(names.apply(text), addresses)
  return replaced === text ? value : { kind: 'OctetString', value: new TextEncoder().encode(replaced) }
}

function replaceAddresses(text: string, addresses: ReadonlyMap<string, string>): string {
  return text.replace(/\b\d{1,3}(?:\.\d{1,3}){3}\b/g, (found) => addresses.get(found) ?? found)
}

/** Addresses and MAC addresses in the index of an OID: runs of four or six sub-identifiers that are known as such. */
function scrubIndex(oid: string, addresses: ReadonlyMap<string, string>, macs: ReadonlyMap<string, string>): string {
  const ids = oid.split('.')
  // the registered part of an OID is at least this long
  for (let i = 8; i < ids.length; i++) {
    const address = addresses.get(ids.slice(i, i + 4).join('.'))
    if (address !== undefined) ids.splice(i, 4, ...address.split('.'))
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
