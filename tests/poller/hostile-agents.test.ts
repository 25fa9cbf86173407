import { afterAll, afterEach, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { failureText } from '@portlight/snmp/failure.ts'
import { newProfile } from '@portlight/snmp/profile.ts'
import { createTransport } from '@portlight/snmp/transport.ts'
import { targetAt } from '../../packages/snmp/tests/support/agent.ts'
import { createSettings } from '../../src/config/settings.ts'
import { deviceFacts } from '../../src/core/devices/read-facts.ts'
import { type DemoAgent, openDemoAgent } from '../../src/demo/serve.ts'
import { ifTable, ifXTable } from '../../src/mibs/if-mib.ts'
import { need } from '../../src/modules/module.ts'
import { MODULES } from '../../src/modules/registry.ts'
import { runModules } from '../../src/modules/run.ts'
import { createLog } from '../../src/observe/log.ts'
import { databaseUpstream } from '../../src/poller/database-upstream.ts'
import { createQuarantine } from '../../src/poller/devices/quarantine.ts'
import { pollerMetrics } from '../../src/poller/metrics.ts'
import { MODULE_SETTINGS } from '../../src/poller/module-settings.ts'
import { createPoller, type Poller } from '../../src/poller/poller.ts'
import { createAgents } from '../../src/poller/worker/agent.ts'
import { openReader } from '../../src/poller/worker/reader.ts'
import { until } from '../e2e/server.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'
import { type HostileAgent, startHostile } from '../support/hostile-agent.ts'

// Hostile agents next to well-behaved ones, with real workers, sockets and database.

setDefaultTimeout(300_000)

let database: TestDatabase
let good: DemoAgent
const stops: (() => unknown)[] = []

beforeAll(async () => {
  database = await testDatabase()
  good = await openDemoAgent('access-1')
})
// pollers and hostile agents of one test would otherwise slow the next, which polls all devices in the database
afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop()
  await database.store.sql`delete from devices`
})
afterAll(async () => {
  good.stop()
  await database.drop()
})

async function hostile(...args: Parameters<typeof startHostile>): Promise<HostileAgent> {
  const agent = await startHostile(...args)
  stops.push(() => agent.stop())
  return agent
}

async function add(name: string, at: { address: string; port: number; community?: string }): Promise<number> {
  const [row] = await database.store.sql<{ device_id: number }[]>`
    insert into devices (hostname, overwrite_ip, port, community, snmpver)
    values (${name}, ${at.address}, ${at.port}, ${at.community ?? 'public'}, 'v2c') returning device_id`
  return row?.device_id ?? 0
}

async function start(flags: Record<string, string>): Promise<Poller> {
  const settings = createSettings({ flags: { 'poller.interval': '5', icmp_check: 'false', ...flags } })
  const poller = createPoller({ upstream: databaseUpstream(database.store), settings, log: createLog('silent') })
  stops.push(() => poller.stop(2000))
  await poller.start()
  return poller
}

async function events(id: number): Promise<string[]> {
  const rows = await database.store.sql<{ message: string }[]>`
    select message from eventlog where device_id = ${id} and type = 'poller' order by event_id`
  return rows.map(({ message }) => message)
}

async function samples(id: number): Promise<number> {
  const [row] = await database.store.sql<{ n: number }[]>`
    select count(*)::int as n from ts.device_samples where device_id = ${id} and uptime_s is not null`
  return row?.n ?? 0
}

const limits = { timeoutMs: 1000, retries: 1, maxRepetitions: 0, maxPorts: 1e9 }

test('an endless table is truncated at the row limit, and the limit is reported', async () => {
  const agent = await hostile('endless')
  const transport = await createTransport()
  const agents = createAgents(transport, { ...limits, maxRows: 500, maxOctets: 10_000_000 })
  const { reader } = openReader(agents, targetAt(agent.port), newProfile(4), () => 60_000, 1)
  const read = await reader.table(need(ifTable), null)
  expect(read.complete).toBe(false)
  expect(read.rows.size).toBe(500)
  expect(read.limitReached).toBe('at 500 rows, setting discovery.max_rows')
  transport.close()
})

test('all endless tables together end at the size limit, one at a quarter of it, and the rest is skipped', async () => {
  const agent = await hostile('endless')
  const transport = await createTransport()
  const maxOctets = 400_000
  const agents = createAgents(transport, { ...limits, maxRows: 1_000_000, maxOctets })
  const { reader, opened } = openReader(agents, targetAt(agent.port), newProfile(4), () => 60_000, 1)
  const first = await reader.table(need(ifTable), null)
  expect(first.limitReached).toContain('setting discovery.max_octets')
  // requests pending when the budget is used up still get their responses
  const slack = 8 * 65_536
  expect(transport.stats.octetsIn).toBeLessThan(maxOctets / 4 + slack)
  for (let n = 1; n <= 4; n++) {
    const table = { ...ifXTable, name: `t${n}`, entry: `1.3.6.1.4.1.99999.${n}.1` }
    expect((await reader.table(need(table), null)).complete).toBe(false)
  }
  expect(transport.stats.octetsIn).toBeLessThan(maxOctets + slack)
  const requests = () => [...opened()].reduce((sum, { stats }) => sum + stats.requests, 0)
  const before = requests()
  expect((await reader.table(need(ifXTable), null)).limitReached).toContain('after 0 rows')
  expect(requests()).toBe(before)
  transport.close()
})

test('tables of interfaces have their own limit', async () => {
  const agent = await hostile('million')
  const transport = await createTransport()
  const agents = createAgents(transport, { ...limits, maxRows: 5000, maxPorts: 400, maxOctets: 10_000_000 })
  const { reader } = openReader(agents, targetAt(agent.port), newProfile(4), () => 60_000, 1)
  const read = await reader.table({ ...need(ifTable, ['ifDescr', 'ifType']), interfaces: true }, null)
  expect([read.rows.size, read.limitReached]).toEqual([400, 'at 400 rows, setting discovery.max_ports'])
  transport.close()
})

test('the default limits find 10,000 interfaces and 100,000 rows of ARP and forwarding database', async () => {
  const settings = createSettings({})
  const defaults = {
    ...limits,
    maxRows: settings.get('discovery.max_rows'),
    maxPorts: settings.get('discovery.max_ports'),
    maxOctets: settings.get('discovery.max_octets'),
  }
  const facts = { deviceId: 1, hostname: 'large', os: null, sysObjectID: null, sysDescr: null }
  const found = async (agent: HostileAgent, names: readonly string[]) => {
    const transport = await createTransport()
    const agents = createAgents(transport, defaults)
    const { reader } = openReader(agents, targetAt(agent.port), newProfile(4), () => 120_000, 1)
    const modules = MODULES.filter(({ name }) => names.includes(name))
    const device = { ...facts, settings: Object.fromEntries(MODULE_SETTINGS.map((name) => [name, settings.get(name)])) }
    const sets = new Map<string, { rows: number; complete: boolean }>()
    for await (const { observations } of runModules(modules, 'discover', device, reader)) {
      for (const o of observations)
        if (o.kind !== 'system') sets.set(o.kind, { rows: o.rows.length, complete: o.complete })
    }
    transport.close()
    return sets
  }
  const ports = await found(await hostile('million', { rows: 10_000 }), ['ports'])
  expect(ports.get('ports')).toEqual({ rows: 10_000, complete: true })
  const caches = await found(await hostile('caches'), ['arp', 'fdb'])
  expect(caches.get('arp')).toEqual({ rows: 100_000, complete: true })
  expect(caches.get('fdb')).toEqual({ rows: 100_000, complete: true })
})

test('a large discovery waits for its turn without sending requests, and its deadline is postponed', async () => {
  const agent = await hostile('million', { rows: 6000 })
  const transport = await createTransport()
  const agents = createAgents(transport, { ...limits, maxRows: 1e6, maxOctets: 1e9 })
  const turn = Promise.withResolvers<void>()
  let asked = 0
  const wait = () => {
    asked++
    return turn.promise
  }
  const deadlineMs = 15_000
  const began = performance.now()
  const { reader, waitedMs } = openReader(agents, targetAt(agent.port), newProfile(4), () => deadlineMs, 1, wait)
  const reading = reader.table(need(ifXTable), null)
  await until(30, 'the request for a turn', () => Promise.resolve(asked === 1))
  const { requests } = transport.stats
  expect(transport.inFlight).toBe(0)
  await until(30, 'the deadline', () => Promise.resolve(performance.now() - began > deadlineMs))
  expect(transport.stats.requests).toBe(requests)
  turn.resolve()
  const read = await reading
  expect([read.complete, read.rows.size, asked]).toEqual([true, 6000, 1])
  expect(waitedMs()).toBeGreaterThan(0)
  transport.close()
})

test('endless agents are discovered one after the other, and polled while they wait', async () => {
  const agents = await Promise.all([hostile('endless'), hostile('endless')])
  const ids = await Promise.all(agents.map((agent, n) => add(`endless-${n}`, agent)))
  // beyond the size at which they wait for each other
  const poller = await start({ 'poller.workers': '2', 'discovery.max_octets': String(4 * 2 ** 20) })
  await until(120, 'one waiting', () => Promise.resolve(poller.stats().runs.largeWaiting > 0))
  await until(120, 'both discovered', async () => {
    const [row] = await database.store.sql<{ n: number }[]>`
      select count(*)::int as n from devices where hostname like 'endless-%' and last_discovered is not null`
    return row?.n === 2
  })
  await until(60, 'a poll of each', async () => (await Promise.all(ids.map(samples))).every((n) => n > 0))
  await poller.stop(1000)
  for (const agent of agents) agent.stop()
  await database.store.sql`delete from devices where hostname like 'endless-%'`
})

test('a flooding device is reported once; its datagrams are counted and dropped, and others are polled', async () => {
  const agent = await hostile('flood', { address: '127.0.0.9' })
  const id = await add('flooding', agent)
  const healthy = await Promise.all(['calm-1', 'calm-2'].map((name) => add(name, good)))
  const poller = await start({ 'poller.workers': '1' })
  const metric = (name: string): number =>
    Number(pollerMetrics(poller.stats()).find((m) => m.name === `portlight_${name}_total`)?.value ?? 0)
  await until(60, 'a flood', () =>
    Promise.resolve(metric('snmp_unknown_id') > 20_000 && metric('snmp_duplicate') > 100),
  )
  await until(60, 'the event', async () => (await events(id)).length > 0)
  const before = await Promise.all(healthy.map(samples))
  await until(60, 'another poll', async () =>
    (await Promise.all(healthy.map(samples))).every((n, i) => n > (before[i] ?? 0)),
  )
  expect(await events(id)).toEqual([
    'This device sends more than 1,000 unexpected datagrams a second, which are dropped.',
  ])
  expect([metric('floods'), metric('polls_lost')]).toEqual([1, 0])
  const [row] = await database.store.sql<{ size: number }[]>`
    select length("sysDescr") as size from devices where device_id = ${id}`
  expect(row?.size).toBeLessThanOrEqual(8192)
  agent.stop()
  await poller.stop(1000)
  await database.store.sql`delete from devices where hostname in ('flooding', 'calm-1', 'calm-2')`
})

test('the walks of a removed device end', async () => {
  const agent = await hostile('endless')
  const transport = await createTransport()
  const agents = createAgents(transport, { ...limits, maxRows: 1e9, maxOctets: 1e12 })
  const { reader } = openReader(agents, targetAt(agent.port), newProfile(4), () => 120_000, 7)
  const reading = reader.table(need(ifTable, ['ifDescr']), null)
  await until(30, 'a running walk', () => Promise.resolve(transport.stats.replies > 20))
  agents.forget(7)
  expect((await reading).complete).toBe(false)
  transport.close()
})

test('a million interfaces are truncated: one event and the module report it, and nothing is deleted', async () => {
  const agent = await hostile('million')
  const id = await add('million', agent)
  const poller = await start({ 'poller.workers': '1', 'discovery.max_rows': '300' })
  const found = await poller.discover(id)
  expect(found.outcome).toBe('partial')
  const message = 'IF-MIB::ifTable (at 300 rows, setting discovery.max_rows)'
  await until(20, 'the event', async () => (await events(id)).length > 0)
  expect(await events(id)).toEqual([expect.stringContaining(message)])
  const { sql } = database.store
  const [module] = await sql<{ note: string }[]>`
    select note from device_modules where device_id = ${id} and module = 'ports'`
  expect(module?.note).toContain(message)
  // rows beyond the limit are not deleted
  await sql`insert into ports (device_id, "ifIndex", "ifName", "ifDescr") values (${id}, 5000, 'e5000', 'ethernet 5000')`
  for (let i = 0; i < 4; i++) await poller.discover(id)
  const [row] = await sql<{ n: number; gone: number }[]>`
    select count(*)::int as n, count(*) filter (where deleted = 1)::int as gone from ports where device_id = ${id}`
  expect(row).toEqual({ n: 301, gone: 0 })
  expect((await events(id)).length).toBe(1)
  await poller.stop(1000)
  await sql`delete from devices where device_id = ${id}`
})

test('a device that stalls a worker is quarantined; the worker is replaced and others are polled', async () => {
  const healthy = await Promise.all(['one', 'two', 'three'].map((name) => add(name, good)))
  const agent = await hostile('wordy')
  const id = await add('wordy', agent)
  // RE2 accepts this expression, but it takes a minute for 1,500 long descriptions
  const poller = await start({
    'poller.workers': '1',
    // a hundred times what the expression takes the next worker for its first description
    'poller.stall': '5',
    bad_ifalias_regexp: '\\b[ab]*a[ab]{400}\\B[0-9]',
  })
  await until(120, 'a stalled worker', () => Promise.resolve(poller.stats().pool.stalled > 0))
  expect(poller.stats().runs.quarantined).toBe(1)
  // `device explain` shows it as the reason
  await until(20, 'the failure', async () => (await deviceFacts(database.store, id)).failure !== null)
  const failure = (await deviceFacts(database.store, id)).failure?.failure
  expect(failure?.kind === 'stalled' && Date.parse(failure.until) > Date.now()).toBe(true)
  expect(failure === undefined ? '' : failureText(failure)).toMatch(/is not polled until 20\d\d-\d\d-\d\dT[\d:]{8}Z$/)
  await until(20, 'the event', async () => (await events(id)).length > 0)
  expect(await events(id)).toEqual([
    'A response from this device stalled a worker; the device is not polled for 10 min.',
  ])
  await until(30, 'the thread to end', () => Promise.resolve(poller.stats().pool.stuck === 0))
  const before = await Promise.all(healthy.map(samples))
  const now = () => Promise.all(healthy.map(samples))
  await until(150, 'three polls of each healthy device', async () =>
    (await now()).every((n, i) => n >= (before[i] ?? 0) + 3),
  ).catch(async (error: unknown) => {
    const { polls, discoveries, pool, runs } = poller.stats()
    console.error({ before, now: await now(), polls, discoveries, pool, runs: { ...runs, durations: [] } })
    throw error
  })
  // it did not stall the next worker
  expect(poller.stats().pool.stalled).toBe(1)
  expect(poller.stats().pool.died).toBe(0)
  const metrics = new Map(pollerMetrics(poller.stats()).map(({ name, value }) => [name, value]))
  expect(metrics.get('portlight_workers_stalled_total')).toBe(1)
  expect(metrics.get('portlight_devices_quarantined')).toBe(1)
  await database.store.sql`delete from devices where device_id = ${id}`
  poller.refresh(id)
  await until(20, 'forgotten', () => Promise.resolve(poller.stats().runs.quarantined === 0))
})

test('quarantine doubles up to six hours, and ends', () => {
  const quarantine = createQuarantine()
  const minutes = Array.from({ length: 8 }, () => quarantine.strike(1, 0) / 60_000)
  expect(minutes).toEqual([10, 20, 40, 80, 160, 320, 360, 360])
  expect(quarantine.heldMs(1, 359 * 60_000)).toBe(60_000)
  expect(quarantine.heldMs(1, 361 * 60_000)).toBe(0)
  expect(quarantine.heldMs(2, 0)).toBe(0)
  expect([quarantine.size(0), quarantine.size(361 * 60_000)]).toEqual([1, 0])
  quarantine.release(1)
  expect(quarantine.strike(1, 0)).toBe(600_000)
})
