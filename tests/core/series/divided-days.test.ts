import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { writeSamples } from '../../../src/core/series/write.ts'
import { createDatabaseLooker } from '../../../src/core/system/read-database-stats.ts'
import { type TestDatabase, testDatabase } from '../../support/database.ts'
import { batch, makeDevice, portSamples } from '../../support/samples.ts'
import { reportRows } from '../../support/statistics.ts'

// A day of port samples is a partition that is divided by hours, so that their index has few pages at a time.

setDefaultTimeout(60_000)

const HOUR = 3_600_000
const DAY = 24 * HOUR

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.drop())

async function fill(day: number): Promise<number> {
  const { portIds } = await makeDevice(database.store, 1)
  const portId = portIds[0] as number
  const samples = Array.from({ length: 24 }, (_, hour) => ({
    portId,
    time: day + hour * HOUR,
    periodMs: 300_000,
    deltas: { in_octets: hour },
  }))
  await writeSamples(database.store, batch({ ports: portSamples(samples) }))
  return portId
}

test('each part holds its hours, and all of them are a day to retention, packing and status', async () => {
  const { sql } = database.store
  const day = (Math.floor(Date.now() / DAY) - 2) * DAY
  const portId = await fill(day)
  const parts = await sql<{ part: string; rows: number }[]>`
    select tableoid::regclass::text as part, count(*)::int as rows from ts.port_samples where port_id = ${portId} group by tableoid order by min("time")`
  expect(parts.map(({ rows }) => rows)).toEqual([4, 4, 4, 4, 4, 4])
  expect(parts[0]?.part).toMatch(/^ts\.port_samples_p\d{8}_h0$/)
  const chunks = await sql<{ hours: number }[]>`
    select extract(epoch from upto - since)::int / 3600 as hours from ts.chunks_of('ts.port_samples') where since = to_timestamp(${day / 1000})`
  expect([...chunks]).toEqual([{ hours: 24 }])
  await reportRows(database.store)
  await sql`analyze ts.port_samples`
  const [status] = await sql<{ octets: number; rows: number; parts: number }[]>`
    select octets::float8, row_count::float8 as rows, parts from ts.status() where base = 'port' and level = 'samples'`
  expect(status?.rows).toBe(24)
  expect(status?.octets).toBeGreaterThan(6 * 8192)
  expect(status?.parts).toBe((await sql`select from ts.chunks_of('ts.port_samples')`).length)
})

test('a day that was made undivided, by an older version, stays and is used', async () => {
  const { sql } = database.store
  const day = (Math.floor(Date.now() / DAY) - 4) * DAY
  const name = `ts.port_samples_p${new Date(day).toISOString().slice(0, 10).replaceAll('-', '')}`
  await sql.unsafe(`create table ${name} (like ts.port_samples including defaults including constraints);
    alter table ts.port_samples attach partition ${name} for values from ('${new Date(day).toISOString()}') to ('${new Date(day + DAY).toISOString()}')`)
  const portId = await fill(day)
  const [row] = await sql.unsafe<{ n: number }[]>(`select count(*)::int as n from ${name} where port_id = ${portId}`)
  expect(row).toEqual({ n: 24 })
})

test('the time for which there are partitions ignores finished days, divided or packed', async () => {
  await fill((Math.floor(Date.now() / DAY) - 3) * DAY)
  await database.store.sql`select ts.create_packed('ts.port_samples')`
  await database.store.sql.unsafe(
    `create table ts.old_packed partition of ts.port_samples_packed for values from ('2020-01-01') to ('2020-01-02')`,
  )
  const looker = createDatabaseLooker(database.url)
  try {
    expect((await looker.read()).partitionsAheadS).toBeGreaterThan(DAY / 1000)
  } finally {
    await looker.close()
  }
})
