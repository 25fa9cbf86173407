import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { connect, type Store } from '../../src/core/database/client.ts'
import { migrate } from '../../src/core/schema/migrate.ts'
import { writeSamples } from '../../src/core/series/write.ts'
import { maintain } from '../../src/core/series/write-roll-ups.ts'
import { createLog } from '../../src/observe/log.ts'
import { attachEmbedded } from '../../src/postgres/embedded.ts'
import { batch, makeDevice, portSamples } from '../support/samples.ts'
import { reportRows } from '../support/statistics.ts'
import { folderWithDatabase, type Outcome, portlight } from './support.ts'

setDefaultTimeout(120_000)
const DAY = 86_400_000
const KEEP = { samplesDays: 30, hourlyDays: 400, dailyDays: 3650 }

const folder = await folderWithDatabase()
const { dataDir } = folder
const run = (...args: string[]): Promise<Outcome> => portlight([...args, '--data-dir', dataDir])
let server: Awaited<ReturnType<typeof attachEmbedded>>
let store: Store

beforeAll(async () => {
  server = await attachEmbedded(dataDir, { log: createLog('silent') })
  await migrate(server.url, createLog('silent'))
  store = connect(server.url, { max: 2 })
})
afterAll(async () => {
  await store.close()
  await server.stop()
  await folder.remove()
})

test('without samples, and with what is not known', async () => {
  const { code, out } = await run('database')
  expect(code).toBe(0)
  expect(out).toMatch(/^size {5}[\d.]+ MiB, of which samples and roll-ups [\d.]+ [KM]iB$/m)
  expect(out).toMatch(/^growth {3}not known yet: /m)
  expect(out).toMatch(/^disk {5}[\d.]+ \w+ of [\d.]+ \w+ free; when it is full is not known yet$/m)
  expect(out).toContain('\nNo samples are stored yet.\n')
  expect(out).toMatch(/^ +365 {2}- +- +-$/m)
})

test('rows and packed chunks apart, growth and costs, as text and as JSON', async () => {
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
  await store.sql`insert into ts.size_note (day, noted_at, octets, settled) select current_date - n, now() - n * interval '1 day',
    1000000000 - n * 1048576, true from generate_series(1, 4) n`

  const { out } = await run('database', '--keep', '500')
  expect(out).toMatch(/^growth {3}1 MiB a day$/m)
  expect(out).toMatch(/^packing {2}\d+ chunks packed; none waits$/m)
  expect(out).toMatch(/^port {4}samples +30 {2}- +rows +[\d.]+ [KM]iB +1152 {2}\d+\.\d$/m)
  const oldest = new Date(today - 5 * DAY).toISOString().slice(0, 10)
  expect(out).toMatch(new RegExp(`^port {4}samples +30 {2}${oldest} {2}packed +[\\d.]+ KiB +2304 {2}\\d+\\.\\d$`, 'm'))
  expect(out).toMatch(/^ +500 {2}[\d.]+ MiB +[\d.]+ [KM]iB +\+[\d.]+ [KM]iB$/m)

  const facts = JSON.parse((await run('database', '--json', '--keep', '500')).out)
  expect(facts).toMatchObject({
    growth: expect.any(Number),
    disk: { free: expect.any(Number), size: expect.any(Number) },
    packing: { form: 'packed', waiting: 0, oldest: null, leftS: null, problems: [] },
  })
  expect(facts.tables).toContainEqual({
    ...{ kind: 'port', level: 'samples', keepDays: 30, oldest: new Date(today - 5 * DAY).toISOString() },
    ...{ form: 'packed', octets: expect.any(Number), rows: 2304, perRow: expect.any(Number) },
  })
  expect(facts.keep.map(({ days }: { days: number }) => days)).toEqual([30, 90, 180, 365, 500, 730])
})

test('doctor says how far packing is, what fails and what to do, and how the database grows', async () => {
  await store.sql`insert into ts.problem (step, rel, reason) values ('packing', 'ts.port_samples', 'no room')`
  const { code, out } = await run('doctor')
  expect(code).toBe(1)
  expect(out).toMatch(/^ok {4}packing +\d+ chunks packed; none waits$/m)
  expect(out).toMatch(
    /^BAD {3}series +packing of port samples has failed since \S+: no room; its samples stay as rows/m,
  )
  const findings: { what: string; figures: { growth: number } }[] = JSON.parse((await run('doctor', '--json')).out)
  expect(findings.find(({ what }) => what === 'database size')?.figures.growth).toBeCloseTo(1_048_576, 0)
  expect((await run('database')).out).toMatch(/^failing {2}port samples since \S+: no room; its samples stay as rows/m)
  // more growth in a day than any disk has
  await store.sql`update ts.size_note set octets = (5 - (current_date - day)) * 1000000000000000`
  expect((await run('doctor')).out).toMatch(
    /^note {2}database size +the disk of the database is full in less than a day at /m,
  )
  expect((await run('database')).out).toMatch(/^warning {2}the disk of the database is full in less than a day/m)
  await store.sql`delete from ts.problem`
})

test('refuses days that are none', async () => {
  for (const days of ['0', '-3', 'week', '36501']) {
    expect(await run('database', '--keep', days)).toMatchObject({ code: 2, out: '' })
  }
})
