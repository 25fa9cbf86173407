import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { mint } from '../../support/api.ts'
import { createWorld, MINE, type World } from './world.ts'

setDefaultTimeout(120_000)

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.api.drop())

const call = (method: string, path: string, body?: unknown, token = world.token) =>
  world.api.call(method, `/api/v0${path}`, { token, ...(body !== undefined && { body }) })

/** Adds another device at a location as administrator. */
async function addDevice(location: string): Promise<number> {
  const hostname = `h${mint()}.example.net`
  const body = { hostname, force_add: true, snmp_disable: true, location }
  const { json } = await world.api.call('POST', '/api/v0/devices', { body })
  return (json as { devices: { device_id: number }[] }).devices[0]?.device_id ?? 0
}

const parentsOf = async (id: number) =>
  (
    await world.api.store.sql<{ id: number }[]>`
      select parent_device_id as id from device_relationships where child_device_id = ${id} order by 1`
  ).map((row) => row.id)

test('a granted device can become the parent of another; parents that are not granted are kept', async () => {
  const [child, parent] = [world.mine('devices'), await addDevice('mine location')]
  await world.api.services.users.grant(world.username, { deviceIds: [parent] })
  const path = `/devices/${child}/parents`
  const both = [parent, world.foreign('devices')].toSorted((a, b) => a - b)
  expect((await call('POST', path, { parent_ids: parent })).status).toBe(201)
  expect(await parentsOf(child)).toEqual(both)
  expect((await call('DELETE', path, { parent_ids: parent })).status).toBe(201)
  expect(await parentsOf(child)).toEqual([world.foreign('devices')])
  await call('POST', path, { parent_ids: parent })
  expect((await call('DELETE', path)).status).toBe(201)
  expect(await parentsOf(child)).toEqual([world.foreign('devices')])
})

test('a location can be changed by a user who was granted all its devices', async () => {
  const [device, path] = [world.mine('devices'), `/locations/${world.mine('locations')}`]
  const other = await addDevice('mine location')
  const tries = () =>
    Promise.all([
      call('PATCH', path, { lat: 5 }),
      call('POST', `${path}/maintenance`, { duration: '1:00' }),
      call('POST', '/rules', {
        name: `r ${mint()}`,
        severity: 'ok',
        devices: [device],
        locations: [world.mine('locations')],
        builder: { condition: 'AND', rules: [{ field: 'devices.os', operator: 'equal', value: 'x' }] },
      }),
    ])
  expect((await tries()).map(({ status }) => status)).toEqual([403, 403, 403])
  expect((await call('DELETE', path)).status).toBe(403)
  // moving a device there is allowed, because the user already sees the location
  expect((await call('PATCH', `/devices/${device}`, { field: 'location', data: 'mine location' })).status).toBe(200)
  await world.api.services.users.grant(world.username, { deviceIds: [other] })
  expect((await tries()).map(({ status }) => status)).toEqual([201, 201, 200])
})

test('granted ports can be put into an empty port group, which the user may then change', async () => {
  const { json } = await call('POST', '/port_groups', { name: `p ${mint()}` })
  const { id } = json as { id: number }
  const assign = (ports: readonly number[]) => call('POST', `/port_groups/${id}/assign`, { port_ids: ports })
  expect((await assign([world.foreign('ports')])).status).toBe(403)
  expect((await assign([world.mine('ports')])).status).toBe(200)
  expect((await call('GET', `/port_groups/${id}`)).json).toMatchObject({ ports: [{ port_id: world.mine('ports') }] })
})

test('a granted port can be described, grouped and billed; its device cannot be changed', async () => {
  const { users } = world.api.services
  const { token, username } = await world.api.token([])
  await users.setRoles(username, ['everything'])
  const port = world.mine('ports')
  const patch = () => call('PATCH', `/ports/${port}/description`, { description: `d ${mint()}` }, token)
  expect((await patch()).status).toBe(400)
  await users.grant(username, { portIds: [port] })
  expect((await patch()).status).toBe(200)
  const bill = { bill_type: 'quota', bill_quota: 1, bill_day: 1, bill_custid: '', bill_ref: '', bill_notes: '' }
  expect((await call('POST', '/bills', { bill_name: 'p', ...bill, ports: [port] }, token)).status).toBe(200)
  const device = `/devices/${world.mine('devices')}`
  expect((await call('PATCH', device, { field: 'notes', data: 'x' }, token)).status).toBe(403)
})

test('combined with global-read a role may change everything its permissions name, but not write SQL', async () => {
  const { users } = world.api.services
  const { token, username } = await world.api.token([])
  await users.setRoles(username, ['global-read', 'everything'])
  const field = { field: 'notes', data: 'x' }
  expect((await call('PATCH', `/devices/${world.foreign('devices')}`, field, token)).status).toBe(200)
  const rule = {
    name: `q ${mint()}`,
    severity: 'ok',
    devices: [-1],
    builder: { condition: 'AND', rules: [{ field: 'devices.os', operator: 'equal', value: 'x' }] },
  }
  expect((await call('POST', '/rules', rule, token)).status).toBe(200)
  const own = { ...rule, name: `q ${mint()}`, override_query: true, adv_query: 'select password from users' }
  expect((await call('POST', '/rules', own, token)).status).toBe(403)
  expect((await world.api.call('POST', '/api/v0/rules', { body: own })).status).toBe(200)
})

test('adding an object does not grant it', async () => {
  const body = { hostname: `n${mint()}.example.net`, force_add: true, snmp_disable: true }
  const { json } = await call('POST', '/devices', body)
  const id = (json as { devices: { device_id: number }[] }).devices[0]?.device_id ?? MINE
  expect((await call('GET', `/devices/${id}`)).status).toBe(403)
  expect((await call('DELETE', `/devices/${id}`)).status).toBe(403)
})

test('a search of configurations shows only granted devices', async () => {
  const nodes = ['mine.example.net', 'foreign.example.net', 'nobody.example.net'].map((node) => ({
    node,
    full_name: node,
  }))
  const oxidized = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => Response.json(nodes) })
  try {
    world.api.settings.applyStored(new Map([['oxidized.url', oxidized.url.href]]))
    const found = async (token?: string) => {
      const { json } = await world.api.call('GET', '/api/v0/oxidized/config/search/secret', token ? { token } : {})
      return (json as { nodes: { node: string }[] }).nodes.map(({ node }) => node)
    }
    expect(await found(world.token)).toEqual(['mine.example.net'])
    expect(await found()).toEqual(nodes.map(({ node }) => node))
  } finally {
    await oxidized.stop(true)
    world.api.settings.applyStored(new Map())
  }
})
