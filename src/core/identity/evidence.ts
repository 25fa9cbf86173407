import { addressOctets } from '@portlight/addresses/networks.ts'

/**
 * What is compared to tell one device from another: only what identifies something, in one spelling, sorted and without
 * duplicates. Empty and null: unknown.
 */
export interface Evidence {
  /** Lower-case hex digits. */
  readonly engineId: string | null
  /** Upper case. */
  readonly serials: readonly string[]
  /** 12 lower-case hex digits. */
  readonly baseMac: string | null
  readonly macs: readonly string[]
  readonly addresses: readonly string[]
  /** Lower case. */
  readonly sysName: string | null
}

/** What an agent says of itself, as far as it identifies it. */
export interface ReportedIdentity {
  readonly engineId?: string | null
  readonly serials?: readonly string[]
  readonly baseMac?: string | null
  readonly macs?: readonly string[]
  readonly addresses?: readonly string[]
  readonly sysName?: string | null
}

/** Most of each kind that are compared; agents send any number. */
export const EVIDENCE_LIMITS = { serials: 32, macs: 1024, addresses: 1024, length: 128 } as const

/** What of an identity identifies something. */
export function evidenceOf(identity: ReportedIdentity): Evidence {
  return {
    engineId: usefulEngineId(identity.engineId ?? null),
    serials: some(identity.serials ?? [], usefulSerial, EVIDENCE_LIMITS.serials),
    baseMac: usefulMac(identity.baseMac ?? ''),
    macs: some(identity.macs ?? [], usefulMac, EVIDENCE_LIMITS.macs),
    addresses: some(identity.addresses ?? [], usefulAddress, EVIDENCE_LIMITS.addresses),
    sysName: usefulName(identity.sysName ?? null),
  }
}

/** Whether there is anything that belongs to the hardware or the agent, and not only names and addresses. */
export function isStrong({ engineId, serials, baseMac, macs }: Evidence): boolean {
  return engineId !== null || serials.length > 0 || baseMac !== null || macs.some(isUniversal)
}

/** A text that tells equal evidence from other, for comparison only. */
export function digestOf(evidence: Evidence): string {
  return new Bun.CryptoHasher('sha256').update(JSON.stringify(evidence)).digest('hex').slice(0, 32)
}

function some(given: readonly string[], useful: (text: string) => string | null, limit: number): string[] {
  const found = new Set<string>()
  for (const text of given) {
    const kept = useful(text)
    if (kept !== null) found.add(kept)
    if (found.size >= limit) break
  }
  return [...found].sort()
}

/**
 * An snmpEngineID that tells agents apart (RFC 3411, SnmpEngineID). Not those of all zeros or ones, nor those made of
 * an enterprise number and an IPv4 address or nothing: those are defaults, and agents with equal private addresses have
 * equal ones.
 */
export function usefulEngineId(text: string | null): string | null {
  const hex =
    text
      ?.toLowerCase()
      .replace(/^0x/, '')
      .replaceAll(/[^0-9a-f]/g, '') ?? ''
  if (hex.length < 10 || hex.length > 64) return null
  const enterprise = hex.slice(0, 8)
  const rest = hex.slice(8)
  if (isOneDigit(hex) || isOneDigit(rest)) return null
  // without the first bit the eight octets after the enterprise number are the agent's own, mostly an address and zeros
  const isNew = Number.parseInt(enterprise.slice(0, 1), 16) >= 8
  if (!isNew) return isOneDigit(rest.slice(8)) ? null : hex
  const format = rest.slice(0, 2)
  const value = rest.slice(2)
  if (value === '' || isOneDigit(value)) return null
  if (format === '01') return null
  if (format === '03') return usefulMac(value.slice(0, 12)) === null ? null : hex
  return hex
}

const isOneDigit = (text: string): boolean => /^(?:0*|f*)$/.test(text)

/** Placeholders of vendors and hypervisors for a serial number. */
const NO_SERIALS: ReadonlySet<string> = new Set([
  ...['NONE', 'N/A', 'NA', 'NULL', 'NIL', 'UNKNOWN', 'DEFAULT', 'DEFAULT STRING', 'EMPTY', 'INVALID', 'TEST'],
  ...['NOT AVAILABLE', 'NOT SPECIFIED', 'NOT APPLICABLE', 'NOT PRESENT', 'NOT SET', 'NO SERIAL', 'NOSERIAL'],
  ...[
    'TO BE FILLED BY O.E.M.',
    'TO BE FILLED BY O.E.M',
    'O.E.M.',
    'OEM',
    'SYSTEM SERIAL NUMBER',
    'CHASSIS SERIAL NUMBER',
  ],
  ...['SERIAL', 'SERIAL NUMBER', 'SN', 'S/N', '123456789', '1234567890', '0123456789', '12345678', '123456'],
])

/** A serial number that identifies something, in upper case; null: it does not. */
export function usefulSerial(text: string): string | null {
  const serial = text.trim().replaceAll(/\s+/g, ' ').toUpperCase()
  if (serial.length < 4 || serial.length > EVIDENCE_LIMITS.length || NO_SERIALS.has(serial)) return null
  // a single character repeated, with or without separators: 0000, XXXX-XXXX, ....
  const plain = serial.replaceAll(/[^A-Z0-9]/g, '')
  return plain.length < 4 || new Set(plain).size === 1 ? null : serial
}

/**
 * MAC addresses that are shared between devices although most of them look universally administered: those of virtual
 * routers and clusters (VRRP, RFC 5798 §7.3; HSRP versions 1 and 2; GLBP; CARP; FortiGate and Palo Alto clusters; Check
 * Point ClusterXL; Microsoft NLB), and placeholders.
 */
const SHARED_MACS: readonly string[] = [
  ...['00005e00', '00000c07ac', '00000c9ff', '0007b4', '00090f09', '001b1700', '001c7f00', '02bf', '02a0'],
  ...['01005e', '3333', '0180c2', '000000', 'ffffff', '001122334455'],
]

/** A MAC address that a single device has, universally or locally administered; null: shared, a group address, or none. */
export function usefulMac(text: string): string | null {
  const mac = text.toLowerCase().replaceAll(/[^0-9a-f]/g, '')
  if (mac.length !== 12) return null
  // IEEE 802: the first bit on the wire says that it is a group's
  if ((Number.parseInt(mac.slice(0, 2), 16) & 1) !== 0) return null
  return SHARED_MACS.some((prefix) => mac.startsWith(prefix)) ? null : mac
}

/**
 * Whether a MAC address is universally administered (IEEE 802, second bit of the first octet). Locally administered ones
 * identify nothing: software on another device may choose the same.
 */
export const isUniversal = (mac: string): boolean => (Number.parseInt(mac.slice(0, 2), 16) & 2) === 0

/** The universally administered MAC addresses of a device, the base address included. */
export const universalMacs = ({ macs, baseMac }: Evidence): string[] =>
  [...macs, ...(baseMac === null ? [] : [baseMac])].filter(isUniversal)

/**
 * Addresses that many devices have: defaults of home routers, and of the bridges of containers and virtual machines.
 */
const COMMON_ADDRESSES: ReadonlySet<string> = new Set([
  ...['192.168.0.1', '192.168.1.1', '192.168.1.254', '192.168.0.254', '192.168.2.1', '192.168.8.1', '192.168.88.1'],
  ...['192.168.100.1', '192.168.178.1', '10.0.0.138', '192.168.122.1', '172.17.0.1', '172.18.0.1'],
])

/** An address that may tell devices apart within a network; null: loopback, link-local, unspecified, multicast or common. */
export function usefulAddress(text: string): string | null {
  const address = text.trim().toLowerCase()
  if (COMMON_ADDRESSES.has(address)) return null
  const octets = addressOctets(address)
  if (octets === null) return null
  const [a = 0, b = 0] = octets
  if (octets.length === 4) return a === 0 || a === 127 || a >= 224 || (a === 169 && b === 254) ? null : address
  if (a === 0xff || (a === 0xfe && (b & 0xc0) === 0x80)) return null
  return octets.slice(0, 15).every((octet) => octet === 0) ? null : address
}

/** Default host names. */
const DEFAULT_NAMES: ReadonlySet<string> = new Set([
  ...['localhost', 'localhost.localdomain', '(none)', 'none', 'unknown', 'default', 'noname', 'no-name', 'n/a', 'name'],
  ...['switch', 'router', 'hostname', 'host', 'device', 'firewall', 'gateway', 'ap', 'accesspoint', 'access-point'],
  ...[
    'sysname',
    'system',
    'system name',
    'mikrotik',
    'openwrt',
    'ubnt',
    'ubuntu',
    'debian',
    'raspberrypi',
    'fortigate',
  ],
  ...[
    'pfsense',
    'vyos',
    'edgerouter',
    'edgeswitch',
    'unifi',
    'synology',
    'qnap',
    'esxi',
    'cisco',
    'juniper',
    'printer',
  ],
  ...['fritz.box', 'opnsense', 'alpine', 'snmp', 'snmpd', 'test', 'server', 'linux', 'my-name', 'yourname', 'amnesiac'],
])

/** A system name that was given by a person, in lower case; null: none, or a default. */
export function usefulName(text: string | null): string | null {
  const name = text?.trim().toLowerCase().replace(/\.$/, '') ?? ''
  if (name === '' || name.length > 255 || DEFAULT_NAMES.has(name)) return null
  const [label = '', ...domain] = name.split('.')
  return DEFAULT_NAMES.has(label) && LOCAL_DOMAINS.has(domain.join('.')) ? null : name
}

const LOCAL_DOMAINS: ReadonlySet<string> = new Set(['local', 'localdomain', 'lan', 'home', 'internal', 'example.com'])
