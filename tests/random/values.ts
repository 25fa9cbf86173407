import type { Schema } from './document.ts'
import { HARMLESS_NAMES, HOSTILE_TEXTS, HOSTILE_VALUES } from './hostile.ts'
import type { Pool } from './pool.ts'
import type { Rng } from './rng.ts'

/** Members of bodies and parameters of queries that name a host, which the server may ask or resolve. */
const HOSTS = new Set(['hostname', 'new_hostname', 'ip', 'overwrite_ip', 'host'])

const BUILDERS: readonly unknown[] = [
  { condition: 'AND', rules: [{ field: 'devices.os', operator: 'equal', value: 'linux' }] },
  {
    condition: 'OR',
    rules: [
      { field: 'ports.ifOperStatus', operator: 'not_equal', value: 'up' },
      { condition: 'AND', rules: [{ field: 'sensors.sensor_current', operator: 'greater', value: '70' }] },
    ],
  },
  { condition: 'AND', rules: [{ field: 'devices.hostname', operator: 'regex', value: '(a+)+$' }] },
  { condition: 'AND', rules: [{ field: 'macros.device_up', operator: 'equal', value: '1' }] },
]

const COLUMNS = ['port_id', 'ifName', 'ifAlias', 'ifInOctets_rate', 'device_id', 'ifSpeed', 'nowhere', 'sensor_id']
const TIMES = ['-1d', 'now', '1700000000', '-2weeks', '2026-08-14 12:00:00', 'end-1h', '-1']
const FIELDS = [
  ...[
    'notes',
    'purpose',
    'display',
    'location',
    'ignore',
    'disabled',
    'type',
    'community',
    'serial',
    'port',
    'timeout',
  ],
  ...['retries', 'poller_group', 'snmpver', 'transport', 'hardware', 'status', 'ip', 'hostname', 'overwrite_ip', 'lat'],
  ...['device_id', 'last_polled', 'uptime', 'features', 'override_sysLocation', 'max_depth', 'nowhere', 'a"b', ''],
]

/** What a client would send under these names, of all operations. */
const USUAL: Readonly<Record<string, (rng: Rng, pool: Pool) => unknown>> = {
  devices: (rng, pool) => [rng.pick(pool.devices).id, rng.pick(pool.devices).hostname],
  device_id: (rng, pool) => rng.pick([-1, rng.pick(pool.devices).id]),
  groups: (_, pool) => known(pool, 'device_groups').slice(0, 2),
  locations: (_, pool) => known(pool, 'locations').slice(0, 2),
  alert_rules: (_, pool) => known(pool, 'alert_rules').slice(0, 2),
  parent_ids: (rng, pool) => rng.pick([rng.pick(pool.devices).id, rng.pick(pool.devices).hostname]),
  ports: (_, pool) => known(pool, 'ports').slice(0, 2),
  port_ids: (_, pool) => known(pool, 'ports').slice(0, 3),
  template_id: (rng, pool) => rng.pick([...known(pool, 'alert_templates'), 1]),
  rule_id: (rng, pool) => rng.pick([...known(pool, 'alert_rules'), 1]),
  bill_id: (rng, pool) => rng.pick([...known(pool, 'bills'), 1]),
  bill_type: (rng) => rng.pick(['cdr', 'quota']),
  bill_day: (rng) => 1 + rng.below(31),
  dir_95th: (rng) => rng.pick(['in', 'out', 'agg']),
  builder: (rng) => rng.pick([rng.pick(BUILDERS), JSON.stringify(rng.pick(BUILDERS))]),
  rules: (rng) => JSON.stringify(rng.pick(BUILDERS)),
  severity: (rng) => rng.pick(['ok', 'warning', 'critical', 3, '5']),
  duration: (rng) => rng.pick(['1:00', '48:30', '0:01']),
  start: (rng) => rng.pick(['2026-08-14 12:00:00', '0', '10']),
  type: (rng) =>
    rng.pick(['static', 'dynamic', 'http', 'ssh', 'all', 'down', 'os', 'mac', 'ipv4', 'location', 'temperature']),
  field: (rng) => rng.pick(FIELDS),
  lat: (rng) => rng.pick([47.5, '-12.25', 91, 0]),
  lng: (rng) => rng.pick([8.25, '190', -180]),
  version: (rng) => rng.pick(['v1', 'v2c', 'v3']),
  snmpver: (rng) => rng.pick(['v1', 'v2c', 'v3']),
  transport: (rng) => rng.pick(['udp', 'udp6', 'tcp']),
  port: (rng) => rng.pick([161, 1, 65_535]),
  columns: (rng) => [rng.pick(COLUMNS), rng.pick(COLUMNS)].join(','),
  with: (rng) => rng.pick(['vlans', 'device', 'vlans,nothing']),
  order: (rng) => rng.pick(['hostname', 'device_id desc', 'os ASC', 'timestamp desc', 'nowhere']),
  from: (rng) => rng.pick(TIMES),
  to: (rng) => rng.pick(TIMES),
  width: (rng) => rng.pick(['200', '40', '400']),
  height: (rng) => rng.pick(['60', '100']),
  output: (rng) => rng.pick(['base64', 'display', 'png']),
  limit: (rng) => rng.pick(['1', '5', '50']),
  zone: (rng) => rng.pick(['Europe/Zurich', 'UTC', 'Etc/GMT+12']),
  begins: (rng) => rng.pick(['2026-03-29 02:30', '2028-02-29 08:00']),
  ends: (rng) => rng.pick([null, '2030-01-01 08:00']),
  unit: (rng) => rng.pick(['hour', 'day', 'week']),
  lets: (rng) => rng.pick(['critical', 'nothing']),
  until: (rng) => rng.pick(['clear', '2099-12-31T23:59:59Z']),
  action: (rng) => rng.pick(['accept', 'ignore']),
  network: (rng) => rng.pick(['198.51.100.0/24', '192.0.2.7']),
  targets: (_, pool) => known(pool, 'alert_transports').slice(0, 2).map(String),
  transports: (_, pool) => known(pool, 'alert_transports').slice(0, 2),
  sortorder: (rng) => rng.pick(['ASC', 'DESC']),
  state: (rng) => rng.pick(['0', '1', '2']),
  query: (rng, pool) => rng.pick(['linux', '00:00:5e:00:53:ff', rng.pick(pool.devices).hostname]),
}

/** Ids of a table that exist. */
export function known(pool: Pool, table: string): readonly number[] {
  return pool.ids.get(table) ?? []
}

/** A hostile text, or a harmless name where the name tells that a host is meant. */
export function hostileText(name: string, rng: Rng): string {
  return rng.pick(HOSTS.has(name) ? HARMLESS_NAMES : HOSTILE_TEXTS)
}

/** A hostile JSON value; no text that could be a host where one is meant. */
export function hostileValue(name: string, rng: Rng): unknown {
  const value = rng.pick(HOSTILE_VALUES)
  return HOSTS.has(name) && typeof value !== 'object' ? rng.pick(HARMLESS_NAMES) : value
}

/** A value that the schema describes, as a client would choose it. */
export function usualValue(name: string, schema: Schema, rng: Rng, pool: Pool): unknown {
  if (HOSTS.has(name)) return name === 'host' ? rng.pick(pool.devices).hostname : rng.pick(HARMLESS_NAMES)
  const usual = Object.hasOwn(USUAL, name) ? USUAL[name] : undefined
  if (usual !== undefined && rng.chance(0.85)) return usual(rng, pool)
  return bySchema(schema, rng, pool)
}

function bySchema(schema: Schema, rng: Rng, pool: Pool): unknown {
  if (schema.const !== undefined) return schema.const
  if (schema.enum !== undefined) return rng.pick(schema.enum)
  if (schema.anyOf !== undefined) return bySchema(rng.pick(schema.anyOf), rng, pool)
  switch (schema.type) {
    case 'string':
      return rng.pick(['text', '1', '0', 'a longer text, with 2 commas, and \u00fc', 'random'])
    case 'integer':
      return rng.below(100)
    case 'number':
      return rng.below(1000) / 8
    case 'boolean':
      return rng.chance(0.5)
    case 'null':
      return null
    case 'array':
      return Array.from({ length: rng.below(3) }, () => bySchema(schema.items ?? {}, rng, pool))
    case 'object':
      return objectOf(schema, rng, pool)
    default:
      return rng.pick([1, 0, '1', true, 'text', null, [1]])
  }
}

/** A body: all that is required, and some of the rest. */
export function objectOf(schema: Schema, rng: Rng, pool: Pool): Record<string, unknown> {
  const made: Record<string, unknown> = {}
  for (const [name, member] of Object.entries(schema.properties ?? {})) {
    if (schema.required?.includes(name) || rng.chance(0.6)) made[name] = usualValue(name, member, rng, pool)
  }
  const pattern = schema.additionalProperties
  if (pattern !== undefined) {
    const names = ['label', 'status', 'disabled', 'ignore', 'error', 'service_desc', 'service_param', 'own']
    const chosen = pattern.type === 'object' ? known(pool, 'component').map(String).slice(0, 2) : names
    for (const name of chosen) if (rng.chance(0.5)) made[name] = bySchema(pattern, rng, pool)
  }
  return made
}
