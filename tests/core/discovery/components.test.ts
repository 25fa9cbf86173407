import { afterAll, beforeAll, expect, test } from 'bun:test'
import { writeDiscovery } from '../../../src/core/discovery/write.ts'
import { loadDevicePlan } from '../../../src/core/polling/read-plan.ts'
import type { InventoryRow, Observation } from '../../../src/modules/observation.ts'
import { type TestDatabase, testDatabase } from '../../support/database.ts'
import { messagesOf, newDevice, port, ports, sensor } from './factories.ts'

let database: TestDatabase
// The first database in a process starts a server.
beforeAll(async () => {
  database = await testDatabase()
}, 60_000)
afterAll(() => database.drop())

const run = { tookMs: 1, complete: true }

function entity(entPhysicalIndex: number, serial: string | null): InventoryRow {
  return {
    entPhysicalIndex,
    entPhysicalDescr: null,
    entPhysicalClass: 'module',
    entPhysicalName: `Slot ${entPhysicalIndex}`,
    entPhysicalHardwareRev: null,
    entPhysicalFirmwareRev: null,
    entPhysicalSoftwareRev: null,
    entPhysicalAlias: null,
    entPhysicalAssetID: null,
    entPhysicalIsFRU: 'true',
    entPhysicalModelName: null,
    entPhysicalVendorType: '1.3.6.1.4.1.9.12.3.1.3.1',
    entPhysicalSerialNum: serial,
    entPhysicalContainedIn: 0,
    entPhysicalParentRelPos: -1,
    entPhysicalMfgName: null,
    ifIndex: null,
  }
}
const inventory = (rows: readonly InventoryRow[], complete = true): Observation => ({
  kind: 'inventory',
  complete,
  rows,
})

test('a replaced module keeps its row and logs an event', async () => {
  const { store } = database
  const id = await newDevice(store)
  await writeDiscovery(store, id, [inventory([entity(1, 'AAA'), entity(2, 'BBB')])], run)
  const before = await store.sql`select "entPhysical_id" as id from "entPhysical" where device_id = ${id} order by 1`
  await writeDiscovery(store, id, [inventory([entity(1, 'AAA'), entity(2, 'CCC')])], run)
  const after = await store.sql`select "entPhysical_id" as id from "entPhysical" where device_id = ${id} order by 1`
  expect([...after]).toEqual([...before])
  expect(await messagesOf(store, id)).toEqual(['Discovered 2 inventory', 'Entity Slot 2 serial number: BBB -> CCC'])
})

test('a truncated walk never removes entities, a complete one does', async () => {
  const { store } = database
  const id = await newDevice(store)
  const count = async () =>
    (await store.sql`select count(*)::int as n from "entPhysical" where device_id = ${id}`)[0]?.['n']
  await writeDiscovery(store, id, [inventory([entity(1, null), entity(2, null)])], run)
  await writeDiscovery(store, id, [inventory([entity(2, null)], false)], run)
  expect(await count()).toBe(2)
  await writeDiscovery(store, id, [inventory([entity(2, null)])], run)
  expect(await count()).toBe(1)
})

test('two observations of sensors form one set: an empty one removes no rows of the other', async () => {
  const { store } = database
  const id = await newDevice(store)
  const both: Observation[] = [
    { kind: 'sensors', complete: true, rows: [sensor('1'), sensor('2')] },
    { kind: 'sensors', complete: true, rows: [sensor('9', { sensor_type: 'lmsensors' })] },
  ]
  await writeDiscovery(store, id, both, run)
  const changes = await writeDiscovery(store, id, both, run)
  expect(changes.kinds.sensors).toEqual({ added: 0, changed: 0, removed: 0 })
})

test('a missing sensor is not polled, and has the same row when it returns', async () => {
  const { store } = database
  const id = await newDevice(store)
  const all: Observation = { kind: 'sensors', complete: true, rows: [sensor('1'), sensor('2')] }
  await writeDiscovery(store, id, [all], run)
  const polled = async () => (await loadDevicePlan(store, [id]))[0]?.polled.sensor?.map((row) => row.id)
  const before = await polled()
  await writeDiscovery(store, id, [{ ...all, rows: [sensor('1')] }], run)
  expect(await polled()).toEqual(before?.slice(0, 1) ?? [])
  await writeDiscovery(store, id, [all], run)
  expect(await polled()).toEqual(before)
})

test('limits set by a person and polled values survive discovery', async () => {
  const { store } = database
  const id = await newDevice(store)
  const seen: Observation = { kind: 'sensors', complete: true, rows: [sensor('1', { sensor_limit: 60 })] }
  await writeDiscovery(store, id, [seen], run)
  await store.sql`update sensors set sensor_limit = 45, sensor_current = 31.5 where device_id = ${id}`
  await writeDiscovery(store, id, [{ ...seen, rows: [sensor('1', { sensor_descr: 'Inlet' })] }], run)
  const rows = await store.sql`select sensor_limit, sensor_current, sensor_descr from sensors where device_id = ${id}`
  expect(rows[0]).toEqual({ sensor_limit: 45, sensor_current: 31.5, sensor_descr: 'Inlet' })
})

test('the plan has everything that is polled, with OIDs in the form of the engine', async () => {
  const { store } = database
  const id = await newDevice(store, { snmpver: 'v2c', community: 'secret', poll_interval: 30 })
  await writeDiscovery(
    store,
    id,
    [
      ports([port(3, { ifSpeed: 1e9, ifHighSpeed: 1000, hcMask: 15, lcMask: 255 })]),
      {
        kind: 'processors',
        complete: true,
        rows: [
          {
            processor_type: 'hr',
            processor_index: '5',
            processor_oid: '1.3.6.1.2.1.25.3.3.1.2.5',
            processor_descr: 'CPU',
            processor_precision: 1,
            hrDeviceIndex: 5,
            entPhysicalIndex: 0,
            processor_usage: 12,
          },
        ],
      },
      {
        kind: 'storage',
        complete: true,
        rows: [
          {
            type: 'hrstorage',
            storage_index: '31',
            storage_type: 'hrStorageFixedDisk',
            storage_descr: '/',
            storage_units: 4096,
            storage_used_oid: '1.3.6.1.2.1.25.2.3.1.6.31',
            storage_free_oid: null,
            storage_size_oid: null,
            storage_perc_oid: null,
            storage_size: 8_000_000_000_000,
            storage_used: 2_000_000_000_000,
            storage_free: 6_000_000_000_000,
          },
        ],
      },
      { kind: 'sensors', complete: true, rows: [sensor('1')] },
    ],
    run,
  )
  const [plan] = await loadDevicePlan(store, [id])
  expect(plan).toMatchObject({ device_id: id, community: 'secret', poll_interval: 30, icmp_disable: false })
  expect(plan?.ports).toMatchObject([{ ifIndex: 3, ifSpeed: 1e9, hc_mask: 15, lc_mask: 255, deleted: 0 }])
  expect(plan?.polled.processor?.map((row) => row['processor_oid'])).toEqual(['1.3.6.1.2.1.25.3.3.1.2.5'])
  expect(plan?.polled.storage).toMatchObject([{ storage_used_oid: '1.3.6.1.2.1.25.2.3.1.6.31', storage_size: 8e12 }])
  expect(plan?.polled.sensor?.map((row) => row['sensor_oid'])).toEqual(['1.3.6.1.2.1.99.1.1.1.4.1'])
  const rows = await store.sql`select processor_oid, storage_perc from processors, storage
    where processors.device_id = ${id} and storage.device_id = ${id}`
  expect(rows[0]).toEqual({ processor_oid: '.1.3.6.1.2.1.25.3.3.1.2.5', storage_perc: 25 })
})

test('without ids the plan covers all devices', async () => {
  const { store } = database
  const ids = [await newDevice(store), await newDevice(store)]
  const plans = await loadDevicePlan(store)
  expect(plans.map((plan) => plan.device_id)).toEqual(expect.arrayContaining(ids))
  expect(await loadDevicePlan(store, [])).toEqual([])
})
