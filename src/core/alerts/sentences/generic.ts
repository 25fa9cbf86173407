import { fieldWords, tableWords } from '../../rules/fields/fields.ts'
import { conditionWords, partsOf } from '../../rules/in-words.ts'
import { RULE_TABLES } from '../../rules/read-tables.ts'
import { amountWords, clockWords, instantOf, MAX_NAME, numberOf, oneLine } from './amounts.ts'
import { portName } from './of-ports.ts'
import type { Held, RowView } from './row-view.ts'
import { type FaultWords, firstOf, words } from './words.ts'

/** Columns that name a row, by table, the best first. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  bgpPeers: ['bgpPeerIdentifier', 'bgpPeerDescr'],
  bgpPeers_cbgp: ['bgpPeerIdentifier'],
  bills: ['bill_name'],
  component: ['label', 'type'],
  device_graphs: ['graph'],
  device_modules: ['module'],
  entPhysical: ['entPhysicalName', 'entPhysicalDescr'],
  ipsec_tunnels: ['tunnel_name', 'peer_addr'],
  ipv4_addresses: ['ipv4_address'],
  ipv4_mac: ['ipv4_address', 'mac_address'],
  ipv6_addresses: ['ipv6_compressed', 'ipv6_address'],
  ipv6_nd: ['ipv6_address', 'mac_address'],
  isis_adjacencies: ['isisISAdjIPAddrAddress', 'isisISAdjNeighSysID'],
  links: ['remote_hostname', 'remote_port'],
  locations: ['location'],
  mempools: ['mempool_descr'],
  mpls_saps: ['ifName', 'sapDescription'],
  mpls_services: ['svcDescription', 'svc_oid'],
  ospf_nbrs: ['ospfNbrIpAddr', 'ospfNbrRtrId'],
  ospf_ports: ['ospfIfIpAddress'],
  ospfv3_nbrs: ['ospfv3NbrAddress', 'router_id'],
  ospfv3_ports: ['ospfv3IfIndex'],
  ports: ['ifName', 'ifDescr'],
  ports_fdb: ['mac_address'],
  ports_nac: ['mac_address', 'username'],
  ports_stp: ['instance'],
  ports_vlans: ['vlan'],
  printer_supplies: ['supply_descr'],
  processors: ['processor_descr'],
  qos_classes: ['class', 'policy'],
  sensors: ['sensor_descr'],
  services: ['service_name', 'service_desc', 'service_type'],
  storage: ['storage_descr'],
  stp: ['instance'],
  transceivers: ['model', 'serial'],
  vlans: ['vlan_name', 'vlan_vlan'],
  vrfs: ['vrf_name', 'vrf_oid'],
  wireless_sensors: ['sensor_descr'],
}

/** Conditions that limit where a rule looks, and say nothing about what is wrong. */
const QUIET =
  /^(macros\.(device(_up)?|port(_up)?|sensor|service|component|sensor_port_link|port_has_xdp\w*)|\w+\.(ignore|disabled|deleted|sensor_deleted|sensor_alert|sensor_class|sensor_type|service_type|service_ignore|service_disabled|storage_type|mempool_class|mempool_deleted|ifType|ifAdminStatus|ifConnectorPresent|active|bill_type)|devices\.(os|hardware|type|hostname|sysName|sysDescr|sysObjectID|purpose|location_id|device_id|snmp_disable|disable_notify|ignore_status|features|version|serial|notes|icon|poller_group)|locations\.\w+)$/

/** Maximum number of conditions that a sentence repeats. */
const MAX_CLAUSES = 3

/** Any fault, from the conditions of the rule that hold. `now`: epoch ms. null: none says what is wrong. */
export function genericWords(view: RowView, tables: readonly string[], now: number): FaultWords | null {
  const telling = view.held.filter(({ field }) => !QUIET.test(field))
  const clauses = (
    telling.length > 0 ? telling : view.held.filter(({ field }) => /\.(os|version|hardware|features)$/.test(field))
  )
    .slice(0, MAX_CLAUSES)
    .map((held) => clauseOf(held, now))
  if (clauses.length === 0) return null
  const what = [...new Set(clauses)].join(' and ')
  const subject = subjectOf(view, tables, telling[0]?.field ?? 'devices.')
  return words(subject === ':' && /^(is|was|has) /.test(what) ? '' : subject, what)
}

/** What a field's row is, after the device's name: `: processor cpu0:`; ':' for the device itself. */
export function subjectOf(view: RowView, tables: readonly string[], field: string): string {
  const table = tableOf(field.split('.')[0] ?? 'devices', tables)
  if (table === null) return ':'
  const name = firstOf(
    view,
    (NAMES[table] ?? []).map((column) => `${table}.${column}`),
    MAX_NAME,
  )
  const port = table !== 'ports' && view.has('ports') ? portName(view) : ''
  const subject = `${tableWords(table) ?? 'row'}${name === '' ? '' : ` ${name}`}${port === '' ? '' : ` of ${port}`}`
  return `: ${subject}:`
}

/** The table that a fault is about; null: the device itself. */
function tableOf(first: string, tables: readonly string[]): string | null {
  const own = first === 'ports_live' ? 'ports' : first
  if (own !== 'macros') return own === 'devices' || !RULE_TABLES.has(own) ? null : own
  const about = tables.filter((name) => name !== 'devices' && name !== 'ports_live' && name !== 'locations')
  return about.findLast((name) => RULE_TABLES.has(name)) ?? null
}

/** What a condition that holds says about the row: `load is 97 % (limit 90 %)`. */
function clauseOf(held: Held, now: number): string {
  const { field, operator } = held
  const [label, known] = partsOf(field)
  // the size of a packet is not written with prefixes
  const unit = /mtu$/i.test(field) ? 'B' : known
  // without the subject, which the sentence has already
  const what = label.replace(/^[^:]{1,60}: /, '').replace(/, such as .*$/, '')
  const value = valueWords(held.actual, unit, now)
  const right = held.with.map((one) => valueWords(one, unit, now)).filter((one) => one !== '')
  const isFlag = fieldWords(field)?.endsWith(': 1 or 0') === true
  if (isFlag && (operator === 'equal' || operator === 'not_equal')) return flagWords(what, held)
  if (field.startsWith('macros.') && right.length === 1 && /^[01]$/.test(right[0] ?? ''))
    return conditionWords(held).replace(/^[^:]{1,60}: (?=\S)/, (head) => (head === 'not: ' ? head : ''))
  if (value === '') return `${what} is ${operator === 'is_empty' ? 'empty' : 'unknown'}`
  switch (operator) {
    case 'greater':
    case 'greater_or_equal':
      return `${what} is ${value} (limit ${right[0] ?? 'unknown'})`
    case 'less':
    case 'less_or_equal':
      return `${what} is ${value} (lower limit ${right[0] ?? 'unknown'})`
    case 'not_equal':
      return `${what} is ${value}${right[0] === undefined ? '' : `, not ${right[0]}`}`
    default:
      return `${what} is ${value}`
  }
}

/** `is ignored by alerts`, `is not up`. An unknown value is taken to be what the rule looks for. */
function flagWords(what: string, { actual, operator, with: [wanted] }: Held): string {
  const value = numberOf(actual) ?? (operator === 'equal' ? numberOf(wanted) : 1 - (numberOf(wanted) ?? 0))
  if (value !== 0) return what
  return what.startsWith('is ') ? what.replace('is ', 'is not ') : `not: ${what}`
}

/** A value of a row or a rule; '': unknown. */
export function valueWords(value: unknown, unit: string, now: number): string {
  const number = numberOf(value)
  if (number !== null && unit === 'seconds since 1970') return clockWords(number * 1000, now)
  if (number !== null && (unit !== '' || typeof value === 'number')) return amountWords(number, unit)
  const at = instantOf(value)
  if (at !== null) return clockWords(at, now)
  const text = oneLine(value, 120)
  return /\s/.test(text) ? `“${text}”` : text
}
