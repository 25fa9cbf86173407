import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { SYSTEM } from '../../../src/core/base/actor.ts'
import { writeDiscovery } from '../../../src/core/discovery/write.ts'
import { createInventoryService } from '../../../src/core/inventory/service.ts'
import { withLimits } from '../../../src/modules/guessed-limits.ts'
import type { SensorRow } from '../../../src/modules/observation.ts'
import { type TestDatabase, testDatabase } from '../../support/database.ts'
import { newDevice } from '../discovery/factories.ts'

setDefaultTimeout(60_000)
let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.drop())

const sensor = (value: number, sensor_class = 'temperature'): SensorRow =>
  withLimits({
    sensor_class,
    sensor_type: 'test',
    sensor_index: '1',
    sensor_oid: '1.3.6.1.4.1.99999.1.1',
    sensor_descr: 'Inlet',
    group: null,
    sensor_divisor: 1,
    sensor_multiplier: 1,
    sensor_current: value,
    sensor_limit: null,
    sensor_limit_warn: null,
    sensor_limit_low: null,
    sensor_limit_low_warn: null,
    entPhysicalIndex: null,
    entPhysicalIndex_measured: null,
  })

test('limits are guessed when a value is known, and wrong ones again; those of people stay', async () => {
  const { store } = database
  const deviceId = await newDevice(store)
  const inventory = createInventoryService({ store })
  const found = async (value: number) => {
    await writeDiscovery(store, deviceId, [{ kind: 'sensors', complete: true, rows: [sensor(value)] }])
    const [row] = await inventory.limitedSensors(deviceId)
    if (row === undefined) throw new Error('no sensor')
    return row
  }
  expect(await found(65_535)).toMatchObject({ value: null, high: null, low: null, source: 'agent' })
  expect(await found(25)).toMatchObject({ high: 45, low: null, source: 'guess' })
  expect(await found(31)).toMatchObject({ high: 45, low: null, source: 'guess' })

  // as an earlier version guessed them
  await store.sql`update sensors set sensor_limit = 2147483667, sensor_limit_low = 2147483637 where device_id = ${deviceId}`
  const { sensor_id } = await found(31)
  expect(await found(31)).toMatchObject({ high: 51, low: null, source: 'guess' })

  const own = { high: 33, high_warn: 30, low_warn: null, low: 5 }
  await inventory.setLimits(SYSTEM, deviceId, sensor_id, own)
  expect(await found(40)).toMatchObject({ ...own, source: 'person' })
  await inventory.setLimits(SYSTEM, deviceId, sensor_id, { high: null, high_warn: null, low_warn: null, low: null })
  expect(await found(40)).toMatchObject({ high: null, low: null, source: 'person' })
  await inventory.setLimits(SYSTEM, deviceId, sensor_id, null)
  expect(await found(40)).toMatchObject({ high: 60, source: 'guess' })

  const wrong = { high: 10, high_warn: null, low_warn: null, low: 20 }
  await expect(inventory.setLimits(SYSTEM, deviceId, sensor_id, wrong)).rejects.toThrow(
    'The high limit is below the low limit',
  )
  await expect(inventory.setLimits(SYSTEM, deviceId, sensor_id + 1, null)).rejects.toThrow(
    'does not exist on this device',
  )
  const audit = await store.sql`select message from eventlog where message like 'Limits of sensor%'`
  expect(audit.length).toBe(3)
})
