import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type TestApi, testApi } from '../support/api.ts'
import { type Seeded, seed } from './fixtures.ts'

let api: TestApi
let seeded: Seeded
let operator: string
beforeAll(async () => {
  api = await testApi({ nagios_plugins: '/nonexistent' })
  seeded = await seed(api)
  const { token, username } = await api.token(['global-read'])
  operator = token
  await api.services.users.defineRole('checker', ['service.create', 'service.update'])
  await api.services.users.setRoles(username, ['global-read', 'checker'])
})
afterAll(() => api.drop())

const add = (body: unknown, token?: string) =>
  api.call('POST', `/api/v0/services/${seeded.deviceId}`, { body, ...(token !== undefined && { token }) })

test.each([
  [{ type: 'tcp' }, 'tcp needs -p PORT'],
  [{ type: 'tcp', param: "-p 80 -s 'open" }, "a ' in the parameters is not closed"],
  [{ type: 'http', param: '--unheard' }, 'the built-in check http has no option --unheard'],
  [{ type: 'http', ip: '-oProxyCommand=x' }, 'the address is neither an IP address nor a host name'],
])('%j is refused when it is added', async (body, message) => {
  const answer = await add(body)
  expect(answer.status).toBe(400)
  expect(answer.json).toMatchObject({ message })
})

test('changing parameters to ones that the check does not accept is rejected, other changes are not', async () => {
  const added = await add({ type: 'tcp', param: '-p 80' })
  const id = /\(#(\d+)\)$/.exec((added.json as { message: string }).message)?.[1] ?? ''
  const change = (body: unknown) => api.call('PATCH', `/api/v0/services/${id}`, { body })
  expect(await change({ service_param: '' })).toMatchObject({ status: 400 })
  expect(await change({ service_param: '-p 81' })).toMatchObject({ status: 201 })
  expect(await change({ service_desc: 'x' })).toMatchObject({ status: 201 })
})

test('without role admin: only built-in checks of the device itself, no programs and no other addresses', async () => {
  expect(await add({ type: 'http' }, operator)).toMatchObject({ status: 201 })
  expect(await add({ type: 'http', ip: '127.0.0.1' }, operator)).toMatchObject({ status: 403 })
  expect(await add({ type: 'http', ip: '169.254.169.254' }, operator)).toMatchObject({ status: 403 })
  expect(await add({ type: 'log', param: '-F /etc/shadow -O /tmp/x -q x' }, operator)).toMatchObject({ status: 403 })
  expect(await add({ type: 'log', param: '-F /x -O /y -q x' })).toMatchObject({ status: 201 })
})
