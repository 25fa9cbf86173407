import { expect } from 'bun:test'
import { writeSamples } from '../../../src/core/series/write.ts'
import type { TestApi } from '../../support/api.ts'
import { batch, portSamples, portState } from '../../support/samples.ts'
import type { Seeded } from '../fixtures.ts'
import { get, member, message, type Row, send } from './row.ts'

/** One sample of the first port: 7,500,000 octets in and 1,500 packets out within a minute. */
async function sample({ store }: TestApi, { deviceId, portIds: [portId] }: Seeded): Promise<void> {
  const time = Date.now()
  await writeSamples(
    store,
    batch({
      ports: portSamples([
        { portId, time, periodMs: 60_000, deltas: { in_octets: 7_500_000, out_octets: 0, out_pkts: 90_000 } },
      ]),
      portState: [portState(deviceId, time, [portId], () => 10_000_000_000n)],
    }),
  )
}

const user = async (api: TestApi) => ({ token: (await api.token(['user'])).token })
const NO_PORTS = { status: 'error', message: 'No ports found' }

export const PORT_ROWS: readonly Row[] = [
  {
    operation: 'get_device_ports',
    status: 200,
    name: 'only ifName by default, by ifIndex, deleted ones left out',
    request: (d) => get(`/devices/${d.hostname}/ports`),
    check: (a) =>
      expect(a.json).toEqual({
        status: 'ok',
        message: '',
        ports: [{ ifName: 'Gi0/1' }, { ifName: 'Gi0/2' }],
        count: 2,
      }),
  },
  {
    operation: 'get_device_ports',
    status: 200,
    name: 'columns and with=vlans together; the own VLAN is untagged',
    request: (d) => get(`/devices/${d.hostname}/ports?columns=ifName,%20ifVlan&with=vlans`),
    check: (a, d) => {
      const vlan = (number: number, untagged: number) => expect.objectContaining({ vlan: number, untagged })
      expect(member(a, 'ports')).toEqual([
        { ifName: 'Gi0/1', ifVlan: '10', port_id: d.portIds[0], vlans: [vlan(10, 1), vlan(20, 0)] },
        { ifName: 'Gi0/2', ifVlan: '10', port_id: d.portIds[1], vlans: [] },
      ])
    },
  },
  {
    operation: 'get_device_ports',
    status: 200,
    name: 'columns of the last samples, null for a port without',
    request: async (d, api) => {
      await sample(api, d)
      return get(`/devices/${d.deviceId}/ports?columns=ifInOctets_rate,ifName,ifInOctets,poll_period`)
    },
    check: (a) =>
      expect(member(a, 'ports')).toEqual([
        { ifInOctets_rate: 125_000, ifName: 'Gi0/1', ifInOctets: 10_000_000_000, poll_period: 60 },
        { ifInOctets_rate: null, ifName: 'Gi0/2', ifInOctets: null, poll_period: null },
      ]),
  },
  {
    operation: 'get_device_ports',
    status: 400,
    name: 'unknown columns are named',
    request: (d) => get(`/devices/${d.hostname}/ports?columns=ifName,ifname,hc_mask`),
    check: (a) => expect(message(a)).toBe('Invalid columns: ifname,hc_mask'),
  },
  {
    operation: 'get_device_ports',
    status: 404,
    name: 'unknown device',
    request: () => get('/devices/nobody.example.net/ports'),
    check: (a) => expect(a.json).toEqual(NO_PORTS),
  },
  {
    operation: 'get_device_ports',
    status: 404,
    name: 'a user sees only granted ports',
    request: async (d, api) => get(`/devices/${d.hostname}/ports`, await user(api)),
    check: (a) => expect(a.json).toEqual(NO_PORTS),
  },
  {
    operation: 'get_device_ip_addresses',
    status: 200,
    name: 'IPv4 first, then IPv6',
    request: (d) => get(`/devices/${d.hostname}/ip`),
    check: (a, d) =>
      expect(member(a, 'addresses')).toMatchObject([
        { ipv4_prefixlen: 24, port_id: d.portIds[0] },
        { ipv6_compressed: '2001:db8::1', port_id: d.portIds[0] },
      ]),
  },
  {
    operation: 'get_device_ip_addresses',
    status: 403,
    name: 'a user without the grant',
    request: async (d, api) => get(`/devices/${d.hostname}/ip`, await user(api)),
  },
  {
    operation: 'get_device_ip_addresses',
    status: 404,
    name: 'none',
    request: async (d, api) => {
      await api.store.sql`delete from ipv4_addresses where port_id = ${d.portIds[0]}`
      await api.store.sql`delete from ipv6_addresses where port_id = ${d.portIds[0]}`
      return get(`/devices/${d.hostname}/ip`)
    },
    check: (a, d) => expect(message(a)).toBe(`Device ${d.deviceId} does not have any IP addresses`),
  },
  {
    operation: 'get_port_stats_by_port_hostname',
    status: 200,
    name: 'the whole record and the traffic in words',
    request: async (d, api) => {
      await sample(api, d)
      return get(`/devices/${d.hostname}/ports/gi0%2F1`)
    },
    check: (a, d) =>
      expect(member(a, 'port')).toMatchObject({
        port_id: d.portIds[0],
        ifPhysAddress: '0011223344aa',
        ifInOctets_rate: 125_000,
        ifInOctets_delta: 7_500_000,
        ifInOctets_prev: 9_992_500_000,
        ifInErrors_rate: null,
        in_rate: '1 Mbps',
        out_rate: '0 bps',
        in_perc: 0.1,
        out_perc: 0,
        out_pps: '1.46 Kipps',
      }),
  },
  {
    operation: 'get_port_stats_by_port_hostname',
    status: 200,
    name: 'columns filter the finished record and ignore unknown names',
    request: (d) => get(`/devices/${d.hostname}/ports/Gi0%2F2?columns=ifName,in_rate,nonsense`),
    check: (a) => expect(a.json).toEqual({ status: 'ok', port: { ifName: 'Gi0/2', in_rate: '0 bps' }, count: 2 }),
  },
  {
    operation: 'get_port_stats_by_port_hostname',
    status: 403,
    name: 'a user without the grant',
    request: async (d, api) => get(`/devices/${d.hostname}/ports/Gi0%2F1`, await user(api)),
    check: (a) => expect(message(a)).toBe('Insufficient permissions to access this port'),
  },
  {
    operation: 'get_port_stats_by_port_hostname',
    status: 404,
    name: 'a deleted port does not match',
    request: (d) => get(`/devices/${d.hostname}/ports/Gi0%2F3`),
    check: (a) => expect(message(a)).toBe('Port Gi0/3 does not exist'),
  },
  {
    operation: 'get_all_ports',
    status: 200,
    name: 'port_id and ifName by default',
    request: () => get('/ports'),
    check: (a, d) => expect(member(a, 'ports')).toContainEqual({ port_id: d.portIds[0], ifName: 'Gi0/1' }),
  },
  {
    operation: 'get_all_ports',
    status: 400,
    name: 'unknown columns',
    request: () => get('/ports?columns=port_id,password'),
    check: (a) => expect(message(a)).toBe('Invalid columns: password'),
  },
  {
    operation: 'search_ports',
    status: 200,
    name: 'any field, part of it, in any letter case; the text may contain slashes',
    request: (d) => get(`/ports/search/ifAlias,ifName/LINK%20${d.hostname.slice(2).split('.')[0]}-1`),
    check: (a, d) =>
      expect(member(a, 'ports')).toEqual([
        { device_id: d.deviceId, port_id: d.portIds[0], ifIndex: 1, ifName: 'Gi0/1', ifAlias: expect.any(String) },
      ]),
  },
  {
    operation: 'search_ports',
    status: 400,
    name: 'an unknown field',
    request: () => get('/ports/search/nonsense/x'),
    check: (a) => expect(message(a)).toBe('Invalid columns: nonsense'),
  },
  ...['%20', 'ifInOctets_rate'].map(
    (field): Row => ({
      operation: 'search_ports',
      status: 404,
      name: `a field that is not stored: ${field}`,
      request: () => get(`/ports/search/${field}/x`),
      check: (a) => expect(a.json).toEqual(NO_PORTS),
    }),
  ),
  {
    operation: 'search_ports',
    status: 404,
    name: 'nothing found; % is a character, not a pattern',
    request: () => get('/ports/search/ifName/%25'),
    check: (a) => expect(a.json).toEqual(NO_PORTS),
  },
  {
    operation: 'search_ports_default',
    status: 200,
    name: 'alias, description and name are searched',
    request: (d) => get(`/ports/search/link%20${d.hostname.slice(2).split('.')[0]}-2?columns=port_id`),
    check: (a, d) => expect(member(a, 'ports')).toEqual([{ port_id: d.portIds[1] }]),
  },
  {
    operation: 'search_ports_default',
    status: 400,
    name: 'unknown columns',
    request: () => get('/ports/search/x?columns=nonsense'),
  },
  {
    operation: 'search_ports_default',
    status: 404,
    name: 'nothing found',
    request: () => get('/ports/search/zzz-none'),
  },
  {
    operation: 'get_port_info',
    status: 200,
    name: 'a list with the port, deleted or not',
    request: (d) => get(`/ports/${d.portIds[2]}`),
    check: (a, d) => expect(member(a, 'port')).toMatchObject([{ port_id: d.portIds[2], deleted: 1, ifInOctets: null }]),
  },
  {
    operation: 'get_port_info',
    status: 200,
    name: 'with its VLANs',
    request: (d) => get(`/ports/${d.portIds[0]}?with=vlans`),
    check: (a) =>
      expect(member(a, 'port')).toMatchObject([
        {
          vlans: [
            { vlan: 10, untagged: 1 },
            { vlan: 20, untagged: 0 },
          ],
        },
      ]),
  },
  {
    operation: 'get_port_info',
    status: 200,
    name: 'with its device in the model form',
    request: (d) => get(`/ports/${d.portIds[0]}?with=device`),
    check: (a, d) => expect(member(a, 'port')).toMatchObject([{ device: { device_id: d.deviceId, status: true } }]),
  },
  {
    operation: 'get_port_info',
    status: 200,
    name: 'with its other counters',
    request: async (d, api) => {
      await sample(api, d)
      return get(`/ports/${d.portIds[0]}?with=statistics`)
    },
    check: (a) =>
      expect(member(a, 'port')).toMatchObject([{ statistics: { ifInDiscards: 10_000_000_000, ifInNUcastPkts: null } }]),
  },
  {
    operation: 'get_port_info',
    status: 403,
    name: 'a user without the grant',
    request: async (d, api) => get(`/ports/${d.portIds[0]}`, await user(api)),
  },
  {
    operation: 'get_port_info',
    status: 404,
    name: 'an invalid id finds nothing',
    request: () => get('/ports/99999999999'),
    check: (a) => expect(message(a)).toBe('Port 99999999999 does not exist'),
  },
  {
    operation: 'get_port_ip_info',
    status: 200,
    name: 'its addresses',
    request: (d) => get(`/ports/${d.portIds[0]}/ip`),
    check: (a) => expect(member(a, 'count')).toBe(2),
  },
  {
    operation: 'get_port_ip_info',
    status: 403,
    name: 'a user without the grant',
    request: async (d, api) => get(`/ports/${d.portIds[0]}/ip`, await user(api)),
  },
  {
    operation: 'get_port_ip_info',
    status: 404,
    name: '`search` is a port here',
    request: () => get('/ports/search/ip'),
    check: (a) => expect(message(a)).toBe('Port search does not have any IP addresses'),
  },
  {
    operation: 'get_port_description',
    status: 200,
    name: 'its ifAlias',
    request: (d) => get(`/ports/${d.portIds[0]}/description`),
    check: (a) => expect(member(a, 'port_description')).toMatch(/^link /),
  },
  {
    operation: 'get_port_description',
    status: 400,
    name: 'an inaccessible port is treated as missing',
    request: async (d, api) => get(`/ports/${d.portIds[0]}/description`, await user(api)),
    check: (a) => expect(message(a)).toBe('Invalid port ID.'),
  },
  {
    operation: 'update_port_description',
    status: 200,
    name: 'reads back and is locked against polling; an empty one unlocks',
    request: (d) => send('PATCH', `/ports/${d.portIds[0]}/description`, { description: 'uplink' }),
    check: async (a, d, api) => {
      expect(message(a)).toBe('Port description updated.')
      const path = `/api/v0/ports/${d.portIds[0]}/description`
      expect(member(await api.call('GET', path), 'port_description')).toBe('uplink')
      const locks = () => api.store.sql`
        select attrib_value from devices_attribs where device_id = ${d.deviceId} and attrib_type = 'ifName:Gi0/1'`
      expect([...(await locks())]).toEqual([{ attrib_value: '1' }])
      expect(message(await api.call('PATCH', path, { body: { description: '' } }))).toBe('Port description cleared.')
      expect(member(await api.call('GET', path), 'port_description')).toBe('repoll')
      expect(await locks()).toHaveLength(0)
    },
  },
  {
    operation: 'update_port_description',
    status: 400,
    name: 'unknown port',
    request: () => send('PATCH', '/ports/2147483647/description', { description: 'x' }),
    check: (a) => expect(message(a)).toBe('Invalid port ID.'),
  },
]
