import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { writeSamples } from '../../src/core/series/write.ts'
import { maintain } from '../../src/core/series/write-roll-ups.ts'
import { batch, makeDevice, portSamples } from '../support/samples.ts'
import { reportRows } from '../support/statistics.ts'
import { type TestWeb, testWeb } from './support.ts'

setDefaultTimeout(120_000)
const DAY = 86_400_000
const KEEP = { samplesDays: 30, hourlyDays: 400, dailyDays: 3650 }

let web: TestWeb
beforeAll(async () => {
  web = await testWeb()
})
afterAll(() => web.drop())

async function read(path: string, roles: Parameters<TestWeb['signedIn']>[0] = ['global-read']): Promise<string> {
  const { cookie } = await web.signedIn(roles)
  const answer = await web.send(path, { cookie })
  expect(answer.status).toBe(200)
  return (await answer.text()).replaceAll(/<[^>]+>/g, '|').replaceAll(/[|\s]*\|[|\s]*/g, '|')
}

test('without samples the page says so, and what is not known', async () => {
  const text = await read('/database')
  expect(text).toContain('No samples are stored yet')
  expect(text).toContain('|Growth|not known yet')
  expect(text).toContain('|Disk|not known: the database is on a server of its own|')
})

test('shows rows and packed chunks apart, and estimates for the days in the address', async () => {
  const { store } = web.api
  const { portIds } = await makeDevice(store, 4)
  const today = Math.floor(Date.now() / DAY) * DAY
  const samples = [5, 4, 1].flatMap((daysAgo) =>
    portIds.flatMap((portId) =>
      Array.from({ length: 288 }, (_, i) => ({
        ...{ portId, time: today - daysAgo * DAY + i * 300_000, periodMs: 300_000 },
        deltas: { in_octets: i },
      })),
    ),
  )
  await writeSamples(store, batch({ ports: portSamples(samples) }))
  await maintain(store, KEEP)
  await reportRows(store)
  await store.sql.unsafe('vacuum analyze ts.port_samples')
  await store.sql.unsafe('analyze ts.port_samples_packed')

  const text = await read('/database?days=400')
  expect(text).toMatch(/\|port\|samples\|rows\|30 d\|–\|[\d.]+ [KM]iB\|1152\|\d+\.\d\|/)
  expect(text).toMatch(/\|port\|samples\|packed\|30 d\|[^|]+\|[\d.]+ KiB\|2304\|\d+\.\d\|/)
  expect(text).toMatch(/\|Packing\|\d+ chunks packed; none waits\|/)
  expect(text).toMatch(/\|365\|[\d.]+ MiB\|[\d.]+ [KM]iB\|\+[\d.]+ [KM]iB\|/)
  expect(text).toMatch(/\|400\|[\d.]+ MiB\|/)
  for (const days of ['0', '-1', 'x', '36501', '1e3', '99999999999']) {
    const other = await read(`/database?days=${days}`)
    expect(other).toContain('|730|')
    expect(other).not.toContain('|400|')
  }
})

test('a step that fails is named in words, with what to do', async () => {
  await web.api.store.sql`insert into ts.problem (step, rel, reason) values ('packing', 'ts.port_samples', 'no <room>')`
  const text = await read('/database', ['admin'])
  expect(text).toContain('|Packing fails|port samples: no &lt;room&gt;; its samples stay as rows')
})

test('is for administrators and global readers', async () => {
  const { cookie } = await web.signedIn(['user'])
  expect((await web.send('/database', { cookie })).status).toBe(404)
  expect(await read('/pollers')).toContain('|Database|')
})
