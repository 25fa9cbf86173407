import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { createSettings } from '../../src/config/settings.ts'
import { type DemoAgent, openDemoAgent } from '../../src/demo/serve.ts'
import { createLog } from '../../src/observe/log.ts'
import { databaseUpstream, type PollerShare } from '../../src/poller/database-upstream.ts'
import { createPoller, type Poller } from '../../src/poller/poller.ts'
import { until } from '../e2e/server.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'
import { openRelay, type Relay } from '../support/relay.ts'

// A device that moves to another poller and back while a poll of it waits for its discovery to end.

setDefaultTimeout(120_000)

let database: TestDatabase
let agent: DemoAgent
let relay: Relay
beforeAll(async () => {
  database = await testDatabase()
  agent = await openDemoAgent('access-1')
  relay = await openRelay(agent)
})
afterAll(async () => {
  relay?.stop()
  agent?.stop()
  await database?.drop()
})

function pollerWith(share: PollerShare): Poller {
  const flags = {
    'poller.interval': '3600',
    'poller.workers': '1',
    'snmp.timeout': '2',
    'snmp.retries': '1',
    icmp_check: 'false',
  }
  return createPoller({
    upstream: databaseUpstream(database.store, share),
    settings: createSettings({ flags }),
    log: createLog('silent'),
  })
}

test('the poll that waited does not make the worker read what the device had before', async () => {
  const { sql } = database.store
  let own = true
  const share = { shared: () => true, id: () => null, learn: () => Promise.resolve() }
  const first = pollerWith({ ...share, owns: () => own })
  const second = pollerWith({ ...share, owns: () => true })
  try {
    await first.start()
    const [row] = await sql<{ device_id: number }[]>`
      insert into devices (hostname, overwrite_ip, port, community, snmpver, last_discovered)
      values ('access-1', ${relay.address}, ${relay.port}, ${agent.community}, 'v2c', now()) returning device_id`
    const id = row?.device_id ?? 0
    // as long as it has no ports, a poll reads none
    await first.poll(id)
    relay.drop(() => true)
    const discovery = first.discover(id)
    const waiting = first.poll(id)

    own = false
    await first.rebalance()
    await first.resync()
    expect(first.has(id)).toBe(false)
    await second.open()
    await sql`update devices set overwrite_ip = ${agent.address}, port = ${agent.port} where device_id = ${id}`
    expect(await second.discover(id)).toMatchObject({ outcome: 'ok' })
    await sql`update devices set overwrite_ip = ${relay.address}, port = ${relay.port} where device_id = ${id}`

    own = true
    await first.rebalance()
    expect(first.has(id)).toBe(true)
    relay.drop(() => false)
    await discovery
    await waiting
    const samples = async () => (await sql<{ n: number }[]>`select count(*)::int as n from ts.port_samples`)[0]?.n ?? 0
    expect(await samples()).toBe(0)
    await until(20, 'samples of its ports', async () => {
      await first.poll(id)
      return (await samples()) > 0
    })
  } finally {
    await first.stop(2000)
    await second.stop(2000)
  }
})

test('what a discovery found of a device that moved away meanwhile is not stored under its next claim', async () => {
  const { sql } = database.store
  let own = true
  const share = { shared: () => true, id: () => null, learn: () => Promise.resolve(), owns: () => own }
  const poller = pollerWith(share)
  const [row] = await sql<{ device_id: number }[]>`
    insert into devices (hostname, overwrite_ip, port, community, snmpver)
    values ('moves', ${relay.address}, ${relay.port}, ${agent.community}, 'v2c') returning device_id`
  const id = row?.device_id ?? 0
  try {
    await poller.open()
    // the agent answers the first request, and not those for its interfaces
    relay.drop((datagram) => datagram.includes(Buffer.from('2b0601020102', 'hex')))
    const before = relay.dropped
    const discovery = poller.discover(id)
    await until(20, 'requests for interfaces', () => Promise.resolve(relay.dropped > before))
    own = false
    await poller.resync()
    expect(poller.has(id)).toBe(false)
    own = true
    await poller.rebalance()
    expect(poller.has(id)).toBe(true)
    relay.drop(() => false)
    // it ends with the requests that are under way, long before its deadline
    expect(await discovery).toMatchObject({ outcome: 'failed' })
    const [device] = await sql`select last_discovered from devices where device_id = ${id}`
    expect(device).toEqual({ last_discovered: null })
  } finally {
    await poller.stop(2000)
  }
})
