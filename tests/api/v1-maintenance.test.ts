import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mint, type TestApi, testApi } from '../support/api.ts'

let api: TestApi
let admin = ''
beforeAll(async () => {
  api = await testApi({ 'api.v1.enabled': 'true' })
  admin = (await api.token(['admin'])).token
})
afterAll(() => api.drop())

async function port(): Promise<number> {
  const [row] = await api.store.sql<{ id: number }[]>`
    with d as (insert into devices (hostname) values (${`v1maint${mint()}`}) returning device_id)
    insert into ports (device_id, "ifIndex", "ifName") select device_id, 1, 'Gi0/1' from d returning port_id as id`
  return row?.id ?? 0
}
const call = (method: 'GET' | 'POST', id: number | string, attributes?: unknown, token = admin) =>
  api.call(method, `/api/v1/ports/${id}/maintenance`, {
    token: null,
    headers: { Authorization: `Bearer ${token}`, 'content-type': 'application/vnd.api+json' },
    ...(attributes !== undefined && { body: { data: { type: 'maintenance', attributes } } }),
  })
const detailOf = (json: unknown) => (json as { errors: { detail: string }[] }).errors[0]?.detail

test('a port is put under maintenance, and says so', async () => {
  const id = await port()
  expect((await call('GET', id)).json).toEqual({ data: null })
  const made = await call('POST', id, { duration: '2:00', title: 'New cable', behavior: 2 })
  expect([made.status, made.json]).toEqual([201, { data: { type: 'maintenance', id: expect.any(String) } }])
  expect((await call('GET', id)).json).toEqual({
    data: {
      type: 'maintenance',
      attributes: { title: 'New cable', behavior: 2, until: expect.stringMatching(/T.*Z$/) },
    },
  })
})

test.each<[unknown, string]>([
  [{}, "'duration' is not a string"],
  [{ duration: 2 }, "'duration' is not a string"],
  [{ duration: '2:00', start: 'now' }, 'Invalid start'],
  [{ duration: '0:01', start: '9999-12-31 23:59' }, 'Invalid start'],
  [{ duration: '99999:59', start: '9990-01-01 00:00' }, 'Invalid start'],
  [{ duration: '2:00', behavior: 4 }, "'behavior' is not 1, 2 or 3"],
  [{ duration: '2:00', title: 'x'.repeat(10_001) }, "'title' is not a string of at most 10000"],
  [{ duration: '2:00', notes: 'a\0b' }, 'The body is not valid JSON'],
  [{ duration: '2:00', ports: [1] }, "'ports' is not one of duration"],
])('%j is refused', async (attributes, why) => {
  const { status, json } = await call('POST', await port(), attributes)
  expect([status, detailOf(json)]).toEqual([400, expect.stringContaining(why)])
})

test('a port that is not there or not granted is not found', async () => {
  const id = await port()
  for (const wrong of ['0', '-1', 'x', '99999999999', '2147483647']) expect((await call('GET', wrong)).status).toBe(404)
  const { token } = await api.token(['user'])
  for (const method of ['GET', 'POST'] as const)
    expect([403, 404]).toContain(
      (await call(method, id, method === 'POST' ? { duration: '1:00' } : undefined, token)).status,
    )
})
