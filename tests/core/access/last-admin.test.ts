import { afterEach, beforeEach, expect, setDefaultTimeout, test } from 'bun:test'
import { SYSTEM } from '../../../src/core/base/actor.ts'
import { type TestApi, testApi } from '../../support/api.ts'

setDefaultTimeout(60_000)

let api: TestApi
/** The only administrator of a new test API. */
let admin: string
beforeEach(async () => {
  api = await testApi()
  admin = (await api.services.users.list())[0]?.username ?? ''
})
afterEach(() => api.drop())

const state = async () =>
  (await api.services.users.list()).map(({ username, roles, enabled }) => ({ username, roles, enabled }))

test('the last enabled administrator can neither be deleted, disabled nor lose the role', async () => {
  const { users } = api.services
  const { username: disabled } = await api.token(['admin'])
  await users.setEnabled(disabled, false)
  await api.token(['global-read'])
  const before = await state()
  await expect(users.delete(SYSTEM, admin)).rejects.toMatchObject({ code: 'conflict' })
  await expect(users.setEnabled(admin.toUpperCase(), false)).rejects.toMatchObject({ code: 'conflict' })
  await expect(users.setRoles(admin, ['global-read', 'user'])).rejects.toMatchObject({ code: 'conflict' })
  expect(await state()).toEqual(before)
  expect((await api.call('GET', '/api/v0/devices')).status).toBe(200)
  // keeping the role is allowed, and so is dropping others
  await users.setRoles(admin, ['admin', 'user'])
  await users.delete(SYSTEM, disabled)
})

test('with another enabled administrator all of these are allowed', async () => {
  const { users } = api.services
  const others = [await api.token(['admin']), await api.token(['admin']), await api.token(['admin'])]
  await users.delete(SYSTEM, others[0]?.username ?? '')
  await users.setEnabled(others[1]?.username ?? '', false)
  await users.setRoles(others[2]?.username ?? '', ['user'])
  await expect(users.delete(SYSTEM, admin)).rejects.toMatchObject({ code: 'conflict' })
})

test('when all administrators are deleted, disabled and demoted concurrently, one remains', async () => {
  const { users } = api.services
  const names = [admin]
  for (let i = 0; i < 8; i++) names.push((await api.token(['admin'])).username)
  const changes = [
    (name: string) => users.delete(SYSTEM, name),
    (name: string) => users.setEnabled(name, false),
    (name: string) => users.setRoles(name, []),
  ]
  const done = await Promise.allSettled(names.map((name, i) => changes[i % 3]?.(name)))
  expect(done.filter(({ status }) => status === 'rejected')).toHaveLength(1)
  expect((await state()).filter(({ roles, enabled }) => roles.includes('admin') && enabled === 1)).toHaveLength(1)
})

test('users cannot delete themselves', async () => {
  const { username } = await api.token(['admin'])
  const [self] = (await api.services.users.list()).filter((user) => user.username === username)
  const actor = { ...SYSTEM, userId: self?.user_id ?? 0, username }
  await expect(api.services.users.delete(actor, username)).rejects.toMatchObject({ code: 'conflict' })
  await api.services.users.delete(actor, admin)
})
