import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { type ReadStore, readReplica } from '../../../src/core/database/replica.ts'
import { until } from '../../e2e/server.ts'
import { type TestDatabase, testDatabase } from '../../support/database.ts'

// A second database takes the place of the replica, so that answers show where they were read.

setDefaultTimeout(60_000)

let primary: TestDatabase
let other: TestDatabase
let reads: ReadStore
const changes: (string | null)[] = []
let maxLagS = 10

beforeAll(async () => {
  primary = await testDatabase()
  other = await testDatabase()
  await primary.store.sql`create table place as select 'primary' as name`
  await other.store.sql`create table place as select 'replica' as name`
  await reported(primary, 0)
  reads = readReplica(primary.store, other.url, { maxLagS: () => maxLagS, changed: (why) => changes.push(why), max: 2 })
})
afterAll(async () => {
  await reads.close()
  await primary.drop()
  await other.drop()
})

/** Stores in this database that a process last reported so many seconds ago. */
const reported = ({ store }: TestDatabase, agoS: number) => store.sql`
  insert into poller_cluster (node_id, poller_name, last_report, master)
  values ('one', 'one', now() - make_interval(secs => ${agoS}), 0)
  on conflict (node_id) do update set last_report = excluded.last_report`

async function place(): Promise<string> {
  const [row] = await reads.store.sql<{ name: string }[]>`select name from place`
  return row?.name ?? ''
}

test('reads go to the primary until the replica has caught up, and while it is too far behind', async () => {
  expect(await place()).toBe('primary')
  await reported(other, 0)
  await until(20, 'reads of the replica', async () => (await place()) === 'replica')
  expect(reads.why).toBeNull()
  await reported(other, 60)
  await until(20, 'reads of the primary', async () => (await place()) === 'primary')
  expect(reads.why).toMatch(/^it is (5[5-9]|6\d)\.\d s behind$/)
  expect(reads.lagS).toBeGreaterThan(50)
  maxLagS = 300
  await until(20, 'reads of the replica', async () => (await place()) === 'replica')
})

test('a replica that disappears is not read until it is back', async () => {
  await other.store.sql`select set_config('x.y', 'z', false)`
  await primary.store.sql.unsafe(`alter database ${nameOf(other)} with allow_connections false`)
  await primary.store.sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${nameOf(other)}`
  await until(20, 'reads of the primary', async () => (await place().catch(() => '')) === 'primary')
  expect(reads.why).toMatch(/^it does not answer/)
  expect(reads.lagS).toBeNull()
  await primary.store.sql.unsafe(`alter database ${nameOf(other)} with allow_connections true`)
  await until(20, 'reads of the replica', async () => (await place().catch(() => '')) === 'replica')
  expect(changes.map((why) => why === null)).toEqual([true, false, true, false, true])
})

const nameOf = ({ url }: TestDatabase): string => new URL(url).pathname.slice(1)
