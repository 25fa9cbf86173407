import { afterAll, beforeAll, expect, test } from 'bun:test'
import { writeDiscovery } from '../../../src/core/discovery/write.ts'
import type { SensorRow } from '../../../src/modules/observation.ts'
import { type TestDatabase, testDatabase } from '../../support/database.ts'
import { newDevice, sensor } from './factories.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
}, 60_000)
afterAll(() => database.drop())

const run = { tookMs: 1, complete: true }
const sensors = (rows: readonly SensorRow[]) => [{ kind: 'sensors', complete: true, rows } as const]
const stored = (deviceId: number) =>
  database.store.sql`select sensor_index, sensor_limit, sensor_limit_low from sensors
    where device_id = ${deviceId} order by 1`

test('stored limits that mean "not set" are replaced, all others and those of people stay', async () => {
  const { store } = database
  const device = await newDevice(store)
  const milli = { sensor_divisor: 1000, sensor_current: 3.3 }
  const rows = [
    sensor('1 equal', { ...milli, sensor_limit: -32.768, sensor_limit_low: -32.768 }),
    sensor('2 upper', { ...milli, sensor_limit: -32.768, sensor_limit_low: -1 }),
    sensor('3 person', { ...milli, sensor_limit: 0, sensor_limit_low: 0 }),
    sensor('4 sound', { ...milli, sensor_limit: 9, sensor_limit_low: 1 }),
  ]
  await writeDiscovery(store, device, sensors(rows), run)
  await store.sql`update sensors set sensor_custom = 'Yes' where device_id = ${device} and sensor_index = '3 person'`
  const now = rows.map((row) => ({ ...row, sensor_limit: 5, sensor_limit_low: 2 }))
  await writeDiscovery(store, device, sensors(now), run)
  expect([...(await stored(device))]).toEqual([
    { sensor_index: '1 equal', sensor_limit: 5, sensor_limit_low: 2 },
    { sensor_index: '2 upper', sensor_limit: 5, sensor_limit_low: 2 },
    { sensor_index: '3 person', sensor_limit: 0, sensor_limit_low: 0 },
    { sensor_index: '4 sound', sensor_limit: 9, sensor_limit_low: 1 },
  ])
})
