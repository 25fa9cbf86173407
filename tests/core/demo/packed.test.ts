import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Store } from '../../../src/core/database/client.ts'
import { realStartOf } from '../../../src/core/demo/read.ts'
import { clearPast, finishPast, markDemoDevice } from '../../../src/core/demo/write.ts'
import { writeSamples } from '../../../src/core/series/write.ts'
import { maintain } from '../../../src/core/series/write-roll-ups.ts'
import { type TestDatabase, testDatabase, testServers } from '../../support/database.ts'
import { batch, makeDevice, portSamples, portState } from '../../support/samples.ts'

// A demo that is started again after some days: its first samples are packed by then.

setDefaultTimeout(60_000)
const HOUR = 3_600_000
const DAY = 24 * HOUR
/** Long enough ago that the chunks of all kinds are closed. */
const ADDED = Math.floor(Date.now() / DAY) * DAY - 10 * DAY + 12 * HOUR
const KEEP = { samplesDays: 30, hourlyDays: 400, dailyDays: 3650 }

describe.each(testServers())('the demo on $name', ({ url }) => {
  let database: TestDatabase
  let store: Store
  beforeAll(async () => {
    database = await testDatabase(url)
    store = database.store
  })
  afterAll(() => database.drop())

  async function packed() {
    const made = await makeDevice(store, 1)
    const { deviceId, sensorId, portIds } = made
    const [port = 0] = portIds
    await markDemoDevice(store, deviceId)
    const poll = (time: number, tookMs: number) => ({
      deviceId,
      time,
      answered: true,
      uptimeS: 1000,
      tookMs,
      requests: tookMs - 1,
      timeouts: 0,
    })
    const sample = (time: number) => ({ portId: port, time, periodMs: 300_000, deltas: { in_octets: 1000 } })
    const value = (time: number, celsius: number) => ({ id: sensorId, time, value: celsius })
    await writeSamples(
      store,
      batch({
        ports: portSamples([sample(ADDED - HOUR), sample(ADDED + HOUR), sample(ADDED + 2 * HOUR)]),
        portState: [portState(deviceId, ADDED + 2 * HOUR, portIds, () => 1n)],
        devices: [poll(ADDED - HOUR, 11), poll(ADDED + HOUR, 33), poll(ADDED + 2 * HOUR, 44)],
        sensors: [
          value(ADDED - 3 * HOUR, 40),
          value(ADDED - 2 * HOUR, 60),
          value(ADDED - HOUR, 61),
          value(ADDED + HOUR, 40),
        ],
      }),
      ADDED + DAY,
    )
    await store.sql`update devices set inserted = to_timestamp(${ADDED / 1000}::float8), last_discovered = now() where device_id = ${deviceId}`
    await store.sql`update sensors set sensor_limit = 50, sensor_alert = 1 where sensor_id = ${sensorId}`
    await settle()
    return { ...made, port }
  }

  async function settle(): Promise<void> {
    for (let more = true; more; ) {
      const { failures, packed: count } = await maintain(store, KEEP)
      expect(failures).toEqual([])
      more = count > 0
    }
    for (const kind of ['port', 'device', 'sensor'])
      expect(await store.sql.unsafe(`select from ts.${kind}_samples`)).toHaveLength(0)
  }

  const times = async (kind: string, key: string, id: number): Promise<number[]> => {
    const rows = await store.sql.unsafe<{ hours: number }[]>(
      `select extract(epoch from "time")::float8 * 1000 as hours from ts.${kind}_samples_stored where ${key} = ${id} order by 1`,
    )
    return rows.map(({ hours }) => (hours - ADDED) / HOUR)
  }

  test('its real samples begin where they began', async () => {
    const { deviceId } = await packed()
    expect(await realStartOf(store, deviceId)).toEqual({ endMs: ADDED + HOUR - 300_000, tookMs: 33, requests: 32 })
  })

  test('an incomplete history is deleted, and nothing else', async () => {
    const [other, { deviceId, port, sensorId }] = [await packed(), await packed()]
    await clearPast(store, deviceId, ADDED)
    const check = async (): Promise<void> => {
      expect(await times('port', 'port_id', port)).toEqual([1, 2])
      expect(await times('device', 'device_id', deviceId)).toEqual([1, 2])
      expect(await times('sensor', 'sensor_id', sensorId)).toEqual([1])
      expect(await times('port', 'port_id', other.port)).toEqual([-1, 1, 2])
      expect(await times('sensor', 'sensor_id', other.sensorId)).toEqual([-3, -2, -1, 1])
    }
    await check()
    await settle()
    await check()
  })

  test('events follow from its samples', async () => {
    const { deviceId, sensorId } = await packed()
    const past = { ports: [], outages: [], reboots: [] }
    expect(await finishPast(store, deviceId, ADDED - 3 * HOUR, past)).toBe(true)
    const events = await store.sql`
      select extract(epoch from datetime)::float8 * 1000 as ms, reference from eventlog where device_id = ${deviceId}`
    expect([...events]).toEqual([{ ms: ADDED - 2 * HOUR, reference: String(sensorId) }])
  })
})
