import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { followInventory } from '../../../src/app/leader/groups.ts'
import { SYSTEM } from '../../../src/core/base/actor.ts'
import { writeDiscovery } from '../../../src/core/discovery/write.ts'
import { createLog } from '../../../src/observe/log.ts'
import { seed } from '../../api/fixtures.ts'
import { rulesFor } from '../../api/tables/groups.ts'
import { type TestApi, testApi } from '../../support/api.ts'

setDefaultTimeout(60_000)

let api: TestApi
beforeAll(async () => {
  api = await testApi()
})
afterAll(() => api.drop())

const members = async (id: number) =>
  (
    await api.store.sql<{ device_id: number }[]>`
      select device_id from device_group_device where device_group_id = ${id} order by 1`
  ).map((row) => row.device_id)

async function until(read: () => Promise<number[]>, wanted: number[]): Promise<void> {
  const deadline = Date.now() + 20_000
  for (;;) {
    const value = await read()
    if (Bun.deepEquals(value, wanted) || Date.now() > deadline) return expect(value).toEqual(wanted)
    await Bun.sleep(20)
  }
}

test('the rules of a group are evaluated again on request, in one statement', async () => {
  const { hostname, deviceId } = await seed(api)
  const rules = JSON.stringify(rulesFor(hostname))
  const { id } = await api.services.deviceGroups.create(SYSTEM, { name: `r ${deviceId}`, type: 'dynamic', rules })
  expect(await members(id)).toEqual([deviceId])
  await api.store.sql`update ports set "ifName" = 'x' || port_id where device_id = ${deviceId}`
  await api.services.deviceGroups.refresh()
  expect(await members(id)).toEqual([])
})

test('a rule that can no longer be evaluated keeps the members of its group, and other groups are refreshed', async () => {
  const { hostname, deviceId } = await seed(api)
  const create = (name: string) =>
    api.services.deviceGroups.create(SYSTEM, { name, type: 'dynamic', rules: JSON.stringify(rulesFor(hostname)) })
  const broken = await create(`b ${deviceId}`)
  const sound = await create(`s ${deviceId}`)
  await api.store
    .sql`update device_groups set rules = '{"condition":"AND","rules":[{"field":"slas.x","operator":"equal","value":1}]}'
    where id = ${broken.id}`
  await api.store.sql`delete from device_group_device where device_group_id = ${sound.id}`
  await api.services.deviceGroups.refresh()
  expect(await members(broken.id)).toEqual([deviceId])
  expect(await members(sound.id)).toEqual([deviceId])
})

test('members are updated after a discovery and after a change of a device', async () => {
  const { hostname, deviceId } = await seed(api)
  const rules = JSON.stringify(rulesFor(hostname))
  const { id } = await api.services.deviceGroups.create(SYSTEM, { name: `d ${deviceId}`, type: 'dynamic', rules })
  const following = followInventory(api.store, api.services.deviceGroups, createLog('silent'))
  try {
    await api.store.sql`delete from device_group_device where device_group_id = ${id}`
    await writeDiscovery(api.store, deviceId, [], { tookMs: 1, complete: true })
    await until(() => members(id), [deviceId])
    await api.call('PATCH', `/api/v0/devices/${hostname}/rename/other-${hostname}`)
    await until(() => members(id), [])
  } finally {
    await following.stop()
  }
})

test('members can be written, read back and deleted', async () => {
  const { hostname, deviceId } = await seed(api)
  const { token } = await api.token(['admin'], 'librenms')
  const rules = rulesFor(hostname)
  const name = `a/b c ${deviceId}`
  const path = `/api/v0/devicegroups/${encodeURIComponent(name)}`
  const call = (method: string, at: string, body?: unknown) =>
    api.call(method, at, { token, ...(body !== undefined && { body }) })
  const created = await call('POST', '/api/v0/devicegroups', {
    name,
    type: 'dynamic',
    desc: 'd',
    rules: JSON.stringify(rules),
  })
  const { id } = created.json as { id: number }
  const read = async () =>
    ((await call('GET', '/api/v0/devicegroups')).json as { groups: { id: number }[] }).groups.find((g) => g.id === id)
  const record = { id, name, desc: 'd', pattern: null, type: 'dynamic', rules }
  expect(await read()).toEqual(record as never)
  const { rules: text, ...rest } = record
  expect((await call('PATCH', path, { ...rest, rules: JSON.stringify(text) })).status).toBe(200)
  expect(await read()).toEqual(record as never)
  expect((await call('PATCH', path, { desc: '' })).status).toBe(200)
  expect(await read()).toEqual({ ...record, desc: '' } as never)
  expect((await call('PATCH', path, { desc: null, type: 'static', devices: [deviceId] })).status).toBe(200)
  expect(await read()).toEqual({ ...record, desc: null, type: 'static', rules: null } as never)
  expect((await call('DELETE', `/api/v0/devicegroups/${id}`)).status).toBe(200)
  expect((await call('GET', path)).status).toBe(404)
})
