import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type TestDatabase, testDatabase } from '../../support/database.ts'
import { at, bill, makeBill, makePorts, shown, store } from './support.ts'

// The clock of the server is ahead for an hour and is set back: what is billed is as if that had not happened.

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
}, 120_000)
afterAll(() => database.drop())

const DAY_S = 86_400

const withoutIds = ({ bill_hist_id: _, bill_id: __, ...rest }: Awaited<ReturnType<typeof shown>>['history'][number]) =>
  rest

test.each([3600, 20 * DAY_S, 95 * DAY_S])(
  'by %i s',
  async (aheadS) => {
    const db = database.store
    const ports = await makePorts(db, [1e9, 1e9])
    const [wrong = 0, right = 0] = [await makeBill(db, [ports[0] ?? 0]), await makeBill(db, [ports[1] ?? 0])]
    const step = at('2026-03-10 12:00')
    const end = at('2026-04-02 12:00')
    const read = async (fromS: number, toS: number): Promise<void> => {
      const samples = []
      for (let endS = fromS; endS <= toS; endS += 1800)
        for (const port of ports) samples.push({ port, endS, periodS: 1800, in: endS % 86_400, out: 300 })
      await store(db, samples)
    }
    await read(at('2026-03-09 00:30'), step)
    await bill(db, step)
    // the second bill does not see the wrong time
    await db.sql`delete from bill_ports where bill_id = ${right}`
    await bill(db, step + aheadS)
    await db.sql`insert into bill_ports (bill_id, port_id) values (${right}, ${ports[1] ?? 0})`
    await bill(db, step + 60)
    for (let now = step; now < end; now += DAY_S / 2) {
      await read(now + 1800, Math.min(end, now + DAY_S / 2))
      await bill(db, now + DAY_S / 2 + 1)
    }
    const [a, b] = [await shown(db, wrong), await shown(db, right)]
    for (const key of ['total_data', 'rate_95th', 'rate_average'] as const)
      expect([a.record?.[key]]).toEqual([b.record?.[key]])
    expect(a.record?.total_data).toBeGreaterThan(0)
    expect(a.history.map(withoutIds)).toEqual(b.history.map(withoutIds))
    const [row] = await db.sql<{ n: number }[]>`
    select count(*)::int as n from bill_data where bill_id = ${wrong} and "timestamp" > to_timestamp(${end + 600})`
    expect(row).toEqual({ n: 0 })
    await db.sql`delete from bills`
  },
  120_000,
)
