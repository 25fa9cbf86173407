import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { mountedRoutes } from '../../src/api/route-index.ts'
import { everyPermission } from '../core/access/world.ts'
import { type TestApi, testApi } from '../support/api.ts'
import { fillDevice } from '../support/fill.ts'
import { relate } from '../support/relate.ts'

setDefaultTimeout(600_000)

const MINE = 1_000_000
const FOREIGN = 900_000_000

let api: TestApi
/**
 * Tokens of users who were granted one device and one bill: with role `user`, and with a role that has all permissions.
 */
const tokens = new Map<string, string>()
let foreign: ReadonlyMap<string, number>
beforeAll(async () => {
  api = await testApi({ enable_billing: 'true', show_services: 'true' })
  const mine = await fillDevice(api.store, MINE, 'mine')
  const other = await fillDevice(api.store, FOREIGN, 'foreign')
  expect(other.failed).toEqual([])
  foreign = other.ids
  const here = mine.ids
  const idOf = (ids: ReadonlyMap<string, number>, table: string) => ids.get(table) ?? 0
  await relate(api.store, here, other.ids)
  await api.services.users.defineRole('everything', everyPermission(api))
  for (const role of ['user', 'everything']) {
    const { token, username } = await api.token([])
    await api.services.users.setRoles(username, [role])
    await api.services.users.grant(username, { deviceIds: [idOf(here, 'devices')], billIds: [idOf(here, 'bills')] })
    tokens.set(role, token)
  }
})
afterAll(() => api.drop())

/** Every GET operation with its path; parameters are the ids and names of the other device. */
function operations(): { readonly template: string; readonly path: string }[] {
  const id = (table: string) => String(foreign.get(table) ?? FOREIGN)
  const device = 'foreign.example.net'
  const values: Readonly<Record<string, string>> = {
    hostname: device,
    device_name: device,
    ifname: 'foreign%20ifName',
    portid: id('ports'),
    port_id: id('ports'),
    name: id('device_groups'),
    location: id('locations'),
    field: 'ifName',
    search: 'foreign',
    mac: '00005e0053ff',
    query: 'all',
    group: 'foreign@',
    address_family: 'ipv4',
    type: 'device_bits',
  }
  const numbered: readonly (readonly [string, string])[] = [
    ['/rules/', 'alert_rules'],
    ['/alerts/', 'alerts'],
    ['/bgp/', 'bgpPeers'],
    ['/links/', 'links'],
    ['/vrf/', 'vrfs'],
    ['/bills/', 'bills'],
    ['/networks/', 'ipv4_networks'],
    ['/multiport/', 'ports'],
    ['/port_groups/', 'port_groups'],
  ]
  return mountedRoutes(api.app)
    .filter((route) => route.method === 'GET' && route.path.startsWith('/api/v0'))
    .filter((route) => !route.path.endsWith('/discover'))
    .map((route) => {
      const table = numbered.find(([part]) => route.path.includes(part))?.[1]
      const path = route.path
        .replace('/*', '/foreign')
        .replaceAll(/:(\w+)/g, (_, name: string) =>
          table !== undefined && /^(id|name)$/.test(name) ? id(table) : (values[name] ?? id(name)),
        )
      return { template: route.path.replaceAll(/:(\w+)/g, '{$1}'), path }
    })
}

const paths = () => operations().map(({ path }) => path)
const toMine = (path: string) => path.replaceAll('foreign', 'mine').replaceAll(/9000(\d{5})/g, '10$1')

/** The same paths with the granted device. */
const granted = () => paths().map(toMine)

const DOCUMENT: { paths: Record<string, { get?: { parameters?: { name: string; in: string }[] } }> } = JSON.parse(
  readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8'),
)

/** The documented query parameters of an operation, without those of drawings. */
function filtersOf(template: string): string[] {
  const names = (DOCUMENT.paths[template]?.get?.parameters ?? []).filter(({ in: at }) => at === 'query')
  return names.some(({ name }) => name === 'theme') ? [] : names.map(({ name }) => name)
}

/** Every query of the lists that asks for what the other device has, by each parameter and each column. */
async function queries(): Promise<string[]> {
  const { sql } = api.store
  const columnsOf = async (table: string) =>
    (
      await sql<{ name: string }[]>`select column_name as name from information_schema.columns
      where table_schema = 'public' and table_name = ${table}`
    )
      .map(({ name }) => name)
      .toSorted()
  const [deviceColumns, portColumns] = [await columnsOf('devices'), await columnsOf('ports')]
  const ids = ['devices', 'ports', 'alert_rules', 'locations'].map((table) => String(foreign.get(table)))
  const list = operations().flatMap(({ template, path }) =>
    filtersOf(template).flatMap((name) => {
      const columns = template === '/api/v0/devices' ? deviceColumns : portColumns
      const values = /^(columns|order)$/.test(name) ? columns : ['foreign', 'foreign.example.net', ...ids]
      return values.map((value) => `${toMine(path)}?${name}=${encodeURIComponent(value)}`)
    }),
  )
  const types = [...deviceColumns, 'mac', 'ipv4', 'ipv6', 'location', 'all', 'up', 'down', 'ignored', 'active']
  const searches = types.flatMap((type) =>
    ['foreign', `foreign ${type}`, ids[0] ?? ''].map(
      (query) => `/api/v0/devices?type=${type}&query=${encodeURIComponent(query)}`,
    ),
  )
  const ports = portColumns.map((field) => `/api/v0/ports/search/${field}/foreign`)
  // paths that answer with a list whatever device they name
  const named = ['/services/foreign.example.net', '/routing/ipsec/data/foreign.example.net'].map(
    (path) => `/api/v0${path}`,
  )
  return [...new Set([...list, ...searches, ...ports, ...named])]
}

/** The query with a name or id that nothing has. */
const unknown = (path: string) => path.replaceAll('foreign', 'nobody').replaceAll(/\b9000(\d{5})\b/g, '8999$1')

/** Credentials of the granted device, which only administrators see. */
const SECRET = /mine (?:community|authpass|cryptopass)\b/

/** True if the answer contains ids or texts of the other device. Errors are excluded, because they repeat the path. */
const mentions = (answer: { status: number; text: string }) =>
  answer.status === 200 && /\b9000\d{5}\b|foreign/.test(answer.text)

test.each(['user', 'everything'])(
  'no GET operation shows role %s a device, port, bill, group or location that was not granted',
  async (role) => {
    const token = tokens.get(role) ?? ''
    const leaks: string[] = []
    for (const path of [...paths(), ...granted()])
      if (mentions(await api.call('GET', path, { token }))) leaks.push(path)
    expect(leaks).toEqual([])
  },
)

test.each(['user', 'everything'])(
  'no column, filter or order of a list tells role %s about other devices or about credentials',
  async (role) => {
    const token = tokens.get(role) ?? ''
    const wrong: string[] = []
    for (const path of await queries()) {
      const answer = await api.call('GET', path, { token })
      if (answer.status >= 500 || mentions(answer) || SECRET.test(answer.text)) wrong.push(path)
      // a count or a status that differs from those of an unknown name tells that there is such a device
      const other = path === unknown(path) ? answer : await api.call('GET', unknown(path), { token })
      if (other.status !== answer.status || unknown(answer.text) !== other.text) wrong.push(`${path} differs`)
    }
    expect(wrong).toEqual([])
  },
)

test('an administrator sees by the same queries what they ask for', async () => {
  const seen = (await Promise.all((await queries()).map((path) => api.call('GET', path)))).map((answer) => ({
    foreign: mentions(answer),
    secret: SECRET.test(answer.text),
  }))
  expect(seen.filter((answer) => answer.foreign).length).toBeGreaterThan(50)
  expect(seen.filter(({ secret }) => secret).length).toBeGreaterThan(10)
})

test('the same operations show it to an administrator, so the test above is able to fail', async () => {
  const leaks: string[] = []
  for (const path of paths()) if (mentions(await api.call('GET', path))) leaks.push(path)
  expect(leaks.length).toBeGreaterThan(50)
})

test('the lists show users what they were granted', async () => {
  const token = tokens.get('user') ?? ''
  const shown: string[] = []
  for (const path of granted()) {
    const { status, text } = await api.call('GET', path, { token })
    if (status === 200 && /\b10000\d\d\b|mine/.test(text)) shown.push(path)
  }
  expect(shown.length).toBeGreaterThan(50)
})
