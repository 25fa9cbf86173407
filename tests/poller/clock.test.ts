import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { createSettings } from '../../src/config/settings.ts'
import { type DemoAgent, openDemoAgent } from '../../src/demo/serve.ts'
import { createLog } from '../../src/observe/log.ts'
import { databaseUpstream } from '../../src/poller/database-upstream.ts'
import { createPoller } from '../../src/poller/poller.ts'
import { until } from '../e2e/server.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'

setDefaultTimeout(120_000)

const HOUR_MS = 3_600_000

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

test('polls, discoveries and the times of events follow the clock that the poller is given', async () => {
  const { sql } = database.store
  const [row] = await sql<{ device_id: number }[]>`
    insert into devices (hostname, overwrite_ip, port, community, snmpver)
    values ('clocked', ${agent.address}, ${agent.port}, ${agent.community}, 'v2c') returning device_id`
  const id = row?.device_id ?? 0
  let aheadMs = 0
  const poller = createPoller({
    upstream: databaseUpstream(database.store),
    settings: createSettings({ flags: { 'poller.interval': '3600', 'poller.workers': '1', icmp_check: 'false' } }),
    log: createLog('silent'),
    clock: { now: () => Date.now() + aheadMs, steady: () => performance.now() + aheadMs },
  })
  const runs = () => poller.stats().runs
  try {
    await poller.start()
    await until(60, 'the first discovery and poll', async () => runs().discoveries === 1 && runs().polls > 0)
    await until(60, 'its end', async () => {
      const { polls, discoveries, changes } = poller.stats()
      return polls.running + polls.waiting + discoveries.running + changes.waiting === 0
    })
    const { polls } = runs()
    aheadMs = HOUR_MS
    await until(60, 'the poll of the next hour', async () => runs().polls > polls)
    expect(runs().discoveries).toBe(1)
    aheadMs = 7 * HOUR_MS
    await until(60, 'the discovery six hours later', async () => runs().discoveries === 2)
    // a name that no longer resolves is noted when it is looked up
    await sql`update devices set overwrite_ip = 'no-such-host.invalid' where device_id = ${id}`
    poller.refresh(id)
    const noted = () => sql<{ datetime: Date }[]>`
      select datetime from eventlog where device_id = ${id} and message like '%no-such-host.invalid%'`
    await until(60, 'the event', async () => (await noted()).length > 0)
    const [event] = await noted()
    expect(event?.datetime.getTime()).toBeGreaterThan(Date.now() + 6 * HOUR_MS)
  } finally {
    await poller.stop(2000)
  }
})
