import { getTableColumns, is } from 'drizzle-orm'
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core'
import * as schema from '../../../db/schema/index.ts'
import { DEVICE_SECRETS } from './device-columns.ts'
import { LIVE_PORT_COLUMNS, STORED_PORT_COLUMNS } from './port-columns.ts'

/** How values of a column are compared: as numbers, as text without its case, or as instants. */
export type ColumnType = 'number' | 'text' | 'time'

export interface RuleColumn {
  readonly type: ColumnType
  /** SQL over the table's own name. */
  readonly sql: string
}

/** A table that rules may ask about, and how it is tied to a device. */
export interface RuleTable {
  readonly name: string
  readonly columns: ReadonlyMap<string, RuleColumn>
  /** Columns that tell one row from another: the primary key. */
  readonly key: readonly string[]
  /** The table it hangs on; null: it is `devices` itself. */
  readonly parent: string | null
  /** Join condition over quoted table names. */
  readonly on: string
  /** What comes after `join`: the table, or a subselect with the table's name. */
  readonly from: string
  /** Has its own port: joined to the rule's port too where the rule asks about ports. */
  readonly port: boolean
}

/** Tables that have a port of their own and belong to devices through it: table, column of the port. */
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

/** Tables behind others: table, the one before it, and the condition. */
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

/** Tables of devices that rules may not ask about: who may see what, groups and alerts, which rules themselves feed. */
const NOT_OFFERED: ReadonlySet<string> = new Set([
  'devices_perms',
  'ports_perms',
  'bill_perms',
  'device_group_device',
  'port_group_port',
  'alerts',
  'alert_log',
  'alert_device_map',
  'device_relationships',
])

const PRIVATE: ReadonlySet<string> = new Set(['devices.poll_interval'])

function columnsOf(table: PgTable, name: string): Map<string, RuleColumn> {
  const columns = new Map<string, RuleColumn>()
  for (const [property, column] of Object.entries(getTableColumns(table))) {
    if (PRIVATE.has(`${name}.${property}`) || (name === 'devices' && DEVICE_SECRETS.has(property))) continue
    if (name === 'ports' && !STORED_PORT_COLUMNS.includes(property)) continue
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

/** The keys of the primary key, declared on a column or on the table. */
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
    return { ...common, parent: 'ports', on: `"${name}"."${port}" = "ports".port_id`, port: false }
  }
  if (!columns.has('device_id')) return null
  const on = `"${name}".device_id = "devices".device_id`
  return { ...common, parent: 'devices', on, port: name !== 'ports' && columns.has('port_id') }
}

/**
 * Name of the table of a port's last samples, whose columns rules address as columns of `ports`. It is joined as
 * `ports_live`, a view: `ports_statistics` of the contract is the same counters.
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
    on: `"${LIVE_PORTS}".port_id = "ports".port_id`,
    from: `ts.port_live "${LIVE_PORTS}"`,
    port: false,
  }
}

/**
 * Every table that a rule may ask about, by name, made from the schema: those with a `device_id`, those with a port,
 * and those behind them. Secrets of devices, permissions, group members and alerts are not among them.
 */
export const RULE_TABLES: ReadonlyMap<string, RuleTable> = new Map(
  [
    ...Object.values(schema)
      .flatMap((value: unknown) => (is(value, PgTable) ? [describe(value)] : []))
      .filter((table) => table !== null),
    livePorts(),
  ].map((table) => [table.name, table]),
)
