import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import fc from 'fast-check'
import { listAvailability } from '../../../src/core/availability/read.ts'
import { updateAvailability } from '../../../src/core/availability/write.ts'
import type { Store } from '../../../src/core/database/client.ts'
import { percentUp } from '../../../src/web/components/values.tsx'
import { type TestDatabase, testDatabase } from '../../support/database.ts'

setDefaultTimeout(60_000)
let database: TestDatabase
let store: Store
beforeAll(async () => {
  database = await testDatabase()
  store = database.store
})
afterAll(() => database.drop())

const DAY = 86_400
const WEEK = 604_800

/** A device of this age in seconds; outages in seconds ago, `null`: still open. */
async function device(up: boolean, ageS: number, outages: readonly (readonly [down: number, up: number | null])[]) {
  const [row] = await store.sql<{ device_id: number }[]>`
    insert into devices (hostname, status, inserted)
    values (${Bun.randomUUIDv7()}, ${up ? 1 : 0}, now() - make_interval(secs => ${ageS})) returning device_id`
  const id = row?.device_id ?? 0
  for (const [down, again] of outages) {
    await store.sql`
      insert into device_outages (device_id, going_down, up_again)
      select ${id}, extract(epoch from now())::bigint - ${down},
        case when ${again !== null} then extract(epoch from now())::bigint - ${again ?? 0} end`
  }
  return id
}

test.each([
  { name: 'up without outages', up: true, ageS: 10 * WEEK, outages: [], want: [100, 100] },
  { name: 'down without a recorded outage', up: false, ageS: 10 * WEEK, outages: [], want: [0, 0] },
  {
    name: 'an outage that ended before the day counts in the week',
    up: true,
    ageS: 10 * WEEK,
    outages: [[WEEK / 2, WEEK / 4]],
    want: [100, 75],
  },
  {
    name: 'an outage that reaches into the window counts from the start of the window',
    up: true,
    ageS: 10 * WEEK,
    outages: [[2 * DAY, DAY / 2]],
    want: [50, 78.571],
  },
  {
    name: 'an open outage lasts until now, in addition to a closed one',
    up: false,
    ageS: 10 * WEEK,
    outages: [
      [DAY / 2, DAY / 4],
      [DAY / 8, null],
    ],
    want: [62.5, 94.643],
  },
  {
    name: 'the window of a young device is its age',
    up: true,
    ageS: DAY / 2,
    outages: [[DAY / 4, DAY / 8]],
    want: [75, 75],
  },
  { name: 'never below zero', up: false, ageS: 100, outages: [[10 * DAY, null]], want: [0, 0] },
] as const)('$name', async ({ up, ageS, outages, want }) => {
  const id = await device(up, ageS, outages)
  await updateAvailability(store, [DAY, WEEK])
  const list = await listAvailability(store, id)
  expect(list.map((row) => row.duration)).toEqual([DAY, WEEK])
  expect(list.every((row) => /^\d+\.\d{6}$/.test(row.availability_perc))).toBe(true)
  // a second may pass between the two statements
  for (const [i, row] of list.entries()) expect(Number(row.availability_perc)).toBeCloseTo(want[i] ?? -1, 1)
})

test('results of a window that is no longer set are deleted', async () => {
  const id = await device(true, DAY, [])
  await updateAvailability(store, [DAY, WEEK])
  await updateAvailability(store, [WEEK])
  expect((await listAvailability(store, id)).map((row) => row.duration)).toEqual([WEEK])
})

/** What availability is by definition, from the seconds themselves. Outages in seconds ago. */
function counted(ageS: number, windowS: number, up: boolean, outages: readonly (readonly [number, number | null])[]) {
  const span = Math.min(windowS, ageS)
  if (!outages.some(([down, again]) => down >= 0 && (again === null || again <= windowS))) return up ? 100 : 0
  const down = new Uint8Array(span)
  for (const [from, to] of outages) for (let s = Math.max(0, to ?? 0); s < Math.min(from, span); s++) down[s] = 1
  return 100 - (down.reduce((sum, one) => sum + one, 0) / span) * 100
}

test('random outages: open, overlapping, empty, reversed, before the device was added, after now', async () => {
  const ago = fc.integer({ min: -3000, max: 30_000 })
  const outage = fc.tuple(ago, fc.option(ago, { nil: null, freq: 3 }))
  const history = fc.record({
    ageS: fc.integer({ min: 600, max: 30_000 }),
    up: fc.boolean(),
    outages: fc.uniqueArray(outage, { maxLength: 6, selector: ([down]) => down }),
  })
  const windows = [3600, 20_000]
  await fc.assert(
    fc.asyncProperty(history, async ({ ageS, up, outages }) => {
      // a second later these would belong to the other side
      const edges = [0, ...windows]
      fc.pre(outages.every((times) => times.every((at) => edges.every((edge) => Math.abs((at ?? -99) - edge) > 20))))
      const id = await device(up, ageS, outages)
      await updateAvailability(store, windows)
      const list = await listAvailability(store, id)
      await store.sql`delete from devices where device_id = ${id}`
      for (const [i, windowS] of windows.entries()) {
        const row = list[i]
        const want = counted(ageS, windowS, up, outages)
        const got = Number(row?.availability_perc)
        // seconds may pass between the statements
        expect(Math.abs(got - want)).toBeLessThan(1)
        expect(Math.abs((row?.spanS ?? 0) - Math.min(windowS, ageS))).toBeLessThan(10)
      }
    }),
    { numRuns: 150 },
  )
})

test('during an outage the answer is of now, and a short outage never leaves 100 %', async () => {
  const id = await device(true, 400 * DAY, [])
  await updateAvailability(store, [DAY, 365 * DAY])
  await store.sql`update devices set status = 0 where device_id = ${id}`
  await store.sql`insert into device_outages (device_id, going_down)
    values (${id}, extract(epoch from now())::bigint - 60)`
  const during = await listAvailability(store, id)
  expect(Number(during[0]?.availability_perc)).toBeCloseTo(100 - (60 / DAY) * 100, 1)
  expect(during[1]?.availability_perc).toBe('99.999000')
  expect(during.map(({ availability_perc }) => percentUp(Number(availability_perc)))).toEqual(['99.93 %', '99.99 %'])
  expect([100, 0, 0.001, 99.999].map(percentUp)).toEqual(['100.00 %', '0.00 %', 'under 0.01 %', '99.99 %'])
})
