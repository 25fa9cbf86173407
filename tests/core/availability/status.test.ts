import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { writeReboot, writeStatus } from '../../../src/core/availability/write.ts'
import type { Store } from '../../../src/core/database/client.ts'
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

const AT = 1_780_000_000_000

async function stored(deviceId: number) {
  const [device] = await store.sql`select status, status_reason from devices where device_id = ${deviceId}`
  const outages = await store.sql`
    select going_down, up_again from device_outages where device_id = ${deviceId} order by going_down`
  const events = await store.sql`
    select message, type, severity, reference, extract(epoch from datetime)::float8 * 1000 as at
    from eventlog where device_id = ${deviceId} order by event_id`
  return { device, outages: [...outages], events: [...events] }
}

test('down and up again: the record, one outage and two events', async () => {
  const { deviceId } = await makeDevice(store, 0)
  await writeStatus(store, { deviceId, up: true, reason: '', at: AT })
  await writeStatus(store, { deviceId, up: false, reason: 'icmp', at: AT + 60_000 })
  await writeStatus(store, { deviceId, up: false, reason: 'icmp,snmp', at: AT + 120_000 })
  await writeStatus(store, { deviceId, up: false, reason: 'icmp,snmp', at: AT + 180_000 })
  await writeStatus(store, { deviceId, up: true, reason: '', at: AT + 240_000 })
  const event = { reference: String(deviceId) }
  expect(await stored(deviceId)).toEqual({
    device: { status: 1, status_reason: '' },
    outages: [{ going_down: AT / 1000 + 60, up_again: AT / 1000 + 240 }],
    events: [
      { ...event, message: 'Device status changed to Up from first check.', type: 'up', severity: 1, at: AT },
      {
        ...event,
        message: 'Device status changed to Down from icmp check.',
        type: 'down',
        severity: 5,
        at: AT + 60_000,
      },
      {
        ...event,
        message: 'Device status changed to Up from icmp,snmp check.',
        type: 'up',
        severity: 1,
        at: AT + 240_000,
      },
    ],
  })
})

test('concurrent writers of the same change create one outage and one event', async () => {
  const { deviceId } = await makeDevice(store, 0)
  await writeStatus(store, { deviceId, up: true, reason: '', at: AT })
  const down = { deviceId, up: false, reason: 'snmp', at: AT + 1000 }
  await Promise.all([writeStatus(store, down), writeStatus(store, down), writeStatus(store, down)])
  const { outages, events } = await stored(deviceId)
  expect(outages).toEqual([{ going_down: AT / 1000 + 1, up_again: null }])
  expect(events.map((e) => e['type'])).toEqual(['up', 'down'])
})

test('a reboot logs an event, except for a deleted device', async () => {
  const { deviceId } = await makeDevice(store, 0)
  await writeReboot(store, deviceId, 90_061, AT)
  expect((await stored(deviceId)).events).toMatchObject([
    { message: 'Device rebooted after 1d 1h 1m 1s', type: 'reboot', severity: 4, at: AT },
  ])
  await store.sql`delete from eventlog where device_id = ${deviceId}`
  await store.sql`delete from devices where device_id = ${deviceId}`
  await writeReboot(store, deviceId, 1, AT)
  await writeStatus(store, { deviceId, up: false, reason: 'snmp', at: AT })
  expect(await stored(deviceId)).toEqual({ device: undefined, outages: [], events: [] } as never)
})
