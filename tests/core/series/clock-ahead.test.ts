import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { writeSamples } from '../../../src/core/series/write.ts'
import { forgetFuture } from '../../../src/core/series/write-future.ts'
import { maintain } from '../../../src/core/series/write-roll-ups.ts'
import { type TestDatabase, testDatabase } from '../../support/database.ts'
import { batch, makeDevice, portSamples, portState } from '../../support/samples.ts'

// What a clock that was ahead has left in the database.

setDefaultTimeout(60_000)

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.drop())

test('counters of a time that has not come give way to those of the present, older ones do not', async () => {
  const { store } = database
  const { deviceId, portIds } = await makeDevice(store, 1)
  const now = Date.now()
  const write = async (time: number, value: bigint) => {
    await writeSamples(store, batch({ portState: [portState(deviceId, time, portIds, () => value)] }))
    const [row] = await store.sql<{ ms: number }[]>`
      select extract(epoch from time)::float8 * 1000 as ms from ts.port_state where device_id = ${deviceId}`
    return Math.round(row?.ms ?? 0)
  }
  expect(await write(now + HOUR_MS / 2, 1n)).toBe(now + HOUR_MS / 2)
  expect(await write(now, 2n)).toBe(now)
  expect(await write(now - 300_000, 3n)).toBe(now)
})

test('samples of the wrong future are removed, and no others', async () => {
  const { store } = database
  const { deviceId, portIds } = await makeDevice(store, 1)
  const now = Date.now()
  const port = portIds[0] as number
  const times = [now - 60_000, now, now + 600_000, now + 1_200_000]
  const ports = portSamples(times.map((time) => ({ portId: port, time, periodMs: 1000, deltas: { in_octets: 1 } })))
  await writeSamples(store, batch({ ports, portState: [portState(deviceId, now, portIds, () => 1n)] }))
  expect(await forgetFuture(store, now + 10_000, now + HOUR_MS)).toBe(2)
  const [row] = await store.sql`select count(*)::int as n from ts.port_samples_stored where port_id = ${port}`
  expect(row).toEqual({ n: 2 })
})

test('they are removed also when the clock was ahead for so long that they have been packed', async () => {
  const { store } = database
  const { portIds } = await makeDevice(store, 2)
  const [port = 0, other = 0] = portIds
  const day = Math.floor(Date.now() / DAY_MS) * DAY_MS - 3 * DAY_MS
  const times = Array.from({ length: 48 }, (_, i) => day - DAY_MS + i * HOUR_MS)
  const ports = portSamples(
    [port, other].flatMap((portId) =>
      times.map((time) => ({ portId, time, periodMs: 1000, deltas: { in_octets: 1 } })),
    ),
  )
  await writeSamples(store, batch({ ports }))
  const keep = { samplesDays: 30, hourlyDays: 400, dailyDays: 3650 }
  for (let round = 0; round < 3; round++) await maintain(store, keep, 60_000)
  const left = async () =>
    (
      await store.sql<{ ms: number }[]>`
        select extract(epoch from "time")::float8 * 1000 as ms from ts.port_samples_stored
        where port_id in (${port}, ${other}) order by 1, port_id`
    ).map(({ ms }) => ms)
  expect(await store.sql`select from ts.port_samples where port_id in (${port}, ${other})`).toHaveLength(0)
  const [after, until] = [day - 6 * HOUR_MS, day + 6 * HOUR_MS]
  const kept = times.filter((time) => time <= after || time > until)
  expect(await forgetFuture(store, after, until)).toBe(2 * (times.length - kept.length))
  expect(await left()).toEqual(kept.flatMap((time) => [time, time]))
  for (let round = 0; round < 3; round++) await maintain(store, keep, 60_000)
  expect(await left()).toEqual(kept.flatMap((time) => [time, time]))
})

test('roll-ups go back to the hour that has not ended', async () => {
  const { sql } = database.store
  await sql`update ts.rollup set watermark = watermark + interval '90 days'`
  const targets = await sql<{ dst: string }[]>`select dst::text from ts.rollup order by dst::text desc`
  for (let round = 0; round < 2; round++)
    for (const { dst } of targets) await sql`select ts.roll(${dst}::text::regclass)`
  const ahead = await sql`select dst::text from ts.rollup where watermark > now()`
  expect([...ahead]).toEqual([])
})
