import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import type { SnmpValue } from '@portlight/snmp/value.ts'
import { startAgent } from '../../packages/snmp/tests/support/agent.ts'
import { createSettings } from '../../src/config/settings.ts'
import { createLog } from '../../src/observe/log.ts'
import { databaseUpstream } from '../../src/poller/database-upstream.ts'
import { createPoller, type Poller } from '../../src/poller/poller.ts'
import { until } from '../e2e/server.ts'
import { counter64, gauge, int, oid, text, ticks } from '../modules/agent.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'

setDefaultTimeout(120_000)

let database: TestDatabase
let poller: Poller
beforeAll(async () => {
  database = await testDatabase()
  poller = createPoller({
    upstream: databaseUpstream(database.store),
    settings: createSettings({ flags: { 'poller.interval': '3600', 'poller.workers': '1', icmp_check: 'false' } }),
    log: createLog('silent'),
  })
  await poller.start()
})
afterAll(async () => {
  await poller?.stop(2000)
  await database?.drop()
})

test.each(['v1', 'v2c'] as const)(
  'the uptime is the host’s; a restarted agent (%s) gives no reboot event and no delta of its counters',
  async (version) => {
    const days = 160
    const state = { agentTicks: 6_000_000, hostTicks: days * 86_400 * 100, octets: 5_000_000n }
    const agent = await startAgent((): Record<string, SnmpValue> => {
      const mib: Record<string, SnmpValue> = {
        '1.3.6.1.2.1.1.1.0': text('a server'),
        '1.3.6.1.2.1.1.2.0': oid('1.3.6.1.4.1.99999.1'),
        '1.3.6.1.2.1.1.3.0': ticks(state.agentTicks),
        '1.3.6.1.2.1.1.5.0': text('server'),
        '1.3.6.1.2.1.2.2.1.2.1': text('eth0'),
        '1.3.6.1.2.1.2.2.1.3.1': int(6),
        '1.3.6.1.2.1.2.2.1.5.1': gauge(1_000_000_000),
        '1.3.6.1.2.1.2.2.1.8.1': int(1),
        '1.3.6.1.2.1.2.2.1.10.1': gauge(Number(state.octets)),
        '1.3.6.1.2.1.2.2.1.16.1': gauge(Number(state.octets)),
        '1.3.6.1.2.1.31.1.1.1.1.1': text('eth0'),
        '1.3.6.1.2.1.25.1.1.0': ticks(state.hostTicks),
      }
      if (version === 'v2c') {
        mib['1.3.6.1.2.1.31.1.1.1.6.1'] = counter64(state.octets)
        mib['1.3.6.1.2.1.31.1.1.1.10.1'] = counter64(state.octets)
      }
      return mib
    })
    try {
      const { sql } = database.store
      const [row] = await sql<{ device_id: number }[]>`
        insert into devices (hostname, overwrite_ip, port, community, snmpver)
        values (${`server-${version}`}, '127.0.0.1', ${agent.port}, 'public', ${version}) returning device_id`
      const id = row?.device_id ?? 0
      const uptime = async () => Number((await sql`select uptime from devices where device_id = ${id}`)[0]?.['uptime'])
      const pass = (seconds: number) => {
        state.agentTicks += seconds * 100
        state.hostTicks += seconds * 100
      }
      const reboots = async () => [
        ...(await sql`select message from eventlog where device_id = ${id} and message ilike '%reboot%'`),
      ]
      await poller.resync()
      await poller.discover(id)
      expect(await uptime()).toBe(days * 86_400)
      await poller.poll(id)
      pass(60)
      await poller.poll(id)
      expect(await uptime()).toBe(days * 86_400 + 60)

      pass(60)
      state.agentTicks = 500
      state.octets = 7_000_000n
      await poller.poll(id)
      expect(await uptime()).toBe(days * 86_400 + 120)
      const [samples] = await sql`
        select count(*)::int as n from ts.port_samples join ports using (port_id)
        where device_id = ${id} and in_octets = 2000000`
      expect(samples).toEqual({ n: 0 })
      await poller.discover(id)
      expect(await uptime()).toBe(days * 86_400 + 120)
      expect(await reboots()).toEqual([])

      pass(600)
      await poller.poll(id)
      expect(await uptime()).toBe(days * 86_400 + 720)
      state.agentTicks = 300
      state.hostTicks = 2000
      await poller.poll(id)
      expect(await uptime()).toBe(20)
      await until(30, 'the event', async () => (await reboots()).length === 1)
      expect(await reboots()).toEqual([{ message: expect.stringContaining('Device rebooted after 160d') }])
    } finally {
      agent.stop()
    }
  },
)
