import { expect } from 'bun:test'
import { writeSamples } from '../../../src/core/series/write.ts'
import type { TestApi } from '../../support/api.ts'
import { batch, portSamples } from '../../support/samples.ts'
import type { Seeded } from '../fixtures.ts'
import { get, member, message, type Row } from './row.ts'

const user = async (api: TestApi) => ({ token: (await api.token(['user'])).token })

/** Ten minutes of traffic on the first port, and polls of the device. */
async function traffic({ store }: TestApi, { deviceId, portIds }: Seeded): Promise<void> {
  const times = Array.from({ length: 10 }, (_, i) => Date.now() - 600_000 + i * 60_000)
  await writeSamples(
    store,
    batch({
      ports: portSamples(
        times.map((time) => ({
          portId: portIds[0],
          time,
          periodMs: 60_000,
          deltas: { in_octets: 1e6, out_octets: 2e6, in_pkts: 100, out_pkts: 200, in_err: 0, out_err: 1 },
        })),
      ),
      devices: times.map((time) => ({
        deviceId,
        time,
        tookMs: 120,
        answered: true,
        uptimeS: 1000,
        requests: 10,
        timeouts: 0,
      })),
    }),
  )
}

const isPng = (text: string) => text.slice(1, 4) === 'PNG'

export const OTHER_ROWS: readonly Row[] = [
  {
    operation: 'root',
    status: 200,
    name: 'names and absolute URLs, sorted, both spellings',
    request: () => get(''),
    check: (a) => {
      const names = Object.keys(a.json as object)
      expect(names).toEqual(names.toSorted())
      expect(a.json).toMatchObject({
        ping: 'http://localhost/api/v0/ping',
        server_info: 'http://localhost/api/v0/system',
        system: 'http://localhost/api/v0/system',
        get_port_stats_by_port_hostname: 'http://localhost/api/v0/devices/{hostname}/ports/{ifname}',
        search_ports: 'http://localhost/api/v0/ports/search/{field}/{search?}',
      })
      expect(a.json).not.toHaveProperty('root')
    },
  },
  { operation: 'root', status: 401, name: 'no token', request: () => get('', { token: null }) },
  {
    operation: 'ping',
    status: 200,
    name: 'pong, and nothing else',
    request: () => get('/ping'),
    check: (a) => expect(a.json).toEqual({ message: 'pong' }),
  },
  {
    operation: 'ping',
    status: 401,
    name: 'an unknown token',
    request: () => get('/ping', { token: '0'.repeat(32) }),
    check: (a) => expect(a.json).toEqual({ message: 'Unauthenticated.' }),
  },
  {
    operation: 'system',
    status: 200,
    name: 'all ten facts',
    request: () => get('/system'),
    check: (a) => {
      expect(member(a, 'count')).toBe(1)
      expect(member(a, 'system')).toEqual([
        expect.objectContaining({
          local_ver: '0.0.0-test',
          db_schema: expect.any(Number),
          python_ver: '',
          database_ver: expect.stringMatching(/^PostgreSQL \d+/),
        }),
      ])
    },
  },
  { operation: 'system', status: 401, name: 'no token', request: () => get('/system', { token: null }) },
  {
    operation: 'get_inventory',
    status: 200,
    name: 'the root level by default',
    request: (d) => get(`/inventory/${d.hostname}`),
    check: (a) => {
      expect(member(a, 'count')).toBe(1)
      expect(member(a, 'inventory')).toMatchObject([{ entPhysicalIndex: 1, entPhysicalClass: 'chassis' }])
    },
  },
  {
    operation: 'get_inventory',
    status: 200,
    name: 'one level below; a non-number is the root',
    request: (d) => get(`/inventory/${d.deviceId}?entPhysicalContainedIn=1`),
    check: async (a, d, api) => {
      expect(member(a, 'inventory')).toMatchObject([{ entPhysicalIndex: 2 }])
      const odd = await api.call(
        'GET',
        `/api/v0/inventory/${d.deviceId}?entPhysicalContainedIn=x&entPhysicalClass=module`,
      )
      expect(member(odd, 'inventory')).toEqual([])
    },
  },
  {
    operation: 'get_inventory',
    status: 400,
    name: 'unknown device',
    request: () => get('/inventory/nobody.example.net'),
    check: (a) => expect(message(a)).toBe('Invalid device provided'),
  },
  {
    operation: 'get_inventory',
    status: 403,
    name: 'a user without the grant',
    request: async (d, api) => get(`/inventory/${d.hostname}`, await user(api)),
  },
  {
    operation: 'get_inventory_for_device',
    status: 200,
    name: 'everything, or by class',
    request: (d) => get(`/inventory/${d.hostname}/all`),
    check: async (a, d, api) => {
      expect(member(a, 'count')).toBe(2)
      const modules = await api.call('GET', `/api/v0/inventory/${d.hostname}/all?entPhysicalClass=MODULE`)
      expect(member(modules, 'inventory')).toMatchObject([{ entPhysicalIndex: 2 }])
    },
  },
  {
    operation: 'get_inventory_for_device',
    status: 403,
    name: 'a user without the grant',
    request: async (d, api) => get(`/inventory/${d.hostname}/all`, await user(api)),
  },
  {
    operation: 'get_inventory_for_device',
    status: 404,
    name: 'unknown device',
    request: () => get('/inventory/nobody.example.net/all'),
  },
  {
    operation: 'list_sensors',
    status: 200,
    name: 'all sensors with their numbers',
    request: () => get('/resources/sensors'),
    check: (a, d) =>
      expect(member(a, 'sensors')).toContainEqual(
        expect.objectContaining({ sensor_id: d.sensorId, sensor_current: 21.5, sensor_limit: null }),
      ),
  },
  {
    operation: 'list_sensors',
    status: 404,
    name: 'none the user may see',
    request: async (_, api) => get('/resources/sensors', await user(api)),
    check: (a) => expect(message(a)).toBe('Sensors do not exist'),
  },
  {
    operation: 'get_graphs',
    status: 200,
    name: 'poller and ping first',
    request: (d) => get(`/devices/${d.hostname}/graphs`),
    check: (a) =>
      expect((member(a, 'graphs') as unknown[]).slice(0, 2)).toEqual([
        { desc: 'Poller Time', name: 'device_poller_perf' },
        { desc: 'Ping Response', name: 'device_icmp_perf' },
      ]),
  },
  {
    operation: 'get_graphs',
    status: 403,
    name: 'a user without the grant',
    request: async (d, api) => get(`/devices/${d.hostname}/graphs`, await user(api)),
  },
  { operation: 'get_graphs', status: 404, name: 'unknown', request: () => get('/devices/nobody.example.net/graphs') },
  {
    operation: 'get_graph_generic_by_hostname',
    status: 200,
    name: 'an image',
    request: async (d, api) => {
      await traffic(api, d)
      return get(`/devices/${d.hostname}/device_bits?from=-1h&width=300&height=100`)
    },
    check: (a) => {
      expect(a.headers.get('content-type')).toBe('image/png')
      expect(isPng(a.text)).toBe(true)
    },
  },
  {
    operation: 'get_graph_generic_by_hostname',
    status: 200,
    name: 'an image within JSON',
    request: async (d, api) => {
      await traffic(api, d)
      return get(`/devices/${d.hostname}/device_uptime?from=-1h&width=300&height=100&output=base64`)
    },
    check: (a) => {
      expect(a.headers.get('content-type')).toBe('application/json')
      const image = member(a, 'image') as { image: string; 'content-type': string }
      expect(image['content-type']).toBe('image/png')
      expect(isPng(Buffer.from(image.image, 'base64').toString('latin1'))).toBe(true)
      expect(member(a, 'count')).toBe(2)
    },
  },
  {
    operation: 'get_graph_generic_by_hostname',
    status: 400,
    name: 'an invalid time',
    request: (d) => get(`/devices/${d.hostname}/device_bits?from=whenever`),
  },
  {
    operation: 'get_graph_generic_by_hostname',
    status: 403,
    name: 'a user without the grant',
    request: async (d, api) => get(`/devices/${d.hostname}/device_bits`, await user(api)),
  },
  {
    operation: 'get_graph_generic_by_hostname',
    status: 404,
    name: 'a word that names an operation of another method',
    request: (d) => get(`/devices/${d.hostname}/rename`),
    check: (a) => expect(message(a)).toBe("This API route doesn't exist."),
  },
  {
    operation: 'get_graph_generic_by_hostname',
    status: 404,
    name: 'an unknown type',
    request: (d) => get(`/devices/${d.hostname}/device_nonsense`),
    check: (a) => expect(message(a)).toBe('device_nonsense template missing'),
  },
  {
    operation: 'get_graph_by_port_hostname',
    status: 200,
    name: 'an image, with the name encoded',
    request: async (d, api) => {
      await traffic(api, d)
      return get(`/devices/${d.hostname}/ports/Gi0%2F1/port_bits?from=-1h&width=300&height=100`)
    },
    check: (a) => expect(isPng(a.text)).toBe(true),
  },
  {
    operation: 'get_graph_by_port_hostname',
    status: 200,
    name: 'a port by its ifDescr',
    request: async (d, api) => {
      await traffic(api, d)
      return get(
        `/devices/${d.hostname}/ports/GigabitEthernet0%2F1/port_errors?ifDescr=true&from=-1h&width=300&height=100`,
      )
    },
    check: (a) => expect(isPng(a.text)).toBe(true),
  },
  {
    operation: 'get_graph_by_port_hostname',
    status: 400,
    name: 'an invalid time',
    request: (d) => get(`/devices/${d.hostname}/ports/Gi0%2F1/port_bits?to=whenever`),
  },
  {
    operation: 'get_graph_by_port_hostname',
    status: 403,
    name: 'a user without the grant',
    request: async (d, api) => get(`/devices/${d.hostname}/ports/Gi0%2F1/port_bits`, await user(api)),
  },
  {
    operation: 'get_graph_by_port_hostname',
    status: 404,
    name: 'slashes that are not encoded make it port Gi0',
    request: (d) => get(`/devices/${d.hostname}/ports/Gi0/1/port_bits`),
    check: (a) => expect(message(a)).toBe('Port Gi0 does not exist'),
  },
  {
    operation: 'get_graph_by_port_hostname',
    status: 404,
    name: 'a port that was never sampled',
    request: (d) => get(`/devices/${d.hostname}/ports/Gi0%2F2/port_bits`),
    check: (a) => expect(message(a)).toBe('No Data file port_bits'),
  },
]
