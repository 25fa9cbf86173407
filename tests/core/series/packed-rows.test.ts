import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { KIND_LIST } from '../../../src/series/kinds.ts'
import { Rng } from '../../random/rng.ts'
import { type TestDatabase, testDatabase, testServers } from '../../support/database.ts'

// Packed rows give back what was packed: every value, every time to the microsecond, NULL for NULL.

setDefaultTimeout(120_000)

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.drop())
