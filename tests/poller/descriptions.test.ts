import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { createSettings } from '../../src/config/settings.ts'
import { SYSTEM } from '../../src/core/base/actor.ts'
import { createPortService } from '../../src/core/ports/service.ts'
import { type DemoAgent, openDemoAgent } from '../../src/demo/serve.ts'
import { createLog } from '../../src/observe/log.ts'
import { databaseUpstream } from '../../src/poller/database-upstream.ts'
import { createPoller, type Poller } from '../../src/poller/poller.ts'
import { until } from '../e2e/server.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'

// A port's description set by a user, through polls and discoveries of a real agent.

setDefaultTimeout(120_000)

let database: TestDatabase
let poller: Poller
let agent: DemoAgent
let deviceId = 0

const flags = { 'poller.interval': '5', 'poller.workers': '1', 'snmp.timeout': '0.3', icmp_check: 'false' }

beforeAll(async () => {
  database = await testDatabase()
  agent = await openDemoAgent('access-1')
  const [row] = await database.store.sql<{ device_id: number }[]>`
    insert into devices (hostname, overwrite_ip, port, community, snmpver)
    values ('access-1', ${agent.address}, ${agent.port}, ${agent.community}, 'v2c') returning device_id`
  deviceId = row?.device_id ?? 0
  poller = createPoller({
    upstream: databaseUpstream(database.store),
    settings: createSettings({ flags }),
    log: createLog('silent'),
  })
  await poller.start()
  await until(60, 'a described port', async () => (await described()) !== undefined)
})

afterAll(async () => {
  await poller?.stop(2000)
  agent?.stop()
  await database?.drop()
})

async function described(): Promise<{ port_id: number; ifAlias: string } | undefined> {
  const [row] = await database.store.sql<{ port_id: number; ifAlias: string }[]>`
    select port_id, "ifAlias" from ports
    where device_id = ${deviceId} and "ifAlias" <> '' and "ifAlias" <> "ifDescr" order by port_id limit 1`
  return row
}

test("a description survives polls and discovery, and an empty one restores the device's own", async () => {
  const port = await described()
  if (port === undefined) throw new Error('no port')
  const alias = async () => {
    const [row] = await database.store.sql`select "ifAlias" from ports where port_id = ${port.port_id}`
    return row?.['ifAlias']
  }
  const ports = createPortService({ store: database.store, gateway: poller })
  await ports.describe(SYSTEM, port.port_id, 'set by hand')
  await poller.poll(deviceId)
  await poller.discover(deviceId)
  await poller.poll(deviceId)
  expect(await alias()).toBe('set by hand')
  await ports.describe(SYSTEM, port.port_id, '')
  await until(30, 'the description of the device', async () => (await alias()) === port.ifAlias)
  const events = await database.store.sql`
    select message from eventlog where reference = ${String(port.port_id)} and type = 'interface' and message like '%ifAlias%'
    order by event_id`
  expect(events.map((e) => e['message']).slice(0, 2)).toEqual([
    expect.stringMatching(/ Port ifAlias set manually: set by hand$/),
    expect.stringMatching(/ Port ifAlias cleared manually$/),
  ])
})
