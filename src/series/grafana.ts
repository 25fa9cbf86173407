import { SENSOR_CLASSES } from '../lib/sensor-classes.ts'
import { WIRELESS_UNITS } from '../lib/wireless-classes.ts'
import { type Column, hasCounters, type SampleKind } from './kind.ts'
import { ifThere } from './sql.ts'

/**
 * Schema `grafana`: the views of the kinds at each level, `<view>`, `<view>_1h` and `<view>_1d`. Unlike the views in
 * schema `ts`, their columns need no quotes and have the unit in the name. db/series/60-grafana.sql adds the inventory
 * and the functions. Needs the roll-ups' live tails.
 */
export function grafanaViewsSql(kinds: readonly SampleKind[]): string {
  const views = kinds.flatMap((kind) => LEVELS.map((level) => kindView(kind, level)))
  return `
create schema if not exists grafana;
${unitFunction(
  'sensor_unit',
  Object.entries(SENSOR_CLASSES).map(([name, [unit]]) => [name, unit]),
)}
${unitFunction('wireless_unit', Object.entries(WIRELESS_UNITS))}
${views.join('')}`
}

const LEVELS = ['samples', '1h', '1d'] as const
type Level = (typeof LEVELS)[number]

/** SQL function from a class of sensors to the unit of its values; '' for plain numbers and unknown classes. */
function unitFunction(name: string, units: readonly (readonly [sensorClass: string, unit: string])[]): string {
  const cases = units
    .filter(([, unit]) => unit !== '')
    .map(([sensorClass, unit]) => `when '${sensorClass}' then '${unit}'`)
  return `create or replace function grafana.${name}(sensor_class text) returns text language sql immutable strict parallel safe as $f$
  select case sensor_class ${cases.join(' ')} else '' end $f$;`
}

/** A column of a view: its name and its SQL over `s` (the level), `x` (the subject) and `d` (the device). */
type ViewColumn = readonly [name: string, sql: string]

interface GrafanaView {
  readonly name: string
  /** Columns that identify the subject in addition to its id. */
  readonly subject: readonly ViewColumn[]
  /** Joins in addition to those of the subject and the device. */
  readonly joins?: string
}

const sensorColumns = (unit: string): readonly ViewColumn[] => [
  ['sensor_class', 'x.sensor_class'],
  ['sensor', "coalesce(x.sensor_descr, x.sensor_index, '')"],
  ['unit', `grafana.${unit}(x.sensor_class)`],
]

/** By kind. A kind that is not listed has the name and the columns of its view in schema `ts`. */
const VIEWS: Readonly<Record<string, GrafanaView>> = {
  port: {
    name: 'port_rates',
    subject: [
      ['port', 'coalesce(nullif(x."ifName", \'\'), x."ifDescr")'],
      ['alias', 'x."ifAlias"'],
      ['speed_bps', 'x."ifSpeed"'],
    ],
  },
  etherlike: {
    name: 'port_ethernet_errors',
    subject: [['port', 'coalesce(nullif(x."ifName", \'\'), x."ifDescr")']],
  },
  sensor: { name: 'sensor_values', subject: sensorColumns('sensor_unit') },
  wireless: { name: 'wireless_values', subject: sensorColumns('wireless_unit') },
  processor: { name: 'processor_usage', subject: [['processor', 'x.processor_descr']] },
  mempool: { name: 'memory_usage', subject: [['mempool', 'x.mempool_descr']] },
  storage: { name: 'storage_usage', subject: [['storage', 'x.storage_descr']] },
  supply: {
    name: 'supply_levels',
    subject: [
      ['supply_type', 'x.supply_type'],
      ['supply', 'x.supply_descr'],
    ],
  },
  bgp_peer: {
    name: 'bgp_peer_rates',
    subject: [
      ['peer', 'x."bgpPeerIdentifier"'],
      ['remote_as', 'x."bgpPeerRemoteAs"'],
    ],
  },
  qos_class: {
    name: 'qos_class_rates',
    subject: [
      ['port_id', 'x.port_id'],
      ['direction', 'x.direction'],
      ['policy', 'x.policy'],
      ['class', 'x.class'],
      [
        'qos_class',
        `concat_ws(' ', coalesce(nullif(p."ifName", ''), p."ifDescr"), nullif(x.circuit, ''), nullif(x.direction, ''), x.policy || ': ' || x.class)`,
      ],
    ],
    joins: 'left join public.ports p on p.port_id = x.port_id',
  },
  stats: { name: 'device_stats', subject: [] },
  service: {
    name: 'service_values',
    subject: [
      ['service_id', 'v.service_id'],
      ['service', "coalesce(nullif(v.service_name, ''), v.service_type)"],
      ['data_set', 'x.ds'],
    ],
    joins: 'join public.services v on v.service_id = x.service_id',
  },
}

/** Names of columns that cannot be derived from the stored column and its unit. */
const NAMES: Readonly<Record<string, string>> = {
  in_octets: 'in_bits_per_s',
  out_octets: 'out_bits_per_s',
  in_pkts: 'in_unicast_packets_per_s',
  out_pkts: 'out_unicast_packets_per_s',
  in_err: 'in_errors_per_s',
  out_err: 'out_errors_per_s',
  in_disc: 'in_discards_per_s',
  out_disc: 'out_discards_per_s',
  in_bcast: 'in_broadcast_packets_per_s',
  out_bcast: 'out_broadcast_packets_per_s',
  in_mcast: 'in_multicast_packets_per_s',
  out_mcast: 'out_multicast_packets_per_s',
  perc: 'used_percent',
  offered_octets: 'offered_bits_per_s',
  sent_octets: 'sent_bits_per_s',
  dropped_octets: 'dropped_bits_per_s',
}
const SUFFIXES: Readonly<Record<string, string>> = {
  octets: 'octets',
  percent: 'percent',
  ms: 'ms',
  s: 's',
  '/s': 'per_s',
}

/** Where dashboards read the values of a kind; null: nowhere. */
export interface DashboardView {
  /** Name of the view of samples; `_1h` and `_1d` are appended for the roll-ups. */
  readonly name: string
  /** Column with the id of the subject. */
  readonly key: string
  /** Column with the name of the subject; null: the device. */
  readonly subject: string | null
  /** Columns of the view by stored column. */
  readonly columns: ReadonlyMap<string, string>
}

/** The view of schema `grafana` with the values of a kind. */
export function dashboardView(kind: SampleKind): DashboardView | null {
  const view = grafanaView(kind)
  if (view === null) return null
  const ofDevice = kind.subject.table === 'devices'
  const columns = kind.columns.map((column) => [column.name, viewColumn(kind.name, column)] as const)
  return {
    name: view.name,
    key: ofDevice ? 'device_id' : kind.key,
    subject: view.subject.findLast(([name]) => SUBJECTS.has(name))?.[0] ?? null,
    columns: new Map([...columns, ...(kind.name === 'icmp' ? [['loss', 'loss_percent'] as const] : [])]),
  }
}

const SUBJECTS = new Set([
  'port',
  'sensor',
  'processor',
  'mempool',
  'storage',
  'supply',
  'peer',
  'data_set',
  'module',
  'qos_class',
])

const viewColumn = (kind: string, column: Column) => (kind === 'supply' ? 'level_percent' : columnName(column))

function grafanaView(kind: SampleKind): GrafanaView | null {
  const own = VIEWS[kind.name]
  if (own !== undefined) return own
  if (kind.view === null) return null
  const subject = kind.view.with.map((text): ViewColumn => {
    const [sql = text, name = text] = text.split(' as ')
    return [name.replaceAll('"', ''), `x.${sql}`]
  })
  return { name: kind.view.name, subject }
}

function kindView(kind: SampleKind, level: Level): string {
  const view = grafanaView(kind)
  if (view === null) return ''
  const { name, key, subject } = kind
  const ofDevice = subject.table === 'devices'
  const rolled = level !== 'samples'
  const counters = hasCounters(kind.columns)
  const device = kind.name === 'service' ? 'v' : 'x'
  const columns: readonly ViewColumn[] = [
    ['time', rolled ? 's.bucket' : 's."time"'],
    ['device_id', 'd.device_id'],
    ['hostname', 'd.hostname'],
    ...(ofDevice ? [] : [[key, `s.${key}`] as const]),
    ...view.subject,
    ...(counters ? [['period_s', 's.period_ms / 1000.0::float8'] as const] : []),
    ...kind.columns.flatMap((column, i) => valueColumns(kind.name, column, i + 1, rolled, counters)),
    ...(kind.name === 'port' ? PORT_EXTRAS(rolled) : []),
    ...(kind.name === 'device' ? [AVAILABLE(rolled)] : []),
    ...(kind.name === 'icmp' ? [LOSS] : []),
  ]
  const joins = ofDevice
    ? 'join public.devices d on d.device_id = s.device_id'
    : `join public.${subject.table} x on x.${subject.id} = s.${key} ${view.joins ?? ''} join public.devices d on d.device_id = ${device}.device_id`
  return `
select ts.make_view('grafana.${view.name}${rolled ? `_${level}` : ''}', $v$
  select ${columns.map(([as, sql]) => `${sql} as ${as === 'time' ? '"time"' : as}`).join(',\n    ')}
  from ts.${name}_${rolled ? `${level}_all` : `${level}_dated`} s ${joins}$v$)${ifThere(subject.table)};`
}

/** A value, and in roll-ups its extremes. `position`: index of the column in `known`, from 1. */
function valueColumns(
  kind: string,
  column: Column,
  position: number,
  rolled: boolean,
  counters: boolean,
): readonly ViewColumn[] {
  const name = viewColumn(kind, column)
  const counter = column.role === 'counter'
  const factor = column.unit === 'octets' && counter ? 8 : 1
  const period = rolled ? `nullif(coalesce(s.known[${position}], s.period_ms), 0)` : 's.period_ms'
  const quoted = `s."${column.name}"`
  const value = counter ? `${quoted} * ${factor * 1000}.0::float8 / ${period}` : counters ? `${quoted}::float8` : quoted
  const extreme = (which: 'min' | 'max'): ViewColumn => [
    `${name}_${which}`,
    counter ? `s."${column.name}_${which}" * ${factor}::float8` : `s."${column.name}_${which}"`,
  ]
  return [[name, value], ...(rolled ? [extreme('min'), extreme('max')] : [])]
}

/** Snake case, with the unit: `used_octets`, `in_errors_per_s`. */
function columnName({ name, role, unit }: Column): string {
  const given = NAMES[name]
  if (given !== undefined) return given
  const snake = name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1_$2')
    .toLowerCase()
  const suffix = role === 'counter' ? 'per_s' : SUFFIXES[unit]
  return suffix === undefined || snake.endsWith(`_${suffix}`) ? snake : `${snake}_${suffix}`
}

/** Share of the port's speed in percent, null without a speed; and the octets of the row, which sum exactly. */
const PORT_EXTRAS = (rolled: boolean): readonly ViewColumn[] => [
  ...(['in', 'out'] as const).map((way, i): ViewColumn => {
    const period = rolled ? `nullif(coalesce(s.known[${i + 1}], s.period_ms), 0)` : 's.period_ms'
    return [`${way}_utilisation_percent`, `s.${way}_octets * 800000.0::float8 / ${period} / nullif(x."ifSpeed", 0)`]
  }),
  ['in_octets', 's.in_octets'],
  ['out_octets', 's.out_octets'],
]

/** Percent of the polls that SNMP answered. */
const AVAILABLE = (rolled: boolean): ViewColumn => [
  'answered_percent',
  rolled
    ? '100.0::float8 * coalesce(s.known[1], s.n) / s.n'
    : 'case when s.uptime_s is null then 0 else 100 end::float8',
]

const LOSS: ViewColumn = ['loss_percent', '100.0::float8 * (s.sent - s.received) / nullif(s.sent, 0)']
