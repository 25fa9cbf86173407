import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { checkpointFindings } from '../../src/cli/checkpoint-finding.ts'
import { checkpointSettings } from '../../src/core/system/read-counts.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'

setDefaultTimeout(60_000)

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.drop())

const GIB = 2 ** 30

test("a server with PostgreSQL's own settings is told what to set, one that has them is not", () => {
  const [finding, ...others] = checkpointFindings({ intervalS: 300, maxWalOctets: GIB, compressed: false })
  expect(others).toEqual([])
  expect(finding).toMatchObject({ state: 'note', what: 'database' })
  expect(finding?.text).toContain(
    "every 5 min write each page that polls change to the WAL once more; on the database server, set checkpoint_timeout = '60min', max_wal_size = '4GB' or more, wal_compression = on",
  )
  expect(checkpointFindings({ intervalS: 3600, maxWalOctets: GIB, compressed: true })).toEqual([])
})

test('the settings are read as the server has them', async () => {
  const [row] = await database.store.sql<{ name: string; setting: string }[]>`
    select name, setting from pg_settings where name = 'checkpoint_timeout'`
  const read = await checkpointSettings(database.store)
  expect(read.intervalS).toBe(Number(row?.setting))
  expect(read.maxWalOctets).toBeGreaterThan(0)
  expect(typeof read.compressed).toBe('boolean')
})
