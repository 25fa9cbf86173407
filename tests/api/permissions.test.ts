import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mountedRoutes } from '../../src/api/route-index.ts'
import { type TestApi, testApi } from '../support/api.ts'
import { seed } from './fixtures.ts'
import { member } from './tables/row.ts'

let api: TestApi
beforeAll(async () => {
  api = await testApi()
})
afterAll(() => api.drop())

/** Permissions that role `user` lacks (contract BEHAVIOUR.md 2). */
const NOT_FOR_USERS: ReadonlySet<string> = new Set([
  'Vlan.viewAny',
  'AlertTemplate.viewAny',
  'Poller.viewAny',
  'PollerGroup.viewAny',
  // settings enable_billing and show_services are off
  'Bill.viewAny',
  'Service.viewAny',
])

/** Paths of all operations, with an existing device and port. */
async function everyOperation() {
  const { hostname, portIds } = await seed(api)
  const values: Readonly<Record<string, string>> = {
    hostname,
    ifname: 'Gi0%2F1',
    type: 'device_bits',
    portid: String(portIds[0]),
    field: 'ifName',
    new_hostname: 'x.example.net',
  }
  return mountedRoutes(api.app)
    .filter((route) => route.path.startsWith('/api/v0'))
    .map((route) => ({
      ...route,
      path: route.path.replace('/*', '/x').replaceAll(/:(\w+)/g, (_, name: string) => values[name] ?? name),
    }))
}

test('without a token every operation, and every unknown path, is 401', async () => {
  for (const { method, path } of await everyOperation()) {
    const answer = await api.call(method, path, { token: null })
    expect({ path, status: answer.status, body: answer.text }).toEqual({
      path,
      status: 401,
      body: '{"message":"Unauthenticated."}',
    })
  }
  expect((await api.call('GET', '/api/v0/nonsense', { token: null })).status).toBe(401)
  expect((await api.call('GET', '/api/v0/devices/%00', { token: null })).status).toBe(401)
})

test('a user without a role may use only ping, root and system', async () => {
  const { token } = await api.token([])
  const passed: string[] = []
  for (const { method, path, operation } of await everyOperation()) {
    const answer = await api.call(method, path, { token })
    if (answer.status !== 403) passed.push(operation)
    else expect(answer.text).toBe('{"message":"This action is unauthorized."}')
  }
  expect(passed.toSorted()).toEqual(['ping', 'root', 'system'])
})

describe.each(['global-read', 'user'] as const)('role %s', (role) => {
  test('may use read operations and no others', async () => {
    const { token } = await api.token([role])
    for (const { method, path, operation, gate } of await everyOperation()) {
      const answer = await api.call(method, path, { token })
      const closed = answer.text === '{"message":"This action is unauthorized."}'
      const views = gate.endsWith('.viewAny') && !(role === 'user' && NOT_FOR_USERS.has(gate))
      expect({ operation, closed }).toEqual({ operation, closed: !(gate === 'token' || views) })
    }
  })
})

/** Operations that change nothing although they are not GETs, and GETs that start something. */
const STARTS: ReadonlySet<string> = new Set(['discover_device'])

test('a read-only token may use operations that change nothing, and gets 403 from every other', async () => {
  const { username } = await api.token(['admin'])
  const { token } = await api.services.tokens.create({ username, description: '', dialect: null, scope: 'read' })
  const refused: string[] = []
  for (const { method, path, operation } of await everyOperation()) {
    const answer = await api.call(method, path, { token })
    const isChange = method !== 'GET' || STARTS.has(operation)
    expect({
      operation,
      closed: answer.status === 403 && answer.text === '{"message":"This action is unauthorized."}',
    }).toEqual({
      operation,
      closed: isChange,
    })
    if (isChange) refused.push(operation)
  }
  expect(refused).toContain('add_device')
  expect(refused).toContain('syslogsink')
  expect(refused.length).toBeGreaterThan(40)
})

test('an expired token gets 401 from every operation of v0 and v1, and one that expires while it is used too', async () => {
  const { username } = await api.token(['admin'])
  const soon = new Date(Date.now() + 3_600_000)
  const { id, token } = await api.services.tokens.create({ username, description: '', dialect: null, expiresAt: soon })
  expect((await api.call('GET', '/api/v0/devices', { token })).status).toBe(200)
  await api.services.tokens.change(id, { expiresAt: new Date(Date.now() - 1000) })
  // the delay of wrong tokens is tested elsewhere
  api.settings.applyStored(new Map([['auth.wrong_tokens', 0]]))
  for (const { method, path, operation } of await everyOperation()) {
    expect({ operation, status: (await api.call(method, path, { token })).status }).toEqual({ operation, status: 401 })
  }
  api.settings.applyStored(new Map([['api.v1.enabled', true]]))
  const headers = { Authorization: `Bearer ${token}` }
  for (const path of ['/api/v1/system', '/api/v1/series?kind=port&id=1', '/api/v1/events'])
    expect((await api.call('GET', path, { token: null, headers })).status).toBe(401)
  await api.services.tokens.change(id, { expiresAt: null })
  expect((await api.call('GET', '/api/v0/devices', { token })).status).toBe(200)
})

test('a custom role may use the operations of its permissions', async () => {
  const { token, username } = await api.token([])
  const { hostname } = await seed(api)
  await api.store.sql`
    with r as (insert into roles (name) values ('editors') returning id),
      p as (insert into permissions (name) values ('device.update') returning id),
      l as (insert into role_has_permissions (role_id, permission_id) select r.id, p.id from r, p)
    insert into model_has_roles (role_id, model_id)
    select r.id, u.user_id from r, users u where u.username = ${username}`
  const body = { field: 'notes', data: 'x' }
  // the device itself is still not granted
  const refused = await api.call('PATCH', `/api/v0/devices/${hostname}`, { token, body })
  expect(refused.text).toContain('Insufficient permissions')
  expect((await api.call('DELETE', `/api/v0/devices/${hostname}`, { token })).text).toContain('This action is')
})

test('a user sees granted devices, and their ports, sensors and addresses', async () => {
  const [mine, other] = [await seed(api), await seed(api)]
  const { token, username } = await api.token(['user'])
  await api.services.users.grant(username, { deviceIds: [mine.deviceId] })
  const get = async (path: string) => await api.call('GET', `/api/v0${path}`, { token })
  expect(member(await get('/devices'), 'devices')).toMatchObject([{ device_id: mine.deviceId }])
  expect(member(await get('/devices'), 'count')).toBe(1)
  expect((await get(`/devices/${mine.hostname}`)).status).toBe(200)
  expect((await get(`/devices/${other.hostname}`)).status).toBe(403)
  expect(member(await get('/ports'), 'count')).toBe(2)
  expect(member(await get('/ports/search/Gi0'), 'count')).toBe(2)
  expect(member(await get('/resources/sensors'), 'sensors')).toMatchObject([{ sensor_id: mine.sensorId }])
  expect((await get(`/ports/${other.portIds[0]}`)).status).toBe(403)
})

test('a user sees a granted port, but not its device', async () => {
  const { portIds, hostname } = await seed(api)
  const { token, username } = await api.token(['user'])
  await api.services.users.grant(username, { portIds: [portIds[1]] })
  const get = async (path: string) => await api.call('GET', `/api/v0${path}`, { token })
  expect(member(await get('/ports'), 'ports')).toEqual([{ port_id: portIds[1], ifName: 'Gi0/2' }])
  expect(member(await get(`/devices/${hostname}/ports`), 'ports')).toEqual([{ ifName: 'Gi0/2' }])
  expect((await get(`/devices/${hostname}/ports/Gi0%2F2`)).status).toBe(200)
  expect((await get(`/devices/${hostname}`)).status).toBe(403)
})

test('secrets of devices are shown only to administrators; the members stay', async () => {
  const { hostname, deviceId } = await seed(api)
  const { token } = await api.token(['global-read'])
  const hidden = { community: null, authpass: null, cryptopass: null }
  const shown = { community: 'secret', authpass: 'apass', cryptopass: 'cpass' }
  const one = `/api/v0/devices/${hostname}`
  const list = `/api/v0/devices?type=device_id&query=${deviceId}`
  for (const path of [one, list]) {
    expect(member(await api.call('GET', path), 'devices')).toMatchObject([shown])
    expect(member(await api.call('GET', path, { token }), 'devices')).toMatchObject([hidden])
  }
  // sorting by them would reveal them
  expect((await api.call('GET', '/api/v0/devices?order=community', { token })).status).toBe(400)
})
