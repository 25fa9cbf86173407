import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import type { SnmpValue } from '@portlight/snmp/value.ts'
import { startAgent, type TestAgent } from '../../packages/snmp/tests/support/agent.ts'
import { createSettings } from '../../src/config/settings.ts'
import { createLog } from '../../src/observe/log.ts'
import { SYSTEM_CLOCK } from '../../src/poller/clock.ts'
import { databaseUpstream } from '../../src/poller/database-upstream.ts'
import { createUnstoredDiscoveries } from '../../src/poller/devices/unstored.ts'
import { createPoller, type Poller } from '../../src/poller/poller.ts'
import { createSchedule } from '../../src/poller/scheduler.ts'
import { until } from '../e2e/server.ts'
import { int, oid, text, ticks } from '../modules/agent.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'

setDefaultTimeout(120_000)

const MIB: Record<string, SnmpValue> = {
  '1.3.6.1.2.1.1.1.0': text('a printer'),
  '1.3.6.1.2.1.1.2.0': oid('1.3.6.1.4.1.11.2.3.9.1'),
  '1.3.6.1.2.1.1.3.0': ticks(12_345),
  '1.3.6.1.2.1.1.5.0': text('printer'),
  '1.3.6.1.2.1.2.2.1.2.1': text('eth0'),
  '1.3.6.1.2.1.2.2.1.3.1': int(6),
  '1.3.6.1.2.1.2.2.1.8.1': int(1),
}

let database: TestDatabase
let agent: TestAgent
beforeAll(async () => {
  database = await testDatabase()
  agent = await startAgent(() => MIB)
  await database.store
    .sql`alter table devices add constraint good check (last_discovered is null or hostname <> 'hopeless')`
})
afterAll(async () => {
  agent?.stop()
  await database?.drop()
})

function open(): Poller {
  return createPoller({
    upstream: databaseUpstream(database.store),
    settings: createSettings({ flags: { 'poller.interval': '3600', 'poller.workers': '1', icmp_check: 'false' } }),
    log: createLog('silent'),
  })
}

test('a discovery that cannot be stored is not repeated at once, also after a restart', async () => {
  const { sql } = database.store
  const [row] = await sql<{ device_id: number }[]>`
    insert into devices (hostname, overwrite_ip, port, community, snmpver)
    values ('hopeless', '127.0.0.1', ${agent.port}, 'public', 'v2c') returning device_id`
  const id = row?.device_id ?? 0
  const failures = () => sql`select tries from discovery_failures where device_id = ${id} and subject = 'everything'`
  const first = open()
  try {
    await first.start()
    await until(60, 'the attempt', async () => (await failures()).length === 1)
    const before = agent.requests.length
    // each poll that is answered used to ask for a discovery, which asked for a poll
    for (let poll = 0; poll < 5; poll++) await first.poll(id)
    expect(first.stats().runs.discoveries).toBe(1)
    expect(first.stats().discoveries).toMatchObject({ running: 0, waiting: 0 })
    expect(agent.requests.length - before).toBeLessThan(20)
  } finally {
    await first.stop(2000)
  }
  const second = open()
  try {
    const before = agent.requests.length
    await second.start()
    for (let poll = 0; poll < 3; poll++) await second.poll(id)
    expect(second.stats().runs.discoveries).toBe(0)
    expect(agent.requests.length - before).toBeLessThan(20)
    expect([...(await failures())]).toEqual([{ tries: 1 }])
    // on request it is tried again at once
    await second.discover(id)
    expect([...(await failures())]).toEqual([{ tries: 2 }])
    await sql`update devices set hostname = 'hopeful' where device_id = ${id}`
    await second.discover(id)
    expect([...(await failures())]).toEqual([])
  } finally {
    await second.stop(2000)
  }
})

test('the pause between attempts grows up to the regular interval', () => {
  const holds = createUnstoredDiscoveries(createLog('silent'), SYSTEM_CLOCK, () => 6 * 3_600_000)
  const minutes = [1, 2, 3, 4, 5, 6, 400].map((tries) => Math.round(holds.untilMs(7, { tries, at: 0 }) / 60_000))
  expect(minutes).toEqual([1, 5, 25, 125, 360, 360, 360])
  const schedule = createSchedule()
  const device = { device_id: 7, last_discovered: null, unstored: null }
  holds.place(device, schedule, 1000)
  expect(schedule.next()).toBe(1000)
  expect(schedule.take(1000, 1)).toEqual([7])
  holds.tried(7, 2000)
  schedule.done(7, 2000)
  holds.place(device, schedule, 2000)
  expect(schedule.next()).toBe(62_000)
  holds.place({ ...device, last_discovered: new Date() }, schedule, 3000)
  expect(holds.untilMs(7, null)).toBe(0)
})
