import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { writeDiscovery } from '../../../src/core/discovery/write.ts'
import { loadDevicePlan } from '../../../src/core/polling/read-plan.ts'
import { kindSeries } from '../../../src/core/series/read.ts'
import { writeSamples } from '../../../src/core/series/write.ts'
import { SYSTEM_STATS, statPosition } from '../../../src/lib/system-stats.ts'
import type { PrinterSupplyRow } from '../../../src/modules/printer-supplies/observation.ts'
import { type TestDatabase, testDatabase } from '../../support/database.ts'
import { batch, makeDevice } from '../../support/samples.ts'

setDefaultTimeout(60_000)
let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.drop())

const TONER: PrinterSupplyRow = {
  supply_type: 'toner',
  supply_index: '1.1',
  supply_descr: 'Black Toner',
  supply_oid: '1.3.6.1.2.1.43.11.1.1.9.1.1',
  supply_capacity_oid: '1.3.6.1.2.1.43.11.1.1.8.1.1',
  supply_capacity: 6000,
  supply_current: 50,
}

test('supplies and statistics are found, planned, sampled, drawn and deleted', async () => {
  const { store } = database
  const { deviceId } = await makeDevice(store, 1)
  await writeDiscovery(store, deviceId, [
    { kind: 'printer_supplies', complete: true, rows: [TONER] },
    { kind: 'device_graphs', complete: true, rows: [{ graph: 'ucd_load', objects: 'load1 load5' }] },
  ])
  const [plan] = await loadDevicePlan(store, [deviceId])
  expect(plan).toMatchObject({
    stats: ['load1', 'load5'],
    fdb_count: 0,
    polled: { supply: [{ supply_oid: TONER.supply_oid, supply_capacity: 6000 }] },
  })
  const id = plan?.polled.supply?.[0]?.id ?? 0
  const time = Math.floor(Date.now() / 1000) * 1000
  const values = new Float64Array(SYSTEM_STATS.length).fill(Number.NaN)
  values[statPosition('load1')] = 1.5
  await writeSamples(store, batch({ supplies: [{ id, time, value: 48.5 }], stats: [{ deviceId, time, values }] }))
  const [row] = await store.sql`select supply_current from printer_supplies where supply_id = ${id}`
  expect(row).toEqual({ supply_current: 48.5 })
  const window = { fromS: time / 1000 - 600, toS: time / 1000, stepS: 300 }
  const rule = { intervals: 3, intervalS: 300 }
  const stats = await kindSeries(store, 'stats', { deviceId }, window, rule, ['load1', 'load5', 'no-such'])
  expect(stats.series.map(({ name, values: v }) => [name, v.find((x) => !Number.isNaN(x))])).toEqual([
    ['load1', 1.5],
    ['load5', undefined],
  ])
  const supplies = await kindSeries(store, 'supply', { deviceId }, window, rule)
  expect(supplies.series.map(({ name, values: v }) => [name, v.find((x) => !Number.isNaN(x))])).toEqual([
    ['Black Toner', 48.5],
  ])

  await writeDiscovery(store, deviceId, [{ kind: 'printer_supplies', complete: false, rows: [] }])
  expect((await store.sql`select 1 from printer_supplies where device_id = ${deviceId}`).length).toBe(1)
  await store.sql`delete from devices where device_id = ${deviceId}`
  while (Number((await store.sql<{ n: number }[]>`select ts.forget_gone() as n`)[0]?.n ?? 0) > 0);
  const left = await store.sql<{ n: number }[]>`
    select ((select count(*) from printer_supplies where device_id = ${deviceId})
      + (select count(*) from device_graphs where device_id = ${deviceId})
      + (select count(*) from ts.stats_samples_stored where device_id = ${deviceId})
      + (select count(*) from ts.supply_samples_stored where supply_id = ${id}))::int as n`
  expect([...left]).toEqual([{ n: 0 }])
})
