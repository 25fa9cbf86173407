import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { loadDevicePlan } from '../../src/core/polling/read-plan.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'

setDefaultTimeout(60_000)

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.drop())

test('the plan of a device has its groups and its own switches', async () => {
  const { sql } = database.store
  const [device] = await sql<{ device_id: number }[]>`
    insert into devices (hostname) values ('switches.example.net') returning device_id`
  const id = device?.device_id ?? 0
  await sql`insert into devices_attribs (device_id, attrib_type, attrib_value)
    values (${id}, 'poll_bgp', '1'), (${id}, 'discover_fdb', '0')`
  const [group] = await sql<{ id: number }[]>`
    insert into device_groups (name, type) values ('Core 1.2', 'static') returning id`
  await sql`insert into device_group_device (device_group_id, device_id) values (${group?.id ?? 0}, ${id})`
  const [plan] = await loadDevicePlan(database.store, [id])
  expect(plan?.groups).toEqual(['Core 1.2'])
  expect(plan?.switches).toEqual({ poll_bgp: true, discover_fdb: false })
})
