import { getTableColumns, is } from 'drizzle-orm'
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core'
import * as schema from '../../../db/schema/index.ts'
import { KIND_LIST } from '../../series/kinds.ts'
import { DEVICE_SECRETS } from '../records/device.ts'
import { isStoredPortColumn, LIVE_PORT_COLUMNS } from '../records/port.ts'

/** How values of a column are compared: as numbers, as case-insensitive text, or as instants. */
export type ColumnType = 'number' | 'text' | 'time'

export interface RuleColumn {
  readonly type: ColumnType
  /** SQL with the table's own name. */
  readonly sql: string
}

/** A table that rules may query, and how it joins to a device. */
export interface RuleTable {
  readonly name: string
  readonly columns: ReadonlyMap<string, RuleColumn>
  /** Columns of the primary key. */
  readonly key: readonly string[]
  /** The table it is joined to; null: it is `devices` itself. */
  readonly parent: string | null
  /** Join condition with quoted table names. */
  readonly on: string
  /** What follows `join`: the table, or a subselect with the table's name. */
  readonly from: string
  /** The table has its own port, which must be the rule's port if the rule also queries ports. */
  readonly port: boolean
}

/** Tables that belong to a device through a port: table, column of the port. */
const BY_PORT: ReadonlyMap<string, string> = new Map([
  ['ipv4_addresses', 'port_id'],
  ['ipv6_addresses', 'port_id'],
  ['ipv4_mac', 'port_id'],
  ['ipv6_nd', 'port_id'],
  ['ports_vlans', 'port_id'],
  ['ports_fdb', 'port_id'],
  ['links', 'local_port_id'],
  ['bill_ports', 'port_id'],
])

/** Tables that are reached through another: table, parent table, join condition. */
const BEHIND: ReadonlyMap<string, readonly [parent: string, on: string]> = new Map([
  ['locations', ['devices', '"locations".id = "devices".location_id']],
  ['sensors_to_state_indexes', ['sensors', '"sensors_to_state_indexes".sensor_id = "sensors".sensor_id']],
  [
    'state_indexes',
    ['sensors_to_state_indexes', '"state_indexes".state_index_id = "sensors_to_state_indexes".state_index_id'],
  ],
  [
    'state_translations',
    ['sensors_to_state_indexes', '"state_translations".state_index_id = "sensors_to_state_indexes".state_index_id'],
  ],
  ['ipv4_networks', ['ipv4_addresses', '"ipv4_networks".ipv4_network_id = "ipv4_addresses".ipv4_network_id']],
  ['ipv6_networks', ['ipv6_addresses', '"ipv6_networks".ipv6_network_id = "ipv6_addresses".ipv6_network_id']],
  ['bills', ['bill_ports', '"bills".bill_id = "bill_ports".bill_id']],
  ['component_prefs', ['component', '"component_prefs".component = "component".id']],
])

/** Tables that rules may not query: permissions, groups and alerts. Rules themselves feed some of these. */
const NOT_OFFERED: ReadonlySet<string> = new Set([
  'devices_perms',
  'ports_perms',
  'bill_perms',
  'device_group_device',
  'port_group_port',
  'alerts',
  'alert_log',
  'alert_device_map',
  'alert_attempts',
  'alert_messages',
  'alert_outbox',
  'faults',
  'fault_history',
  'alert_paths',
  'device_relationships',
  'device_doubles',
  'device_unreachable',
  'discovery_failures',
  'gone_objects',
  'sighting_readings',
  'candidates',
  'candidate_sources',
  'device_other_addresses',
  'learned_values',
])

/** Tables whose rows are granted as bills. */
export const BILL_TABLES: ReadonlySet<string> = new Set(['bill_ports', 'bills'])

/**
 * Columns that faults never show and rules cannot compare, in any table: credentials, and texts that may contain some,
 * such as the parameters of service checks. A comparison would tell them letter by letter.
 */
export const HIDDEN: ReadonlySet<string> = new Set([
  ...DEVICE_SECRETS,
  'authname',
  'poll_interval',
  'snmp_any_source',
  'no_parents',
  'service_param',
  'attrib_value',
  'ospfIfAuthKey',
  'remote_addresses',
  'remote_mac',
])

/** Whether rules cannot compare a column because it is hidden. The name is compared regardless of case. */
export const isHiddenColumn = (column: string): boolean =>
  [...HIDDEN].some((hidden) => hidden.toLowerCase() === column.toLowerCase())

/** SQL list of the hidden columns. */
export const HIDDEN_COLUMNS = `'{${[...HIDDEN].join()}}'::text[]`

function columnsOf(table: PgTable, name: string): Map<string, RuleColumn> {
  const columns = new Map<string, RuleColumn>()
  for (const [property, column] of Object.entries(getTableColumns(table))) {
    if (HIDDEN.has(property)) continue
    if (name === 'ports' && !isStoredPortColumn(property)) continue
    const sql = `"${name}"."${property}"`
    const kind = column.getSQLType()
    if (column.dataType === 'date') columns.set(property, { type: 'time', sql })
    else if (column.dataType === 'number' || column.dataType === 'bigint')
      columns.set(property, { type: 'number', sql })
    else if (kind === 'inet') columns.set(property, { type: 'text', sql: `host(${sql})` })
    else if (column.dataType === 'boolean') columns.set(property, { type: 'number', sql: `${sql}::int` })
    else columns.set(property, { type: 'text', sql: kind === 'text' ? sql : `${sql}::text` })
  }
  return columns
}

/** Columns of the primary key, declared on a column or on the table. */
function keyOf(table: PgTable): string[] {
  const config = getTableConfig(table)
  const own = Object.entries(getTableColumns(table)).filter(([, column]) => column.primary)
  const composite = config.primaryKeys[0]?.columns.map((column) => column.name) ?? []
  return own.length > 0 ? own.map(([name]) => name) : composite
}

function describe(table: PgTable): RuleTable | null {
  const { name, schema: namespace } = getTableConfig(table)
  if (namespace !== undefined || NOT_OFFERED.has(name)) return null
  const columns = columnsOf(table, name)
  const common = { name, columns, key: keyOf(table), from: `"${name}"` }
  if (name === 'devices') return { ...common, parent: null, on: '', port: false }
  const behind = BEHIND.get(name)
  if (behind !== undefined) return { ...common, parent: behind[0], on: behind[1], port: false }
  const port = BY_PORT.get(name)
  if (port !== undefined) {
    return {
      ...common,
      parent: 'ports',
      on: `"${name}"."${port}" = "ports".port_id`,
      port: false,
    }
  }
  if (!columns.has('device_id')) return null
  const on = `"${name}".device_id = "devices".device_id`
  return { ...common, parent: 'devices', on, port: name !== 'ports' && columns.has('port_id') }
}

/**
 * Name of the table with a port's latest samples. Rules address its columns as columns of `ports`. The joined view is
 * `ports_live`; `ports_statistics` of the contract has the same counters.
 */
export const LIVE_PORTS = 'ports_live'

function livePorts(): RuleTable {
  const columns = new Map(
    LIVE_PORT_COLUMNS.map((name): [string, RuleColumn] => [name, { type: 'number', sql: `"${LIVE_PORTS}"."${name}"` }]),
  )
  return {
    name: LIVE_PORTS,
    columns,
    key: [],
    parent: 'ports',
    // the device too, by which the counters are kept
    on: `"${LIVE_PORTS}".device_id = "ports".device_id and "${LIVE_PORTS}".port_id = "ports".port_id`,
    from: `ts.port_live "${LIVE_PORTS}"`,
    port: false,
  }
}

/** Ping results: the last two rounds of the past hour, and averages of the past day's hourly roll-ups. */
const PING_STATS = `(
  select d.device_id, r.*, a.ping_rtt_avg, a.ping_loss_avg from devices d
  cross join lateral (
    select max("time") filter (where n = 1) as ping_last_timestamp, max(rtt_avg) filter (where n = 1) as ping_rtt_last,
      max(rtt_avg) filter (where n = 2) as ping_rtt_prev, max(loss) filter (where n = 1) as ping_loss_last,
      max(loss) filter (where n = 2) as ping_loss_prev
    from (select "time", rtt_avg, 100.0 * (sent - received) / nullif(sent, 0) as loss, row_number() over (order by "time" desc) as n
      from (select * from ts.icmp_samples s where s.device_id = d.device_id and s."time" > now() - interval '1 hour'
        order by s."time" desc limit 2) s) x) r
  cross join lateral (
    select sum(rtt_avg * n) / nullif(sum(n) filter (where rtt_avg is not null), 0) as ping_rtt_avg,
      100.0 * (sum(sent) - sum(received)) / nullif(sum(sent), 0) as ping_loss_avg
    from ts.icmp_1h h where h.device_id = d.device_id and h.bucket > now() - interval '1 day') a
  where r.ping_last_timestamp is not null) "device_stats"`

/** `device_stats` of LibreNMS, from the samples of ICMP. */
function pingStats(): RuleTable {
  const name = 'device_stats'
  const number = (column: string): [string, RuleColumn] => [column, { type: 'number', sql: `"${name}"."${column}"` }]
  const columns = new Map<string, RuleColumn>([
    number('device_id'),
    ['ping_last_timestamp', { type: 'time', sql: `"${name}"."ping_last_timestamp"` }],
    ...['ping_rtt_last', 'ping_rtt_prev', 'ping_rtt_avg', 'ping_loss_last', 'ping_loss_prev', 'ping_loss_avg'].map(
      number,
    ),
  ])
  const on = `"${name}".device_id = "devices".device_id`
  return { name, columns, key: ['device_id'], parent: 'devices', on, from: PING_STATS, port: false }
}

/** Tables of LibreNMS for which there is no data here, and why. */
export const WITHOUT_DATA: ReadonlyMap<string, string> = new Map([
  ['applications', 'applications are not monitored'],
  ['application_metrics', 'applications are not monitored'],
  ['slas', 'SLA probes are not monitored'],
])

/**
 * Every table that a rule may query, by name, derived from the schema: tables with a `device_id`, tables with a port,
 * and tables reached through them. Secrets of devices, permissions, group members and alerts are excluded.
 */
export const RULE_TABLES: ReadonlyMap<string, RuleTable> = new Map(
  [
    ...Object.values(schema)
      .flatMap((value: unknown) => (is(value, PgTable) ? [describe(value)] : []))
      .filter((table) => table !== null),
    livePorts(),
    pingStats(),
  ].map((table) => [table.name, table]),
)

/** Tables whose values change with samples, and the kind of these samples. */
export const SAMPLED_TABLES: ReadonlyMap<string, string> = new Map([
  ...KIND_LIST.filter(({ subject }) => !['devices', 'ports', 'services'].includes(subject.table)).map(
    ({ subject, name }) => [subject.table, name] as const,
  ),
  [LIVE_PORTS, 'port'],
  ['device_stats', 'icmp'],
])

/** Tables that are not filled by polls: logs, service checks, bills, records of other programs. */
export const EXTERNAL_TABLES: ReadonlySet<string> = new Set([
  'availability',
  'bill_ports',
  'bills',
  'component',
  'component_prefs',
  'device_outages',
  'devices_attribs',
  'eventlog',
  'locations',
  'services',
  'syslog',
])
