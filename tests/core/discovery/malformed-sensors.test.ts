import { afterAll, beforeAll, expect, test } from 'bun:test'
import { writeDiscovery } from '../../../src/core/discovery/write.ts'
import type { Observation } from '../../../src/modules/observation.ts'
import { type TestDatabase, testDatabase } from '../../support/database.ts'
import { messagesOf, newDevice, sensor } from './factories.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
}, 60_000)
afterAll(() => database.drop())

const run = { tookMs: 1, complete: true }
const found = (indexes: readonly string[], malformed?: readonly string[]): Observation => ({
  kind: 'sensors',
  complete: true,
  rows: indexes.map((index) => sensor(index)),
  ...(malformed && { malformed }),
})
const oid = (index: string) => sensor(index).sensor_oid

test('a sensor whose value is malformed stays; one that is not there is removed', async () => {
  const { store } = database
  const id = await newDevice(store)
  const left = async () =>
    (
      await store.sql<{ sensor_index: string }[]>`
        select sensor_index from sensors where device_id = ${id} and sensor_deleted = 0 order by sensor_index`
    ).map((row) => row.sensor_index)
  await writeDiscovery(store, id, [found(['1', '2', '3'])], run)
  for (let again = 0; again < 4; again++) await writeDiscovery(store, id, [found(['1'], [oid('2')])], run)
  expect(await left()).toEqual(['1', '2'])
  expect(await messagesOf(store, id)).toEqual(['Discovered 3 sensors', 'Sensor temperature Sensor 3 removed'])
  // a longer OID that begins with it is another sensor
  await writeDiscovery(store, id, [found(['1'], [`${oid('2')}.1`, '1.3.6.1'])], run)
  expect(await left()).toEqual(['1'])
  // a malformed value is not a new sensor
  await writeDiscovery(store, id, [found(['1'], [oid('9')])], run)
  expect(await left()).toEqual(['1'])
})

test('of several modules with sensors, each names its malformed values', async () => {
  const { store } = database
  const id = await newDevice(store)
  await writeDiscovery(store, id, [found(['1', '2', '3'])], run)
  await writeDiscovery(store, id, [found(['1'], [oid('2')]), found([]), found([], [oid('3')])], run)
  const [row] = await store.sql`select count(*)::int as n from sensors where device_id = ${id} and sensor_deleted = 0`
  expect(row?.['n']).toBe(3)
})
