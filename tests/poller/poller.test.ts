import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { createSettings } from '../../src/config/settings.ts'
import { livePortCounters } from '../../src/core/series/read-port-state.ts'
import { type DemoAgent, openDemoAgent } from '../../src/demo/serve.ts'
import { createLog } from '../../src/observe/log.ts'
import { databaseUpstream } from '../../src/poller/database-upstream.ts'
import { createPoller, type Poller } from '../../src/poller/poller.ts'
import { until } from '../e2e/server.ts'
import { uncovered } from '../support/consecutive.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'

// The poller with real workers, agents on loopback and a real database.

setDefaultTimeout(120_000)

const NAMES = ['access-1', 'edge-1', 'web-1'] as const
let database: TestDatabase
let poller: Poller
let agents: DemoAgent[] = []
const ids: number[] = []

const INTERVAL_S = 5
const flags = {
  'poller.interval': String(INTERVAL_S),
  'poller.workers': '2',
  'snmp.timeout': '0.3',
  'snmp.retries': '1',
  icmp_check: 'false',
}

beforeAll(async () => {
  database = await testDatabase()
  agents = await Promise.all(NAMES.map((name) => openDemoAgent(name)))
  const { sql } = database.store
  for (const [i, agent] of agents.entries()) {
    const [row] = await sql<{ device_id: number }[]>`
      insert into devices (hostname, overwrite_ip, port, community, snmpver)
      values (${NAMES[i] ?? ''}, ${agent.address}, ${agent.port}, ${agent.community}, 'v2c') returning device_id`
    ids.push(row?.device_id ?? 0)
  }
  poller = createPoller({
    upstream: databaseUpstream(database.store),
    settings: createSettings({ flags }),
    log: createLog('silent'),
  })
  await poller.start()
  await until(60, 'three polls of each', async () => (await fewestPolls()) >= 3)
})

afterAll(async () => {
  await poller?.stop(2000)
  for (const agent of agents) agent.stop()
  await database?.drop()
})

/** The lowest number of polls with port samples of any device. */
async function fewestPolls(): Promise<number> {
  const [row] = await database.store.sql<{ n: number }[]>`
    select min(n)::int as n from (
      select count(distinct s.time) as n from devices left join ports p using (device_id) left join ts.port_samples s using (port_id)
      group by devices.device_id) x`
  return row?.n ?? 0
}

async function device(i: number): Promise<{ status: number; status_reason: string }> {
  const [row] = await database.store.sql<{ status: number; status_reason: string }[]>`
    select status, status_reason from devices where device_id = ${ids[i] ?? 0}`
  return row ?? { status: -1, status_reason: '' }
}

async function events(i: number, type: string): Promise<string[]> {
  const rows = await database.store.sql<{ message: string }[]>`
    select message from eventlog where device_id = ${ids[i] ?? 0} and type = ${type} order by event_id`
  return rows.map((r) => r.message)
}

test('discovered devices are up, and the samples of a port are consecutive', async () => {
  for (const i of NAMES.keys()) expect(await device(i)).toEqual({ status: 1, status_reason: '' })
  const [row] = await database.store.sql<{ ports: number }[]>`
    select count(distinct port_id)::int as ports from ts.port_samples`
  expect(row?.ports).toBeGreaterThan(60)
  expect(await uncovered(database.store, INTERVAL_S)).toEqual([])
})

test('stored deltas add up to the increase of the counters', async () => {
  const { sql } = database.store
  const id = ids[0] ?? 0
  const newest = async () =>
    (
      await sql<
        { t: string | null }[]
      >`select max(time)::text as t from ts.port_samples where port_id = any(${portIds})`
    )[0]?.t ?? ''
  /** The counters of one poll, and the time of its samples. */
  const counters = async (): Promise<{ time: string; raw: Map<number, bigint> }> => {
    for (;;) {
      const time = await newest()
      const live = await livePortCounters(database.store, portIds)
      // a poll may have been stored in between
      if ((await newest()) !== time) continue
      return { time, raw: new Map([...live].map(([port, c]) => [port, BigInt(c['ifInOctets'] ?? 0)])) }
    }
  }
  const portIds = (await sql<{ port_id: number }[]>`select port_id from ports where device_id = ${id}`).map(
    (r) => r.port_id,
  )
  await poller.poll(id)
  const first = await counters()
  await until(60, 'two more polls', async () => Date.parse(await newest()) >= Date.parse(first.time) + 9000)
  const last = await counters()
  let moved = 0
  for (const [port, raw] of last.raw) {
    const before = first.raw.get(port)
    if (before === undefined || raw === before) continue
    const [row] = await sql<{ total: string }[]>`
      select sum(in_octets)::text as total from ts.port_samples where port_id = ${port}
        and time > ${first.time}::text::timestamptz and time <= ${last.time}::text::timestamptz`
    expect(BigInt(row?.total ?? 0)).toBe(raw - before)
    moved++
  }
  expect(moved).toBeGreaterThan(10)
})

test('polls that follow each other at once give no rates of moments, and lose nothing', async () => {
  const { sql } = database.store
  const id = ids[1] ?? 0
  for (let i = 0; i < 6; i++) await poller.poll(id)
  await until(60, 'a later poll', async () => {
    const [row] = await sql<{ n: number }[]>`
      select count(distinct s.time)::int as n from ports p join ts.port_samples s using (port_id)
      where p.device_id = ${id} and s.time > now() - interval '4 seconds'`
    return (row?.n ?? 0) > 0
  })
  const [row] = await sql<{ shortest: number }[]>`
    select min(period_ms) as shortest from ports p join ts.port_samples s using (port_id) where p.device_id = ${id}`
  // by the clock of the agent, which has hundredths of a second
  expect(row?.shortest).toBeGreaterThanOrEqual(250)
  expect(await uncovered(database.store, INTERVAL_S)).toEqual([])
})

test('a worker that dies is replaced; its jobs are counted as lost and repeated', async () => {
  const before = await fewestPolls()
  poller.pool.kill(0)
  poller.pool.kill(1)
  await until(30, 'both workers replaced', async () => poller.pool.stats().died === 2)
  await until(60, 'two more polls of each', async () => (await fewestPolls()) >= before + 2)
  expect(await uncovered(database.store, INTERVAL_S)).toEqual([])
})

test('a device that stops answering is down with an outage, gets single requests, and is up once it answers', async () => {
  const agent = agents[2]
  if (agent === undefined) throw new Error('no agent')
  const { port, address } = agent
  agent.stop()
  await until(60, 'down', async () => (await device(2)).status === 0)
  expect((await device(2)).status_reason).toBe('snmp')
  const { sql } = database.store
  const outages = () =>
    sql<{ up_again: number | null }[]>`select up_again from device_outages where device_id = ${ids[2] ?? 0}`
  expect(await outages()).toMatchObject([{ up_again: null }])
  await until(60, 'polls that cost one request', async () => {
    const [row] = await sql<{ requests: number }[]>`
      select requests from ts.device_samples where device_id = ${ids[2] ?? 0} and uptime_s is null order by time desc limit 1`
    return row?.requests === 1
  })
  agents[2] = await openDemoAgent('web-1', { address, port })
  await until(90, 'up again', async () => (await device(2)).status === 1)
  expect((await outages())[0]?.up_again).not.toBeNull()
  expect(await events(2, 'down')).toEqual(['Device status changed to Down from snmp check.'])
  expect((await events(2, 'up')).at(-1)).toBe('Device status changed to Up from snmp check.')
})

test('a deleted device is no longer polled', async () => {
  const { sql } = database.store
  await sql`delete from devices where device_id = ${ids[1] ?? 0}`
  poller.refresh(ids[1] ?? 0)
  await until(20, 'forgotten', async () => poller.stats().polls.devices === 2)
})
