import { afterAll, expect, test } from 'bun:test'
import { DISCOVERED, syncDiscovered } from '../../../src/core/discovery/tables.ts'
import { testDatabase } from '../../support/database.ts'

const database = await testDatabase()
afterAll(() => database.drop())

const found = (index: string, oid: string, descr: string) => ({
  sensor_class: 'temperature',
  sensor_type: 'entity-sensor',
  sensor_index: index,
  sensor_oid: oid,
  sensor_descr: descr,
  ...(descr === 'Spare' && { rrd_type: 'COUNTER' }),
})

test('imported sensors that are found under another key keep ids and limits; others only by their object', async () => {
  const { sql } = database.store
  await sql`insert into devices (device_id, hostname) values (42, 'a.example.net')`
  await sql`
    insert into sensors (sensor_id, device_id, sensor_class, sensor_oid, sensor_index, sensor_type, sensor_descr, sensor_limit)
    values (101, 42, 'temperature', '.1.3.6.1.4.1.9.1', '1', 'cisco', 'Inlet', 70), (102, 42, 'temperature', '.1.3.6.1.4.1.9.2', '2', 'cisco', 'Outlet', 71),
      (103, 42, 'temperature', '.1.3.6.1.4.1.9.3', '3', 'cisco', 'CPU', 72), (104, 42, 'temperature', '.1.3.6.1.4.1.9.4', '4', 'cisco', 'CPU', 73),
      (105, 42, 'temperature', '.1.3.6.1.4.1.9.5', '5', 'cisco', 'Ours', 74), (106, 42, 'temperature', '.1.3.6.1.4.1.9.6', '6', 'cisco', 'Spare', 75)`
  await sql`insert into import_ids (source, table_name, source_id, target_id) select 'x', 'sensors', g, g from generate_series(101, 104) g`
  const rows = [
    found('1001', '.1.3.6.1.4.1.9.1', 'Inlet temperature'),
    found('1002', '.1.3.6.1.2.1.99.1.1.1.4.1002', 'Outlet'),
    found('1003', '.1.3.6.1.2.1.99.1.1.1.4.1003', 'CPU'),
    found('1005', '.1.3.6.1.4.1.9.5', 'Renamed'),
    found('1006', '.1.3.6.1.2.1.99.1.1.1.4.1006', 'Spare'),
  ]
  const sync = () =>
    sql.begin((tx) => syncDiscovered(tx, DISCOVERED.sensors, 42, { rows, complete: true }, { count: 0 }))
  await sync()
  const stored = () =>
    sql`select sensor_id, sensor_type, sensor_index, sensor_limit, sensor_deleted from sensors where device_id = 42 and sensor_deleted = 0 order by sensor_limit, 1`
  const after = await stored()
  // the same OID, and the same description; not one of two alike
  expect(after.slice(0, 2)).toMatchObject([
    { sensor_id: 101, sensor_type: 'entity-sensor', sensor_index: '1001', sensor_limit: 70 },
    { sensor_id: 102, sensor_type: 'entity-sensor', sensor_index: '1002', sensor_limit: 71 },
  ])
  // a row that was not imported keeps its id if it reads the same object; the same description is not enough
  expect(after[2]).toMatchObject({ sensor_id: 105, sensor_index: '1005', sensor_limit: 74 })
  expect(after).toHaveLength(5)
  expect(after.slice(3).every(({ sensor_id: id }) => Number(id) !== 106)).toBe(true)
  const types = await sql`select sensor_descr, rrd_type from sensors where sensor_deleted = 0 order by sensor_id`
  expect(types.filter((row) => row['rrd_type'] === 'COUNTER').map((row) => row['sensor_descr'])).toEqual(['Spare'])
  expect((await sync()).counts).toEqual({ added: 0, changed: 0, removed: 0 })
  expect(await stored()).toEqual(after)
})
