import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { openOutagesAfterMaintenance, writeStatus } from '../../../src/core/availability/write.ts'
import type { Store } from '../../../src/core/database/client.ts'
import { devicesUnderMaintenance } from '../../../src/core/maintenance/read.ts'
import { insertSchedule } from '../../../src/core/maintenance/write.ts'
import { type TestDatabase, testDatabase } from '../../support/database.ts'
import { makeDevice } from '../../support/samples.ts'

setDefaultTimeout(60_000)
let database: TestDatabase
let store: Store
beforeAll(async () => {
  database = await testDatabase()
  store = database.store
})
afterAll(() => database.drop())

/** A recurring schedule for a new device; times are local text. */
async function recurring(from: string, to: string, days: string | null): Promise<number> {
  const { deviceId } = await makeDevice(store, 0)
  await store.sql`
    with s as (
      insert into alert_schedule (title, recurring, recurring_day, start, "end")
      values ('weekly', 1, ${days}, ${new Date(from)}, ${new Date(to)}) returning schedule_id)
    insert into alert_schedulables (schedule_id, alert_schedulable_id, alert_schedulable_type)
    select schedule_id, ${deviceId}, 'device' from s`
  return deviceId
}

const at = (local: string) => new Date(local).getTime()

// 2026-06-01 is a Monday
test.each([
  { name: 'on its weekday, between its times', when: '2026-06-08T23:00:00', days: '1,3', want: true },
  { name: 'on another weekday', when: '2026-06-09T23:00:00', days: '1, 3', want: false },
  { name: 'on its weekday, before', when: '2026-06-08T21:59:00', days: '1', want: false },
  { name: 'after midnight, counted for the previous day', when: '2026-06-09T01:30:00', days: '1', want: true },
  {
    name: 'after midnight, when it did not begin on the previous day',
    when: '2026-06-08T01:30:00',
    days: '1',
    want: false,
  },
  { name: 'every day', when: '2026-06-13T22:00:00', days: null, want: true },
  { name: 'after its last day', when: '2026-07-06T23:00:00', days: '1', want: false },
  { name: 'before its first day', when: '2026-05-25T23:00:00', days: '1', want: false },
])('a recurring schedule from 22:00 to 02:00: $name', async ({ when, days, want }) => {
  const deviceId = await recurring('2026-06-01T22:00:00', '2026-06-30T02:00:00', days)
  expect((await devicesUnderMaintenance(store, at(when))).has(deviceId)).toBe(want)
})

test('the strongest of several schedules applies, and a location covers its devices', async () => {
  const { deviceId } = await makeDevice(store, 0)
  const [place] = await store.sql<{ id: number }[]>`insert into locations (location) values ('here') returning id`
  const id = place?.id ?? 0
  await store.sql`update devices set location_id = ${id} where device_id = ${deviceId}`
  const schedule = { title: 't', notes: '', start: new Date(1000), end: new Date(3000) }
  await insertSchedule(store, { ...schedule, behavior: 2, target: { kind: 'location', id } }, null)
  expect(await devicesUnderMaintenance(store, 2000)).toEqual(new Map([[deviceId, 2]]))
  await insertSchedule(store, { ...schedule, behavior: 1, target: { kind: 'device', id: deviceId } }, null)
  expect(await devicesUnderMaintenance(store, 2000)).toEqual(new Map([[deviceId, 1]]))
  expect(await devicesUnderMaintenance(store, 3001)).toEqual(new Map())
})

test('a schedule is deleted with its last target', async () => {
  const { deviceId } = await makeDevice(store, 0)
  const target = { kind: 'device', id: deviceId } as const
  const schedule = { title: 'alone', notes: '', behavior: 1, start: new Date(0), end: new Date(1), target } as const
  await insertSchedule(store, schedule, null)
  await store.sql`delete from devices where device_id = ${deviceId}`
  expect([...(await store.sql`select from alert_schedule where title = 'alone'`)]).toEqual([])
})

test('a device that goes down under maintenance has no outage if maintenance is considered', async () => {
  for (const considerMaintenance of [true, false]) {
    const { deviceId } = await makeDevice(store, 0)
    const target = { kind: 'device', id: deviceId } as const
    const start = new Date(1_780_000_000_000)
    const end = new Date(1_780_000_600_000)
    await insertSchedule(store, { title: 't', notes: '', behavior: 3, start, end, target }, null)
    await writeStatus(store, { deviceId, up: true, reason: '', at: 1_779_999_000_000 })
    await writeStatus(store, { deviceId, up: false, reason: 'icmp', at: 1_780_000_300_000, considerMaintenance })
    const [row] = await store.sql`
      select status, (select count(*)::int from device_outages o where o.device_id = d.device_id) as outages
      from devices d where device_id = ${deviceId}`
    expect(row).toEqual({ status: 0, outages: considerMaintenance ? 0 : 1 })
  }
})

test('an outage under maintenance counts from the end of the maintenance, once', async () => {
  const { deviceId } = await makeDevice(store, 0)
  const S = 1_780_000_020
  const at = (seconds: number) => new Date((S + seconds) * 1000)
  const target = { kind: 'device', id: deviceId } as const
  const window = { title: 't', notes: '', behavior: 3, start: at(0), end: at(600), target } as const
  await insertSchedule(store, window, null)
  await store.sql`update devices set status = 1 where device_id = ${deviceId}`
  const down = { deviceId, up: false, reason: 'snmp', at: at(60).getTime(), considerMaintenance: true }
  await writeStatus(store, down)
  const outages = async () => [
    ...(await store.sql`
    select going_down::int, up_again::int from device_outages where device_id = ${deviceId} order by going_down`),
  ]
  await openOutagesAfterMaintenance(store, at(599).getTime())
  expect(await outages()).toEqual([])
  for (const seconds of [630, 690]) await openOutagesAfterMaintenance(store, at(seconds).getTime())
  expect(await outages()).toEqual([{ going_down: S + 600, up_again: null }])
  await writeStatus(store, { ...down, up: true, reason: '', at: at(900).getTime() })
  await openOutagesAfterMaintenance(store, at(960).getTime())
  expect(await outages()).toEqual([{ going_down: S + 600, up_again: S + 900 }])
})
