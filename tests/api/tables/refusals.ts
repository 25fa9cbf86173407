import { expect } from 'bun:test'
import type { Dialect } from '../../../src/core/base/actor.ts'
import { storeRule } from '../../support/alerts.ts'
import { mint, type TestApi } from '../../support/api.ts'
import type { Seeded } from '../fixtures.ts'
import { body as bill, made as billOf, MISSING } from './bill-support.ts'
import { located } from './locations.ts'
import { get, message, type Request, type Row, send } from './row.ts'

/** A mistake of the caller: 500 in LibreNMS, a standard HTTP status in dialect `documented`. */
export interface Refusal {
  readonly operation: string
  /** In dialect `documented`. */
  readonly status: 400 | 404 | 409 | 503
  readonly name: string
  /** The same in both dialects; `librenms` sends only `Server Error` where LibreNMS has no message. */
  readonly message: RegExp
  readonly unexplained?: true
  readonly request: (seeded: Seeded, api: TestApi, dialect: Dialect) => Request | Promise<Request>
}

const NOBODY = 'nobody.example.net'
const RULE = '{"condition":"AND","rules":[{"field":"devices.os","operator":"equal","value":"x"}]}'
const rule = (more: object = {}) => ({
  name: `refused ${mint()}`,
  devices: [-1],
  builder: RULE,
  severity: 'critical',
  ...more,
})

/** A new host in the test network. */
function host({ network }: TestApi, agent: { sysName?: string; knows?: boolean } = {}): { name: string; ip: string } {
  const n = mint()
  const [name, ip] = [`refused${n}.example.net`, `10.98.${n >> 8}.${n & 255}`]
  network.names.set(name, ip)
  network.agents.set(ip, { knows: () => agent.knows !== false, sysName: agent.sysName ?? `refused${n}` })
  return { name, ip }
}

async function added(api: TestApi, agent: { sysName?: string } = {}): Promise<{ name: string; ip: string }> {
  const made = host(api, agent)
  await api.call('POST', '/api/v0/devices', { body: { hostname: made.name } })
  return made
}

const user = async (api: TestApi, dialect: Dialect) => ({ token: (await api.token(['user'], dialect)).token })
const device = (d: Seeded, field: unknown, data: unknown) => send('PATCH', `/devices/${d.deviceId}`, { field, data })

const DEVICES: readonly Refusal[] = [
  {
    operation: 'list_devices',
    status: 400,
    name: 'an order by no column',
    message: /^Devices cannot be ordered by shoe_size$/,
    unexplained: true,
    request: () => get('/devices?order=shoe_size'),
  },
  {
    operation: 'add_device',
    status: 409,
    name: 'a hostname in use',
    message: /^Device .+ already exists$/,
    request: (d) => send('POST', '/devices', { hostname: d.hostname, force_add: 1, community: 'c' }),
  },
  {
    operation: 'add_device',
    status: 409,
    name: 'an address in use',
    message: /^Cannot add .+, already have device .+ with this IP .+$/,
    request: async (_, api) => send('POST', '/devices', { hostname: (await added(api)).ip }),
  },
  {
    operation: 'add_device',
    status: 409,
    name: 'a sysName in use',
    message: /^Already have device .+ due to duplicate sysName: .+$/,
    request: async (_, api) => {
      const sysName = `twin${mint()}`
      await added(api, { sysName })
      return send('POST', '/devices', { hostname: host(api, { sysName }).name })
    },
  },
  {
    operation: 'add_device',
    status: 503,
    name: 'no ICMP answer',
    message: /^Could not ping .+ \(10\.98\.\d+\.\d+\)$/,
    request: (_, api) => {
      const { name, ip } = host(api)
      api.network.silent.add(ip)
      return send('POST', '/devices', { hostname: name })
    },
  },
  {
    operation: 'add_device',
    status: 503,
    name: 'no SNMP answer',
    message: /^Could not connect to .+, please check the snmp details and snmp reachability$/,
    request: (_, api) => send('POST', '/devices', { hostname: host(api, { knows: false }).name }),
  },
  {
    operation: 'add_device',
    status: 400,
    name: 'an unknown version',
    message: /^Unsupported SNMP Version "v4", must be v1, v2c, or v3$/,
    request: (_, api) => send('POST', '/devices', { hostname: host(api).name, version: 'v4' }),
  },
  {
    operation: 'update_device_field',
    status: 400,
    name: 'the hostname',
    message: /^Device field is not allowed to be updated$/,
    request: (d) => device(d, 'hostname', 'x'),
  },
  {
    operation: 'update_device_field',
    status: 400,
    name: 'lists of different length',
    message:
      /^Device fields failed to be updated as the number of fields \(2\) does not match the supplied data \(1\)$/,
    request: (d) => device(d, ['notes', 'serial'], ['x']),
  },
  {
    operation: 'update_device_field',
    status: 400,
    name: 'a value that does not fit',
    message: /^Device port field failed to be updated$/,
    request: (d) => device(d, 'port', 'x'),
  },
  {
    operation: 'update_device_field',
    status: 400,
    name: 'a value in a list that does not fit',
    message: /^Device fields failed to be updated$/,
    request: (d) => device(d, ['notes', 'port'], ['x', 'y']),
  },
  {
    operation: 'rename_device',
    status: 409,
    name: 'to a name in use',
    message: /^Device failed to be renamed$/,
    request: async (d, api) => send('PATCH', `/devices/${d.hostname}/rename/${(await added(api)).name}`),
  },
  {
    operation: 'rename_device',
    status: 400,
    name: 'to an invalid name',
    message: /^Device failed to be renamed$/,
    request: (d) => send('PATCH', `/devices/${d.hostname}/rename/no%20name`),
  },
  {
    operation: 'add_eventlog',
    status: 400,
    name: 'an unknown severity',
    message: /^Invalid severity: 9, expected 0 to 5$/,
    unexplained: true,
    request: (d) => send('POST', `/devices/${d.hostname}/eventlog`, { text: 'x', severity: 9 }),
  },
]

const noData = (operation: string, path: (d: Seeded) => string): Refusal => ({
  operation,
  status: 404,
  name: 'no stored data',
  message: /^No Data file \w+$/,
  request: (d) => get(path(d)),
})
const noType = (operation: string, path: (d: Seeded) => string): Refusal => ({
  operation,
  status: 404,
  name: 'an unknown graph',
  message: /^\w+ template missing$/,
  request: (d) => get(path(d)),
})
const graphs = (d: Seeded) => `/devices/${d.hostname}/graphs`

const GRAPHS: readonly Refusal[] = [
  noData('get_graph_generic_by_hostname', (d) => `/devices/${d.hostname}/device_bits`),
  noType('get_graph_generic_by_hostname', (d) => `/devices/${d.hostname}/device_shoes`),
  noData('get_graph_by_port_hostname', (d) => `/devices/${d.hostname}/ports/Gi0%2F1/port_bits`),
  noType('get_graph_by_port_hostname', (d) => `/devices/${d.hostname}/ports/Gi0%2F1/port_shoes`),
  noData('get_health_graph', (d) => `${graphs(d)}/health/device_temperature`),
  noType('get_health_graph', (d) => `${graphs(d)}/health/device_shoes`),
  noData('get_health_sensor_graph', (d) => `${graphs(d)}/health/device_temperature/${d.sensorId}`),
  noType('get_health_sensor_graph', (d) => `${graphs(d)}/health/device_shoes/${d.sensorId}`),
  noData('get_wireless_graph', (d) => `${graphs(d)}/wireless/device_wireless_rssi`),
  noType('get_wireless_graph', (d) => `${graphs(d)}/wireless/device_wireless_shoes`),
  noData('get_wireless_sensor_graph', (d) => `${graphs(d)}/wireless/device_wireless_rssi/1`),
  noType('get_wireless_sensor_graph', (d) => `${graphs(d)}/wireless/device_wireless_shoes/1`),
  noData('get_graph_by_service', (d) => `/devices/${d.hostname}/services/1/graphs/time`),
  noData('get_graph_by_portgroup', () => '/portgroups/shoes'),
  noData('get_graph_by_portgroup_multiport_bits', () => `/portgroups/multiport/bits/${MISSING}`),
  {
    operation: 'get_bill_graph',
    status: 404,
    name: 'an unknown graph',
    message: /^bill_pie template missing$/,
    request: async (d, api) => get(`/bills/${await billOf(api, d)}/graphs/pie`),
  },
  {
    operation: 'get_bill_graph',
    status: 404,
    name: 'no stored data',
    message: /^No Data file bill_bits$/,
    request: async (d, api) => get(`/bills/${await billOf(api, d)}/graphs/bits`),
  },
  {
    operation: 'get_bill_history_graph',
    status: 404,
    name: 'no such period',
    message: /^No Data file bill_historicbits$/,
    request: async (d, api) => get(`/bills/${await billOf(api, d)}/history/${MISSING}/graphs/bits`),
  },
  {
    operation: 'get_bill_history_graph',
    status: 404,
    name: 'no such bill',
    message: /^No Data file bill_historicday$/,
    request: () => get(`/bills/${MISSING}/history/1/graphs/day`),
  },
]

const saveRule = (operation: 'add_rule' | 'edit_rule', method: 'POST' | 'PUT'): Refusal[] => [
  {
    operation,
    status: 400,
    name: 'not JSON',
    message: /^We couldn't parse the provided json$/,
    request: () => send(method, '/rules', 'x'),
  },
  {
    operation,
    status: 400,
    name: 'a builder that gives no query',
    message: /^We couldn't parse your rule$/,
    request: () => send(method, '/rules', rule({ builder: '{}' })),
  },
  {
    operation,
    status: 409,
    name: 'a name in use',
    message: /^Addition failed : Name has already been used$/,
    request: async (_, api) => send(method, '/rules', rule({ name: (await storeRule(api.store)).name })),
  },
]
const saveTemplate = (operation: string, method: string): Refusal => ({
  operation,
  status: 404,
  name: 'an unknown template',
  message: /^Alert template \d+ does not exist$/,
  unexplained: true,
  request: () => send(method, '/alert_templates', { template_id: MISSING, name: 'x', template: 'y' }),
})

const OTHERS: readonly Refusal[] = [
  ...saveRule('add_rule', 'POST'),
  ...saveRule('edit_rule', 'PUT'),
  {
    operation: 'edit_rule',
    status: 409,
    name: 'the name of another rule',
    message: /^Update failed : Invalid rule id$/,
    request: async (_, { store }) => {
      const [one, other] = [await storeRule(store), await storeRule(store)]
      return send('PUT', '/rules', rule({ rule_id: one.ruleId, name: other.name }))
    },
  },
  {
    operation: 'edit_rule',
    status: 404,
    name: 'an unknown rule',
    message: /^Failed to update existing alert rule$/,
    request: () => send('PUT', '/rules', rule({ rule_id: MISSING })),
  },
  saveTemplate('add_alert_template', 'POST'),
  saveTemplate('edit_alert_template', 'PUT'),
  {
    operation: 'add_devicegroup',
    status: 400,
    name: 'rules without a query',
    message: /^We couldn't parse your rule$/,
    request: () => send('POST', '/devicegroups', { name: `g${mint()}`, type: 'dynamic', rules: '{}' }),
  },
  {
    operation: 'update_devicegroup',
    status: 400,
    name: 'rules without a query',
    message: /^We couldn't parse your rule$/,
    request: async (_, api) => {
      const name = `g${mint()}`
      await api.call('POST', '/api/v0/devicegroups', { body: { name, type: 'dynamic', rules: RULE } })
      return send('PATCH', `/devicegroups/${name}`, { rules: '{}' })
    },
  },
  {
    operation: 'edit_components',
    status: 400,
    name: 'an invalid component',
    message: /^Components could not be edited\.$/,
    request: (d) => send('PUT', `/devices/${d.hostname}/components`, { 1: 'text' }),
  },
  {
    operation: 'delete_components',
    status: 404,
    name: 'an unknown component',
    message: /^Components could not be deleted\.$/,
    request: (d) => send('DELETE', `/devices/${d.hostname}/components/${MISSING}`),
  },
  {
    operation: 'edit_bgp_descr',
    status: 400,
    name: 'no description',
    message: /^Invalid JSON data$/,
    request: () => send('POST', '/bgp/1', { bgp_descr: '' }),
  },
  {
    operation: 'list_ospfv3',
    status: 404,
    name: 'none',
    message: /^Error retrieving ospfv3_nbrs$/,
    request: async (_, api, dialect) => get('/ospfv3', await user(api, dialect)),
  },
  {
    operation: 'get_service_for_host',
    status: 404,
    name: 'an unknown device',
    message: /^No valid hostname or device id provided$/,
    request: () => get(`/services/${NOBODY}`),
  },
  ...([MISSING, 'x'] as const).map(
    (id): Refusal => ({
      operation: 'edit_service_from_host',
      status: 404,
      name: `service ${id}`,
      message: new RegExp(`^Failed to update the service with id ${id}$`),
      request: () => send('PATCH', `/services/${id}`, { service_desc: 'x' }),
    }),
  ),
  ...[{}, { shoe_size: 43 }, { service_status: 'x' }, { service_type: '../../bin/sh' }].map(
    (sent): Refusal => ({
      operation: 'edit_service_from_host',
      status: 400,
      name: JSON.stringify(sent),
      message: /^Failed to update the service with id \d+$/,
      request: async (d, api) => {
        const answer = await api.call('POST', `/api/v0/services/${d.hostname}`, { body: { type: 'http' } })
        return send('PATCH', `/services/${/#(\d+)/.exec(String(message(answer)))?.[1]}`, sent)
      },
    }),
  ),
  {
    operation: 'delete_service_from_host',
    status: 404,
    name: 'an unknown service',
    message: /^Failed to delete the service$/,
    request: () => send('DELETE', `/services/${MISSING}`),
  },
  {
    operation: 'add_location',
    status: 409,
    name: 'a name in use',
    message: /^Location .+ already exists$/i,
    unexplained: true,
    request: async (d, api) => send('POST', '/locations', { location: (await located(api, d)).name.toUpperCase() }),
  },
  {
    operation: 'edit_location',
    status: 409,
    name: 'a name in use',
    message: /^Failed to update location$/,
    request: async (d, api) => {
      const [one, other] = [await located(api, d), await located(api, d)]
      return send('PATCH', `/locations/${one.id}`, { location: other.name })
    },
  },
  ...(
    [
      ['no JSON', 400, 'x', /^Invalid JSON data$/],
      ['an unknown port', 404, { ports: [MISSING] }, /^Port \d+ does not exists$/],
      ['an unknown bill', 404, { bill_id: MISSING }, /^Argument bill_id is not allowed on bill create/],
      ['without a name', 400, { bill_name: undefined }, /^Missing parameters: {2}bill_name$/],
    ] as const
  ).map(
    ([name, status, sent, text]): Refusal => ({
      operation: 'create_edit_bill',
      status,
      name,
      message: text,
      request: (d) => send('POST', '/bills', typeof sent === 'string' ? sent : bill(d, sent)),
    }),
  ),
  {
    operation: 'update_transceiver_metric_thresholds',
    status: 404,
    name: 'always',
    message: /^Thresholds of optics are those of their sensors$/,
    unexplained: true,
    request: () => send('PATCH', '/ports/transceiver/metric/1', { value: 1 }),
  },
]

export const REFUSALS: readonly Refusal[] = [...DEVICES, ...GRAPHS, ...OTHERS]

/** Every refusal in both dialects. */
export const REFUSAL_ROWS: readonly Row[] = REFUSALS.flatMap(({ operation, status, name, message: text, ...refusal }) =>
  (['documented', 'librenms'] as const).map(
    (dialect): Row => ({
      operation,
      status: dialect === 'documented' ? status : 500,
      name: `${name}, dialect ${dialect}`,
      request: async (seeded, api) => {
        const request = await refusal.request(seeded, api, dialect)
        return { token: (await api.token(['admin'], dialect)).token, ...request }
      },
      check: ({ json }) => {
        const unexplained = refusal.unexplained === true && dialect === 'librenms'
        expect(json).toEqual(
          unexplained ? { message: 'Server Error' } : { status: 'error', message: expect.stringMatching(text) },
        )
      },
    }),
  ),
)
