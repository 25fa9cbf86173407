import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { deviceListJson } from '../../../src/core/devices/read-list.ts'
import { type TestDatabase, testDatabase } from '../../support/database.ts'

// Records are cached as JSON, but answers must match what is stored, whoever changed it.

setDefaultTimeout(60_000)
let database: TestDatabase

beforeAll(async () => {
  database = await testDatabase()
  const { sql } = database.store
  await sql`insert into locations (location) values ('Hall')`
  await sql`insert into devices (hostname, community, location_id) select 'sw-' || n, 'public', case when n < 3 then 1 end from generate_series(1, 5) n`
})
afterAll(() => database?.drop())

async function list(secrets = true): Promise<Record<string, unknown>[]> {
  const { json, count } = await deviceListJson(
    database.store,
    { kind: 'all' },
    { kind: 'all' },
    { column: 'hostname', descending: false },
    { secrets },
  )
  const rows = JSON.parse(json) as Record<string, unknown>[]
  expect(rows).toHaveLength(count)
  return rows
}

test('repeated lists are equal, and have secrets only on request', async () => {
  const first = await list()
  expect(first.map((r) => r['hostname'])).toEqual(['sw-1', 'sw-2', 'sw-3', 'sw-4', 'sw-5'])
  expect(await list()).toEqual(first)
  expect((await list(false)).map((r) => r['community'])).toEqual(Array(5).fill(null))
  expect((await list()).map((r) => r['community'])).toEqual(Array(5).fill('public'))
})

test('a change of the device, of its location, of its parents and of a parent shows at once', async () => {
  const { sql } = database.store
  const find = async (name: string) => (await list()).find((r) => r['hostname'] === name)
  await sql`update devices set notes = 'new' where hostname = 'sw-4'`
  expect((await find('sw-4'))?.['notes']).toBe('new')
  await sql`update locations set location = 'Room' where location = 'Hall'`
  expect((await find('sw-1'))?.['location']).toBe('Room')
  await sql`insert into device_relationships select p.device_id, c.device_id from devices p, devices c where p.hostname = 'sw-1' and c.hostname = 'sw-2'`
  expect((await find('sw-2'))?.['dependency_parent_hostname']).toBe('sw-1')
  await sql`update devices set hostname = 'sw-0' where hostname = 'sw-1'`
  expect((await find('sw-2'))?.['dependency_parent_hostname']).toBe('sw-0')
  await sql`delete from device_relationships`
  expect((await find('sw-2'))?.['dependency_parent_hostname']).toBeNull()
})

test('a deleted device disappears, and a new one in its place has its own record', async () => {
  const { sql } = database.store
  await sql`delete from devices where hostname = 'sw-5'`
  expect((await list()).map((r) => r['hostname'])).toEqual(['sw-0', 'sw-2', 'sw-3', 'sw-4'])
  await sql`insert into devices (device_id, hostname) overriding system value values (5, 'sw-9')`
  expect((await list()).map((r) => r['hostname'])).toEqual(['sw-0', 'sw-2', 'sw-3', 'sw-4', 'sw-9'])
})
