import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { encodeOid, formatOid } from '@portlight/snmp/oid.ts'
import { packOids, startOf } from '@portlight/snmp/oid-list.ts'
import { loadDevicePlan } from '../../src/core/polling/read-plan.ts'
import { createSharedText } from '../../src/lib/intern-text.ts'
import { textReading } from '../../src/lib/text-readings.ts'
import { newEntry, planOf, replan } from '../../src/poller/devices/polled-device.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'

setDefaultTimeout(60_000)

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.drop())

const OIDS = ['1.3.6.1.4.1.9.9.91.1.1.1.1.4.1016', '1.3', '2.999.4294967295']

test('a list of OIDs has each of them', () => {
  const list = packOids(OIDS.map(encodeOid))
  expect(Array.from(list.ends, (end, i) => formatOid(list.octets, startOf(list, i), end))).toEqual(OIDS)
  expect(packOids([])).toEqual({ octets: new Uint8Array(), ends: new Uint32Array() })
})

test('equal texts stay equal, even when there are more than are kept', () => {
  const shared = createSharedText()
  for (let i = 0; i < 25_000; i++) expect(shared(`Gi0/${i}`)).toBe(`Gi0/${i}`)
})

test('an invalid stored OID omits only its own row', async () => {
  const { store } = database
  const [device] = await store.sql<{ device_id: number }[]>`
    insert into devices (hostname) values ('oids.example.net') returning device_id`
  const id = device?.device_id ?? 0
  await store.sql`
    insert into processors (device_id, processor_oid, processor_index, processor_type, processor_descr, processor_precision)
    select ${id}, oid, n, 'hr', 'CPU', 1 from unnest(array['.1.3.6.1.2.1.25.3.3.1.2.1', 'none', '.1.3.6.1.2.1.25.3.3.1.2.2']::text[])
      with ordinality as o(oid, n)`
  const [stored] = await loadDevicePlan(store, [id])
  if (stored === undefined) throw new Error('no plan')
  const entry = newEntry(stored)
  replan(entry, stored, '192.0.2.1', { isOn: () => true, nonunicast: true, settings: {} })
  const gauges = planOf(entry)?.gauges
  if (gauges === undefined) throw new Error('not polled')
  expect(Array.from(gauges.ends, (end, i) => formatOid(gauges.octets, startOf(gauges, i), end))).toEqual([
    '1.3.6.1.2.1.25.3.3.1.2.1',
    '1.3.6.1.2.1.25.3.3.1.2.2',
  ])
  expect([...entry.gauges.modules()]).toEqual([
    ['processors', 1],
    ['processors', 1],
  ])
})

test('a state reported as text is read by the texts of its states, other sensors as numbers', async () => {
  const { store } = database
  const [device] = await store.sql<{ device_id: number }[]>`
    insert into devices (hostname) values ('states.example.net') returning device_id`
  const id = device?.device_id ?? 0
  await store.sql`
    insert into sensors (device_id, sensor_class, sensor_type, sensor_index, sensor_oid, sensor_descr, poller_type, user_func)
    values (${id}, 'temperature', 'buoy', '1', '.1.3.6.1.4.1.64998.4.0', 'Air', 'snmp', null),
      (${id}, 'state', 'buoyLid', '1', '.1.3.6.1.4.1.64998.5.0', 'Lid', 'snmp', 'state_text')`
  await store.sql`insert into state_indexes (state_name) values ('buoyLid')`
  await store.sql`
    insert into state_translations (state_index_id, state_descr, state_value, state_generic_value)
    select state_index_id, d, v, 0 from state_indexes, (values ('shut', 1), ('open', 2)) as t(d, v)
    where state_name = 'buoyLid'`
  await store.sql`
    insert into sensors_to_state_indexes (sensor_id, state_index_id)
    select sensor_id, state_index_id from sensors, state_indexes
    where sensor_type = 'buoyLid' and state_name = 'buoyLid'`
  const [stored] = await loadDevicePlan(store, [id])
  if (stored === undefined) throw new Error('no plan')
  const entry = newEntry(stored)
  replan(entry, stored, '192.0.2.1', { isOn: () => true, nonunicast: true, settings: {} })
  const texts = planOf(entry)?.texts ?? []
  expect(texts.map(([position]) => position)).toEqual([1])
  expect(textReading(texts[0]?.[1])?.('Open', 0)).toBe(2)
})

test('a port without counters and state is in no table that polls read', async () => {
  const { store } = database
  const [device] = await store.sql<{ device_id: number }[]>`
    insert into devices (hostname) values ('router.example.net') returning device_id`
  const id = device?.device_id ?? 0
  await store.sql`
    insert into ports (device_id, "ifIndex", "ifName", "ifOperStatus", hc_mask, lc_mask)
    values (${id}, 1, 'counted', null, 1, 0), (${id}, 2, 'narrow', null, 0, 1), (${id}, 3, 'state', 'down', 0, 0),
      (${id}, 1280, 'management', null, 0, 0)`
  const [stored] = await loadDevicePlan(store, [id])
  if (stored === undefined) throw new Error('no plan')
  const entry = newEntry(stored)
  replan(entry, stored, '192.0.2.1', { isOn: () => true, nonunicast: true, settings: {} })
  expect(Array.from(planOf(entry)?.ifIndex ?? [])).toEqual([1, 2, 3])
})
