import { afterAll, beforeAll, expect, test } from 'bun:test'
import { writeFigures } from '../../../src/core/bills/read-figures.ts'
import { type TestDatabase, testDatabase } from '../../support/database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.drop())

const seconds = (text: string) => Date.parse(text) / 1000

test('an ended period that was imported from another time zone gets no second row; the current one is written', async () => {
  const { store } = database
  const [bill] = await store.sql<{ id: number }[]>`
    insert into bills (bill_name, bill_type, bill_day, dir_95th, bill_custid, bill_ref, bill_notes)
    values ('uplink', 'quota', 1, 'in', '', '', '') returning bill_id as id`
  const billId = bill?.id ?? 0
  // October and November in Central European time
  const imported = [
    { billId, fromS: seconds('2026-09-30T22:00:00Z'), toS: seconds('2026-10-31T22:59:59Z'), current: false },
    { billId, fromS: seconds('2026-10-31T23:00:00Z'), toS: seconds('2026-11-30T22:59:59Z'), current: false },
  ]
  await writeFigures(store, imported, seconds('2026-11-01T12:00:00Z'))
  await store.sql`update bill_history set traf_total = 4711`
  const month = (from: string, to: string, current: boolean) => ({
    billId,
    fromS: seconds(`${from}T00:00:00Z`),
    toS: seconds(`${to}T23:59:59Z`),
    current,
  })
  const periods = [
    month('2026-11-01', '2026-11-30', true),
    month('2026-10-01', '2026-10-31', false),
    month('2026-09-01', '2026-09-30', false),
  ]
  await writeFigures(store, periods, seconds('2026-11-20T12:00:00Z'))
  const rows = await store.sql<{ from: Date; total: number }[]>`
    select bill_datefrom as from, traf_total::float8 as total from bill_history order by 1`
  expect(rows.map(({ from, total }) => [from.toISOString().slice(0, 13), total])).toEqual([
    ['2026-09-01T00', 0],
    ['2026-09-30T22', 4711],
    ['2026-10-31T23', 4711],
    ['2026-11-01T00', 0],
  ])
})
