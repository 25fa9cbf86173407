import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { createSettings } from '../../src/config/settings.ts'
import { type DemoAgent, openDemoAgent } from '../../src/demo/serve.ts'
import { createLog } from '../../src/observe/log.ts'
import { databaseUpstream } from '../../src/poller/database-upstream.ts'
import { createPoller } from '../../src/poller/poller.ts'
import { until } from '../e2e/server.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'

setDefaultTimeout(120_000)

let database: TestDatabase
let agent: DemoAgent
beforeAll(async () => {
  database = await testDatabase()
  agent = await openDemoAgent('access-1')
})
afterAll(async () => {
  agent?.stop()
  await database?.drop()
})

test('a poll that ends while the first discovery is stored does not ask for a second one', async () => {
  const { sql } = database.store
  const [row] = await sql<{ device_id: number }[]>`
    insert into devices (hostname, overwrite_ip, port, community, snmpver)
    values ('new', ${agent.address}, ${agent.port}, ${agent.community}, 'v2c') returning device_id`
  const id = row?.device_id ?? 0
  const poller = createPoller({
    upstream: databaseUpstream(database.store),
    settings: createSettings({ flags: { 'poller.interval': '3600', 'poller.workers': '1', icmp_check: 'false' } }),
    log: createLog('silent'),
  })
  try {
    await sql.begin(async (tx) => {
      // a discovery locks the device before it stores anything
      await tx`select from devices where device_id = ${id} for update`
      await poller.start()
      await until(30, 'the discovery', async () => poller.stats().runs.discoveries === 1)
      const before = poller.stats().runs.polls
      void poller.poll(id)
      await until(30, 'the poll', async () => poller.stats().runs.polls > before)
    })
    const discovered = () => sql`select from devices where device_id = ${id} and last_discovered is not null`
    await until(30, 'the result', async () => (await discovered()).length > 0)
    // the poll that follows a first discovery
    await until(30, 'the next poll', async () => poller.stats().runs.polls > 1)
    expect(poller.stats().discoveries).toMatchObject({ running: 0, waiting: 0 })
    expect(poller.stats().runs.discoveries).toBe(1)
  } finally {
    await poller.stop(2000)
  }
})
