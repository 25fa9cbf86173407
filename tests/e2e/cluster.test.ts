import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { type ServedFleet, serveFleet } from '../../src/demo/serve.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'
import { breaksOf, type Cluster, type Node, testCluster } from './cluster-nodes.ts'
import { until } from './server.ts'

// Three processes on one database: an API node and two pollers. One poller is stopped and goes on, the other is killed:
// devices move, no sample overlaps another, and what only one may do is done by one.

setDefaultTimeout(180_000)

const INTERVAL_S = 5
let database: TestDatabase
let fleet: ServedFleet
let cluster: Cluster
let web: Node
let one: Node
let two: Node
let token = ''

beforeAll(async () => {
  database = await testDatabase()
  fleet = await serveFleet({ port: 22_161 })
  cluster = testCluster(database.url, ['--set', `poller.interval=${INTERVAL_S}`, '--set', 'icmp_check=false'])
  web = await cluster.start('web', 'api', ['--set', 'cluster.lead=false'])
  one = await cluster.start('one', 'poller,ingest')
  two = await cluster.start('two', 'poller')
  token = await tokenOf()
  for (const { hostname, address, port } of fleet.devices) {
    const body = { hostname, overwrite_ip: address, port, version: 'v2c', community: 'public', force_add: true }
    expect(await call('POST', '/devices', body)).toMatchObject({ status: 200 })
  }
  await polls(2)
}, 180_000)
afterAll(async () => {
  await cluster?.stop()
  fleet?.stop()
  await database?.drop()
}, 60_000)

async function tokenOf(): Promise<string> {
  const { portlight, temporaryFolder } = await import('../cli/support.ts')
  const folder = temporaryFolder()
  const made = await portlight([
    ...['token', 'create', '--user', 'admin', '--data-dir', folder.path, '--database-url', database.url],
  ])
  folder.remove()
  return made.out.trim()
}

async function call(method: string, path: string, body?: unknown): Promise<{ status: number; json: unknown }> {
  const response = await fetch(`${web.url}/api/v0${path}`, {
    method,
    headers: { 'X-Auth-Token': token },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const json: unknown = await response.json()
  return { status: response.status, json: Array.isArray(json) ? json[0] : json }
}

/** Waits until every device has so many polls more than now. */
async function polls(count: number): Promise<void> {
  const read = async (): Promise<Map<number, number>> => {
    const rows = await cluster.store.sql<{ device_id: number; n: number }[]>`
      select device_id, count(s.time)::int as n from devices left join ts.device_samples s using (device_id) group by 1`
    return new Map(rows.map((row) => [row.device_id, row.n]))
  }
  const before = await read()
  await until(120, `${count} more polls of every device`, async () => {
    const now = await read()
    return now.size === fleet.devices.length && [...before].every(([id, n]) => (now.get(id) ?? 0) >= n + count)
  })
}

/** How many devices each poller has claimed, by name. */
async function shares(): Promise<Record<string, number>> {
  const rows = await cluster.store.sql<{ name: string; n: number }[]>`
    select n.node_id as name, count(*)::int as n from device_claims c join poller_cluster n on n.id = c.poller group by 1`
  return Object.fromEntries(rows.map((row) => [row.name, row.n]))
}

/** Breaks that no restart of the simulated warehouse explains: it loses its power now and then. */
async function breaks(toleranceS: number): Promise<unknown[]> {
  const found = await breaksOf(cluster.store, toleranceS)
  const rows = await cluster.store.sql<{ port_id: number }[]>`
    select port_id from ports join devices using (device_id) where hostname = 'warehouse-1'`
  const known = new Set(rows.map((row) => row.port_id))
  return found.filter((one) => !known.has(one.port_id))
}

test('both pollers have devices, the API node polls none, and one of the pollers leads', async () => {
  const found = await shares()
  expect(Object.keys(found).toSorted()).toEqual(['one', 'two'])
  expect((found['one'] ?? 0) + (found['two'] ?? 0)).toBe(fleet.devices.length)
  expect(await cluster.living()).toEqual(['one', 'two', 'web'])
  expect(['one', 'two']).toContain((await cluster.lead()) ?? 'nobody')
  expect(await breaks(2)).toEqual([])
  const list = (await call('GET', '/pollers')).json
  expect(list).toMatchObject({ count: 2, pollers: [{ node_id: 'one' }, { node_id: 'two' }] })
})

test('a discovery asked of the API node is made by the poller of the device', async () => {
  const before = await cluster.store.sql<{ device_id: number; at: Date }[]>`
    select device_id, last_discovered as at from devices order by device_id`
  for (const { device_id } of before)
    expect(await call('GET', `/devices/${device_id}/discover`)).toMatchObject({ status: 200 })
  await until(60, 'a discovery of every device', async () => {
    const now = await cluster.store.sql<{ device_id: number; at: Date | null }[]>`
      select device_id, last_discovered as at from devices order by device_id`
    return now.every(({ at }, i) => at !== null && at > (before[i]?.at ?? new Date(0)))
  })
})

test('devices of a poller that hangs move, and it does no harm when it goes on', async () => {
  const lead = (await cluster.lead()) ?? ''
  const [hung, other] = lead === 'one' ? [one, two] : [two, one]
  hung.process.kill('SIGSTOP')
  await until(30, 'the other poller has all devices', async () => (await shares())[other.name] === fleet.devices.length)
  await until(15, 'the other poller leads', async () => (await cluster.lead()) === other.name)
  await polls(2)
  hung.process.kill('SIGCONT')
  await until(30, 'both have devices again', async () => Object.keys(await shares()).length === 2)
  await polls(3)
  // takeovers take no time from what was counted, and nothing is counted twice
  expect(await breaks(2)).toEqual([])
})

test('devices of a poller that is killed move, and it gets its share back', async () => {
  const before = await shares()
  two.process.kill('SIGKILL')
  await until(30, 'the other poller has all devices', async () => (await shares())['one'] === fleet.devices.length)
  await until(15, 'the other poller leads', async () => (await cluster.lead()) === 'one')
  await polls(2)
  two = await cluster.start('two', 'poller')
  await until(30, 'it has its share again', async () => Bun.deepEquals(await shares(), before))
  await polls(3)
  expect(await breaks(2)).toEqual([])
})
