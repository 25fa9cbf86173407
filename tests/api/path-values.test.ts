import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { type MountedRoute, mountedRoutes } from '../../src/api/route-index.ts'
import { type TestApi, testApi } from '../support/api.ts'
import { type Seeded, seed } from './fixtures.ts'
import { member } from './tables/row.ts'

// Values in paths may hold any character. RFC 3986 allows some of them as they are; encoded they mean the same.

setDefaultTimeout(120_000)

let api: TestApi
let seeded: Seeded
let routes: readonly MountedRoute[]
beforeAll(async () => {
  api = await testApi()
  seeded = await seed(api)
  routes = mountedRoutes(api.app).filter(({ path }) => path.startsWith('/api/v0'))
})
afterAll(() => api.drop())

/** Reserved characters (RFC 3986, section 2.2) that a path segment may hold as they are. */
const PLAIN = [...":@!$&'()*+,;="]
/** Those that must be encoded, and others that names of interfaces, groups and locations have. */
const ENCODED = [...'/?#[]', ...' "<>\\^`{|}%~_-.', 'é', '京', '🚀', '%2F', 'a/b/c']

const UNKNOWN_ROUTE = "This API route doesn't exist."

/** Every character encoded, even those that need not be. */
const everyOctet = (text: string) =>
  [...new TextEncoder().encode(text)].map((octet) => `%${octet.toString(16).padStart(2, '0').toUpperCase()}`).join('')

/** The operations with one of their path parameters, for each of them. */
const cases = () =>
  routes.flatMap((route) => [...route.path.matchAll(/:(\w+)/g)].map(([, parameter = '']) => ({ ...route, parameter })))

/** The path with this text for the parameter, and existing objects for the others. */
function pathOf({ path, parameter }: { path: string; parameter: string }, text: string): string {
  const others: Readonly<Record<string, string>> = {
    hostname: seeded.hostname,
    device: seeded.hostname,
    ifname: 'Gi0%2F1',
    type: 'port_bits',
    field: 'ifName',
    portid: String(seeded.portIds[0]),
  }
  return path
    .replace('/*', '/x')
    .replaceAll(/:(\w+)/g, (_, name: string) => (name === parameter ? text : (others[name] ?? '999999999')))
}

const answerOf = async (method: string, path: string) => {
  const { status, text } = await api.call(method, path, method === 'GET' ? {} : { body: {} })
  // ids of what was created differ
  return { status, text: text.replaceAll(/"\d+":|#\d+|"id":\d+/g, 'id') }
}

test('a reserved character means the same plain and encoded, in every parameter of every operation', async () => {
  expect(cases().length).toBeGreaterThan(120)
  for (const one of cases()) {
    // some of them change the device
    seeded = await seed(api)
    for (const character of PLAIN) {
      // in the name of an interface before a graph `+` is a space (contract BEHAVIOUR.md 4)
      if (character === '+' && one.operation === 'get_graph_by_port_hostname') continue
      const plain = await answerOf(one.method, pathOf(one, `no${character}where`))
      const encoded = await answerOf(one.method, pathOf(one, `no${everyOctet(character)}where`))
      const which = `${one.operation} ${one.parameter} ${character}`
      expect({ which, ...plain }).toEqual({ which, ...encoded })
    }
  }
}, 300_000)

test('an encoded character never changes which operation answers, and no text is an internal error', async () => {
  for (const one of cases()) {
    seeded = await seed(api)
    for (const text of ENCODED) {
      const path = pathOf(one, `no${everyOctet(text)}where`)
      const { status, text: said } = await answerOf(one.method, path)
      expect({ path, routed: !said.includes(UNKNOWN_ROUTE), status: status < 500 }).toEqual({
        path,
        routed: true,
        status: true,
      })
    }
  }
}, 300_000)

describe.each([...PLAIN, ...ENCODED])('a name with %s', (character) => {
  const name = `a${character}b`
  const forms = () => [encodeURIComponent(name), everyOctet(name)]
  beforeAll(async () => {
    seeded = await seed(api)
  })

  test('of a device group, a location, a port group', async () => {
    const created = await api.call('POST', '/api/v0/devicegroups', {
      body: { name, type: 'static', devices: [seeded.deviceId] },
    })
    expect(created.status).toBe(201)
    expect((await api.call('POST', '/api/v0/locations', { body: { location: name, lat: 1, lng: 2 } })).status).toBe(201)
    for (const form of forms()) {
      const members = await api.call('GET', `/api/v0/devicegroups/${form}`)
      expect({ form, members: member({ ...members, json: (members.json as unknown[])[0] }, 'devices') }).toEqual({
        form,
        members: [{ device_id: seeded.deviceId }],
      })
      const found = member(await api.call('GET', `/api/v0/location/${form}`), 'get_location')
      expect({ form, found }).toMatchObject({ form, found: [{ location: name }] })
    }
  })

  test('of an interface: by name, by description, its graph, a search', async () => {
    const { sql } = api.store
    const [port] = await sql<{ port_id: number }[]>`
      insert into ports (device_id, "ifIndex", "ifName", "ifDescr") values
        (${seeded.deviceId}, 10, ${name}, ${`d ${name}`}) returning port_id`
    for (const form of forms()) {
      const byName = await api.call('GET', `/api/v0/devices/${seeded.hostname}/ports/${form}`)
      expect({ form, port: member(byName, 'port') }).toMatchObject({ form, port: { port_id: port?.port_id } })
      const graph = `/api/v0/devices/${seeded.hostname}/ports/${form}/port_bits`
      expect({ form, message: member(await api.call('GET', graph), 'message') }).toEqual({
        form,
        message: 'No Data file port_bits',
      })
      for (const path of [`/ports/search/${form}`, `/ports/search/ifName/${form}`]) {
        const ports = member(await api.call('GET', `/api/v0${path}`), 'ports')
        expect({ path, ports }).toEqual({
          path,
          ports: expect.arrayContaining([expect.objectContaining({ ifName: name })]),
        })
      }
    }
  })
})

describe('ARP entries', () => {
  beforeAll(async () => {
    seeded = await seed(api)
  })

  test.each([
    '10.20.0.0/24',
    '10.20.0.0%2F24',
    '10.20.0.0%2f24',
    '10.20.0.7/24',
    '10.20.0.0%2F16',
    '10.20.0.7',
    '%31%30.20.0.7',
  ])('%s finds the entry', async (query) => {
    const [portId] = seeded.portIds
    await api.store.sql`
        insert into ipv4_mac (port_id, device_id, mac_address, ipv4_address, context_name)
        values (${portId}, ${seeded.deviceId}, '001122334455', '10.20.0.7', '') on conflict do nothing`
    const answer = await api.call('GET', `/api/v0/resources/ip/arp/${query}`)
    expect({ status: answer.status, arp: member(answer, 'arp') }).toMatchObject({
      status: 200,
      arp: [{ ipv4_address: '10.20.0.7' }],
    })
  })

  test.each([
    ...['nonsense', '10.20.0', '10.20.0.256', '10.20.0.0%2F33', '10.20.0.0%2F', '%2F24', '10.20.0.0%2F24%2F1'],
    ...['10.20.0.0/24x', '10.20.0.0%2F-1', '00112233445', '2001:db8::%2F32', 'ALL%20', "'--"],
  ])('%s is refused', async (query) => {
    const answer = await api.call('GET', `/api/v0/resources/ip/arp/${query}`)
    expect({ status: answer.status, json: answer.json }).toEqual({
      status: 400,
      json: { status: 'error', message: expect.stringContaining('Invalid') },
    })
  })
})
