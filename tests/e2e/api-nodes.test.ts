import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { type DemoAgent, openDemoAgent } from '../../src/demo/serve.ts'
import { portlight, temporaryFolder } from '../cli/support.ts'
import { type EventClient, listenTo } from '../core/live/support.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'
import { cookieOf } from '../web/support.ts'
import { type Cluster, type Node, testCluster } from './cluster-nodes.ts'
import { until } from './server.ts'

// Two API nodes and a poller on one database: both nodes return the same answers.

setDefaultTimeout(120_000)

const PASSWORD = 'a quite long password'
const WRONG = 30
let database: TestDatabase
let cluster: Cluster
let agent: DemoAgent
let first: Node
let second: Node
let token = ''
let client: EventClient

beforeAll(async () => {
  database = await testDatabase()
  agent = await openDemoAgent('access-1')
  const settings = ['poller.interval=5', 'icmp_check=false', 'api.v1.enabled=true', `auth.wrong_passwords=${WRONG}`]
  cluster = testCluster(
    database.url,
    settings.flatMap((set) => ['--set', set]),
  )
  first = await cluster.start('first', 'api')
  second = await cluster.start('second', 'api')
  await cluster.start('poller', 'poller')
  token = (await command(['token', 'create', '--user', 'admin'])).trim()
  await command(['user', 'add', 'person', '--role', 'global-read', '--password-stdin'], PASSWORD)
}, 120_000)
afterAll(async () => {
  client?.close()
  await cluster?.stop()
  agent?.stop()
  await database?.drop()
}, 60_000)

async function command(args: readonly string[], input = ''): Promise<string> {
  const folder = temporaryFolder()
  const where = ['--data-dir', folder.path, '--database-url', database.url]
  const { code, out, err } = await portlight([...args, ...where], { input: `${input}\n` })
  folder.remove()
  if (code !== 0) throw new Error(err)
  return out
}

const signIn = (node: Node, password: string, username = 'person'): Promise<Response> =>
  fetch(`${node.url}/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin: node.url },
    body: new URLSearchParams({ username, password }).toString(),
    redirect: 'manual',
  })

const account = (node: Node, cookie: string): Promise<Response> =>
  fetch(`${node.url}/account`, { headers: { cookie, accept: 'text/html' }, redirect: 'manual' })

test('a device added at one node is polled by the poller, and a client of the other sees both', async () => {
  client = await listenTo(second.url, token)
  const { address, port, community } = agent
  const body = JSON.stringify({ hostname: 'access-1', overwrite_ip: address, port, version: 'v2c', community })
  const added = await fetch(`${first.url}/api/v0/devices`, { method: 'POST', headers: { 'X-Auth-Token': token }, body })
  expect(added.status).toBe(200)
  const seen = (what: string, event: string, is: (data: Record<string, unknown>) => boolean) =>
    until(60, what, async () => client.events.find((one) => one.event === event && is(one.data)))
  await seen('the device', 'device', (data) => data['change'] === 'added')
  const poll = await seen('a poll', 'poll', (data) => data['answered'] === true)
  expect(poll.data['duration']).toBeNumber()
  expect(client.events.filter((one) => one.event === 'device' && one.data['change'] === 'added')).toHaveLength(1)
})

test('a session begun at one node is valid at the other, and ends at both', async () => {
  const cookie = cookieOf(await signIn(first, PASSWORD))
  const page = await account(second, cookie)
  expect(page.status).toBe(200)
  const csrf = /name="csrf" content="(\w+)"/.exec(await page.text())?.[1] ?? ''
  expect((await account(first, cookie)).status).toBe(200)
  const out = await fetch(`${second.url}/sign-out`, {
    method: 'POST',
    headers: { cookie, 'content-type': 'application/x-www-form-urlencoded', origin: second.url },
    body: new URLSearchParams({ csrf }).toString(),
    redirect: 'manual',
  })
  expect(out.status).toBe(303)
  await until(10, 'the end at the first node', async () => (await account(first, cookie)).status !== 200)
})

test('wrong passwords at one node count at the other', async () => {
  const guess = async (node: Node, n: number) => (await signIn(node, 'wrong', `nobody-${n}`)).status
  let n = 0
  while ((await guess(first, n)) !== 429) expect(n++).toBeLessThan(3 * WRONG)
  // fewer guesses than the limit, so only those at the first node can have reached it
  let left = WRONG / 2
  let pauseMs = 200
  await until(60, 'the limit at the second node', async () => {
    expect(left--).toBeGreaterThan(0)
    // each guess counts, so a slow machine gets more time instead of more guesses
    await Bun.sleep(pauseMs)
    pauseMs *= 1.5
    return (await guess(second, n++)) === 429
  })
})

test('a setting stored by a command takes effect at both nodes', async () => {
  await command(['config', 'set', 'api.cors.enabled', 'true'])
  for (const node of [first, second]) {
    await until(10, 'CORS', async () => {
      const answer = await fetch(`${node.url}/api/v0/ping`, { headers: { origin: 'https://example.org' } })
      return answer.headers.get('access-control-allow-origin') !== null
    })
  }
})
