import { expect } from 'bun:test'
import { mint, type TestApi } from '../../support/api.ts'
import type { Seeded } from '../fixtures.ts'
import { get, member, message, type Row } from './row.ts'

const user = async (api: TestApi) => ({ token: (await api.token(['user'])).token })

/** A token of role user that may see the device. */
async function granted(api: TestApi, { deviceId }: Seeded) {
  const { token, username } = await api.token(['user'])
  await api.store.sql`insert into devices_perms (user_id, device_id)
    select user_id, ${deviceId} from users where username = ${username}`
  return { token }
}

interface Entries {
  readonly mac: string
  readonly ip: string
  readonly linkId: number
}

/** An ARP entry, a link, a session and port security on the first port. */
async function entries({ store: { sql } }: TestApi, { deviceId, portIds: [port] }: Seeded): Promise<Entries> {
  const n = mint()
  const mac = `02${(n + 0x1000000000).toString(16).padStart(10, '0')}`
  const ip = `100.${64 + (n >> 16)}.${(n >> 8) & 255}.${n & 255}`
  await sql`insert into ipv4_mac (port_id, device_id, mac_address, ipv4_address, context_name)
    values (${port}, ${deviceId}, ${mac}, ${ip}, '')`
  const [link] = await sql<{ id: number }[]>`
    insert into links (local_port_id, local_device_id, protocol, remote_hostname, remote_device_id, remote_port,
      remote_platform, remote_version)
    values (${port}, ${deviceId}, 'lldp', ${`far${n}`}, 2000000000, 'Gi0/7', null, 'v1') returning id`
  await sql`insert into ports_nac (auth_id, device_id, port_id, domain, username, mac_address, ip_address, host_mode,
      authz_status, authz_by, authc_status, method, timeout, time_left, vlan, created_at)
    values ('S1', ${deviceId}, ${port}, 'data', 'alice', ${mac}, ${ip}, 'multiAuth', 'authorizationSuccess', 'server',
      'authcSuccess', 'dot1x', '60', '50', 7, '2026-08-14 12:00:00.25+00')`
  await sql`insert into port_security (port_id, device_id, port_security_enable, status, max_addresses, address_count,
      violation_action, violation_count, last_mac_address, sticky_enable)
    values (${port}, ${deviceId}, 1, 'secureup', 2, 1, 'dropNotify', 3, ${mac}, 0)`
  return { mac, ip, linkId: link?.id ?? 0 }
}

/** `aa:bb:…` in upper case. */
const colons = (mac: string) => mac.replace(/(..)(?=.)/g, '$1:').toUpperCase()

const count = (n: number) => (a: Parameters<NonNullable<Row['check']>>[0]) => expect(member(a, 'count')).toBe(n)

export const NEIGHBOUR_ROWS: readonly Row[] = [
  {
    operation: 'list_arp',
    status: 200,
    name: 'of a device by name, and nothing for an unknown one',
    request: async (d, api) => {
      await entries(api, d)
      return get(`/resources/ip/arp/all?device=${d.hostname}`)
    },
    check: async (a, d, api) => {
      expect(member(a, 'arp')).toMatchObject([{ port_id: d.portIds[0], device_id: d.deviceId, context_name: '' }])
      const nobody = await api.call('GET', '/api/v0/resources/ip/arp/all?device=nobody.example.net')
      expect(nobody.json).toEqual({ status: 'ok', message: '', arp: [], count: 0 })
    },
  },
  {
    operation: 'list_arp',
    status: 200,
    name: 'of a MAC address with separators or without, and of an address',
    request: async (d, api) => get(`/resources/ip/arp/${colons((await entries(api, d)).mac)}`),
    check: async (a, _, api) => {
      const [entry] = member(a, 'arp') as { mac_address: string; ipv4_address: string }[]
      for (const query of [entry?.mac_address, entry?.ipv4_address]) {
        const same = await api.call('GET', `/api/v0/resources/ip/arp/${query}`)
        expect(member(same, 'arp')).toEqual(member(a, 'arp'))
      }
    },
  },
  {
    operation: 'list_arp',
    status: 200,
    name: 'all; a user sees the granted ones',
    request: async (d, api) => {
      await entries(api, d)
      return get('/resources/ip/arp/all', await granted(api, d))
    },
    check: async (a, _, api) => {
      count(1)(a)
      const stranger = await api.call('GET', '/api/v0/resources/ip/arp/all', await user(api))
      expect(member(stranger, 'arp')).toEqual([])
    },
  },
  {
    operation: 'list_arp',
    status: 400,
    name: 'neither an address nor a network',
    request: () => get('/resources/ip/arp/nonsense'),
    check: (a) => expect(message(a)).toStartWith('Invalid address nonsense: expected'),
  },
  {
    operation: 'list_arp_network',
    status: 200,
    name: 'of a network',
    request: async (d, api) => get(`/resources/ip/arp/${(await entries(api, d)).ip}/32`),
    check: count(1),
  },
  {
    operation: 'list_arp_network',
    status: 400,
    name: 'an invalid prefix',
    request: () => get('/resources/ip/arp/10.0.0.0/33'),
    check: (a) => expect(message(a)).toBe('Invalid Network Address'),
  },
  {
    operation: 'list_links_device',
    status: 200,
    name: 'a neighbour that is no longer known has device 0',
    request: async (d, api) => {
      await entries(api, d)
      return get(`/devices/${d.hostname}/links`)
    },
    check: (a, d) =>
      expect(member(a, 'links')).toMatchObject([
        { local_port_id: d.portIds[0], remote_device_id: 0, active: 1, remote_port: 'Gi0/7' },
      ]),
  },
  {
    operation: 'list_links_device',
    status: 403,
    name: 'a user without the grant',
    request: async (d, api) => get(`/devices/${d.hostname}/links`, await user(api)),
  },
  {
    operation: 'list_links_device',
    status: 404,
    name: 'a device without links, and an unknown one',
    request: (d) => get(`/devices/${d.hostname}/links`),
    check: async (a, _, api) => {
      expect(message(a)).toBe('Links do not exist')
      expect((await api.call('GET', '/api/v0/devices/nobody.example.net/links')).status).toBe(404)
    },
  },
  {
    operation: 'list_links',
    status: 200,
    name: 'granted ones for role user',
    request: async (d, api) => {
      await entries(api, d)
      return get('/resources/links', await granted(api, d))
    },
    check: count(1),
  },
  {
    operation: 'list_links',
    status: 404,
    name: 'none the user may see',
    request: async (_, api) => get('/resources/links', await user(api)),
    check: (a) => expect(message(a)).toBe('Links do not exist'),
  },
  {
    operation: 'get_link',
    status: 200,
    name: 'one, under both names',
    request: async (d, api) => get(`/resources/links/${(await entries(api, d)).linkId}`),
    check: (a) => {
      count(1)(a)
      expect(member(a, 'link')).toEqual(member(a, 'links'))
    },
  },
  {
    operation: 'get_link',
    status: 400,
    name: 'an invalid id',
    request: () => get('/resources/links/x'),
    check: (a) => expect(message(a)).toBe('Invalid id has been provided'),
  },
  {
    operation: 'get_link',
    status: 404,
    name: 'an unknown id, and one that the user may not see',
    request: () => get('/resources/links/2000000000'),
    check: async (a, d, api) => {
      expect(message(a)).toBe('Link 2000000000 does not exist')
      const { linkId } = await entries(api, d)
      expect((await api.call('GET', `/api/v0/resources/links/${linkId}`, await user(api))).status).toBe(404)
    },
  },
  {
    operation: 'list_nac',
    status: 200,
    name: 'granted ones for role user',
    request: async (d, api) => {
      await entries(api, d)
      return get('/resources/nac', await granted(api, d))
    },
    check: (a) =>
      expect(member(a, 'ports_nac')).toMatchObject([
        { username: 'alice', timeout: '60', vlan: 7, historical: 0, created_at: '2026-08-14T12:00:00.250000Z' },
      ]),
  },
  {
    operation: 'list_nac',
    status: 404,
    name: 'none the user may see',
    request: async (_, api) => get('/resources/nac', await user(api)),
    check: (a) => expect(message(a)).toBe(' Nac entry does not exist'),
  },
  {
    operation: 'list_nac_mac',
    status: 200,
    name: 'a MAC address with separators',
    request: async (d, api) => get(`/resources/nac/${colons((await entries(api, d)).mac)}`),
    check: count(1),
  },
  {
    operation: 'list_nac_mac',
    status: 404,
    name: 'an unknown MAC address',
    request: () => get('/resources/nac/ffffffffffff'),
  },
  {
    operation: 'get_device_nac',
    status: 200,
    name: 'an empty list is a list',
    request: (d) => get(`/devices/${d.hostname}/nac`),
    check: async (a, d, api) => {
      expect(a.json).toEqual({ status: 'ok', ports_nac: [], count: 0 })
      await entries(api, d)
      count(1)(await api.call('GET', `/api/v0/devices/${d.deviceId}/nac`))
    },
  },
  {
    operation: 'get_device_nac',
    status: 403,
    name: 'a user without the grant',
    request: async (d, api) => get(`/devices/${d.hostname}/nac`, await user(api)),
  },
  {
    operation: 'get_device_nac',
    status: 404,
    name: 'unknown device',
    request: () => get('/devices/nobody.example.net/nac'),
    check: (a) => expect(message(a)).toBe('Device nobody.example.net not found'),
  },
  {
    operation: 'get_all_port_security',
    status: 200,
    name: 'the granted ones for a user; an empty list if there are none',
    request: async (d, api) => {
      await entries(api, d)
      return get('/port_security', await granted(api, d))
    },
    check: async (a, _, api) => {
      count(1)(a)
      const stranger = await api.call('GET', '/api/v0/port_security', await user(api))
      expect(stranger.json).toEqual({ status: 'ok', message: '', ports: [], port: [], count: 0 })
    },
  },
  {
    operation: 'get_port_security_by_port',
    status: 200,
    name: 'both spellings; an unknown port has none',
    request: async (d, api) => {
      await entries(api, d)
      return get(`/port_security/port/${d.portIds[0]}`)
    },
    check: async (a, _, api) => {
      expect(member(a, 'ports')).toMatchObject([
        {
          cpsIfPortSecurityEnable: 'true',
          port_security_enable: true,
          cpsIfViolationCount: 3,
          violation_count: 3,
          cpsIfStickyEnable: 'false',
          sticky_enable: false,
        },
      ])
      count(0)(await api.call('GET', '/api/v0/port_security/port/2000000000'))
    },
  },
  {
    operation: 'get_port_security_by_port',
    status: 403,
    name: 'a user without the grant',
    request: async (d, api) => get(`/port_security/port/${d.portIds[0]}`, await user(api)),
    check: (a) => expect(message(a)).toBe('Insufficient permissions to access this port'),
  },
  {
    operation: 'get_port_security_by_hostname',
    status: 200,
    name: 'by name; an unknown device has none',
    request: async (d, api) => {
      await entries(api, d)
      return get(`/port_security/device/${d.hostname}`)
    },
    check: async (a, _, api) => {
      count(1)(a)
      count(0)(await api.call('GET', '/api/v0/port_security/device/nobody.example.net'))
    },
  },
  {
    operation: 'get_port_security_by_hostname',
    status: 403,
    name: 'a user without the grant',
    request: async (d, api) => get(`/port_security/device/${d.hostname}`, await user(api)),
  },
]
