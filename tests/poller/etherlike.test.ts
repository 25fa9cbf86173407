import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import type { SnmpValue } from '@portlight/snmp/value.ts'
import { startAgent, type TestAgent } from '../../packages/snmp/tests/support/agent.ts'
import { createLog } from '../../src/observe/log.ts'
import { databaseUpstream } from '../../src/poller/database-upstream.ts'
import { createPoller, type Poller } from '../../src/poller/poller.ts'
import { until } from '../e2e/server.ts'
import { counter32, counter64, gauge, int, oid, text, ticks } from '../modules/agent.ts'
import { type TestApi, testApi } from '../support/api.ts'

// Ethernet errors of ports, from the agent's table to samples and graphs.

setDefaultTimeout(120_000)

const FCS = 3
const LATE = 8
const SYMBOL = 18

/** An interface of the agent; `dot3`: its Ethernet counters by column of dot3StatsTable, absent: it has none. */
interface Interface {
  readonly ifName: string
  readonly dot3?: Readonly<Record<number, number>>
}

let api: TestApi
let poller: Poller
let agent: TestAgent
let interfaces: ReadonlyMap<number, Interface> = new Map()
/** When the agent started, ms of performance.now(). */
let startedMs = performance.now() - 50_000_000
beforeAll(async () => {
  agent = await startAgent(() => {
    const mib: Record<string, SnmpValue> = {
      '1.3.6.1.2.1.1.1.0': text('a switch'),
      '1.3.6.1.2.1.1.2.0': oid('1.3.6.1.4.1.99999.1'),
      '1.3.6.1.2.1.1.3.0': ticks(Math.floor((performance.now() - startedMs) / 10)),
      '1.3.6.1.2.1.1.5.0': text('switch'),
    }
    for (const [ifIndex, { ifName, dot3 }] of interfaces) {
      const cell = (table: string, column: number, value: SnmpValue) => {
        mib[`1.3.6.1.2.1.${table}.1.${column}.${ifIndex}`] = value
      }
      cell('2.2', 2, text(ifName))
      cell('2.2', 3, int(6))
      cell('2.2', 7, int(1))
      cell('2.2', 8, int(1))
      cell('31.1.1', 1, text(ifName))
      cell('31.1.1', 15, gauge(10_000))
      cell('31.1.1', 6, counter64(1000n))
      for (const [column, value] of Object.entries(dot3 ?? {})) cell('10.7.2', Number(column), counter32(value))
    }
    return mib
  })
  api = await testApi({
    'poller.interval': '3600',
    'poller.workers': '1',
    icmp_check: 'false',
    'api.v1.enabled': 'true',
  })
  poller = createPoller({ upstream: databaseUpstream(api.store), settings: api.settings, log: createLog('silent') })
  await poller.start()
})
afterAll(async () => {
  await poller?.stop(2000)
  agent?.stop()
  await api?.drop()
})

/** A device of its own: the agent, polled by another name. `mode` 2: ports are identified by ifName. */
async function add(hostname: string, switches: Readonly<Record<string, string>>, mode = 1): Promise<number> {
  const { sql } = api.store
  const [row] = await sql<{ device_id: number }[]>`
    insert into devices (hostname, overwrite_ip, port, community, snmpver, port_association_mode)
    values (${hostname}, '127.0.0.1', ${agent.port}, 'public', 'v2c', ${mode}) returning device_id`
  const id = row?.device_id ?? 0
  for (const [attrib_type, attrib_value] of Object.entries(switches))
    await sql`insert into devices_attribs (device_id, attrib_type, attrib_value) values (${id}, ${attrib_type}, ${attrib_value})`
  await poller.resync()
  await poller.discover(id)
  return id
}

async function poll(id: number): Promise<void> {
  // readings within a quarter of a second give no delta
  await Bun.sleep(300)
  await poller.poll(id)
}

/** What all samples of each port counted. */
const countedOf = async (id: number) => [
  ...(await api.store.sql<Record<string, unknown>[]>`
    select "ifName", sum(alignment_errors)::int as alignment, sum(fcs_errors)::int as fcs,
      sum(late_collisions)::int as late, sum(symbol_errors)::int as symbol
    from ts.etherlike_samples join ports using (port_id) where device_id = ${id} group by 1 order by 1`),
]
const marksOf = async (id: number) =>
  (
    await api.store.sql<{ ifName: string; etherlike: number }[]>`
      select "ifName", etherlike from ports where device_id = ${id} order by "ifName"`
  ).map(({ ifName, etherlike }) => `${ifName} ${etherlike}`)
/** Objects of dot3StatsTable in the requests so far, except the duplex status. */
const askedCounters = () =>
  agent.requests
    .flatMap(({ varbinds }) => varbinds)
    .filter(({ oid: asked }) => /^1\.3\.6\.1\.2\.1\.10\.7\.2\.1\.(?!19\b)/.test(asked)).length

const ON = { poll_etherlike: '1' }

test('the table is not read unless the module is switched on', async () => {
  interfaces = new Map([[1, { ifName: 'eth1', dot3: { [FCS]: 5 } }]])
  const before = askedCounters()
  const id = await add('off.example.net', {})
  await poll(id)
  await poll(id)
  expect(askedCounters()).toBe(before)
  expect(await marksOf(id)).toEqual(['eth1 0'])
  expect(await countedOf(id)).toEqual([])
})

test('counters become samples and a graph; those that the agent lacks are unknown', async () => {
  interfaces = new Map([
    [1, { ifName: 'eth1', dot3: { [FCS]: 2 ** 32 - 10, [LATE]: 7 } }],
    [2, { ifName: 'eth2', dot3: { [SYMBOL]: 3 } }],
    [3, { ifName: 'lo' }],
  ])
  const id = await add('on.example.net', ON)
  expect(await marksOf(id)).toEqual(['eth1 1', 'eth2 1', 'lo 0'])
  await poll(id)
  interfaces = new Map([
    [1, { ifName: 'eth1', dot3: { [FCS]: 20, [LATE]: 7 } }],
    [2, { ifName: 'eth2', dot3: { [SYMBOL]: 4 } }],
    [3, { ifName: 'lo' }],
  ])
  // a minute has passed by its clock
  startedMs -= 60_000
  await poll(id)
  const counted = await until(10, 'samples', async () => {
    const rows = await countedOf(id)
    return rows.some(({ fcs }) => fcs !== 0 && fcs !== null) && rows
  })
  expect(counted).toEqual([
    { ifName: 'eth1', alignment: null, fcs: 30, late: 0, symbol: null },
    { ifName: 'eth2', alignment: null, fcs: null, late: null, symbol: 1 },
  ])

  const graph = '/api/v0/devices/on.example.net/ports/eth1/port_etherlike?from=-5m'
  const image = await api.call('GET', graph)
  expect([image.status, image.headers.get('content-type')]).toEqual([200, 'image/png'])
  const figures = await api.call('GET', `${graph}&output=json`)
  const lines = (figures.json as { series: { name: string; values: (number | null)[] }[] }).series
  const known = lines.filter(({ values }) => values.some((value) => value !== null)).map(({ name }) => name)
  expect(known).toEqual(['FCS Errors', 'Late Collisions'])

  const never = await api.call('GET', '/api/v0/devices/on.example.net/ports/lo/port_etherlike')
  expect(never.status).toBe(404)
})

test('a user to whom only the port is granted reads its values over the series API', async () => {
  const { sql } = api.store
  const [port] = await sql<{ port_id: number }[]>`select port_id from ports join devices using (device_id)
    where hostname = 'on.example.net' and "ifName" = 'eth1'`
  const portId = port?.port_id ?? 0
  const { token, username } = await api.token(['user'])
  const path = `/api/v1/series?kind=etherlike&id=${portId}&line=fcs_errors&from=-5m`
  const read = () => api.call('GET', path, { headers: { authorization: `Bearer ${token}` }, token: null })
  expect((await read()).status).toBe(403)
  await sql`insert into ports_perms (user_id, port_id)
    select user_id, ${portId} from users where username = ${username}`
  const { status, json } = await read()
  expect(status).toBe(200)
  const { data } = json as { data: { series: { line: string; unit: string; known: number }[] } }
  expect(data.series).toMatchObject([{ line: 'fcs_errors', unit: 'events/s' }])
  expect(data.series[0]?.known).toBeGreaterThan(0)
})

test('an interface that has got another ifIndex is not compared with the one that had it before', async () => {
  const [eth1, eth2] = [
    { ifName: 'eth1', dot3: { [FCS]: 1_000_000 } },
    { ifName: 'eth2', dot3: { [FCS]: 10 } },
  ]
  interfaces = new Map([
    [1, eth1],
    [2, eth2],
  ])
  const id = await add('renumbered.example.net', ON, 2)
  await poll(id)
  interfaces = new Map([
    [1, eth2],
    [2, eth1],
  ])
  await poll(id)
  await poller.discover(id)
  await poll(id)
  await poll(id)
  const counted = await until(10, 'samples', async () => {
    const rows = await countedOf(id)
    return rows.length === 2 && rows
  })
  expect(counted.map(({ fcs }) => fcs)).toEqual([0, 0])
})

test('the samples of a deleted port are deleted', async () => {
  const { sql } = api.store
  await sql`delete from devices where hostname = 'on.example.net'`
  const left = () => sql`select from ts.etherlike_samples s where not exists
    (select from ports p where p.port_id = s.port_id)`
  expect((await left()).length).toBeGreaterThan(0)
  for (let kinds = 0; kinds < 30; kinds++) await sql`select ts.forget_gone()`
  expect((await left()).length).toBe(0)
})
