import type { Operation, Parameter } from './document.ts'
import { HARMLESS_NAMES, HOSTILE_TEXTS } from './hostile.ts'
import type { Pool } from './pool.ts'
import type { Rng } from './rng.ts'
import { hostileText, hostileValue, known, objectOf, usualValue } from './values.ts'

/** A request without its address and token. */
export interface Made {
  readonly operation: Operation
  /** With its query. */
  readonly path: string
  /** null: none. */
  readonly body: string | Uint8Array<ArrayBuffer> | null
}

/** Operations after which a device is gone or has another name. */
const REMOVES_DEVICE = new Set(['del_device', 'rename_device'])

/** One request for the operation. `words`: of fixed parts of paths, which no parameter may be. */
export function makeRequest(operation: Operation, words: ReadonlySet<string>, rng: Rng, pool: Pool): Made {
  const path = operation.path.replaceAll(/\{([^}]+)\}/g, (_, name: string) => {
    const text = pathText(operation, name, rng, pool)
    // Empty and dotted segments are no segments for clients of HTTP; they would ask for another path.
    const usable = text === '' || words.has(text) || /^\.+$|\.\.\//.test(text) ? '1' : text
    return rng.chance(0.01) ? rng.pick(['%00', 'a%00b', '%ff', '%c3%28', '%ed%a0%80']) : encode(usable)
  })
  const asked = operation.parameters.filter((parameter) => parameter.in === 'query' && rng.chance(0.35))
  const query = asked.map((parameter) => `${encode(parameter.name)}=${queryText(parameter, rng, pool)}`)
  if (rng.chance(0.02)) query.push(rng.pick(['a[]=1', 'a=1&a=2', '&&=', '__proto__=1', 'columns=%00', 'x=%ff']))
  return {
    operation,
    path: query.length === 0 ? path : `${path}?${query.join('&')}`,
    body: operation.body === null ? null : bodyText(operation, rng, pool),
  }
}

/** Half surrogates cannot be percent-encoded. */
const encode = (text: string) => encodeURIComponent(text.toWellFormed())

function queryText(parameter: Parameter, rng: Rng, pool: Pool): string {
  if (rng.chance(0.01)) return rng.pick(['%00', '%ff', 'a%00b'])
  const { name, schema } = parameter
  return encode(rng.chance(0.6) ? String(usualValue(name, schema, rng, pool)) : hostileText(name, rng))
}

function pathText(operation: Operation, name: string, rng: Rng, pool: Pool): string {
  if (name === 'new_hostname') return rng.pick(HARMLESS_NAMES)
  const removes = operation.method === 'DELETE'
  if (rng.chance(removes ? 0.7 : 0.3)) return rng.pick(HOSTILE_TEXTS)
  if (REMOVES_DEVICE.has(operation.id)) return pool.doomed.length === 0 ? '0' : rng.pick(pool.doomed)
  const found = candidates(operation.path, name, rng, pool)
  return found.length === 0 ? '1' : String(rng.pick(found))
}

/** Which table an `id` is of, by the word before it. */
const ID_TABLES: Readonly<Record<string, string>> = {
  alerts: 'alerts',
  unmute: 'alerts',
  alert_templates: 'alert_templates',
  bgp: 'bgpPeers',
  bills: 'bills',
  links: 'links',
  networks: 'ipv4_networks',
  rules: 'alert_rules',
  vrf: 'vrfs',
  ports: 'ports',
  sensors: 'sensors',
  faults: 'faults',
  scans: 'scans',
  schedules: 'on_call_schedules',
  operations: 'alert_operations',
  transports: 'alert_transports',
  'transport-groups': 'alert_transport_groups',
  'candidate-rules': 'candidate_rules',
  bits: 'port_groups',
}

const GRAPHS = ['device_bits', 'port_bits', 'device_temperature', 'multiport_bits', 'port_errors', 'bits', 'nothing']

const CANDIDATES: Readonly<Record<string, (rng: Rng, pool: Pool) => readonly (string | number)[]>> = {
  hostname: devices,
  device_name: devices,
  portid: (_, pool) => known(pool, 'ports'),
  port_id: (_, pool) => known(pool, 'ports'),
  ifname: (_, pool) => named(pool, 'ports'),
  sensor_id: (_, pool) => [...known(pool, 'sensors'), ...known(pool, 'wireless_sensors')],
  bill_hist_id: (_, pool) => known(pool, 'bill_history'),
  graph_type: () => ['bits', 'monthly', 'day', 'hour', 'ave'],
  port_group_id: (_, pool) => known(pool, 'port_groups'),
  group: (_, pool) => [...named(pool, 'port_groups'), 'transit'],
  location: (_, pool) => [...known(pool, 'locations'), ...named(pool, 'locations')],
  service_id: (_, pool) => known(pool, 'services'),
  component: (_, pool) => known(pool, 'component'),
  metric: (_, pool) => known(pool, 'transceivers'),
  type: (_, pool) => [...GRAPHS, ...named(pool, 'sensors'), 'device_voltage', 'temperature'],
  datasource: () => ['time', 'size'],
  mac: () => ['00005e0053ff', '00:00:5e:00:53:ff', '0000.5e00.53ff'],
  query: () => ['192.0.2.1', '00005e0053ff', '192.0.2.0', '2001:db8::'],
  cidr: () => ['24', '32', '0'],
  field: () => ['ifName', 'ifAlias', 'ifDescr', 'ifPhysAddress', 'nowhere', 'ifAlias,ifName'],
  search: () => ['up', 'Gi0', '00005e0053ff', '%', 'filled0'],
  searchstring: () => ['interface'],
  address_family: () => ['ipv4', 'ipv6', 'ipv5'],
  poller_group_id_or_name: () => ['0', '1', 'General'],
}

function devices(_: Rng, pool: Pool): readonly (string | number)[] {
  return pool.devices.flatMap(({ id, hostname }) => [id, hostname])
}

function candidates(path: string, name: string, rng: Rng, pool: Pool): readonly (string | number)[] {
  const before = path.split('/')[path.split('/').indexOf(`{${name}}`) - 1] ?? ''
  if (name === 'id' && before === 'devices') return devices(rng, pool)
  if (name === 'id') return known(pool, ID_TABLES[before] ?? '')
  if (name === 'name') return named(pool, before === 'devicegroups' ? 'device_groups' : 'port_groups')
  return CANDIDATES[name]?.(rng, pool) ?? []
}

function named(pool: Pool, table: string): readonly string[] {
  return pool.names.get(table) ?? []
}

function bodyText({ id, body }: Operation, rng: Rng, pool: Pool): string | Uint8Array<ArrayBuffer> {
  const valid = objectOf(body ?? {}, rng, pool)
  if (id === 'update_device_field') Object.assign(valid, fieldAndData(rng, pool))
  if (id === 'syslogsink') Object.assign(valid, { msg: 'something happened', host: rng.pick(pool.devices).hostname })
  const members = Object.keys(valid)
  const text = JSON.stringify(valid)
  const roll = rng.next()
  if (roll < 0.45) return text
  if (roll < 0.72 && members.length > 0) {
    const name = rng.pick(members)
    // The data of update_device_field may be an address that the server would ask.
    const value = id === 'update_device_field' && name === 'data' ? rng.pick(HARMLESS_NAMES) : hostileValue(name, rng)
    return JSON.stringify({ ...valid, [name]: value })
  }
  if (roll < 0.8 && members.length > 0) return JSON.stringify({ ...valid, [rng.pick(members)]: undefined })
  if (roll < 0.84) return JSON.stringify({ ...valid, [rng.pick(HOSTILE_TEXTS)]: hostileValue('', rng) })
  if (roll < 0.87) return rng.pick(['', ' ', 'null', '0', '"text"', 'true', '[]', '[[]]', '{}', '[null]', '[{}]'])
  if (roll < 0.9) return text.slice(0, rng.below(text.length))
  if (roll < 0.92) return JSON.stringify([valid, valid])
  if (roll < 0.94) return `${'[{"a":'.repeat(rng.pick([5, 30, 40, 5000]))}1`
  if (roll < 0.95) return nested(rng.pick([10, 30, 31, 200]))
  if (roll < 0.97) return text.replace(/"([^"]*)"/, '"$1\\u0000"')
  if (roll < 0.98) return Buffer.concat([Buffer.from(text.slice(0, -1)), Buffer.from([0xff, 0xc3, 0x28, 0x7d])])
  if (roll < 0.995) return `{${text.slice(1, -1)}${members.length > 0 ? ',' : ''}${text.slice(1)}`
  return `"${'x'.repeat(5_000_000)}"`
}

function nested(depth: number): string {
  return `${'{"rules":['.repeat(depth)}${']}'.repeat(depth)}`
}

/** Fields with what is stored in them; addresses stay those of this host. */
function fieldAndData(rng: Rng, pool: Pool): object {
  const one = () => String(usualValue('field', {}, rng, pool))
  const value = (field: string) =>
    /ip|hostname/i.test(field) ? rng.pick(HARMLESS_NAMES) : rng.pick<unknown>(['text', 1, '2', true, null, -1, 1e12])
  if (rng.chance(0.6)) {
    const field = one()
    return { field, data: value(field) }
  }
  const field = [one(), one()]
  return { field, data: rng.chance(0.8) ? field.map(value) : [] }
}
