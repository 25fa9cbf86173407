import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { listAvailability } from '../../src/store/availability/read.ts'
import { updateAvailability } from '../../src/store/availability/write.ts'
import type { Store } from '../../src/store/client.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'

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
