import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { createSettings } from '../../src/config/settings.ts'
import type { Upstream } from '../../src/core/pollers/upstream.ts'
import { planDigests } from '../../src/core/polling/read-plan.ts'
import { type DemoAgent, openDemoAgent } from '../../src/demo/serve.ts'
import { createLog } from '../../src/observe/log.ts'
import { databaseUpstream } from '../../src/poller/database-upstream.ts'
import { createPoller, type Poller } from '../../src/poller/poller.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'

// Devices that are compared with the database every ten minutes: only those that changed are read again.

setDefaultTimeout(120_000)

let database: TestDatabase
let agent: DemoAgent
let poller: Poller
/** Devices whose plans the poller has asked for. */
const asked: number[] = []
let id = 0
let other = 0
beforeAll(async () => {
  database = await testDatabase()
  agent = await openDemoAgent('access-1')
  const centre: Upstream = databaseUpstream(database.store)
  const settings = createSettings({
    flags: { 'poller.interval': '3600', 'poller.workers': '1', icmp_check: 'false' },
  })
  poller = createPoller({
    upstream: {
      ...centre,
      plans(ids) {
        asked.push(...ids)
        return centre.plans(ids)
      },
    },
    settings,
    log: createLog('silent'),
  })
  await poller.open()
  const rows = await database.store.sql<{ device_id: number }[]>`
    insert into devices (hostname, overwrite_ip, port, community, snmpver)
    select h, ${agent.address}, ${agent.port}, ${agent.community}, 'v2c' from unnest(array['one', 'two']) h
    returning device_id`
  id = rows[0]?.device_id ?? 0
  other = rows[1]?.device_id ?? 0
  await poller.resync()
  expect(await poller.discover(id)).toMatchObject({ outcome: 'ok' })
  expect(await poller.discover(other)).toMatchObject({ outcome: 'ok' })
  await poller.poll(id)
  // changes that the first poll wrote are read by this
  await poller.resync()
})
afterAll(async () => {
  await poller?.stop(2000)
  agent?.stop()
  await database?.drop()
})

const readAgain = async (): Promise<number[]> => {
  asked.length = 0
  await poller.resync()
  return [...new Set(asked)]
}

test('devices that did not change are not read again, polled or not', async () => {
  await poller.poll(id)
  await poller.poll(other)
  await poller.resync()
  expect(await readAgain()).toEqual([])
})

const PORT = '(select min(port_id) from ports where device_id = $1)'
test.each([
  `update devices set community = 'another' where device_id = $1`,
  'update devices set poll_interval = 77 where device_id = $1',
  `update devices set overwrite_ip = '127.9.9.9' where device_id = $1`,
  `update devices set authpass = 'x' where device_id = $1`,
  `insert into devices_attribs (device_id, attrib_type, attrib_value) values ($1, 'poll_ports', '0')`,
  `update devices_attribs set attrib_value = '1' where device_id = $1 and attrib_type = 'poll_ports'`,
  `insert into devices_attribs (device_id, attrib_type, attrib_value) values ($1, 'override_icmp_disable', 'true')`,
  `with g as (insert into device_groups (name, type, pattern) values ('g', 'static', '') returning id)
    insert into device_group_device (device_group_id, device_id) select id, $1 from g`,
  `update device_groups set name = 'h' where name = 'g' and $1::int > 0`,
  `insert into device_failures (device_id, kind, detail) values ($1, 'timeout', '')`,
  `update device_modules set rows = 0 where device_id = $1 and rows > 0`,
  `update ports set disabled = 1 where port_id = ${PORT}`,
  `update ports set deleted = 1 where port_id = ${PORT}`,
  `update ports set "ifAlias" = 'another' where port_id = ${PORT}`,
  `update ports set "ifAlias" = null where port_id = ${PORT}`,
  `update ports set "ifSpeed" = null, "ifHighSpeed" = 1 where port_id = ${PORT}`,
  `update ports set "ifIndex" = 4000 where port_id = ${PORT}`,
  `update ports set hc_mask = 0 where port_id = ${PORT}`,
  `delete from ports where port_id = ${PORT}`,
  'update sensors set sensor_divisor = 3 where sensor_id = (select min(sensor_id) from sensors where device_id = $1)',
  'delete from sensors where sensor_id = (select min(sensor_id) from sensors where device_id = $1)',
  `update processors set processor_oid = '.1.3.9' where processor_id = (select min(processor_id) from processors where device_id = $1)`,
  'delete from storage where device_id = $1',
])('a device is read again, and no other one, after: %s', async (statement) => {
  const { sql } = database.store
  const before = await planDigests(database.store, [id, other])
  const { count } = await sql.unsafe(statement, [id])
  expect(count).toBeGreaterThan(0)
  const after = await planDigests(database.store, [id, other])
  expect(after.get(id)).not.toBe(before.get(id) ?? '')
  expect(after.get(other)).toBe(before.get(other) ?? '')
  expect(await readAgain()).toEqual([id])
  expect(await readAgain()).toEqual([])
})

test('a device that was added without a notification is read, and one that was deleted is dropped', async () => {
  const { sql } = database.store
  const [added] = await sql<{ device_id: number }[]>`
    insert into devices (hostname, port, disabled) values ('three', 161, 1) returning device_id`
  const third = added?.device_id ?? 0
  expect(await readAgain()).toEqual([third])
  expect(poller.has(third)).toBe(true)
  await sql`delete from devices where device_id = ${third}`
  expect(await readAgain()).toEqual([])
  expect(poller.has(third)).toBe(false)
})

test('a status that this poller wrote is compared with what was stored', async () => {
  const { sql } = database.store
  await sql`update devices set port = 1, timeout = 1, retries = 0 where device_id = ${other}`
  expect(await readAgain()).toEqual([other])
  for (let polls = 0; polls < 3; polls++) await poller.poll(other)
  expect(await readAgain()).toEqual([other])
})
