import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { type ServedFleet, serveFleet } from '../../src/demo/serve.ts'
import { startTestServer, type TestServer, until } from './server.ts'

// Server and database are killed in turn while devices are polled. Acknowledged changes survive, and the samples of
// every port are consecutive, without duplicates or gaps.

setDefaultTimeout(120_000)

const INTERVAL_S = 5
let fleet: ServedFleet
let server: TestServer

beforeAll(async () => {
  fleet = await serveFleet({ port: 21_161 })
  server = await startTestServer(['--set', `poller.interval=${INTERVAL_S}`])
  for (const { hostname, address, port } of fleet.devices) {
    const body = { hostname, overwrite_ip: address, port, version: 'v2c', community: 'public' }
    expect(await server.call('POST', '/devices', body)).toMatchObject({ status: 200 })
  }
  await polls(2)
}, 120_000)
afterAll(async () => {
  await server?.stop()
  await fleet?.stop()
}, 60_000)

/** Waits until every device has `count` more polls than now; the database may be unavailable in the meantime. */
async function polls(count: number): Promise<void> {
  const read = async (): Promise<Map<number, number> | null> => {
    const { sql } = await server.store()
    const rows = await sql<{ device_id: number; n: number }[]>`
      select device_id, count(s.time)::int as n from devices left join ts.device_samples s using (device_id) group by 1`
    return new Map(rows.map((r) => [r.device_id, r.n]))
  }
  const before = await until(60, 'the database', () => read().catch(() => null))
  await until(120, `${count} more polls of every device`, async () => {
    const now = await read().catch(() => null)
    return now !== null && [...before].every(([id, n]) => (now.get(id) ?? 0) >= n + count)
  })
}

/**
 * Samples of ports with which the sum of periods and the clock part: by an interval and for good where one was lost or
 * stored twice. A response that a busy machine receives late is off for itself only, so the promptest samples before and
 * after are compared.
 */
async function breaks(): Promise<unknown[]> {
  const { sql } = await server.store()
  const rows = await sql`
    with s as (
      select hostname, port_id, time, extract(epoch from time)::float8
          - sum(period_ms / 1000.0::float8) over (partition by port_id order by time) as late
      from ts.port_samples join ports using (port_id) join devices using (device_id)
      -- this device loses its power now and then, and begins to count anew
      where hostname <> 'warehouse-1'
    ), e as (
      select hostname, port_id, time,
        min(late) over (partition by port_id order by time rows between current row and unbounded following)
          - min(late) over (partition by port_id order by time rows between unbounded preceding and 1 preceding) as off
      from s
    )
    select * from e where abs(off) > ${INTERVAL_S - 0.5}::float8 order by time limit 5`
  return [...rows]
}

async function samples(): Promise<number> {
  const { sql } = await server.store()
  const [row] = await sql<{ n: number }[]>`select count(*)::int as n from ts.port_samples`
  return row?.n ?? 0
}

test('kill -9 of the server loses no acknowledged change', async () => {
  const changed = await server.call('PATCH', '/devices/core-1', {
    field: 'notes',
    data: 'written just before the kill',
  })
  expect(changed.status).toBe(200)
  const before = await samples()
  await server.restart('SIGKILL')
  expect(await samples()).toBeGreaterThanOrEqual(before)
  const { json } = await server.call('GET', '/devices/core-1')
  expect((json['devices'] as Record<string, unknown>[])[0]).toMatchObject({ notes: 'written just before the kill' })
  await polls(2)
  expect(await breaks()).toEqual([])
})

test('kill -9 of the database under a running server: it is restarted, and no sample is missing', async () => {
  const before = await samples()
  process.kill(server.postmaster(), 'SIGKILL')
  await polls(3)
  expect(await samples()).toBeGreaterThan(before)
  expect(await breaks()).toEqual([])
  expect(await server.call('GET', '/ping')).toMatchObject({ status: 200, json: { message: 'pong' } })
})

test('kill -9 of the server and its database together', async () => {
  const before = await samples()
  process.kill(server.postmaster(), 'SIGKILL')
  await server.restart('SIGKILL')
  expect(await samples()).toBeGreaterThanOrEqual(before)
  await polls(2)
  expect(await breaks()).toEqual([])
})

test('a clean restart leaves no gap either', async () => {
  await server.restart('SIGTERM')
  await polls(2)
  expect(await breaks()).toEqual([])
})
