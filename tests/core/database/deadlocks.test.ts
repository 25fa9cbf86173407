import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { StoreError } from '../../../src/core/database/errors.ts'
import { type TestDatabase, testDatabase } from '../../support/database.ts'

setDefaultTimeout(60_000)
let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
  await database.store.sql`create table tallies (id int primary key, n int not null)`
  await database.store.sql`insert into tallies values (1, 0), (2, 0)`
})
afterAll(() => database.drop())

test('transactions that lock the same rows in opposite orders are both done, once each', async () => {
  const { sql } = database.store
  const bothHold = Promise.withResolvers<void>()
  let holders = 0
  let runs = 0
  const add = (first: number, second: number) =>
    sql.begin(async (tx) => {
      runs++
      await tx`update tallies set n = n + 1 where id = ${first}`
      if (++holders === 2) bothHold.resolve()
      await bothHold.promise
      await tx`update tallies set n = n + 1 where id = ${second}`
      return first
    })
  expect(await Promise.all([add(1, 2), add(2, 1)])).toEqual([1, 2])
  expect(runs).toBe(3)
  expect([...(await sql`select id, n from tallies order by id`)]).toEqual([
    { id: 1, n: 2 },
    { id: 2, n: 2 },
  ])
})

test('a transaction that always loses is given up, and other errors are not repeated', async () => {
  const runsUntil = async (code: string) => {
    let runs = 0
    const error = await database.store.sql
      .begin(async (tx) => {
        runs++
        await tx.unsafe(`do $$ begin raise exception 'refused' using errcode = '${code}'; end $$`)
      })
      .catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(StoreError)
    expect((error as StoreError).code).toBe(code)
    return { runs, message: (error as StoreError).message }
  }
  const message = 'others changed the same data at the same time, so this was undone: try again (refused)'
  expect(await runsUntil('40P01')).toEqual({ runs: 5, message })
  expect(await runsUntil('23505')).toEqual({ runs: 1, message: 'refused' })
})
