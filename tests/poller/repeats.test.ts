import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { createSettings } from '../../src/config/settings.ts'
import { type DemoAgent, openDemoAgent } from '../../src/demo/serve.ts'
import { createLog } from '../../src/observe/log.ts'
import { databaseUpstream } from '../../src/poller/database-upstream.ts'
import { createRepeats } from '../../src/poller/devices/discovery-retries.ts'
import { createPoller } from '../../src/poller/poller.ts'
import { until } from '../e2e/server.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'
import { openRelay, type Relay } from '../support/relay.ts'

setDefaultTimeout(120_000)

const COMPLETE = { name: 'ports', complete: true, limited: [] }
const TRUNCATED = { name: 'ports', complete: false, limited: [] }
const LIMITED = { name: 'fdb', complete: false, limited: ['dot1dTpFdbTable'] }

/** Repetitions that a series of discoveries of device 1 asks for, ms; null: none. */
function repetitions(
  discoveries: readonly (readonly [modules: Parameters<ReturnType<typeof createRepeats>['ended']>[1], late: boolean])[],
  firstS = 60,
): (number | null)[] {
  let asked: number | null = null
  const repeats = createRepeats({
    again: (_id, afterMs) => {
      asked = afterMs
    },
    times: () => ({ firstS, regularS: 21_600 }),
  })
  return discoveries.map(([modules, late]) => {
    asked = null
    repeats.ended(1, modules, late)
    return asked
  })
}

test('truncated discoveries are repeated ever later, until the next regular one comes first', () => {
  const truncated = [[TRUNCATED, COMPLETE], false] as const
  expect(repetitions(Array(6).fill(truncated))).toEqual([60_000, 300_000, 1_500_000, 7_500_000, null, null])
  expect(repetitions([truncated, truncated, [[COMPLETE], false], truncated])).toEqual([60_000, 300_000, null, 60_000])
  expect(repetitions([truncated], 0)).toEqual([null])
})

test('tables with more rows than the limit are not read again, those without time are continued', () => {
  expect(repetitions([[[LIMITED, COMPLETE], false]])).toEqual([null])
  expect(repetitions([[[LIMITED, TRUNCATED], false]])).toEqual([60_000])
  expect(repetitions([[[COMPLETE, TRUNCATED], true]])).toEqual([60_000])
  expect(repetitions([[[COMPLETE], true]])).toEqual([null])
})

test('the repetition after a restart counts as the first', () => {
  const asked: number[] = []
  const repeats = createRepeats({
    again: (_id, afterMs) => asked.push(afterMs),
    times: () => ({ firstS: 60, regularS: 21_600 }),
  })
  repeats.resumed(1)
  repeats.ended(1, [TRUNCATED], false)
  expect(asked).toEqual([60_000, 300_000])
})

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

/** Start of ifTable, 1.3.6.1.2.1.2.2, in BER. */
const IF_TABLE = Buffer.from('2b0601020102', 'hex')

test.each([false, true])(
  'a device that lost responses of its first discovery has its ports soon, after a restart: %p',
  async (restart) => {
    const { sql } = database.store
    relay.drop((datagram) => datagram.includes(IF_TABLE))
    const [row] = await sql<{ device_id: number }[]>`
    insert into devices (hostname, overwrite_ip, port, community, snmpver)
    values (${`access-${restart}`}, ${relay.address}, ${relay.port}, ${agent.community}, 'v2c') returning device_id`
    const id = row?.device_id ?? 0
    const flags = {
      'poller.interval': '5',
      'poller.workers': '1',
      'snmp.timeout': '0.2',
      'snmp.retries': '1',
      icmp_check: 'false',
    }
    const pollerThatRepeats = (repeatS: number) =>
      createPoller({
        upstream: databaseUpstream(database.store),
        settings: createSettings({ flags: { ...flags, 'discovery.repeat': String(repeatS) } }),
        log: createLog('silent'),
      })
    let poller = pollerThatRepeats(restart ? 3600 : 2)
    const ports = async () =>
      (await sql<{ n: number }[]>`select count(*)::int as n from ports where device_id = ${id}`)[0]?.n ?? 0
    const discovered = () => sql`select from devices where device_id = ${id} and last_discovered is not null`
    try {
      await poller.start()
      await until(60, 'the first discovery', async () => (await discovered()).length > 0)
      expect(await ports()).toBe(0)
      if (restart) {
        await poller.stop(2000)
        poller = pollerThatRepeats(2)
        await poller.start()
      }
      relay.drop(() => false)
      await until(60, 'its ports', async () => (await ports()) > 0)
    } finally {
      await poller.stop(2000)
    }
  },
)
