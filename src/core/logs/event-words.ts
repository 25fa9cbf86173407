import { colons } from '../../lib/mac.ts'
import { SENSOR_CLASSES } from '../../lib/sensor-classes.ts'
import { readable } from '../../lib/si.ts'
import type { StoredObservation } from '../../modules/observation.ts'
import { escaped } from '../database/patterns.ts'

// Events are stored as clients of the API read them (`ifOperStatus: up -> down`). People read them here.

/** Columns whose changes are logged, as people call them. */
export const COLUMN_WORDS: Readonly<Record<string, string>> = {
  sysObjectID: 'System object ID',
  sysName: 'System name',
  sysContact: 'Contact',
  os: 'Operating system',
  hardware: 'Hardware',
  version: 'Version',
  serial: 'Serial number',
  features: 'Features',
  bgpLocalAs: 'Local AS',
  ifName: 'Name',
  ifDescr: 'Name by the device',
  ifAlias: 'Description',
  ifType: 'Type',
  ifMtu: 'MTU',
  ifSpeed: 'Speed',
  ifPhysAddress: 'MAC address',
  ifAdminStatus: 'Administratively',
  ifOperStatus: 'Link',
  ifDuplex: 'Duplex',
  ifVlan: 'VLAN',
  ifTrunk: 'Trunk',
  // in the audit
  delay: 'Delay',
  notes: 'Notes',
  descr: 'Description',
  desc: 'Description',
  group_name: 'Name',
  name: 'Name',
  hostname: 'Address or name',
  overwrite_ip: 'Address to poll',
  poll_interval: 'Polling interval',
  expiresAt: 'Expires',
  members: 'Members',
  scope: 'Scope',
  dialect: 'Dialect',
  service_type: 'Check',
  service_name: 'Name',
  service_param: 'Parameters',
  service_ip: 'Address',
  service_desc: 'Description',
  service_ignore: 'Ignored',
  service_disabled: 'Disabled',
  service_template_id: 'Template',
}

/** What discovery finds, one and several; of other kinds the name is the word. */
export const KIND_WORDS: Readonly<
  Partial<Record<Exclude<StoredObservation['kind'], 'system'>, readonly [one: string, several: string]>>
> = {
  ports: ['port', 'ports'],
  ipv4: ['IPv4 address', 'IPv4 addresses'],
  ipv6: ['IPv6 address', 'IPv6 addresses'],
  'port-stack': ['layered port', 'layered ports'],
  vlans: ['VLAN', 'VLANs'],
  'port-vlans': ['VLAN membership', 'VLAN memberships'],
  'port-switching': ['switched port', 'switched ports'],
  etherlike: ['port with Ethernet counters', 'ports with Ethernet counters'],
  fdb: ['forwarding entry', 'forwarding entries'],
  arp: ['ARP entry', 'ARP entries'],
  nd: ['IPv6 neighbour entry', 'IPv6 neighbour entries'],
  links: ['neighbour', 'neighbours'],
  nac: ['access session', 'access sessions'],
  'port-security': ['secured port', 'secured ports'],
  components: ['load-balancing object', 'load-balancing objects'],
  inventory: ['part', 'parts'],
  processors: ['processor', 'processors'],
  mempools: ['memory pool', 'memory pools'],
  storage: ['file system', 'file systems'],
  sensors: ['sensor', 'sensors'],
  vrfs: ['VRF', 'VRFs'],
  bgp: ['BGP session', 'BGP sessions'],
  bgp_counters: ['BGP address family', 'BGP address families'],
  ipsec: ['IPsec tunnel', 'IPsec tunnels'],
  ospf_neighbours: ['OSPF neighbour', 'OSPF neighbours'],
  ospf_ports: ['OSPF interface', 'OSPF interfaces'],
  ospfv3_instances: ['OSPFv3 process', 'OSPFv3 processes'],
  ospfv3_areas: ['OSPFv3 area', 'OSPFv3 areas'],
  ospfv3_neighbours: ['OSPFv3 neighbour', 'OSPFv3 neighbours'],
  ospfv3_ports: ['OSPFv3 interface', 'OSPFv3 interfaces'],
  mpls_services: ['MPLS service', 'MPLS services'],
  mpls_saps: ['MPLS access point', 'MPLS access points'],
  stp: ['spanning tree', 'spanning trees'],
  stp_ports: ['spanning tree port', 'spanning tree ports'],
  isis: ['IS-IS adjacency', 'IS-IS adjacencies'],
  'default-routes': ['default route', 'default routes'],
  qos: ['QoS class', 'QoS classes'],
  transceivers: ['transceiver', 'transceivers'],
  wireless: ['wireless value', 'wireless values'],
  device_graphs: ['group of statistics', 'groups of statistics'],
  printer_supplies: ['supply', 'supplies'],
}

/** The message of an event or of the audit as people read it. What is not known is returned as it is. */
export function eventWords(message: string): string {
  for (const [pattern, words] of FORMS) {
    const match = pattern.exec(message)
    const text = match === null ? null : words(match.slice(1).map((part) => part ?? ''))
    if (text !== null) return text
  }
  return auditWords(message.replace(/ \(#\d{1,10}\)/, ''))
}

type Form = readonly [RegExp, (parts: readonly string[]) => string | null]

const CHECKS: Readonly<Record<string, readonly [up: string, down: string]>> = {
  icmp: ['it answers ping again', 'it does not answer ping'],
  snmp: ['it answers SNMP again', 'it does not answer SNMP'],
}

const FORMS: readonly Form[] = [
  [
    /^Device status changed to (Up|Down) from (\w+) check\.$/,
    ([state = '', check = '']) => {
      const why = CHECKS[check]?.[state === 'Up' ? 0 : 1]
      return `Device is ${state.toLowerCase()}${why === undefined ? '' : `: ${why}`}`
    },
  ],
  [/^Discovered ((?:\d+ [\w-]+(?:, |$))+)$/, ([list = '']) => `Discovered ${list.split(', ').map(foundOf).join(', ')}`],
  [/^(\d+) changes of ([\w-]+)$/, ([n = '', kind = '']) => `${n} changes of ${kindWords(kind)[1]}`],
  [
    /^(\d+) rows of \w+ are found under other keys and keep their ids$/,
    ([n = '']) => `${n} entries are numbered anew by the device; their history goes on`,
  ],
  [/^Hostname changed -> (.+)$/, ([name = '']) => `Renamed to ${name}`],
  [
    /^Service #\d+ changed: (.+)$/,
    ([names = '']) => `Service changed: ${names.split(', ').map(columnWords).join(', ')}`,
  ],
  [
    /^(\w+) (.+) (above|below) its limit: (\S+) [<>] (\S+)$/,
    ([kind = '', name = '', side = '', value = '', limit = '']) =>
      `${name} ${side} its limit: ${measured(kind, value)}, limit ${measured(kind, limit)}`,
  ],
  [
    /^(\w+) (.+) within its limits again: (\S+)$/,
    ([kind = '', name = '', value = '']) => `${name} within its limits again: ${measured(kind, value)}`,
  ],
  [/^(\w+): (.*) -> (.*)$/, ([name = '', from = '', to = '']) => columnChange(name, from, to)],
  [
    /^((?:.* )?(?:serial number|root bridge)|Port security|MAC address of \S+): (.+) -> (.*)$/,
    ([label = '', from = '', to = '']) => `${label}: ${was(to, from)}`,
  ],
  [
    /^((?:BGP|OSPF|OSPFv3|IS-IS|IPsec|MPLS|SAP|Spanning tree|Transceiver|Wireless|Sensor) .{1,900}) (\S+) -> ([^\s:]+)((?:: .*)?)$/,
    ([label = '', from = '', to = '', why = '']) => `${label} is ${was(to, from)}${why}`,
  ],
]

/** Both values. Other people's texts, which come through the API, are not changed. */
const was = (to: string, from: string): string => `${to || 'unknown'} (was ${from || 'unknown'})`

const kindWords = (kind: string): readonly [string, string] =>
  (KIND_WORDS as Readonly<Record<string, readonly [string, string]>>)[kind] ?? [plainName(kind), plainName(kind)]

/** `3 ipv4` as `3 IPv4 addresses`. */
function foundOf(part: string): string {
  const [n = '', kind = ''] = part.split(' ')
  return `${n} ${kindWords(kind)[n === '1' ? 0 : 1]}`
}

/** `poll_interval` and `expiresAt` without what programs need. */
const plainName = (name: string): string =>
  name
    .replaceAll(/[_-]+/g, ' ')
    .replaceAll(/([a-z])([A-Z])(?=[a-z])/g, (_, end: string, start: string) => `${end} ${start.toLowerCase()}`)

const columnWords = (name: string): string => COLUMN_WORDS[name] ?? plainName(name)

/** A number of a sensor of the class with its unit. Classes that wireless values have too can be in another unit. */
function measured(kind: string, text: string): string {
  const [unit = '', prefixes = 'none'] = SHARED.has(kind) ? [] : (SENSOR_CLASSES[kind] ?? [])
  const value = Number(text)
  return Number.isFinite(value) && text !== '' && unit !== '' ? readable(value, unit, prefixes) : text
}
const SHARED: ReadonlySet<string> = new Set(['frequency', 'power', 'snr'])

/** Two values of a column. null: the column is not known, and the text may be anything. */
function columnChange(name: string, from: string, to: string): string | null {
  const label = COLUMN_WORDS[name]
  if (label === undefined || from.includes(' -> ')) return null
  const [now, before] = [valueWords(name, to), valueWords(name, from)]
  return `${label}${/Status$/.test(name) ? '' : ':'} ${was(now, before)}`
}

function valueWords(name: string, value: string): string {
  if (name === 'ifSpeed' && /^\d{1,15}$/.test(value)) return readable(Number(value), 'bit/s', 'large')
  if (name === 'ifPhysAddress' && /^[0-9a-f]{12}$/i.test(value)) return colons(value)
  if (name === 'ifDuplex') return value.replace(/Duplex$/, '')
  return /^if(?:Oper|Admin)Status$/.test(name) ? plainName(value) : value
}

/** `delay: 300 → 60; notes: empty → at night` of the audit: what is now, and what was. */
function auditWords(message: string): string {
  if (!message.includes(' → ')) return message
  return message.replaceAll(
    /(^|: |; )([A-Za-z]\w{0,60}): (.*?) → (.*?)(?=; [A-Za-z]\w{0,60}: |$)/g,
    (_, before: string, name: string, from: string, to: string) => `${before}${columnWords(name)}: ${was(to, from)}`,
  )
}

/**
 * What a search for words of `eventWords` has to find in the stored texts, as patterns of SQL's LIKE: `link down` is
 * `ifOperStatus: … -> down`. Empty: the words are stored as they are read.
 */
export function storedPatterns(text: string): string[] {
  const wanted = text.trim().toLowerCase()
  return Object.entries(COLUMN_WORDS).flatMap(([name, label]) => {
    if (!wanted.startsWith(label.toLowerCase())) return []
    const rest = wanted.slice(label.length).replace(/^:? */, '')
    if (rest !== '' && /^\w/.test(wanted.slice(label.length))) return []
    const [now = '', before = ''] = rest.split(/ ?\(was |\)$/)
    return [`${escaped(name)}: ${escaped(before)}%${now === '' ? '' : ` -> ${escaped(now)}%`}`]
  })
}
