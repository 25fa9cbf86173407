import { afterAll, beforeAll, expect, test } from 'bun:test'
import { connect, type Store } from '../../../src/core/database/client.ts'
import { noLevels } from '../../../src/core/import/history/levels.ts'
import { prepareTables, writeHistory } from '../../../src/core/import/write-history.ts'
import { storedRows } from '../../../src/core/series/stored-rows.ts'
import { KINDS } from '../../../src/series/kinds.ts'
import { type TestDatabase, testDatabase } from '../../support/database.ts'

// A server whose time zone has days of 23 and 25 hours.

let database: TestDatabase
let store: Store
beforeAll(async () => {
  database = await testDatabase()
  await database.store.sql.unsafe(
    `alter database "${new URL(database.url).pathname.slice(1)}" set timezone = 'Europe/Berlin'`,
  )
  store = connect(database.url, { max: 2 })
}, 60_000)
afterAll(async () => {
  await store.close()
  await database.drop()
})

/** The chunk of hours from 2026-03-23 has the day of 23 hours; this is its last hour. */
const LAST_MS = Date.UTC(2026, 3, 19, 23)

test('chunks follow each other where the clocks are changed', async () => {
  for (const moment of ['2026-03-01Z', '2026-03-30Z', '2026-04-25Z', '2026-10-01Z', '2026-11-01Z'])
    await store.sql`select ts.ensure_partitions('ts.port_1h', ${moment}::text::timestamptz)`
  const gaps = await store.sql<{ hours: number }[]>`
    select extract(epoch from upto - since)::float8 / 3600 as hours from ts.chunks_of('ts.port_1h')
    where since < '2026-12-01Z'`
  expect(new Set(gaps.map(({ hours }) => hours))).toEqual(new Set([14 * 24]))
})

test('the last packed hour before the end of a chunk is read', async () => {
  const fromS = LAST_MS / 1000
  const packing = await prepareTables(store.sql, 'sensor', { samples: fromS, '1h': fromS, '1d': fromS })
  const empty = noLevels(KINDS.sensor)
  const values = KINDS.sensor.columns.map(() => [21.5])
  const hours = { timeMs: [LAST_MS], id: [1], n: [12], periodMs: [3_600_000], known: [Number.NaN], values }
  await writeHistory(store.sql, 'test', {
    kind: KINDS.sensor,
    samples: empty.samples,
    hours: { ...hours, lowest: values, highest: values },
    days: empty.days,
    journal: [],
    coarseS: 0,
    packing,
  })
  const [from, to] = [`to_timestamp(${fromS})`, `to_timestamp(${fromS + 3599})`]
  const rows = await store.sql.unsafe<{ value: number; packed: boolean }[]>(
    `select value, span is not null as packed from ${storedRows('sensor', '1h', from, to)} x where bucket between ${from} and ${to}`,
  )
  expect([...rows]).toEqual([{ value: 21.5, packed: true }])
  const [found] = await store.sql.unsafe<{ packed: boolean; between: string }[]>(
    `select ts.is_packed('ts.sensor_1h', ${from}, ${to}) as packed, ts.stored_between('ts.sensor_1h', ${from}, ${to}) as between`,
  )
  expect(found?.packed).toBe(true)
  expect(await store.sql.unsafe(`select from ${found?.between}`)).toHaveLength(1)
  await store.sql.unsafe(`select ts.unpack_rows('ts.sensor_1h', array[1], ${from}, ${to})`)
  expect(await store.sql`select from ts.sensor_1h`).toHaveLength(1)
})
