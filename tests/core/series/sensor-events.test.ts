import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { writeSamples } from '../../../src/core/series/write.ts'
import { type TestDatabase, testDatabase } from '../../support/database.ts'
import { batch } from '../../support/samples.ts'

setDefaultTimeout(60_000)

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.drop())

/** Messages of a sensor with these limits after polls with these values. */
async function eventsOf(limits: { high?: number; low?: number; alert?: number }, values: readonly number[]) {
  const { sql } = database.store
  const [device] = await sql<{ device_id: number }[]>`
    insert into devices (hostname) values (${Bun.randomUUIDv7()}) returning device_id`
  const [sensor] = await sql<{ sensor_id: number }[]>`
    insert into sensors (device_id, sensor_class, sensor_oid, sensor_index, sensor_type, sensor_descr, sensor_limit,
      sensor_limit_low, sensor_alert, sensor_current)
    values (${device?.device_id ?? 0}, 'temperature', '.1.3', '1', 'test', 'Inlet', ${limits.high ?? null},
      ${limits.low ?? null}, ${limits.alert ?? 1}, 30)
    returning sensor_id`
  const now = Date.now()
  for (const [i, value] of values.entries()) {
    await writeSamples(
      database.store,
      batch({ sensors: [{ id: sensor?.sensor_id ?? 0, time: now - 60_000 + i * 1000, value }] }),
    )
  }
  const events = await sql<{ message: string; severity: number; type: string }[]>`
    select message, severity, type from eventlog where device_id = ${device?.device_id ?? 0} order by event_id`
  return events.map(({ message, severity, type }) => `${severity} ${type}: ${message}`)
}

test('a sensor logs an event when it leaves its limits and when it returns', async () => {
  expect(await eventsOf({ high: 40, low: 5 }, [35, 41.5, 43, 39, 4, 20])).toEqual([
    '5 temperature: temperature Inlet above its limit: 41.5 > 40',
    '1 temperature: temperature Inlet within its limits again: 39',
    '5 temperature: temperature Inlet below its limit: 4 < 5',
    '1 temperature: temperature Inlet within its limits again: 20',
  ])
})

test('without limits, or without alerts, there is no event', async () => {
  expect(await eventsOf({}, [35, 400, -400])).toEqual([])
  expect(await eventsOf({ high: 40, alert: 0 }, [35, 50])).toEqual([])
})
