import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Store } from '../../../src/core/database/client.ts'
import { toStoreError } from '../../../src/core/database/errors.ts'
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

/** The two clients of a store. */
const CLIENTS: Readonly<Record<string, (store: Store, work: (run: (text: string) => unknown) => unknown) => unknown>> =
  {
    sql: ({ sql }, work) => sql.begin(async (tx) => await work((text) => tx.unsafe(text))),
    drizzle: ({ db }, work) => db.transaction(async (tx) => await work((text) => tx.execute(text))),
  }

describe.each(Object.entries(CLIENTS))('%s', (_name, transaction) => {
  async function attempt(code: string) {
    let runs = 0
    const raise = `do $$ begin raise exception 'refused' using errcode = '${code}'; end $$`
    try {
      await transaction(database.store, (run) => {
        runs++
        return run(raise)
      })
    } catch (error) {
      const { kind, message } = toStoreError(error)
      return { runs, kind, message }
    }
    return null
  }

  test('a transaction that always loses is given up', async () => {
    const message = 'others changed the same data at the same time, so this was undone: try again (refused)'
    expect(await attempt('40P01')).toEqual({ runs: 5, kind: 'conflict', message })
  })

  test('other errors are not repeated', async () => {
    expect(await attempt('23505')).toEqual({ runs: 1, kind: 'conflict', message: 'refused' })
  })
})
