import { expect } from 'bun:test'
import { mint, type TestApi } from '../../support/api.ts'
import type { Seeded } from '../fixtures.ts'
import { get, member, message, type Row } from './row.ts'

const user = async (api: TestApi) => ({ token: (await api.token(['user'])).token })
const NO_PERMISSION = 'Insufficient permissions to access this'
const NO_ENTRY = { status: 'error', message: 'Fdb entry does not exist' }

/** A MAC address not used by another row. */
const newMac = () => `02aa${(mint() & 0xffffffff).toString(16).padStart(8, '0')}`
const colons = (mac: string) => mac.replaceAll(/(..)(?=.)/g, '$1:')

/** VLAN 10 of the device, the MAC address on the first and the second port, and another one on the first. */
async function switched({ store: { sql } }: TestApi, { deviceId, portIds }: Seeded, mac = newMac()) {
  const [vlan] = await sql<{ vlan_id: number }[]>`
    insert into vlans (device_id, vlan_vlan, vlan_domain, vlan_name) values (${deviceId}, 10, 1, 'office')
    returning vlan_id`
  const vlanId = vlan?.vlan_id ?? 0
  await sql`insert into ports_fdb (device_id, port_id, mac_address, vlan_id, updated_at) values
    (${deviceId}, ${portIds[0]}, ${mac}, ${vlanId}, now() - interval '2 hours 5 minutes'),
    (${deviceId}, ${portIds[0]}, ${newMac()}, ${vlanId}, now()),
    (${deviceId}, ${portIds[1]}, ${mac}, null, now() - interval '3 days'),
    (${deviceId}, null, ${newMac()}, ${vlanId}, now())`
  return { mac, vlanId }
}

/** Result of the last call of `switched`, for the check of the same row. */
let made = { mac: '', vlanId: 0 }
const withSwitching =
  (path: (d: Seeded) => string): Row['request'] =>
  async (d, api) => {
    made = await switched(api, d)
    return get(path(d))
  }

const ISO = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)

export const SWITCHING_ROWS: readonly Row[] = [
  {
    operation: 'get_vlans',
    status: 200,
    name: 'VLANs of the device, without ids',
    request: withSwitching((d) => `/devices/${d.hostname}/vlans`),
    check: (a) =>
      expect(a.json).toEqual({
        status: 'ok',
        vlans: [{ vlan_vlan: 10, vlan_domain: 1, vlan_name: 'office', vlan_type: null, vlan_state: 1 }],
        count: 1,
      }),
  },
  {
    operation: 'get_vlans',
    status: 200,
    name: 'none is an empty list',
    request: (d) => get(`/devices/${d.deviceId}/vlans`),
    check: (a) => expect(a.json).toEqual({ status: 'ok', vlans: [], count: 0 }),
  },
  {
    operation: 'get_vlans',
    status: 404,
    name: 'no such device',
    request: () => get('/devices/nobody.example.net/vlans'),
    check: (a) => expect(message(a)).toBe('Device nobody.example.net not found'),
  },
  {
    operation: 'get_vlans',
    status: 403,
    name: 'a device that was not granted',
    request: async (d, api) => get(`/devices/${d.hostname}/vlans`, await user(api)),
    check: (a) => expect(message(a)).toBe(`${NO_PERMISSION} device`),
  },
  {
    operation: 'get_device_fdb',
    status: 200,
    name: 'entries of the device; ids that are not known are 0',
    request: withSwitching((d) => `/devices/${d.hostname}/fdb`),
    check: (a, d) => {
      expect(member(a, 'count')).toBe(4)
      const entry = { device_id: d.deviceId, created_at: ISO, updated_at: ISO }
      expect(member(a, 'ports_fdb')).toMatchObject([
        { ...entry, mac_address: made.mac, port_id: d.portIds[0], vlan_id: made.vlanId },
        { ...entry, port_id: d.portIds[0] },
        { ...entry, mac_address: made.mac, port_id: d.portIds[1], vlan_id: 0 },
        { ...entry, port_id: 0 },
      ])
    },
  },
  {
    operation: 'get_device_fdb',
    status: 200,
    name: 'none is an empty list',
    request: (d) => get(`/devices/${d.hostname}/fdb`),
    check: (a) => expect(a.json).toEqual({ status: 'ok', ports_fdb: [], count: 0 }),
  },
  {
    operation: 'get_device_fdb',
    status: 404,
    name: 'no such device',
    request: () => get('/devices/nobody.example.net/fdb'),
  },
  {
    operation: 'get_device_fdb',
    status: 403,
    name: 'a device that was not granted',
    request: async (d, api) => get(`/devices/${d.hostname}/fdb`, await user(api)),
  },
  {
    operation: 'get_port_stack',
    status: 200,
    name: 'layers in use, by the higher interface, with the columns of both generations',
    request: async (d, { store }) => {
      await store.sql`
        insert into ports_stack (device_id, "high_ifIndex", high_port_id, "low_ifIndex", low_port_id, "ifStackStatus")
        values (${d.deviceId}, 9, null, 1, ${d.portIds[0]}, 'active'), (${d.deviceId}, 8, null, 2, null, 'notInService'),
          (${d.deviceId}, 2, ${d.portIds[1]}, 1, ${d.portIds[0]}, 'active'), (${d.deviceId}, 0, null, 2, ${d.portIds[1]}, 'active')`
      return get(`/devices/${d.hostname}/port_stack?valid_mappings`)
    },
    check: (a, d) => {
      expect(member(a, 'count')).toBe(2)
      expect(member(a, 'mappings')).toMatchObject([
        { port_id_high: 2, port_id_low: 1, high_port_id: d.portIds[1], low_port_id: d.portIds[0] },
        { device_id: d.deviceId, high_ifIndex: 9, high_port_id: null, low_ifIndex: 1, ifStackStatus: 'active' },
      ])
    },
  },
  {
    operation: 'get_port_stack',
    status: 200,
    name: 'valid_mappings with a value',
    request: async (d, { store }) => {
      await store.sql`
        insert into ports_stack (device_id, "high_ifIndex", "low_ifIndex", "ifStackStatus")
        values (${d.deviceId}, 0, 2, 'active'), (${d.deviceId}, 2, 1, 'active')`
      return get(`/devices/${d.hostname}/port_stack?valid_mappings=true`)
    },
    check: async (a, d, api) => {
      expect(member(a, 'mappings')).toMatchObject([{ port_id_high: 2, port_id_low: 1 }])
      for (const off of ['?valid_mappings=0', '?valid_mappings=', '?x=valid_mappings']) {
        const all = await api.call('GET', `/api/v0/devices/${d.hostname}/port_stack${off}`)
        expect({ off, count: member(all, 'count') }).toEqual({ off, count: 2 })
      }
    },
  },
  {
    operation: 'get_port_stack',
    status: 200,
    name: 'without valid_mappings, interfaces with nothing above or below too',
    request: async (d, { store }) => {
      await store.sql`
        insert into ports_stack (device_id, "high_ifIndex", high_port_id, "low_ifIndex", low_port_id, "ifStackStatus")
        values (${d.deviceId}, 0, null, 2, ${d.portIds[1]}, 'active'), (${d.deviceId}, 1, ${d.portIds[0]}, 0, null, 'active'),
          (${d.deviceId}, 2, ${d.portIds[1]}, 1, ${d.portIds[0]}, 'active')`
      return get(`/devices/${d.hostname}/port_stack`)
    },
    check: (a, d) =>
      expect(member(a, 'mappings')).toMatchObject([
        { port_id_high: 0, high_port_id: null, port_id_low: 2 },
        { port_id_high: 1, port_id_low: 0, low_port_id: null },
        { port_id_high: 2, high_port_id: d.portIds[1], port_id_low: 1 },
      ]),
  },
  {
    operation: 'get_port_stack',
    status: 200,
    name: 'a device that does not exist has none',
    request: () => get('/devices/nobody.example.net/port_stack'),
    check: (a) => expect(a.json).toEqual({ status: 'ok', message: '', mappings: [], count: 0 }),
  },
  {
    operation: 'get_port_stack',
    status: 403,
    name: 'a device that was not granted',
    request: async (d, api) => get(`/devices/${d.hostname}/port_stack`, await user(api)),
  },
  {
    operation: 'list_vlans',
    status: 200,
    name: 'VLANs of one device, with ids',
    request: withSwitching((d) => `/resources/vlans?hostname=${d.hostname}`),
    check: (a, d) =>
      expect(member(a, 'vlans')).toMatchObject([{ vlan_id: made.vlanId, device_id: d.deviceId, vlan_vlan: 10 }]),
  },
  {
    operation: 'list_vlans',
    status: 404,
    name: 'none',
    request: (d) => get(`/resources/vlans?hostname=${d.hostname}`),
    check: (a) => expect(message(a)).toBe('VLANs do not exist'),
  },
  {
    operation: 'list_vlans',
    status: 403,
    name: 'role user may not list VLANs',
    request: async (_, api) => get('/resources/vlans', await user(api)),
  },
  {
    operation: 'list_fdb',
    status: 200,
    name: 'a user sees the entries of granted ports',
    request: async (d, api) => {
      made = await switched(api, d)
      const { token, username } = await api.token(['user'])
      await api.services.users.grant(username, { portIds: [d.portIds[1]] })
      return get('/resources/fdb', { token })
    },
    check: (a, d) => expect(member(a, 'ports_fdb')).toMatchObject([{ port_id: d.portIds[1], mac_address: made.mac }]),
  },
  {
    operation: 'list_fdb',
    status: 404,
    name: 'none',
    request: async (_, api) => get('/resources/fdb', await user(api)),
    check: (a) => expect(a.json).toEqual(NO_ENTRY),
  },
  {
    operation: 'list_fdb_mac',
    status: 200,
    name: 'any usual form of the address',
    request: async (d, api) => {
      made = await switched(api, d)
      return get(`/resources/fdb/${colons(made.mac).toUpperCase()}`)
    },
    check: (a, d) => {
      expect(member(a, 'count')).toBe(2)
      expect(member(a, 'ports_fdb')).toMatchObject([{ port_id: d.portIds[0] }, { port_id: d.portIds[1] }])
    },
  },
  {
    operation: 'list_fdb_mac',
    status: 404,
    name: 'an invalid address is found nowhere',
    request: () => get('/resources/fdb/nonsense'),
    check: (a) => expect(a.json).toEqual(NO_ENTRY),
  },
  {
    operation: 'list_fdb_detail',
    status: 200,
    name: 'most recently seen first, in words',
    request: async (d, api) => {
      made = await switched(api, d)
      return get(`/resources/fdb/${made.mac}/detail`)
    },
    check: (a, d) => {
      expect(a.json).toMatchObject({ mac: colons(made.mac), mac_oui: '', count: 2 })
      const local = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
      expect(member(a, 'ports_fdb')).toMatchObject([
        { hostname: d.hostname, ifName: 'Gi0/1', last_seen: '2 hours ago', updated_at: local },
        { hostname: d.hostname, ifName: 'Gi0/2', last_seen: '3 days ago', updated_at: local },
      ])
    },
  },
  {
    operation: 'list_fdb_detail',
    status: 404,
    name: 'an address never seen',
    request: () => get(`/resources/fdb/${newMac()}/detail`),
    check: (a) => expect(a.json).toEqual(NO_ENTRY),
  },
  {
    operation: 'list_fdb_detail',
    status: 422,
    name: 'no address',
    request: () => get('/resources/fdb/nonsense/detail'),
    check: (a) => expect(a.json).toEqual({ status: 'error', message: 'Invalid MAC address' }),
  },
  {
    operation: 'get_port_fdb',
    status: 200,
    name: 'addresses behind the port',
    request: withSwitching((d) => `/ports/${d.portIds[1]}/fdb`),
    check: (a, d) => expect(member(a, 'macs')).toMatchObject([{ port_id: d.portIds[1], mac_address: made.mac }]),
  },
  {
    operation: 'get_port_fdb',
    status: 404,
    name: 'none; and the searches are ports here',
    request: () => get('/ports/mac/fdb'),
    check: async (a, d, api) => {
      expect(message(a)).toBe('Port mac does not have any MAC addresses in fdb')
      const none = await api.call('GET', `/api/v0/ports/${d.portIds[0]}/fdb`)
      expect(message(none)).toBe(`Port ${d.portIds[0]} does not have any MAC addresses in fdb`)
    },
  },
  {
    operation: 'get_port_fdb',
    status: 403,
    name: 'a port that was not granted',
    request: async (d, api) => get(`/ports/${d.portIds[0]}/fdb`, await user(api)),
    check: (a) => expect(message(a)).toBe(`${NO_PERMISSION} port`),
  },
  {
    operation: 'ports_with_associated_mac',
    status: 200,
    name: 'the port with the fewest addresses first',
    request: async (d, api) => {
      made = await switched(api, d)
      return get(`/ports/mac/${made.mac}`)
    },
    check: (a, d) => {
      const found = [
        { port_id: d.portIds[1], ifName: 'Gi0/2', fdb_entries_count: 1 },
        { port_id: d.portIds[0], ifName: 'Gi0/1', fdb_entries_count: 2 },
      ]
      expect(a.json).toMatchObject({ message: '', port: found, ports: found })
    },
  },
  {
    operation: 'ports_with_associated_mac',
    status: 200,
    name: 'filter=first gives that port, as list and as object',
    request: async (d, api) => {
      made = await switched(api, d)
      return get(`/ports/mac/${colons(made.mac)}?filter=first`)
    },
    check: (a, d) =>
      expect(a.json).toMatchObject({ port: [{ port_id: d.portIds[1] }], ports: { port_id: d.portIds[1] } }),
  },
  {
    operation: 'ports_with_associated_mac',
    status: 404,
    name: 'an address never seen',
    request: () => get(`/ports/mac/${newMac()}`),
    check: (a) => expect(a.json).toEqual({ status: 'error', message: 'mac not found' }),
  },
  {
    operation: 'ports_with_associated_mac',
    status: 422,
    name: 'no address',
    request: () => get('/ports/mac/nonsense'),
    check: (a) =>
      expect(a.json).toEqual({
        status: 'error',
        message: { macAddress: ['The mac address field is required.'] },
      }),
  },
]
