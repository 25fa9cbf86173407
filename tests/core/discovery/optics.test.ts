import { afterAll, beforeAll, expect, test } from 'bun:test'
import { writeDiscovery } from '../../../src/core/discovery/write.ts'
import { listWirelessSensors, WIRELESS_COLUMNS } from '../../../src/core/inventory/read-sensors.ts'
import { listTransceivers } from '../../../src/core/inventory/read-transceivers.ts'
import { loadDevicePlan } from '../../../src/core/polling/read-plan.ts'
import { writeSamples } from '../../../src/core/series/write.ts'
import type { Observation } from '../../../src/modules/observation.ts'
import type { TransceiverRow } from '../../../src/modules/transceivers/observation.ts'
import { transceiver } from '../../../src/modules/transceivers/row.ts'
import type { WirelessRow } from '../../../src/modules/wireless/observation.ts'
import { type TestDatabase, testDatabase } from '../../support/database.ts'
import { batch } from '../../support/samples.ts'
import { messagesOf, newDevice, port, ports } from './factories.ts'

let database: TestDatabase
// The first database in a process starts a server.
beforeAll(async () => {
  database = await testDatabase()
}, 60_000)
afterAll(() => database.drop())

const run = { tookMs: 1, complete: true }
const ALL = { kind: 'all' } as const

const optics = (rows: readonly TransceiverRow[], complete = true): Observation => ({
  kind: 'transceivers',
  complete,
  rows,
})
const sfp = (index: string, rest: Partial<TransceiverRow> = {}) =>
  transceiver({ index, vendor: 'ACME', model: 'SFP-SX', serial: `S${index}`, ...rest })

function wirelessSensor(index: string, rest: Partial<WirelessRow> = {}): WirelessRow {
  return {
    sensor_class: 'clients',
    sensor_type: 'test',
    sensor_index: index,
    sensor_descr: `Radio ${index}`,
    sensor_divisor: 1,
    sensor_multiplier: 1,
    sensor_aggregator: 'sum',
    sensor_oids: `[".1.3.6.1.4.1.99999.${index}"]`,
    sensor_current: 3,
    sensor_limit: null,
    sensor_limit_warn: null,
    sensor_limit_low: null,
    sensor_limit_low_warn: null,
    entPhysicalIndex: null,
    entPhysicalIndex_measured: null,
    ...rest,
  }
}
const wireless = (rows: readonly WirelessRow[], complete = true): Observation => ({ kind: 'wireless', complete, rows })

test('a transceiver finds its port; an interface without a port gives null', async () => {
  const { store } = database
  const id = await newDevice(store)
  await writeDiscovery(
    store,
    id,
    [ports([port(1)]), optics([sfp('11', { ifIndex: 1 }), sfp('12', { ifIndex: 99 }), sfp('13')])],
    run,
  )
  const rows = await listTransceivers(store, ALL, { deviceId: id })
  const [first] = await store.sql<{ port_id: number }[]>`select port_id from ports where device_id = ${id}`
  expect(rows.map((row) => [row.index, row.port_id])).toEqual([
    ['11', first?.port_id ?? -1],
    ['12', null],
    ['13', null],
  ])
})

test('another module in the same cage keeps the row, changes updated_at and logs an event', async () => {
  const { store } = database
  const id = await newDevice(store)
  await writeDiscovery(store, id, [optics([sfp('1'), sfp('2')])], run)
  const before = await listTransceivers(store, ALL, { deviceId: id })
  await writeDiscovery(store, id, [optics([sfp('1'), sfp('2', { serial: 'NEW' })])], run)
  const after = await listTransceivers(store, ALL, { deviceId: id })
  expect(after.map((row) => row.id)).toEqual(before.map((row) => row.id))
  expect(after[0]).toEqual(before[0] as (typeof before)[number])
  expect(after[1]?.updated_at).toBeGreaterThan(before[1]?.updated_at ?? Number.NaN)
  expect(after[1]?.created_at).toBe(before[1]?.created_at as number)
  expect(await messagesOf(store, id)).toContain('Transceiver ACME SFP-SX 2 serial number: S2 -> NEW')
})

test('a transceiver is deleted only after a complete walk', async () => {
  const { store } = database
  const id = await newDevice(store)
  const indexes = async () => (await listTransceivers(store, ALL, { deviceId: id })).map((row) => row.index)
  await writeDiscovery(store, id, [optics([sfp('1'), sfp('2')])], run)
  await writeDiscovery(store, id, [optics([sfp('1')], false)], run)
  expect(await indexes()).toEqual(['1', '2'])
  await writeDiscovery(store, id, [optics([sfp('1')])], run)
  expect(await indexes()).toEqual(['1'])
})

test('a missing wireless sensor is hidden and not polled, and has the same row when it returns', async () => {
  const { store } = database
  const id = await newDevice(store)
  const list = () => listWirelessSensors(store, ALL, { deviceId: id, sensorClass: null }, WIRELESS_COLUMNS)
  const planned = async () => (await loadDevicePlan(store, [id]))[0]?.polled.wireless?.map((row) => row['sensor_oids'])
  await writeDiscovery(store, id, [wireless([wirelessSensor('1'), wirelessSensor('2')])], run)
  const before = await list()
  expect(before).toMatchObject([
    { sensor_index: '1', sensor_current: 3, sensor_aggregator: 'sum', rrd_type: 'GAUGE' },
    { sensor_index: '2' },
  ])
  await writeDiscovery(store, id, [wireless([wirelessSensor('1')])], run)
  expect((await list()).map((row) => row.sensor_index)).toEqual(['1'])
  expect(await planned()).toEqual(['[".1.3.6.1.4.1.99999.1"]'])
  await writeDiscovery(store, id, [wireless([wirelessSensor('1'), wirelessSensor('2')])], run)
  expect((await list()).map((row) => row.sensor_id)).toEqual(before.map((row) => row.sensor_id))
})

test('samples of a poll are stored as a series and become the current value', async () => {
  const { store } = database
  const id = await newDevice(store)
  await writeDiscovery(store, id, [wireless([wirelessSensor('1')])], run)
  const [sensor] = await listWirelessSensors(store, ALL, { deviceId: id, sensorClass: 'clients' }, ['sensor_id'])
  const time = Date.now() - 60_000
  const sensorId = sensor?.sensor_id ?? 0
  await writeSamples(store, batch({ wireless: [{ id: sensorId, time, value: 7 }] }))
  expect(
    await listWirelessSensors(store, ALL, { deviceId: id, sensorClass: null }, ['sensor_current', 'sensor_prev']),
  ).toEqual([{ sensor_current: 7, sensor_prev: 3 }])
  const kept = await store.sql`select value from ts.wireless_samples_stored where sensor_id = ${sensorId}`
  expect([...kept]).toEqual([{ value: 7 }])
})
