import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import type { Store } from '../../../src/core/database/client.ts'
import { devicesUnderMaintenance } from '../../../src/core/maintenance/read.ts'
import { repeated } from '../../../src/core/maintenance/schedule.ts'
import { insertSchedule, repeatedTimes } from '../../../src/core/maintenance/write.ts'
import { shadesOf } from '../../../src/core/series/read-annotations.ts'
import { type TestDatabase, testDatabase } from '../../support/database.ts'
import { makeDevice } from '../../support/samples.ts'

// In 2026 clocks change in Berlin on 29 March (02:00 CET to 03:00 CEST) and 25 October (03:00 CEST to 02:00 CET), and
// in New York on 8 March and 1 November. All instants were worked out by hand.

setDefaultTimeout(60_000)
let database: TestDatabase
let store: Store
beforeAll(async () => {
  database = await testDatabase()
  store = database.store
})
afterAll(() => database.drop())

interface Window {
  readonly every: 'daily' | 'weekly' | 'monthly'
  readonly start: string
  readonly duration: string
  readonly until: string
  readonly days?: string
  readonly zone?: string
}

async function windowFor({ every, start, duration, until, zone = 'Europe/Berlin', ...more }: Window) {
  const days = more.days ?? null
  const { deviceId } = await makeDevice(store, 0)
  const window = repeated({ start, duration }, { every, days, until, zone })
  const times = await repeatedTimes(store, window, Date.now())
  if (times === null) throw new Error('never begins')
  await insertSchedule(
    store,
    {
      ...times,
      title: 't',
      notes: '',
      behavior: 2,
      recurring: 1,
      recurring_day: days,
      repeat: window.repeat,
      zone,
      duration_s: window.durationS,
      target: { kind: 'device', id: deviceId },
    },
    null,
  )
  return deviceId
}

const spring: Window = { every: 'daily', start: '2026-03-27 22:00', duration: '4:00', until: '2026-03-31' }
const autumn: Window = { every: 'daily', start: '2026-10-23 22:00', duration: '4:00', until: '2026-10-31' }
const night: Window = { every: 'daily', start: '2026-03-20 02:30', duration: '1:00', until: '2026-11-30' }
const office: Window = {
  every: 'weekly',
  days: '1,3',
  start: '2026-10-19 23:30',
  duration: '2:00',
  until: '2026-11-04',
  zone: 'America/New_York',
}
const weekend: Window = { every: 'weekly', start: '2026-06-05 18:00', duration: '60:00', until: '2026-06-20' }
const last: Window = { every: 'monthly', start: '2026-01-31 20:00', duration: '2:00', until: '2026-12-31' }
const patches: Window = {
  every: 'monthly',
  days: '2',
  start: '2026-02-10 18:00',
  duration: '3:00',
  until: '2026-05-31',
  zone: 'UTC',
}

test.each([
  ['before the first', spring, '2026-03-27T20:59:00Z', false],
  ['from 22:00 CET', spring, '2026-03-27T21:00:00Z', true],
  ['lasts four hours over the change', spring, '2026-03-29T01:00:00Z', true],
  ['and no longer', spring, '2026-03-29T01:00:01Z', false],
  ['the next evening before 22:00 CEST', spring, '2026-03-29T19:59:59Z', false],
  ['the next evening at 22:00 CEST', spring, '2026-03-29T20:00:00Z', true],
  ['on the last day', spring, '2026-03-31T23:59:00Z', true],
  ['after the last day', spring, '2026-04-01T20:30:00Z', false],
  ['autumn: at 22:00 CEST', autumn, '2026-10-24T20:00:00Z', true],
  ['autumn: four hours, not five', autumn, '2026-10-25T00:00:01Z', false],
  ['autumn: 22:00 CET is later', autumn, '2026-10-25T20:30:00Z', false],
  ['autumn: at 22:00 CET', autumn, '2026-10-25T21:00:00Z', true],
  ['02:30 on a usual night', night, '2026-03-28T01:30:00Z', true],
  ['02:30 is skipped: not before 03:30 CEST', night, '2026-03-29T01:29:00Z', false],
  ['02:30 is skipped: at 03:30 CEST', night, '2026-03-29T01:30:00Z', true],
  ['02:30 is skipped: over at 04:30 CEST', night, '2026-03-29T02:30:01Z', false],
  ['02:30 comes twice: not the first time', night, '2026-10-25T00:30:00Z', false],
  ['02:30 comes twice: the second time', night, '2026-10-25T01:30:00Z', true],
  ['Monday in New York, Tuesday in UTC', office, '2026-10-27T03:30:00Z', true],
  ['an hour later after the change', office, '2026-11-03T03:45:00Z', false],
  ['23:30 EST', office, '2026-11-03T04:30:00Z', true],
  ['until 01:30 on Tuesday', office, '2026-11-03T06:30:00Z', true],
  ['not on Tuesday evening', office, '2026-11-04T05:00:00Z', false],
  ['on the last Wednesday', office, '2026-11-05T05:00:00Z', true],
  ['a weekend: Sunday', weekend, '2026-06-07T12:00:00Z', true],
  ['a weekend: over on Monday at 06:00', weekend, '2026-06-08T04:00:01Z', false],
  ['a weekend: the next Friday', weekend, '2026-06-12T16:00:00Z', true],
  ['a weekend: begun before the last day', weekend, '2026-06-21T20:00:00Z', true],
  ['a weekend: not a week later', weekend, '2026-06-27T12:00:00Z', false],
  ['the 31st of January', last, '2026-01-31T19:00:00Z', true],
  ['the 28th of February', last, '2026-02-28T19:30:00Z', true],
  ['the 30th of April, CEST', last, '2026-04-30T18:00:00Z', true],
  ['not the 30th of May', last, '2026-05-30T18:00:00Z', false],
  ['the 31st of May', last, '2026-05-31T18:00:00Z', true],
  ['the second Tuesday of March', patches, '2026-03-10T20:59:00Z', true],
  ['not the first', patches, '2026-03-03T18:30:00Z', false],
  ['not the third', patches, '2026-03-17T18:30:00Z', false],
  ['the second Tuesday of April', patches, '2026-04-14T18:00:00Z', true],
  ['the second Tuesday after the last day', patches, '2026-06-09T18:30:00Z', false],
] as const)('%s', async (_name, window, when, want) => {
  const deviceId = await windowFor(window)
  expect((await devicesUnderMaintenance(store, Date.parse(when))).has(deviceId)).toBe(want)
})

test('graphs show each occurrence', async () => {
  const deviceId = await windowFor(spring)
  const s = (text: string) => Date.parse(text) / 1000
  const { maintenance } = await shadesOf(store, deviceId, s('2026-03-28T12:00:00Z'), s('2026-03-30T12:00:00Z'))
  expect(maintenance).toEqual([
    { startS: s('2026-03-28T21:00:00Z'), endS: s('2026-03-29T01:00:00Z') },
    { startS: s('2026-03-29T20:00:00Z'), endS: s('2026-03-30T00:00:00Z') },
  ])
})

test.each([
  [{ ...spring, duration: '24:00' }, 'shorter than a day'],
  [{ ...weekend, duration: '168:00' }, 'shorter than a week'],
  [{ ...weekend, days: '5,6' }, 'shorter than a day'],
  [{ ...patches, days: '2,3' }, 'one weekday'],
  [{ ...spring, days: '8' }, 'Invalid days'],
  [{ ...spring, zone: 'Europe/Atlantis' }, 'Unknown time zone'],
  [{ ...spring, zone: "UTC'; drop" }, 'Unknown time zone'],
  [{ ...spring, until: '2026-02-30' }, 'Invalid start'],
  [{ ...spring, until: '9999-12-31' }, 'Invalid last day'],
  [{ ...spring, until: '2026-03-26' }, 'never begins'],
] as const)('is refused: %#', async (window, reason) => {
  await expect(windowFor(window)).rejects.toThrow(reason)
})
