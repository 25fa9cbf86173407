import { afterAll, beforeAll, beforeEach, expect, setDefaultTimeout, test } from 'bun:test'
import type { Sql } from '../../../src/core/database/client.ts'
import { writePortChanges } from '../../../src/core/discovery/write.ts'
import { dropGone, goneObjects } from '../../../src/core/inventory/write-gone.ts'
import { type TestDatabase, testDatabase } from '../../support/database.ts'

setDefaultTimeout(120_000)

let database: TestDatabase
let sql: Sql
beforeAll(async () => {
  database = await testDatabase()
  sql = database.store.sql
})
beforeEach(async () => {
  await sql`delete from devices`
  await sql`insert into devices (device_id, hostname) values (1, 'renumbers'), (2, 'quiet')`
})
afterAll(() => database.drop())

/** The device reports `count` ports with new numbers, so that its former ones are gone. */
async function renumber(device: number, count: number): Promise<void> {
  await sql`update ports set deleted = 1 where device_id = ${device}`
  await sql`insert into ports (device_id, "ifIndex", "ifName")
    select ${device}, n + coalesce((select max("ifIndex") from ports where device_id = ${device}), 0), 'p' || n
    from generate_series(1, ${count}::int) n`
}
const ports = async (device: number) => {
  const [row] = await sql<{ live: number; gone: number }[]>`
    select count(*) filter (where deleted = 0)::int as live, count(*) filter (where deleted <> 0)::int as gone
    from ports where device_id = ${device}`
  return row
}

test('a device that renumbers its ports for ever keeps a limited number of former ones', async () => {
  for (let i = 0; i < 15; i++) {
    await renumber(1, 300)
    await dropGone(database.store, { days: 90, perDevice: 1000 })
  }
  await renumber(2, 10)
  await renumber(2, 10)
  await dropGone(database.store, { days: 90, perDevice: 1000 })
  expect([await ports(1), await ports(2)]).toEqual([
    { live: 300, gone: 1000 },
    { live: 10, gone: 10 },
  ])
  expect(await goneObjects(database.store)).toEqual([{ kind: 'port', count: 1010, most: 1000 }])
})

test('what is gone for longer than the setting is removed with its notes; what is back or billed stays', async () => {
  await renumber(1, 4)
  const rows = await sql<{ id: number }[]>`select port_id as id from ports order by port_id`
  const [old = 0, back = 0, billed = 0, recent = 0] = rows.map(({ id }) => id)
  await sql`insert into bills (bill_id, bill_name, bill_type, bill_cdr, bill_quota, bill_day, dir_95th, bill_custid, bill_ref, bill_notes)
    values (1, 'b', 'cdr', 0, 0, 1, 'in', '', '', '')`
  await sql`insert into bill_ports (bill_id, port_id) values (1, ${billed})`
  await sql`insert into devices_attribs (device_id, attrib_type, attrib_value)
    values (1, ${`port_id_notes:${old}`}, 'x'), (1, ${`port_id_notes:${recent}`}, 'y')`
  for (const table of ['sensors', 'wireless_sensors']) {
    await sql.unsafe(`insert into ${table} (sensor_id, device_id, sensor_class, sensor_type, sensor_index, sensor_descr, sensor_deleted,
      ${table === 'sensors' ? 'sensor_oid' : 'sensor_oids'}) values (1, 1, 'c', 't', '1', 'd', 1, '.1')`)
  }
  await sql`update ports set deleted = 1`
  await dropGone(database.store, { days: 30, perDevice: 10 })
  await sql`update gone_objects set since = now() - interval '31 days' where id <> ${recent}`
  await sql`update ports set deleted = 0 where port_id = ${back}`
  expect(await dropGone(database.store, { days: 0, perDevice: 10 })).toBe(0)
  expect(await dropGone(database.store, { days: 30, perDevice: 10 })).toBe(3)
  const left = await sql<{ id: number }[]>`select port_id as id from ports order by port_id`
  expect(left.map(({ id }) => id)).toEqual([back, billed, recent])
  const notes = await sql<{ value: string }[]>`select attrib_value as value from devices_attribs`
  expect(notes.map(({ value }) => value)).toEqual(['y'])
  expect(await goneObjects(database.store)).toEqual([{ kind: 'port', count: 2, most: 2 }])
})

test('a thousand ports that change at once are one event, a few are one each', async () => {
  await renumber(1, 1000)
  const ids = (await sql<{ id: number }[]>`select port_id as id from ports order by port_id`).map(({ id }) => id)
  const events = async () =>
    (await sql<{ message: string }[]>`select message from eventlog where type = 'interface' order by event_id`).map(
      ({ message }) => message,
    )
  await writePortChanges(
    database.store,
    ids.map((port_id) => ({ port_id, ifAlias: 'new' })),
  )
  expect(await events()).toEqual(['1000 changes of ports'])
  await writePortChanges(
    database.store,
    ids.slice(0, 3).map((port_id) => ({ port_id, ifAlias: 'newer' })),
  )
  expect((await events()).slice(1)).toEqual(Array.from({ length: 3 }, () => 'ifAlias: new -> newer'))
})
