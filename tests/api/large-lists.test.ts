import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Server } from 'bun'
import { serveApi } from '../../src/api/serve.ts'
import { type TestApi, testApi } from '../support/api.ts'
import { seed } from './fixtures.ts'

/** Enough that buffers of sockets do not hold it: some 18 MB. */
const ENTRIES = 100_000

let api: TestApi
let server: Server<unknown>
let token: string
beforeAll(async () => {
  api = await testApi()
  server = serveApi(api.services, { hostname: '127.0.0.1', port: 0 })
  token = (await api.token(['admin'])).token
  const { deviceId, portIds } = await seed(api)
  await api.store.sql`insert into ports_fdb (device_id, port_id, mac_address)
    select ${deviceId}, ${portIds[0]}, lpad(to_hex(n), 12, '0') from generate_series(1, ${ENTRIES}::int) n`
})
afterAll(async () => {
  await server.stop(true)
  await api.drop()
})

const take = (path: string) =>
  fetch(`http://127.0.0.1:${server.port}/api/v0${path}`, { headers: { 'X-Auth-Token': token } })

test('a long list is whole, in order, and its count stands at the end', async () => {
  const text = await (await take('/resources/fdb')).text()
  expect(text).toEndWith(`"count":${ENTRIES}}`)
  const { ports_fdb: entries } = JSON.parse(text) as { ports_fdb: { ports_fdb_id: number }[] }
  expect(entries.length).toBe(ENTRIES)
  expect(entries.every(({ ports_fdb_id: id }, i) => i === 0 || id > (entries[i - 1]?.ports_fdb_id ?? id))).toBe(true)
})

test('a list whose end cannot be read ends with a broken connection, not as a shorter list', async () => {
  const answer = await take('/resources/fdb')
  expect(answer.status).toBe(200)
  const reader = answer.body?.getReader()
  const first = await reader?.read()
  expect(Buffer.from(first?.value ?? []).toString()).toStartWith('{"status":"ok","ports_fdb":[{')
  await api.store.sql`alter table ports_fdb rename to ports_fdb_away`
  try {
    const rest = (async () => {
      for (;;) if ((await reader?.read())?.done !== false) return
    })()
    await expect(rest).rejects.toThrow()
  } finally {
    await api.store.sql`alter table ports_fdb_away rename to ports_fdb`
  }
})

test('an error before anything was sent is an error answer', async () => {
  await api.store.sql`alter table ports_fdb rename to ports_fdb_away`
  try {
    const answer = await take('/resources/fdb')
    expect({ status: answer.status, text: await answer.text() }).toEqual({
      status: 500,
      text: '{"message":"Server Error"}',
    })
  } finally {
    await api.store.sql`alter table ports_fdb_away rename to ports_fdb`
  }
})

test('clients that go away in the middle leave no statement behind', async () => {
  for (let i = 0; i < 5; i++) {
    const reader = (await take('/resources/fdb')).body?.getReader()
    await reader?.read()
    await reader?.cancel()
  }
  const deadline = Date.now() + 10_000
  const running = async () => {
    const [row] = await api.store.sql<{ n: number }[]>`select count(*)::int as n from pg_stat_activity
      where datname = current_database() and state = 'active' and query like '%ports_fdb_id%' and pid <> pg_backend_pid()`
    return row?.n ?? 0
  }
  // Between two statements of a list nothing runs either, so it has to be quiet for a while.
  let quiet = 0
  while (quiet < 20 && Date.now() < deadline) {
    quiet = (await running()) === 0 ? quiet + 1 : 0
    await Bun.sleep(10)
  }
  expect(quiet).toBe(20)
  expect((await take('/ping')).status).toBe(200)
})
