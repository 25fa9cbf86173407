import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { SYSTEM } from '../../../src/core/base/actor.ts'
import { seed } from '../../api/fixtures.ts'
import { member } from '../../api/tables/row.ts'
import { type TestApi, testApi } from '../../support/api.ts'

setDefaultTimeout(60_000)

let api: TestApi
beforeAll(async () => {
  api = await testApi({ enable_billing: 'true' })
})
afterAll(() => api.drop())

test('a granted static group shows its devices everywhere; leaving the group hides them', async () => {
  const [mine, other] = [await seed(api), await seed(api)]
  const { token, username } = await api.token(['user'])
  const name = `g ${mine.deviceId}`
  const { id } = await api.services.deviceGroups.create(SYSTEM, { name, type: 'static', devices: [mine.deviceId] })
  await api.services.users.grant(username, { deviceGroupIds: [id] })
  const get = async (path: string) => await api.call('GET', `/api/v0${path}`, { token })
  expect(member(await get('/devices'), 'devices')).toMatchObject([{ device_id: mine.deviceId }])
  expect((await get(`/devices/${mine.hostname}`)).status).toBe(200)
  expect((await get(`/devices/${other.hostname}`)).status).toBe(403)
  expect(member(await get('/ports'), 'count')).toBe(2)
  expect(member(await get('/resources/sensors'), 'sensors')).toMatchObject([{ sensor_id: mine.sensorId }])
  expect((await get(`/devicegroups/${id}`)).json).toMatchObject([{ devices: [{ device_id: mine.deviceId }] }])
  await api.call('DELETE', `/api/v0/devicegroups/${id}/devices`, { body: { devices: [mine.deviceId] } })
  expect(member(await get('/devices'), 'count')).toBe(0)
})

test('a granted dynamic group shows its devices and follows its members, unless the setting forbids it', async () => {
  const mine = await seed(api)
  const rules = `{"condition":"AND","rules":[{"field":"devices.device_id","operator":"equal","value":${mine.deviceId}}]}`
  const { id } = await api.services.deviceGroups.create(SYSTEM, { name: `d ${mine.deviceId}`, type: 'dynamic', rules })
  const count = async () => {
    const { token, username } = await api.token(['user'])
    await api.services.users.grant(username, { deviceGroupIds: [id] })
    return member(await api.call('GET', '/api/v0/devices', { token }), 'count')
  }
  expect(await count()).toBe(1)
  api.settings.applyStored(new Map([['permission.device_group.allow_dynamic', false]]))
  expect(await count()).toBe(0)
  api.settings.applyStored(new Map())
  const { token, username } = await api.token(['user'])
  const { users, deviceGroups } = api.services
  await users.grant(username, { deviceGroupIds: [id] })
  expect(await users.grants(username)).toMatchObject([{ kind: 'device_group', id, devices: 1 }])
  expect(await users.reach(username)).toBe(1)
  // another device begins to match, and this one no longer does
  const other = await seed(api)
  const otherRules = rules.replace(String(mine.deviceId), String(other.deviceId))
  await api.store.sql`update device_groups set rules = ${otherRules} where id = ${id}`
  await deviceGroups.refresh()
  const seen = await api.call('GET', '/api/v0/devices', { token })
  expect(member(seen, 'devices')).toMatchObject([{ device_id: other.deviceId }])
  expect((await api.call('GET', `/api/v0/devices/${mine.deviceId}`, { token })).status).toBe(403)
})

test('a granted location shows the devices there, and follows them', async () => {
  const [mine, other] = [await seed(api), await seed(api)]
  const { token, username } = await api.token(['user'])
  const { users } = api.services
  const place = `place ${mine.deviceId}`
  const move = (id: number, location: string | null) =>
    api.call('PATCH', `/api/v0/devices/${id}`, { body: { field: 'location', data: location } })
  await move(mine.deviceId, place)
  const ids = await users.grantable({ locationIds: [place.toUpperCase()] })
  await users.grant(username, ids)
  const seen = async () => {
    const list = member(await api.call('GET', '/api/v0/devices', { token }), 'devices') as { device_id: number }[]
    return list.map(({ device_id }) => device_id)
  }
  expect(await seen()).toEqual([mine.deviceId])
  expect(await users.grants(username)).toMatchObject([{ kind: 'location', name: place, devices: 1 }])
  await move(other.deviceId, place)
  await move(mine.deviceId, `elsewhere ${mine.deviceId}`)
  expect(await seen()).toEqual([other.deviceId])
  expect(await users.revoke(username, ids)).toBe(1)
  expect(await seen()).toEqual([])
})

test('grants are found by name, listed and revoked', async () => {
  const { users, deviceGroups } = api.services
  const { hostname, deviceId, portIds } = await seed(api)
  const { username } = await api.token(['user'])
  const { id } = await deviceGroups.create(SYSTEM, { name: `n ${deviceId}`, type: 'static', devices: [] })
  const [bill] = await api.store.sql<{ bill_id: number }[]>`
    insert into bills (bill_name, bill_type, dir_95th, bill_custid, bill_ref, bill_notes)
    values (${`bill ${deviceId}`}, 'quota', 'in', '', '', '') returning bill_id`
  const ids = await users.grantable({
    deviceIds: [hostname.toUpperCase()],
    deviceGroupIds: [`n ${deviceId}`],
    portIds: [String(portIds[0])],
    billIds: [`bill ${deviceId}`],
  })
  expect(ids).toEqual({
    deviceIds: [deviceId],
    deviceGroupIds: [id],
    portIds: [portIds[0]],
    billIds: [bill?.bill_id ?? 0],
  })
  await users.grant(username, ids)
  await users.grant(username, ids)
  expect(await users.grants(username)).toEqual([
    { kind: 'device', id: deviceId, name: hostname, devices: 1 },
    { kind: 'device_group', id, name: `n ${deviceId}`, devices: 0 },
    { kind: 'port', id: portIds[0], name: `Gi0/1 of ${hostname}`, devices: null },
    { kind: 'bill', id: bill?.bill_id ?? 0, name: `bill ${deviceId}`, devices: null },
  ])
  expect(await users.revoke(username, ids)).toBe(4)
  expect(await users.grants(username)).toEqual([])
  await expect(users.grantable({ portIds: ['Gi0/1'] })).rejects.toMatchObject({ code: 'not_found' })
  await expect(users.grant(username, { deviceGroupIds: [99_999_999] })).rejects.toMatchObject({ code: 'not_found' })
})

test('a custom role allows what it names and no more', async () => {
  const { users } = api.services
  const { token, username } = await api.token(['user'])
  await users.defineRole('grouper', ['device-group.create'])
  await users.setRoles(username, ['user', 'grouper'])
  const body = { name: `by ${username}`, type: 'static', devices: [] }
  expect((await api.call('POST', '/api/v0/devicegroups', { token, body })).status).toBe(201)
  expect((await api.call('POST', '/api/v0/port_groups', { token, body })).status).toBe(403)
  expect(await users.roles()).toContainEqual({ name: 'grouper', permissions: ['device-group.create'], users: 1 })
  await users.deleteRole('grouper')
  expect((await api.call('POST', '/api/v0/devicegroups', { token, body })).status).toBe(403)
  await expect(users.defineRole('admin', ['device.update'])).rejects.toMatchObject({ code: 'invalid' })
  await expect(users.defineRole('x', ['device.fly'])).rejects.toMatchObject({ code: 'invalid' })
  await expect(users.setRoles(username, ['king'])).rejects.toMatchObject({ code: 'invalid' })
})
