import type { Store } from '../../src/core/database/client.ts'

/** Tables that a device does not fill: accounts, settings, derived rows, and relations between two devices. */
const LEFT_OUT = new Set([
  ...[
    'users',
    'roles',
    'model_has_roles',
    'permissions',
    'role_has_permissions',
    'api_tokens',
    'users_prefs',
    'sessions',
    'second_factors',
    'push_subscriptions',
    'user_identities',
    'signing_keys',
    'trap_engine',
    'config',
    'last_backup',
    'cluster_lead',
  ],
  ...[
    'devices_perms',
    'devices_group_perms',
    'locations_perms',
    'ports_perms',
    'bill_perms',
    'authlog',
    'schema_migrations',
    'migrations',
  ],
  ...['remote_pollers', 'remote_poller_refusals'],
  ...[
    'pollers',
    'poller_cluster',
    'poller_cluster_stats',
    'poller_groups',
    'device_relationships',
    'device_doubles',
    'alert_templates',
  ],
  'alert_template_map',
  // rows of users
  ...['on_call_turns', 'on_call_overrides', 'on_call_ways'],
])

/** Values that a column must have so that lists show its row. */
const VALUES: Readonly<Record<string, string | number>> = {
  tunnel_status: 'active',
  mac_address: '00005e0053ff',
  sensor_class: 'temperature',
  bgpPeerState: 'established',
  ospfNbrState: 'full',
  bill_type: 'cdr',
  dir_95th: 'in',
  ifStackStatus: 'active',
  ifOperStatus: 'up',
  ipv4_address: '192.0.2.1',
  context_name: '',
  type: 'static',
  invert_map: 0,
  severity: 'critical',
  state: 1,
  details: '{}',
  builder: '{"condition":"AND","rules":[{"field":"devices.os","operator":"equal","value":"x"}]}',
  extra: '{}',
  rules: '{}',
  alert_schedulable_type: 'device',
  zone: 'UTC',
}

interface Column {
  readonly table: string
  readonly name: string
  readonly type: string
  readonly nullable: boolean
  readonly preset: boolean
  readonly identity: boolean
  /** The table that it refers to. */
  readonly target: string | null
}

/**
 * Stores a device with a row in every table that a device can have rows in, derived from the database's own catalogue.
 * Ids start at `base` and texts begin with `marker`, so that both are recognised wherever they turn up. Returns the id
 * of each table's row, and the tables that accepted none.
 */
export async function fillDevice(
  { sql }: Store,
  base: number,
  marker: string,
): Promise<{ ids: ReadonlyMap<string, number>; failed: readonly string[] }> {
  const columns = await sql<Column[]>`
    select c.table_name as table, c.column_name as name, c.data_type as type, c.is_nullable = 'YES' as nullable,
      c.column_default is not null as preset, c.is_identity = 'YES' as identity,
      (select k.confrelid::regclass::text from pg_constraint k
        join pg_attribute a on a.attrelid = k.conrelid and a.attnum = k.conkey[1]
        where k.contype = 'f' and k.conrelid = format('public.%I', c.table_name)::regclass and a.attname = c.column_name
        limit 1) as target
    from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.is_generated = 'NEVER' order by c.table_name, c.ordinal_position`
  const tables = Map.groupBy(columns, (column) => column.table)
  const ids = new Map<string, number>()
  const failed: string[] = []
  const waiting = new Set([...tables.keys()].filter((table) => !LEFT_OUT.has(table)))
  let next = base
  for (let round = 0; round < 10 && waiting.size > 0; round++) {
    for (const table of waiting) {
      const own = tables.get(table) ?? []
      const needs = own.flatMap(({ name, target }) =>
        target !== null
          ? [target.replaceAll('"', '')]
          : name === 'device_id' || name === 'alert_schedulable_id'
            ? ['devices']
            : name === 'port_id'
              ? ['ports']
              : name === 'rule_id'
                ? ['alert_rules']
                : [],
      )
      if (needs.some((need) => waiting.has(need) && need !== table)) continue
      waiting.delete(table)
      const row: Record<string, string | number | null> = {}
      const id = next++
      for (const column of own) {
        const target = column.target?.replaceAll('"', '')
        const value = column.identity
          ? id
          : target !== undefined
            ? (ids.get(target) ?? null)
            : valueFor(column, ids, base, marker)
        if (value !== undefined) row[column.name] = value
      }
      try {
        await sql`insert into ${sql(table)} ${sql(row)}`
        ids.set(table, id)
      } catch (error) {
        failed.push(`${table}: ${error instanceof Error ? error.message : String(error)}`)
      }
    }
  }
  return { ids, failed: [...failed, ...[...waiting].map((table) => `${table}: waits for another`)] }
}

function valueFor(column: Column, ids: ReadonlyMap<string, number>, base: number, marker: string) {
  const { table, name, type, preset } = column
  if (name === 'device_id' || name === 'alert_schedulable_id') return ids.get('devices') ?? null
  if (name === 'port_id') return ids.get('ports') ?? null
  if (name === 'rule_id') return ids.get('alert_rules') ?? null
  if (table === 'scans' && name === 'state') return 'done'
  if (table === 'on_call_layers' && name === 'days') return '1,5'
  if (table === 'eventlog' && name === 'type') return marker
  if (name === 'ipv4_network_id' || name === 'ipv6_network_id') return ids.get(name.replace('_id', 's')) ?? null
  if (name === 'severity' && type !== 'text') return 2
  if (name in VALUES && (type === 'text' || !preset)) {
    const value = VALUES[name]
    return type === 'text' || typeof value === 'number' ? value : base
  }
  if (preset && name !== 'name') return undefined
  if (name === 'hostname') return `${marker}.example.net`
  if (type === 'text') return `${marker} ${name}`
  if (type === 'smallint') return 1
  if (/^(integer|bigint|real|double precision)$/.test(type)) return base
  if (type === 'numeric') return 1
  if (type.startsWith('timestamp') || type === 'date') return new Date().toISOString()
  if (type === 'inet') return '192.0.2.1'
  if (type === 'boolean') return 'false'
  if (table === 'scans' && name === 'networks') return `{"${marker.replaceAll(/["\\]/g, '\\$&')}"}`
  if (type.startsWith('json')) return '{}'
  return null
}
