import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createAuthJournal } from '../../src/core/access/sign-in/journal.ts'
import { createLog } from '../../src/observe/log.ts'
import { type TestApi, testApi } from '../support/api.ts'
import { eventually } from '../support/eventually.ts'

let api: TestApi
beforeAll(async () => {
  api = await testApi()
})
afterAll(() => api.drop())

const entries = async (address: string) =>
  (await api.store.sql<{ user: string; result: string }[]>`
    select "user", result from authlog where address = ${address} order by id`) as readonly {
    user: string
    result: string
  }[]

test('the first use of a token and a refused token are logged, further ones in the same minute are not', async () => {
  const { token, username } = await api.token(['admin'])
  for (let i = 0; i < 3; i++) {
    expect((await api.call('GET', '/api/v0/ping', { token })).status).toBe(200)
    expect((await api.call('GET', '/api/v0/ping', { token: 'wrong' })).status).toBe(401)
  }
  const wanted = [
    { user: username, result: 'API token accepted' },
    { user: '', result: 'API token refused' },
  ]
  const found = await eventually(async () => {
    const rows = await entries('127.0.0.1')
    const own = rows.filter((row) => row.user === username || row.user === '')
    return own.length < 2 ? null : own
  })
  expect(found.toSorted((a, b) => (a.user < b.user ? 1 : -1))).toEqual(wanted)
})

test('a request without a token is not counted', async () => {
  const before = await api.store.sql`select id from authlog`
  expect((await api.call('GET', '/api/v0/ping', { token: null })).status).toBe(401)
  expect(await api.store.sql`select id from authlog`).toHaveLength(before.length)
})

test('creating a token is logged', async () => {
  const { username } = await api.token([])
  const rows = await api.store.sql`select address, result from authlog where "user" = ${username}`
  expect([...rows]).toMatchObject([{ address: '', result: expect.stringMatching(/^API token \d+ created$/) }])
})

test('refusals for one address are counted; a login is logged again after a day', async () => {
  let nowMs = 1_800_000_000_000
  const journal = createAuthJournal({ store: api.store, log: createLog('silent'), now: () => nowMs })
  const add = (ms: number) => {
    nowMs += ms
  }
  for (let i = 0; i < 5; i++) journal.refused('192.0.2.1')
  add(60_000)
  journal.refused('192.0.2.1')
  journal.accepted('joe', '192.0.2.2')
  journal.accepted('joe', '192.0.2.2')
  add(86_400_000)
  journal.accepted('joe', '192.0.2.2')
  const read = async (address: string) => {
    const rows = await entries(address)
    return rows.length < 2 ? null : rows.map((row) => row.result).toSorted()
  }
  expect(await eventually(() => read('192.0.2.1'))).toEqual([
    'API token refused',
    'API token refused, and 4 times since the last entry',
  ])
  expect(await eventually(() => read('192.0.2.2'))).toEqual(['API token accepted', 'API token accepted'])
})

test('refusals for many addresses make at most sixty rows a minute', async () => {
  const journal = createAuthJournal({ store: api.store, log: createLog('silent'), now: () => 1_800_000_000_000 })
  for (let i = 0; i < 500; i++) journal.refused(`198.51.100.${i}`)
  const count = async () => {
    const [row] = await api.store.sql<{ n: number }[]>`
      select count(*)::int as n from authlog where address like '198.51.100.%'`
    return row?.n === 60 ? row.n : null
  }
  expect(await eventually(count)).toBe(60)
})
