import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { type DemoAgent, openDemoAgent } from '../../src/demo/serve.ts'
import { portlight, temporaryFolder } from '../cli/support.ts'
import { uncovered } from '../support/consecutive.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'
import { type Cluster, type Node, testCluster } from './cluster-nodes.ts'
import { until } from './server.ts'

// Three processes on one database: an API node and two pollers. One poller is suspended and resumed, the other is
// killed: devices move, samples do not overlap, and what only one process may do is done by one.

setDefaultTimeout(180_000)

/** Small devices, none of which restarts by itself. */
const NAMES = ['branch-1', 'db-1', 'esx-1', 'fw-1', 'lb-1', 'pe-1', 'wan-1', 'web-1'] as const
const INTERVAL_S = 2
let database: TestDatabase
let agents: DemoAgent[] = []
let cluster: Cluster
let web: Node
let one: Node
let two: Node
let token = ''

beforeAll(async () => {
  database = await testDatabase()
  agents = await Promise.all(NAMES.map((name) => openDemoAgent(name)))
  cluster = testCluster(database.url, [
    '--set',
    'icmp_check=false',
    '--set',
    'poller.workers=1',
    '--set',
    'log.level=debug',
  ])
  web = await cluster.start('web', 'api', ['--set', 'cluster.lead=false'])
  const starting = Promise.all([cluster.start('one', 'poller,ingest'), cluster.start('two', 'poller')])
  token = await tokenOf()
  ;[one, two] = await starting
  for (const [i, { address, port }] of agents.entries()) {
    const body = {
      hostname: NAMES[i],
      overwrite_ip: address,
      port,
      version: 'v2c',
      community: 'public',
      force_add: true,
    }
    expect(await call('POST', '/devices', body)).toMatchObject({ status: 200 })
  }
  await cluster.store.sql`update devices set poll_interval = ${INTERVAL_S}`
  // a change through the API node, after which the pollers reload the devices
  for (const name of NAMES)
    expect(await call('PATCH', `/devices/${name}`, { field: 'notes', data: 'polled often' })).toMatchObject({
      status: 200,
    })
  await polled(2)
}, 180_000)
afterAll(async () => {
  await cluster?.stop()
  for (const agent of agents) agent.stop()
  await database?.drop()
}, 60_000)

async function tokenOf(): Promise<string> {
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

/** Waits until every device has port samples of `count` polls from now on. */
async function polled(count: number): Promise<void> {
  const { sql } = cluster.store
  const [now] = await sql<{ at: Date }[]>`select clock_timestamp() as at`
  const missing = () => sql<{ hostname: string; polls: number; poller: string | null; claimed_at: Date | null }[]>`
    select d.hostname, count(distinct s.time)::int as polls, n.node_id as poller, c.claimed_at
    from devices d left join device_claims c using (device_id) left join poller_cluster n on n.id = c.poller
      left join ports p using (device_id) left join ts.port_samples s on s.port_id = p.port_id and s.time > ${now?.at ?? ''}
    group by d.device_id, n.node_id, c.claimed_at having count(distinct s.time) < ${count}`
  await until(90, `${count} more polls of every device`, async () => (await missing()).length === 0).catch(
    async (error: unknown) => {
      const found = await cluster.store.sql`
        select d.hostname, d.last_discovered, d.last_polled, c.claim,
          (select count(*)::int from ports p where p.device_id = d.device_id) as ports,
          (select json_build_object('at', s.time, 'ports', array_length(s.port_id, 1)) from ts.port_state s
            where s.device_id = d.device_id) as state
        from devices d left join device_claims c using (device_id)`
      const said = [one, two].map((node) => `${node.name}:\n${node.log().slice(-4000)}`)
      throw new Error(
        [`${error}: ${JSON.stringify(await missing())}`, await cluster.living(), JSON.stringify(found), ...said].join(
          '\n',
        ),
      )
    },
  )
}

/** Number of devices claimed by each poller, by name. */
async function shares(): Promise<Record<string, number>> {
  const rows = await cluster.store.sql<{ name: string; n: number }[]>`
    select n.node_id as name, count(*)::int as n from device_claims c join poller_cluster n on n.id = c.poller group by 1`
  return Object.fromEntries(rows.map((row) => [row.name, row.n]))
}

test('both pollers have devices, the API node polls none, and one of the pollers leads', async () => {
  const found = await shares()
  expect(Object.keys(found).toSorted()).toEqual(['one', 'two'])
  expect((found['one'] ?? 0) + (found['two'] ?? 0)).toBe(NAMES.length)
  expect(await cluster.living()).toEqual(['one', 'two', 'web'])
  expect(['one', 'two']).toContain((await cluster.leader()) ?? 'nobody')
  const list = (await call('GET', '/pollers')).json
  const named = (node_id: string) => expect.objectContaining({ node_id })
  expect(list).toMatchObject({ count: 2, pollers: expect.arrayContaining([named('one'), named('two')]) })
})

test('a discovery requested from the API node is done by the poller of the device', async () => {
  const discovered = () =>
    cluster.store.sql<{ device_id: number; at: Date }[]>`
      select device_id, last_discovered as at from devices order by device_id`
  const before = await discovered()
  for (const { device_id } of before)
    expect(await call('GET', `/devices/${device_id}/discover`)).toMatchObject({ status: 200 })
  await until(60, 'a discovery of every device', async () =>
    (await discovered()).every(({ at }, i) => at > (before[i]?.at ?? new Date())),
  )
})

test('devices of a poller that hangs move, and it does no harm when it resumes', async () => {
  const [hung, other] = (await cluster.leader()) === 'one' ? [one, two] : [two, one]
  const before = await shares()
  hung.process.kill('SIGSTOP')
  await until(30, 'the other poller has all devices', async () => (await shares())[other.name] === NAMES.length)
  await until(15, 'the other poller is the leader', async () => (await cluster.leader()) === other.name)
  await polled(1)
  hung.process.kill('SIGCONT')
  await until(30, 'each has its devices again', async () => Bun.deepEquals(await shares(), before))
  await polled(2)
  // takeovers leave no gaps, and nothing is counted twice
  expect(await uncovered(cluster.store, 2 * INTERVAL_S)).toEqual([])
})

test('devices of a killed poller move, and it gets its share back after a restart', async () => {
  const before = await shares()
  two.process.kill('SIGKILL')
  await until(30, 'the other poller has all devices', async () => (await shares())['one'] === NAMES.length)
  await until(15, 'the other poller is the leader', async () => (await cluster.leader()) === 'one')
  await polled(1)
  two = await cluster.start('two', 'poller')
  await until(30, 'it has its share again', async () => Bun.deepEquals(await shares(), before))
  await polled(2)
  expect(await uncovered(cluster.store, 2 * INTERVAL_S)).toEqual([])
})
