import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { join as joinAsMember } from '../../../src/app/cluster/member.ts'
import { createReadiness, leaderPart } from '../../../src/app/readiness.ts'
import { rolesOf } from '../../../src/app/roles.ts'
import { createSettings } from '../../../src/config/settings.ts'
import { takeExclusively } from '../../../src/core/cluster/exclusive.ts'
import { LEASE_MS } from '../../../src/core/cluster/leadership.ts'
import { joinCluster, listNodes, type NodeSession } from '../../../src/core/cluster/session.ts'
import { client, connect, type Sql, type Store } from '../../../src/core/database/client.ts'
import { writeReader } from '../../../src/core/grafana/write.ts'
import { migrate } from '../../../src/core/schema/migrate.ts'
import { scramVerifier } from '../../../src/lib/scram.ts'
import { createLog } from '../../../src/observe/log.ts'
import { type EmbeddedServer, startEmbedded } from '../../../src/postgres/embedded.ts'
import { temporaryFolder } from '../../cli/support.ts'

// What a login that may only read dashboards can do to the processes by taking their locks: nothing.

setDefaultTimeout(120_000)

const log = createLog('silent')
const { path: folder, remove } = temporaryFolder()
const READER = 'dashboards'
let server: EmbeddedServer
let store: Store
let sql: Sql
let reader: Sql
const joined: NodeSession[] = []

beforeAll(async () => {
  const reserved = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } })
  const { port } = reserved
  reserved.stop(true)
  server = await startEmbedded({ dataDir: folder, log, listen: { host: '127.0.0.1', port } })
  await migrate(server.url, log)
  store = connect(server.url, { max: 4 })
  sql = store.sql
  await writeReader(store, READER, await scramVerifier('secret'))
  reader = client(`postgres://${READER}:secret@127.0.0.1:${port}/portlight`, 1)
})
afterAll(async () => {
  for (const one of joined) await one.leave()
  await reader.end({ timeout: 1 })
  await store.close()
  await server.stop()
  remove()
})

const joinAs = async (name: string): Promise<NodeSession> => {
  const facts = {
    name,
    host: 'here',
    pid: process.pid,
    version: '1',
    roles: ['poller'],
    groups: null,
    mayBeLeader: true,
  }
  const one = await joinCluster(server.url, { ...facts, leaseMs: LEASE_MS })
  joined.push(one)
  return one
}
/** As on a server where this program is no superuser, so that it cannot withdraw the right. */
const allowLocks = () =>
  sql.unsafe(`grant execute on function pg_advisory_lock(bigint), pg_advisory_lock(int, int), pg_advisory_unlock_all()
    to ${READER}`)

test('where the program may, it withdraws the right to take advisory locks', async () => {
  for (const call of ['pg_advisory_lock(1)', 'pg_try_advisory_lock(1, 2)', 'pg_advisory_xact_lock_shared(1)']) {
    const answer = await reader.unsafe(`select ${call}`).catch((error: unknown) => error)
    expect(answer).toMatchObject({ code: '42501' })
  }
})

test('elsewhere a reader that holds the lock of the leader does not keep anyone from leading', async () => {
  await allowLocks()
  const lead = async () => (await sql<{ key: string }[]>`select key::text from cluster_lead`)[0]?.key ?? '1886350444'
  await reader.unsafe(`select pg_advisory_lock(${await lead()})`)
  const [one, two] = [await joinAs('one'), await joinAs('two')]
  expect((await one.beat(false, {})).locked).toBe(true)
  expect((await two.beat(false, {})).locked).toBe(false)
  // the new key is held before it can be read
  await reader.unsafe("set lock_timeout = '50ms'")
  const again = await reader.unsafe(`select pg_advisory_lock(${await lead()})`).catch((error: unknown) => error)
  expect(again).toMatchObject({ code: '55P03' })
  await one.leave()
  await reader.unsafe(`select pg_advisory_lock(${await lead()})`)
  expect((await two.beat(false, {})).locked).toBe(true)
  await two.leave()
  await reader.unsafe('select pg_advisory_unlock_all()')
})

test('a reader cannot pretend that a process is running, nor take its name for good', async () => {
  await allowLocks()
  const one = await joinAs('three')
  await one.leave()
  await reader.unsafe(`select pg_advisory_lock(${0x6e6f6465}, ${one.id})`)
  expect((await listNodes(store)).filter(({ living }) => living)).toEqual([])
  const next = await joinAs('three')
  expect(next.name).toBe('three-2')
  expect((await listNodes(store)).filter(({ living }) => living).map(({ name }) => name)).toEqual(['three-2'])
  await next.leave()
  await reader.unsafe('select pg_advisory_unlock_all()')
  const exclusive = await takeExclusively(store)
  expect(exclusive).not.toBeNull()
  expect(await takeExclusively(store)).toBeNull()
  await exclusive?.release()
  const later = await takeExclusively(store)
  expect(later).not.toBeNull()
  await later?.release()
})

test('that no process leads is known to each of them, and ends their readiness after half a minute', async () => {
  const settings = createSettings({ flags: { 'cluster.lead': 'false', 'poller.name': 'follower' } })
  const member = await joinAsMember({
    ...{ url: server.url, store, settings, log, roles: rolesOf(settings), version: '1' },
  })
  const problems = async (addedMs: number) => {
    const leaderless = () => (member.leaderless() === 0 ? 0 : member.leaderless() + addedMs)
    const readiness = createReadiness(server.url, 'plain', () => null, [leaderPart(leaderless)])
    readiness.started()
    const found = await readiness.check()
    await readiness.close()
    return found
  }
  try {
    await member.report()
    expect(member.leaderless()).toBeGreaterThan(0)
    expect(await problems(0)).toEqual([])
    expect(await problems(30_000)).toEqual([expect.stringContaining('No process is the leader')])
    const lead = await joinAs('leader')
    await lead.beat(false, {})
    await lead.beat(true, {})
    const before = member.leaderless()
    await member.report()
    expect(member.leaderless()).toBeLessThan(before + 1)
    await lead.leave()
  } finally {
    await member.stop()
  }
})
