import { expect } from 'bun:test'
import type { TestApi } from '../../support/api.ts'
import type { Seeded } from '../fixtures.ts'
import { get, member, message, type Row } from './row.ts'

const user = async (api: TestApi) => ({ token: (await api.token(['user'])).token })
const GONE = 2_147_483_000

/** A user who may see only the first port. */
async function portUser(api: TestApi, { portIds }: Seeded) {
  const { token, username } = await api.token(['user'])
  await api.services.users.grant(username, { portIds: [portIds[0]] })
  return { token }
}

/** An IPv4 and an IPv6 network with the same id, with addresses on the first port. */
async function networks({ store: { sql } }: TestApi, { portIds, deviceId }: Seeded): Promise<number> {
  const id = 1_000_000 + deviceId
  await sql`insert into ipv4_networks (ipv4_network_id, ipv4_network) values (${id}, ${`10.${deviceId % 256}.0.0/16`})`
  await sql`insert into ipv6_networks (ipv6_network_id, ipv6_network) values (${id}, ${`2001:db8:${deviceId}::/64`})`
  await sql`update ipv4_addresses set ipv4_network_id = ${id} where port_id = ${portIds[0]}`
  await sql`update ipv6_addresses set ipv6_network_id = ${id} where port_id = ${portIds[0]}`
  return id
}

const none = (operation: string, path: string, text: string): Row => ({
  operation,
  status: 404,
  name: 'none the user may see',
  request: async (_, api) => get(path, await user(api)),
  check: (a) => expect(message(a)).toBe(text),
})

const wrongFamily = (operation: string, path: string): Row => ({
  operation,
  status: 400,
  name: 'a word that is not a family',
  request: () => get(`${path}/ipx`),
  check: (a) => expect(message(a)).toBe("Invalid address family 'ipx'"),
})

let id = 0

export const ADDRESS_ROWS: readonly Row[] = [
  {
    operation: 'list_ip_addresses',
    status: 200,
    name: 'IPv4 first, then IPv6; a user sees those of granted ports',
    request: async (d, api) => {
      id = await networks(api, d)
      return get('/resources/ip/addresses', await portUser(api, d))
    },
    check: (a, d) => {
      expect(member(a, 'count')).toBe(2)
      expect(member(a, 'ip_addresses')).toMatchObject([
        { ipv4_prefixlen: 24, ipv4_network_id: id, port_id: d.portIds[0], context_name: null },
        { ipv6_compressed: '2001:db8::1', ipv6_network_id: id, port_id: d.portIds[0] },
      ])
    },
  },
  none('list_ip_addresses', '/resources/ip/addresses', 'IP addresses do not exist'),
  {
    operation: 'list_ip_addresses_family',
    status: 200,
    name: 'one family',
    request: async (d, api) => get('/resources/ip/addresses/ipv6', await portUser(api, d)),
    check: (a) => expect(member(a, 'ip_addresses')).toMatchObject([{ ipv6_origin: 'manual', ipv6_prefixlen: 64 }]),
  },
  wrongFamily('list_ip_addresses_family', '/resources/ip/addresses'),
  none('list_ip_addresses_family', '/resources/ip/addresses/ipv4', 'IPv4 Addresses do not exist'),
  {
    operation: 'list_ip_networks',
    status: 200,
    name: 'IPv4 first, then IPv6; a user sees those with an address of a granted port',
    request: async (d, api) => {
      id = await networks(api, d)
      return get('/resources/ip/networks', await portUser(api, d))
    },
    check: (a, d) =>
      expect(a.json).toEqual({
        status: 'ok',
        ip_networks: [
          { ipv4_network_id: id, ipv4_network: `10.${d.deviceId % 256}.0.0/16`, context_name: null },
          { ipv6_network_id: id, ipv6_network: `2001:db8:${d.deviceId}::/64`, context_name: null },
        ],
        count: 2,
      }),
  },
  none('list_ip_networks', '/resources/ip/networks', 'IP networks do not exist'),
  {
    operation: 'list_ip_networks_family',
    status: 200,
    name: 'one family, all of it',
    request: async (d, api) => {
      id = await networks(api, d)
      return get('/resources/ip/networks/ipv4')
    },
    check: (a) => expect(member(a, 'ip_networks')).toContainEqual(expect.objectContaining({ ipv4_network_id: id })),
  },
  wrongFamily('list_ip_networks_family', '/resources/ip/networks'),
  none('list_ip_networks_family', '/resources/ip/networks/ipv6', 'IPv6 Networks do not exist'),
  {
    operation: 'get_network_ip_addresses',
    status: 200,
    name: 'of the IPv4 and the IPv6 network of this id',
    request: async (d, api) => {
      id = await networks(api, d)
      return get(`/resources/ip/networks/${id}/ip`)
    },
    check: (a) => {
      expect(member(a, 'count')).toBe(2)
      expect(member(a, 'addresses')).toMatchObject([{ ipv4_network_id: id }, { ipv6_network_id: id }])
    },
  },
  {
    operation: 'get_network_ip_addresses',
    status: 404,
    name: 'unknown, or no id at all',
    request: () => get(`/resources/ip/networks/${GONE}/ip`),
    check: async (a, _, api) => {
      expect(message(a)).toBe(`IP network ${GONE} does not exist or is empty`)
      const word = await api.call('GET', '/api/v0/resources/ip/networks/ipv4/ip')
      expect(message(word)).toBe('IP network ipv4 does not exist or is empty')
    },
  },
]
