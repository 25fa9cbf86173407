import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { type TestDatabase, testDatabase } from '../../support/database.ts'
import { type BillCase, DIRECTIONS, IMPORTED, LIMITS, PERCENTILES, PERIODS, SPREADING, UNKNOWN } from './cases.ts'
import { at, bill, importRows, makeBill, makePorts, rowsOf, shown, store } from './support.ts'

setDefaultTimeout(60_000)
let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterEach(async () => {
  await database.store.sql`delete from bills`
})
afterAll(() => database.drop())

async function check({ speeds = [1e9], now = '2026-03-10 12:00', samples = [], imported = [], ...rest }: BillCase) {
  const { store: db } = database
  const ports = await makePorts(db, speeds)
  const id = await makeBill(db, ports, rest)
  await store(
    db,
    samples.map((sample) => ({ ...sample, port: ports[sample.port] ?? 0 })),
  )
  await importRows(db, id, imported)
  await bill(db, at(now))
  const { record, history } = await shown(db, id)
  expect(record).toMatchObject(rest.want)
  if (rest.history !== undefined) expect(history[0]).toMatchObject(rest.history)
  if (rest.rows !== undefined) {
    expect(await rowsOf(db, id, at('2026-03-10 00:00'))).toEqual(rest.rows.map((row) => [...row]))
  }
  return { db, id, history }
}

describe.each([
  ['the 95th percentile', PERCENTILES],
  ['directions', DIRECTIONS],
  ['limits', LIMITS],
  ['samples and buckets', SPREADING],
  ['what is unknown', UNKNOWN],
  ['rows of another program', IMPORTED],
] as const)('%s', (_, cases) => {
  test.each([...cases])('$name', async (one) => {
    await check(one)
  })
})

describe('periods', () => {
  test.each([...PERIODS])('$name', async (one) => {
    const { db, id, history } = await check(one)
    if (one.previous === undefined) return
    // a bill normally begins with its current period; this one existed before
    expect(history).toHaveLength(1)
    await db.sql`update bills set counted_from = null, counted_upto = null where bill_id = ${id}`
    await db.sql`delete from bill_data where bill_id = ${id}`
    const from = String(one.previous['bill_datefrom'] ?? '2026-02-01 00:00:00')
    await bill(db, at(from) + 86_400 * 2)
    await bill(db, at(one.now ?? '2026-03-10 12:00'))
    expect((await shown(db, id)).history.slice(0, 2)).toMatchObject([{ ...one.history }, { ...one.previous }])
  })
})
