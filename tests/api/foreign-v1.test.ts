import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { type MountedRoute, mountedRoutes } from '../../src/api/route-index.ts'
import { everyPermission } from '../core/access/world.ts'
import { type Answer, type TestApi, testApi } from '../support/api.ts'
import { fillDevice } from '../support/fill.ts'
import { relate } from '../support/relate.ts'

// What the reading operations of v1 show of objects that were not granted, and which right each of them asks for. The
// operations are those that the program mounts, so that a new one is tested without being named here.

setDefaultTimeout(600_000)

const MINE = 1_000_000
const FOREIGN = 900_000_000

let api: TestApi
let mine: ReadonlyMap<string, number>
let foreign: ReadonlyMap<string, number>
const tokens = new Map<string, string>()

/** A token of a new user with a role of its own that has these permissions, who was granted the first device. */
async function member(role: string, permissions: readonly string[] | null): Promise<string> {
  if (permissions !== null) await api.services.users.defineRole(role, [...permissions])
  const { token, username } = await api.token([])
  await api.services.users.setRoles(username, [role])
  await api.services.users.grant(username, {
    deviceIds: [mine.get('devices') ?? 0],
    billIds: [mine.get('bills') ?? 0],
  })
  return token
}

beforeAll(async () => {
  api = await testApi({ enable_billing: 'true', show_services: 'true', 'api.v1.enabled': 'true' })
  const [own, other] = [await fillDevice(api.store, MINE, 'mine'), await fillDevice(api.store, FOREIGN, 'foreign')]
  expect([...own.failed, ...other.failed]).toEqual([])
  ;({ ids: mine } = own)
  ;({ ids: foreign } = other)
  await relate(api.store, mine, foreign)
  const { sql } = api.store
  await sql`update candidates set state = 'new', device_id = null, moved_from = null`
  await sql`update candidate_sources set kind = 'lldp', scan_id = null`
  await sql`update faults set state = 1, live = 1, kind = null, ended_at = null, ended_how = null, acknowledged_until = null,
    acknowledged_severity = null, muted_until = null`
  await sql`update alert_transports set transport_type = 'webhook', transport_config = '{"url": "https://192.0.2.1/"}'`
  tokens.set('user', await member('user', null))
  tokens.set('everything', await member('everything', everyPermission(api)))
})
afterAll(() => api.drop())

/** Tables of the objects that operations name by their id. */
const TABLES: readonly (readonly [string, string])[] = [
  ['/bills/', 'bills'],
  ['/candidates/', 'candidates'],
  ['/operations/', 'alert_operations'],
  ['/schedules/', 'on_call_schedules'],
  ['/ports/', 'ports'],
  ['/sensors/', 'sensors'],
  ['/scans/', 'scans'],
  ['/faults/', 'faults'],
  ['/transports/', 'alert_transports'],
  ['/transport-groups/', 'alert_transport_groups'],
]

const reading = (): MountedRoute[] =>
  // a stream of events does not end
  mountedRoutes(api.app).filter(
    ({ method, path }) => method === 'GET' && path.startsWith('/api/v1') && path !== '/api/v1/events',
  )

/** Whoever may see transports and operations sees all of them, since they belong to no device. */
const OF_NO_DEVICE = /^\/api\/v1\/(?:operations|transports|transport-groups)\b/

/** Addresses of an operation about the objects of a device. */
function addresses({ path, operation }: MountedRoute, ids: ReadonlyMap<string, number>): string[] {
  const id = (table: string) => String(ids.get(table) ?? 0)
  const table = TABLES.find(([part]) => path.includes(part))?.[1]
  const at = path.replace(':mac', '00005e0053ff').replace(':id', table === undefined ? '1' : id(table))
  if (operation === 'v1_series')
    return ['port', 'sensor', 'processor', 'mempool', 'storage', 'device', 'ping', 'service', 'bgp', 'bill'].map(
      (kind) => `${at}?kind=${kind}&id=${id(`${kind}s`)}`,
    )
  return path.includes(':')
    ? [at]
    : [at, `${at}?device=${id('devices')}`, `${at}?device_id=${id('devices')}`, `${at}?text=foreign`]
}

const ask = (path: string, token: string): Promise<Answer> =>
  api.call('GET', path, { token: null, headers: { Authorization: `Bearer ${token}` } })

/** Errors repeat the path. */
const mentions = ({ status, text }: Answer): boolean => status === 200 && /\b9000\d{5}\b|foreign/.test(text)

test.each(['user', 'everything'])('role %s sees nothing of a device that was not granted', async (role) => {
  const leaks: string[] = []
  for (const route of reading())
    for (const path of [...addresses(route, mine), ...addresses(route, foreign)]) {
      const answer = await ask(path, tokens.get(role) ?? '')
      expect([path, answer.status < 500]).toEqual([path, true])
      if (mentions(answer) && !OF_NO_DEVICE.test(path)) leaks.push(path)
    }
  expect(leaks).toEqual([])
})

test('administrators see it by the same operations, and users what they were granted', async () => {
  const { token } = await api.token(['admin'])
  const [all, own] = [new Set<string>(), new Set<string>()]
  for (const route of reading()) {
    for (const path of addresses(route, foreign)) if (mentions(await ask(path, token))) all.add(route.operation)
    for (const path of addresses(route, mine)) {
      const { status, text } = await ask(path, tokens.get('everything') ?? '')
      if (status === 200 && /\b10000\d\d\b|mine/.test(text)) own.add(route.operation)
    }
  }
  const listed = ['v1_default_routes', 'v1_faults', 'v1_spanning_trees', 'v1_isis_adjacencies', 'v1_qos_classes']
  expect([...all]).toEqual(expect.arrayContaining([...listed, 'v1_sightings', 'v1_on_call_schedules']))
  expect([...own]).toEqual(expect.arrayContaining(listed))
})

test('each operation asks for its own right, and for no other', async () => {
  const every = everyPermission(api)
  const wrong: string[] = []
  for (const gate of new Set(reading().map((route) => route.gate))) {
    if (!gate.includes('.')) continue
    const named = gate.toLowerCase().replace('.', '-')
    const without = await member(
      `without-${named}`,
      every.filter((name) => name !== gate),
    )
    const only = await member(`only-${named}`, [gate])
    for (const route of reading().filter((one) => one.gate === gate)) {
      const [path = ''] = addresses(route, mine)
      if ((await ask(path, without)).status !== 403) wrong.push(`${path} without ${gate}`)
      // rules of candidates are for those who see the whole network
      if (route.operation !== 'v1_candidate_rules' && (await ask(path, only)).status === 403)
        wrong.push(`${path} with ${gate} only`)
    }
  }
  expect(wrong).toEqual([])
})
