import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { storedRows } from '../../../src/core/series/stored-rows.ts'
import { writeSamples } from '../../../src/core/series/write.ts'
import { maintain } from '../../../src/core/series/write-roll-ups.ts'
import { type TestDatabase, testDatabase } from '../../support/database.ts'
import { batch, makeDevice, portSamples } from '../../support/samples.ts'

setDefaultTimeout(120_000)

const DAY = 86_400_000
const TODAY = Math.floor(Date.now() / DAY) * DAY
const KEEP = { samplesDays: 30, hourlyDays: 400, dailyDays: 3650 }
const days = [6, 5, 4, 3, 2].map((ago) => TODAY - ago * DAY)
/** Samples at the edges of chunks, a millisecond beside them, and between. */
const times = days.flatMap((day) => [0, 1, 300_000, DAY / 2, DAY - 1].map((ms) => day + ms))

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.drop())

/** An instant as SQL. */
const instant = (ms: number): string =>
  Number.isFinite(ms) ? `to_timestamp(${ms} / 1000.0::float8)` : `'${ms < 0 ? '-' : ''}infinity'::timestamptz`

test('packed rows are found from and to any instant, in any zone of the session', async () => {
  const { store } = database
  const { portIds } = await makeDevice(store, 1)
  const [portId = 0] = portIds
  const samples = times.map((time, i) => ({ portId, time, periodMs: 300_000, deltas: { in_octets: i } }))
  await writeSamples(store, batch({ ports: portSamples(samples) }))
  for (let round = 0; round < 3; round++) await maintain(store, KEEP, 60_000)
  expect(await store.sql`select from ts.port_samples`).toHaveLength(0)
  const ends = days.flatMap((day) => [day - 1, day, day + 1])
  const spans = [Number.NEGATIVE_INFINITY, ...ends, Number.POSITIVE_INFINITY]
  const pairs = spans.flatMap((from) => spans.map((to) => [from, to] as const))
  // half-hour offsets, no summer time, and one whose days are not those of UTC
  for (const zone of ['UTC', 'America/St_Johns', 'Pacific/Apia']) {
    const counted = await store.sql.begin(async (tx) => {
      await tx.unsafe(`set local timezone = '${zone}'`)
      const found: number[] = []
      for (const [from, to] of pairs) {
        const [row] = await tx.unsafe<{ n: number }[]>(
          `select count(*)::int as n from ${storedRows('port', 'samples', instant(from), instant(to))} x
           where port_id = ${portId} and "time" >= ${instant(from)} and "time" <= ${instant(to)}`,
        )
        found.push(row?.n ?? -1)
      }
      return found
    })
    expect(counted).toEqual(pairs.map(([from, to]) => times.filter((time) => time >= from && time <= to).length))
  }
})
