import { afterAll, beforeAll, expect, test } from 'bun:test'
import { writeDiscovery } from '../../../src/core/discovery/write.ts'
import type { StateSet } from '../../../src/definitions/health.ts'
import type { Observation } from '../../../src/modules/observation.ts'
import { type TestDatabase, testDatabase } from '../../support/database.ts'
import { newDevice, sensor } from './factories.ts'

let database: TestDatabase
// The first database in a process starts a server.
beforeAll(async () => {
  database = await testDatabase()
}, 60_000)
afterAll(() => database.drop())

const run = { tookMs: 1, complete: true }
const set = (name: string, failed: 'critical' | 'warning'): StateSet => ({
  name,
  values: [
    { value: 1, descr: 'normal', generic: 'ok' },
    { value: 2, descr: 'failed', generic: failed },
  ],
})
const fans = (states: StateSet, indexes: readonly string[]): Observation => ({
  kind: 'sensors',
  complete: true,
  rows: indexes.map((index) => ({ ...sensor(index), sensor_class: 'state', sensor_type: states.name, states })),
})

const meanings = () =>
  database.store.sql`select state_name, state_value, state_descr, state_generic_value
    from state_translations join state_indexes using (state_index_id) order by 1, 2`
const linked = (deviceId: number) =>
  database.store.sql`select sensor_index, state_name from sensors_to_state_indexes
    join sensors using (sensor_id) join state_indexes using (state_index_id) where device_id = ${deviceId} order by 1`

test('two devices share a state index; changed translations are updated, and links follow the sensors', async () => {
  const { store } = database
  const [a, b] = [await newDevice(store), await newDevice(store)]
  await Promise.all([
    writeDiscovery(store, a, [fans(set('fanState', 'warning'), ['1', '2'])], run),
    writeDiscovery(store, b, [fans(set('fanState', 'warning'), ['1'])], run),
  ])
  expect([...(await meanings())]).toEqual([
    { state_name: 'fanState', state_value: 1, state_descr: 'normal', state_generic_value: 0 },
    { state_name: 'fanState', state_value: 2, state_descr: 'failed', state_generic_value: 1 },
  ])
  expect([...(await linked(a))]).toEqual([
    { sensor_index: '1', state_name: 'fanState' },
    { sensor_index: '2', state_name: 'fanState' },
  ])
  await writeDiscovery(store, a, [fans(set('fanState', 'critical'), ['1', '2'])], run)
  expect((await meanings())[1]).toMatchObject({ state_generic_value: 2 })
  expect([...(await linked(b))]).toEqual([{ sensor_index: '1', state_name: 'fanState' }])
})

test('a set with a value twice, with values that are equal when stored, and in two parts, is stored', async () => {
  const { store } = database
  const id = await newDevice(store)
  const paper: StateSet = {
    name: 'paperState',
    values: [
      { value: 9, descr: 'A4', generic: 'ok' },
      { value: 9, descr: 'A4 rotated', generic: 'warning' },
      { value: 9.2, descr: 'A4 almost', generic: 'warning' },
      { value: -0, descr: 'none', generic: 'critical' },
      { value: 0, descr: 'nothing', generic: 'ok' },
      { value: Number.NaN, descr: 'odd', generic: 'ok' },
      { value: 1e300, descr: 'large', generic: 'ok' },
    ],
  }
  const more: StateSet = { name: 'paperState', values: [{ value: 10, descr: 'A3', generic: 'ok' }] }
  const written = await writeDiscovery(store, id, [fans(paper, ['1']), fans(more, ['2'])], run)
  expect([written.unstored, written.kinds.sensors?.added]).toEqual([[], 2])
  expect((await meanings()).filter(({ state_name }) => state_name === 'paperState')).toEqual([
    { state_name: 'paperState', state_value: 0, state_descr: 'none', state_generic_value: 2 },
    { state_name: 'paperState', state_value: 9, state_descr: 'A4', state_generic_value: 0 },
    { state_name: 'paperState', state_value: 10, state_descr: 'A3', state_generic_value: 0 },
  ])
  // nothing of it is written again
  expect((await writeDiscovery(store, id, [fans(paper, ['1']), fans(more, ['2'])], run)).events).toBe(0)
})
