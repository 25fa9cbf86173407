import { afterAll, beforeAll, expect, test } from 'bun:test'
import { toStoreError } from '../../../src/core/database/errors.ts'
import { withSettings } from '../../../src/core/database/local-settings.ts'
import { type TestDatabase, testDatabase } from '../../support/database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
}, 60_000)
afterAll(() => database?.drop())

test('settings are in force for the first statement of an async function, and end with the transaction', async () => {
  const { sql } = database.store
  const read = async (tx: Pick<typeof sql, 'unsafe'>) => {
    const [row] = await tx.unsafe<{ limit: string; scans: string }[]>(
      `select current_setting('statement_timeout') as limit, current_setting('enable_seqscan') as scans`,
    )
    return row
  }
  const inside = await sql.begin((tx) => withSettings(tx, { statement_timeout: 1234, enable_seqscan: 'off' }, read))
  expect(inside).toEqual({ limit: '1234ms', scans: 'off' })
  expect(await read(sql)).toEqual({ limit: '5min', scans: 'on' })
})

test('a time limit ends the first statement', async () => {
  const slow = database.store.sql.begin((tx) =>
    withSettings(tx, { statement_timeout: 50 }, async (own) => {
      await own`select pg_sleep(60)`
    }),
  )
  const error = toStoreError(await slow.catch((thrown: unknown) => thrown))
  expect(error.code).toBe('57014')
})
