import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { type TestApi, testApi } from '../support/api.ts'
import { storedFault } from './tables/v1-faults.ts'

setDefaultTimeout(60_000)
let api: TestApi
const ids = { first: 0, second: 0, over: 0 }
beforeAll(async () => {
  api = await testApi({ 'api.v1.enabled': 'true' })
  ids.first = await storedFault(api)
  ids.second = await storedFault(api, { state: 2 })
  ids.over = await storedFault(api, { state: 0 })
  await api.store.sql`update faults set kind = 'port', subject_id = 7, severity = 'warning' where id = ${ids.first}`
})
afterAll(() => api.drop())

interface Answer {
  readonly data: { readonly id: string; readonly attributes: Readonly<Record<string, unknown>> }[]
  readonly meta: Readonly<Record<string, number>>
}
const ask = async (
  method: string,
  path: string,
  { body, roles = ['admin'] as ('admin' | 'user')[] }: { body?: unknown; roles?: ('admin' | 'user')[] } = {},
) => {
  const { token } = await api.token(roles)
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  return await api.call(method, path, { headers, token: null, ...(body !== undefined && { body }) })
}
const listed = async (query: string, roles?: ('admin' | 'user')[]): Promise<string[]> =>
  (
    (await ask('GET', `/api/v1/faults${query}`, roles === undefined ? {} : { roles })).json as unknown as Answer
  ).data.map(({ id }) => id)

test('faults are listed by state, severity, thing, alert and time; without a state, those that are open', async () => {
  const [first, second, over] = [String(ids.first), String(ids.second), String(ids.over)]
  expect(await listed('')).toEqual([second, first])
  expect(await listed('?state=all')).toEqual([over, second, first])
  expect(await listed('?state=over,active')).toEqual([over, first])
  expect(await listed('?severity=warning')).toEqual([first])
  expect(await listed('?kind=port&subject=7')).toEqual([first])
  expect(await listed('?kind=sensor')).toEqual([])
  expect(await listed('?until=1000')).toEqual([])
  expect(await listed(`?state=all&since=${new Date(Date.now() + 60_000).toISOString()}`)).toEqual([second, first])
  expect(await listed('?assigned_to=me')).toEqual([])
  expect(await listed('?state=all', ['user'])).toEqual([])
})

test('a list is paged, and says how many there are', async () => {
  const { json } = await ask('GET', '/api/v1/faults?state=all&limit=1&offset=1')
  const { data, meta } = json as unknown as Answer
  expect(data.map(({ id }) => id)).toEqual([String(ids.second)])
  expect(data[0]?.attributes).not.toHaveProperty('row_now')
  expect(meta).toEqual({ total: 3, limit: 1, offset: 1 })
})

test.each([
  ['?limit=0', "'limit' is not a whole number from 1 to 1000"],
  ['?limit=1e9', "'limit' is not a whole number"],
  ['?offset=-1', "'offset' is not a whole number from 0 to 10000"],
  ['?device=NaN', "'device' is not a whole number"],
  ['?kind=weather', "'kind' is not one of"],
  ['?since=soon', "'since' is neither RFC 3339"],
])('%s is refused: %s', async (query, why) => {
  const { status, text } = await ask('GET', `/api/v1/faults${query}`)
  expect({ status, why: text.includes(why) ? why : text }).toEqual({ status: 400, why })
})

test('a body of JSON:API and a plain one acknowledge; a time is shown as such', async () => {
  const path = `/api/v1/faults/${ids.first}/acknowledge`
  const plain = await ask('POST', path, { body: { note: 'seen' } })
  expect(plain.json).toMatchObject({
    data: {
      id: String(ids.first),
      attributes: { state: 'acknowledged', acknowledgement: { note: 'seen', until: 'clear' } },
    },
  })
  const until = new Date(Date.now() + 3_600_000).toISOString()
  const wrapped = await ask('POST', path, { body: { data: { type: 'faults', attributes: { until } } } })
  expect(wrapped.json).toMatchObject({ data: { attributes: { acknowledgement: { until } } } })
  const { json } = await ask('GET', `/api/v1/faults/${ids.first}/history`)
  expect((json as unknown as { data: { what: string; note: string }[] }).data).toMatchObject([
    { what: 'began', note: 'a port is down' },
    { what: 'acknowledged', note: 'seen' },
    { what: 'acknowledged', note: '' },
  ])
})

test.each([
  [{ until: 'noon' }, "'until' is not clear, worse, nor a time"],
  [{ until: 1e300 }, "'until' is not clear, worse, nor a time"],
  [{ until: -1 }, "'until' is not clear, worse, nor a time"],
  [{ until: '2001-01-01T00:00:00Z' }, 'is over'],
  [{ until: '9998-01-01T00:00:00Z' }, '3650 days'],
  [{ note: 7 }, "'note' is not a text"],
  [{ note: 'x'.repeat(10_001) }, "'note' has 10001 characters"],
  [[1], 'The body is not a JSON object'],
  [{ data: { type: 'alerts' } }, "'data.type' is not 'faults'"],
])('acknowledging with %j is refused: %s', async (body, why) => {
  const { status, text } = await ask('POST', `/api/v1/faults/${ids.second}/acknowledge`, { body })
  expect({ status, why: text.includes(why) ? why : text }).toEqual({ status: 400, why })
})

test('mute, assign and notes', async () => {
  const path = `/api/v1/faults/${ids.second}`
  const muted = await ask('POST', `${path}/mute`, { body: { until: 'clear' } })
  expect(muted.json).toMatchObject({ data: { attributes: { muted_until: 'clear' } } })
  const loud = await ask('POST', `${path}/mute`, { body: { until: null } })
  expect(loud.json).toMatchObject({ data: { attributes: { muted_until: null } } })
  const [user] = await api.store.sql<{ user_id: number }[]>`select user_id from users order by user_id limit 1`
  const assigned = await ask('POST', `${path}/assign`, { body: { user_id: user?.user_id } })
  expect(assigned.json).toMatchObject({ data: { attributes: { assigned_to: { user_id: user?.user_id } } } })
  expect((await ask('POST', `${path}/assign`, { body: { user_id: 999_999 } })).status).toBe(400)
  expect((await ask('POST', `${path}/notes`, { body: { note: 'cut' } })).status).toBe(200)
})
