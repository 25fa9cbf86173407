import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { writeServiceSamples } from '../../../src/core/checks/write-samples.ts'
import { maintain } from '../../../src/core/series/write-roll-ups.ts'
import { type TestDatabase, testDatabase } from '../../support/database.ts'
import { makeDevice } from '../../support/samples.ts'

setDefaultTimeout(60_000)
const HOUR = 3_600_000
const THEN = Math.floor(Date.now() / HOUR) * HOUR - 5 * HOUR
const KEEP = { samplesDays: 30, hourlyDays: 400, dailyDays: 3650 }
let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.drop())

async function service(): Promise<number> {
  const { sql } = database.store
  const { deviceId } = await makeDevice(database.store, 0)
  const [row] = await sql<{ id: number }[]>`
    insert into services (device_id, service_type) values (${deviceId}, 'http') returning service_id as id`
  return row?.id ?? 0
}

test('data sets of a check are stored, rolled up and shown', async () => {
  const { store } = database
  const { sql } = store
  const serviceId = await service()
  await writeServiceSamples(store, [
    { serviceId, time: THEN + 60_000, values: { time: 0.25, size: 100 } },
    { serviceId, time: THEN + 120_000, values: { time: 0.75, size: Number.NaN } },
    { serviceId: 2_000_000_000, time: THEN, values: { time: 1 } },
  ])
  await maintain(store, KEEP)
  const shown = await sql`
    select service_type, ds, value from ts.service_values where service_id = ${serviceId} order by ds, "time"`
  expect(shown.map((row) => [row['service_type'], row['ds'], row['value']])).toEqual([
    ['http', 'size', 100],
    ['http', 'size', null],
    ['http', 'time', 0.25],
    ['http', 'time', 0.75],
  ])
  const hourly = await sql`
    select ds, value, value_min, value_max from ts.service_values_1h where service_id = ${serviceId} order by ds`
  expect(hourly.map((row) => Object.values(row))).toEqual([
    ['size', 100, 100, 100],
    ['time', 0.5, 0.25, 0.75],
  ])
  const [readable] = await sql`select has_table_privilege('portlight_reader', 'ts.service_values_1h', 'select') as may`
  expect(readable).toEqual({ may: true })
})

test('a check that prints ever new names adds at most 64 data sets, and known ones are still stored', async () => {
  const { store } = database
  const serviceId = await service()
  const many = (from: number, count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`n${from + i}`, i]))
  await writeServiceSamples(store, [{ serviceId, time: THEN, values: many(0, 60) }])
  await writeServiceSamples(store, [
    { serviceId, time: THEN + 1000, values: { ...many(55, 50), ['x'.repeat(200)]: 1 } },
  ])
  const [counts] = await store.sql`
    select (select count(*)::int from service_datasets where service_id = ${serviceId}) as sets,
      (select count(*)::int from ts.service_values where service_id = ${serviceId}) as samples`
  expect(counts).toEqual({ sets: 64, samples: 60 + 5 + 4 })
})
