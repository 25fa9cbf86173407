import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { SYSTEM } from '../../../src/core/base/actor.ts'
import { type TestApi, testApi } from '../../support/api.ts'

setDefaultTimeout(120_000)

let api: TestApi
const ids: number[] = []
beforeAll(async () => {
  api = await testApi()
  const rows = await api.store.sql<{ device_id: number }[]>`
    insert into devices (hostname, "sysName", display) values ('a1', 'spare', ''), ('b1', 'Twice', ''), ('c1', '', 'TWICE')
    returning device_id`
  ids.push(...rows.map((row) => row.device_id))
})
afterAll(() => api.drop())

test('members of all groups are those of each', async () => {
  const { deviceGroups } = api.services
  const [a = 0, b = 0, c = 0] = ids
  for (const [name, devices] of [
    ['both', [b, a]],
    ['one', [c]],
    ['none', []],
  ] as const)
    await deviceGroups.create(SYSTEM, { name, type: 'static', devices: [...devices] })
  const all = await deviceGroups.allMembers(SYSTEM)
  const named = (await deviceGroups.list(SYSTEM)).map((one) => [one.name, all.get(one.id) ?? []])
  expect(named).toEqual([
    ['both', [a, b]],
    ['none', []],
    ['one', [c]],
  ])
  for (const group of await deviceGroups.list(SYSTEM))
    expect(all.get(group.id) ?? []).toEqual(await deviceGroups.members(SYSTEM, group))
})

test('a device is found by a sysName or display name that only one has', async () => {
  const { devices } = api.services
  expect(await devices.alsoNamed(SYSTEM, 'SPARE')).toMatchObject({ hostname: 'a1' })
  for (const nobody of ['a1', 'spar', '', '%']) expect(await devices.alsoNamed(SYSTEM, nobody)).toBeNull()
  await expect(devices.alsoNamed(SYSTEM, 'twice')).rejects.toMatchObject({
    code: 'conflict',
    message: 'twice is the sysName of b1, display name of c1: give the hostname',
  })
})
