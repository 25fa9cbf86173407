import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { createLeadership, LEASE_MS } from '../../../src/core/cluster/leadership.ts'
import {
  type BeatRow,
  joinCluster,
  type NodeFacts,
  type NodeSession,
  pollersLive,
} from '../../../src/core/cluster/session.ts'
import { client, connect, type Sql } from '../../../src/core/database/client.ts'
import { emptyDatabase, type TestDatabase, testDatabase } from '../../support/database.ts'

setDefaultTimeout(60_000)

let database: TestDatabase
let sql: Sql
const joined: NodeSession[] = []

beforeAll(async () => {
  database = await testDatabase()
  sql = database.store.sql
})
afterAll(async () => {
  for (const one of joined) await one.leave()
  await database.drop()
})

async function join(facts: Partial<NodeFacts> = {}): Promise<NodeSession> {
  const session = await joinCluster(database.url, {
    name: 'node',
    host: 'here',
    pid: process.pid,
    version: '1',
    roles: ['poller'],
    groups: null,
    mayBeLeader: true,
    leaseMs: LEASE_MS,
    ...facts,
  })
  joined.push(session)
  return session
}

/** Sends a report, and retries if the connection was lost. */
async function report(one: NodeSession): Promise<BeatRow> {
  for (;;) {
    try {
      return await one.beat(false, {})
    } catch {
      await Bun.sleep(10)
    }
  }
}

/** Ends the session that holds the lock of a process's name, as the server does with a silent one. */
const end = (id: number) =>
  sql`select pg_terminate_backend(pid, 10000) from pg_locks where locktype = 'advisory' and objsubid = 2 and objid = ${id}
    and database = (select oid from pg_database where datname = current_database())`

test('names of live processes are unique, one process leads, and when it leaves another leads at once', async () => {
  const [one, two] = [await join(), await join()]
  expect([one.name, two.name]).toEqual(['node', 'node-2'])
  expect(await pollersLive(database.store)).toBe(true)
  const first = await one.beat(false, { devices: 1 })
  expect(first).toMatchObject({ locked: true, otherLeaderMs: null, expelled: false, renewed: false })
  await one.beat(true, { devices: 1 })
  const seen = await two.beat(false, {})
  expect(seen.locked).toBe(false)
  expect(seen.nodes).toMatchObject([
    { name: 'node', living: true, isLeader: true, groups: null, roles: ['poller'] },
    { name: 'node-2', living: true, isLeader: false },
  ])
  await one.leave()
  expect(await two.beat(false, {})).toMatchObject({ locked: true, otherLeaderMs: null })
  await two.leave()
  expect(await pollersLive(database.store)).toBe(false)
})

test('a process that loses its session is seen as gone, cannot lead yet, and regains its name with the next report', async () => {
  const [one, two] = [await join({ name: 'lost' }), await join({ name: 'kept', groups: [3, 4] })]
  await one.beat(false, {})
  await one.beat(true, {})
  await end(one.id)
  const seen = await two.beat(false, {})
  expect(seen.nodes.find((node) => node.name === 'lost')).toMatchObject({ living: false })
  // the former leader may not have noticed yet, so its lease must expire
  expect(seen.locked).toBe(true)
  expect(seen.otherLeaderMs).toBeLessThan(LEASE_MS)
  const again = await report(one)
  expect(again).toMatchObject({ renewed: true, restarted: false, expelled: false, locked: false })
  expect((await two.beat(false, {})).nodes.find((node) => node.name === 'lost')).toMatchObject({ living: true })
  await Promise.all([one.leave(), two.leave()])
})

test('a name that another process took meanwhile is no longer used', async () => {
  const one = await join({ name: 'taken' })
  await end(one.id)
  const own = client(database.url, 1)
  await own`update poller_cluster set instance = 'another' where id = ${one.id}`
  await own.end()
  expect(await report(one)).toMatchObject({ expelled: true })
  await one.leave()
})

test('the database server ends a session that is silent for longer than the lease', async () => {
  const short = await join({ name: 'silent', leaseMs: 300 })
  const other = await join({ name: 'watching' })
  const alive = async () => (await other.beat(false, {})).nodes.find((node) => node.name === 'silent')?.living
  expect(await alive()).toBe(true)
  while (await alive()) await Bun.sleep(20)
  await Promise.all([short.leave(), other.leave()])
})

test('a statement of the leader fails once its lease is over, also in a transaction', async () => {
  const { url, drop } = await emptyDatabase()
  let leads = true
  const store = connect(url, { max: 2, allowed: () => leads })
  expect([...(await store.sql`select 1 as n`)]).toEqual([{ n: 1 }])
  leads = false
  const refused = [
    () => store.sql`select 1`.execute(),
    () => store.sql.begin((tx) => tx`select 1`),
    () => store.db.execute('select 1'),
  ]
  for (const run of refused) await expect(Promise.resolve(run())).rejects.toThrow('no longer the leader')
  await store.close()
  await drop()
})

test('leading ends with the lease, and the next process leads once the previous lease is over', () => {
  const leadership = createLeadership()
  expect(leadership.isLeader(0)).toBe(false)
  leadership.beat({ sentMs: 1000, locked: true, otherLeaderMs: LEASE_MS - 1 })
  expect(leadership.isLeader(1000)).toBe(false)
  leadership.beat({ sentMs: 3000, locked: true, otherLeaderMs: LEASE_MS + 1 })
  expect([3000, 3000 + LEASE_MS - 1, 3000 + LEASE_MS].map(leadership.isLeader)).toEqual([true, true, false])
  leadership.beat({ sentMs: 5000, locked: true, otherLeaderMs: 0 })
  expect(leadership.isLeader(5000 + LEASE_MS - 1)).toBe(true)
  leadership.beat({ sentMs: 6000, locked: false, otherLeaderMs: null })
  expect(leadership.isLeader(6000)).toBe(false)
})
