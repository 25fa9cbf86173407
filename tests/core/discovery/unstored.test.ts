import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { deviceFacts } from '../../../src/core/devices/read-facts.ts'
import { DISCOVERED } from '../../../src/core/discovery/tables.ts'
import { unstoredText } from '../../../src/core/discovery/unstored.ts'
import { writeDiscovery } from '../../../src/core/discovery/write.ts'
import { loadDevicePlan } from '../../../src/core/polling/read-plan.ts'
import type { Observation, ProcessorRow } from '../../../src/modules/observation.ts'
import { type TestDatabase, testDatabase } from '../../support/database.ts'
import { newDevice, port, sensor } from './factories.ts'

// What the database rejects, by constraints that stand for any reason to reject a row.

setDefaultTimeout(60_000)

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
  await database.store.sql`alter table processors add constraint good check (processor_descr not like 'bad%')`
  await database.store.sql`alter table sensors add constraint good check (sensor_descr <> 'bad')`
  await database.store
    .sql`alter table devices add constraint good check (last_discovered is null or hostname <> 'hopeless')`
})
afterAll(() => database.drop())

const run = { tookMs: 1, complete: true }
const processor = (index: number, descr = `CPU ${index}`): ProcessorRow => ({
  processor_type: 'hr',
  processor_index: String(index),
  processor_oid: `1.3.${index}`,
  processor_descr: descr,
  processor_precision: 1,
  hrDeviceIndex: index,
  entPhysicalIndex: 0,
  processor_usage: 5,
})
const processors = (rows: readonly ProcessorRow[]): Observation => ({ kind: 'processors', complete: true, rows })
const ports: Observation = { kind: 'ports', complete: true, rows: [port(1), port(2)] }
const names = async (id: number) =>
  (
    await database.store.sql<{ d: string }[]>`
      select processor_descr as d from processors where device_id = ${id} order by processor_id`
  ).map(({ d }) => d)
const events = async (id: number) =>
  (
    await database.store.sql<{ message: string }[]>`
      select message from eventlog where device_id = ${id} order by event_id`
  ).map(({ message }) => message)

test('a row that the database rejects costs that row; the device says which, until it can be stored', async () => {
  const { store } = database
  const id = await newDevice(store)
  const many = Array.from({ length: 40 }, (_, i) => processor(i))
  const written = await writeDiscovery(store, id, [ports, processors(many.with(17, processor(17, 'bad')))], run)
  expect(written.kinds).toMatchObject({ ports: { added: 2 }, processors: { added: 39 } })
  expect(written.unstored.map(unstoredText)).toEqual([
    'processors: processor_type hr, processor_index 17, processor_oid 1.3.17, processor_descr bad: a value is not allowed; the others are stored',
  ])
  expect(await names(id)).toHaveLength(39)
  const [said] = (await events(id)).filter((message) => message.includes('could be stored'))
  expect(said).toStartWith('Not everything that was found could be stored: processors: processor_type hr')
  expect((await deviceFacts(store, id)).unstored).toMatchObject([{ reason: expect.stringContaining('index 17') }])
  const [device] = await store.sql`select last_discovered from devices where device_id = ${id}`
  expect(device?.['last_discovered']).toBeInstanceOf(Date)

  // the same again is no news
  await writeDiscovery(store, id, [ports, processors(many.with(17, processor(17, 'bad')))], run)
  expect((await events(id)).filter((message) => message.includes('could be stored'))).toHaveLength(1)
  // a poll that brings other kinds changes nothing
  await writeDiscovery(store, id, [ports])
  expect((await deviceFacts(store, id)).unstored).toHaveLength(1)

  await writeDiscovery(store, id, [ports, processors(many)], run)
  expect(await names(id)).toHaveLength(40)
  expect((await deviceFacts(store, id)).unstored).toEqual([])
})

test('more rejected rows than are worth looking for cost their kind only, and remove nothing of it', async () => {
  const { store } = database
  const id = await newDevice(store)
  await writeDiscovery(store, id, [processors([processor(100)])], run)
  const bad = Array.from({ length: 12 }, (_, i) => processor(i, `bad ${i}`))
  const written = await writeDiscovery(store, id, [processors(bad), ports], run)
  expect(written.kinds).toEqual({ ports: { added: 2, changed: 0, removed: 0 } })
  expect(written.unstored).toMatchObject([{ subject: 'processors', row: null }])
  expect(await names(id)).toEqual(['CPU 100'])
  expect((await events(id)).at(-1)).toContain('processors: a value is not allowed; what was stored before stays')
})

test('a rejected sensor leaves the others with the meanings of their states', async () => {
  const { store } = database
  const id = await newDevice(store)
  const states = {
    name: 'trayState',
    values: [
      { value: 26, descr: 'open', generic: 'warning' },
      { value: 26, descr: 'closed', generic: 'ok' },
      { value: 2 ** 40, descr: 'huge', generic: 'ok' },
    ],
  } as const
  const row = (index: string) => ({ ...sensor(index), sensor_class: 'state', sensor_type: states.name, states })
  const rows = [row('1'), { ...row('2'), sensor_descr: 'bad' }, row('3')]
  const written = await writeDiscovery(store, id, [{ kind: 'sensors', complete: true, rows }], run)
  expect(written).toMatchObject({ kinds: { sensors: { added: 2 } }, cleaned: 1, unstored: [{ subject: 'sensors' }] })
  const meanings = await store.sql`
    select sensor_index, state_value, state_descr from sensors join sensors_to_state_indexes using (sensor_id)
      join state_translations using (state_index_id) where device_id = ${id} order by 1`
  expect([...meanings]).toEqual([
    { sensor_index: '1', state_value: 26, state_descr: 'open' },
    { sensor_index: '3', state_value: 26, state_descr: 'open' },
  ])
})

test('a discovery that cannot be stored at all is recorded with its attempts', async () => {
  const { store } = database
  const id = await newDevice(store)
  await store.sql`update devices set hostname = 'hopeless' where device_id = ${id}`
  for (const tries of [1, 2]) {
    const { unstored } = await writeDiscovery(store, id, [ports], run)
    expect(unstored).toMatchObject([{ subject: 'everything', reason: 'a value is not allowed' }])
    const [plan] = await loadDevicePlan(store, [id])
    expect(plan).toMatchObject({ last_discovered: null, unstored: { tries } })
    expect(Math.abs(Date.now() - (plan?.unstored?.at ?? 0))).toBeLessThan(3_600_000)
  }
  expect((await events(id)).filter((message) => message.includes('could be stored'))).toHaveLength(1)
  await store.sql`update devices set hostname = 'hopeful' where device_id = ${id}`
  await writeDiscovery(store, id, [ports], run)
  expect((await loadDevicePlan(store, [id]))[0]?.unstored).toBeNull()
})

test('the key by which discovered rows are told apart is the one by which the database does', async () => {
  for (const { table, key } of Object.values(DISCOVERED)) {
    const rows = await database.store.sql<{ columns: string[] }[]>`
      select array(select attname::text from pg_attribute where attrelid = c.conrelid and attnum = any(c.conkey)) as columns
      from pg_constraint c where c.contype = 'u' and c.conrelid = ${`"${table}"`}::text::regclass`
    const keys = rows.map(({ columns }) => columns.filter((name) => name !== 'device_id').sort())
    expect(keys).toContainEqual([...key].sort())
  }
})
