import { afterAll, afterEach, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { updateBill } from '../../../src/core/bills/write.ts'
import { writeSamples } from '../../../src/core/series/write.ts'
import { type TestDatabase, testDatabase } from '../../support/database.ts'
import { batch, portSamples } from '../../support/samples.ts'
import { at, bill, INTERVAL_S, makeBill, makePorts, rowsOf, shown, store } from './support.ts'

setDefaultTimeout(60_000)
let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterEach(async () => {
  await database.store.sql`delete from bills`
  await database.store.sql`delete from bill_late`
})
afterAll(() => database.drop())

const NOW = () => Math.floor(Date.now() / 300_000) * 300
const total = async (id: number) => (await shown(database.store, id)).record?.total_data
const sample = (port: number, endS: number, octets: number | null, periodS = 300) => ({
  port,
  endS,
  periodS,
  in: octets,
  out: octets === null ? null : 0,
})

/** Writes a sample as the poller does. */
const write = (portId: number, endS: number, periodS: number, octets: number) =>
  writeSamples(
    database.store,
    batch({
      ports: portSamples([
        { portId, time: endS * 1000, periodMs: periodS * 1000, deltas: { in_octets: octets, out_octets: 0 } },
      ]),
    }),
  )

test('a bill is correct after its first run: it begins with the period and includes existing samples', async () => {
  const db = database.store
  const [port = 0] = await makePorts(db, [1e9])
  await store(db, [sample(port, at('2026-03-01 00:05'), 3750), sample(port, at('2026-03-09 12:00'), 7500)])
  const id = await makeBill(db, [port])
  await bill(db, at('2026-03-10 12:00'))
  expect((await shown(db, id)).record).toMatchObject({ total_data: 11_250, rate_95th: 100, rate_average: 150 })
  expect((await shown(db, id)).history).toHaveLength(1)
})

test('buckets are counted a polling interval and a minute after they end', async () => {
  const db = database.store
  const [port = 0] = await makePorts(db, [1e9])
  const end = at('2026-03-10 12:00')
  await store(db, [sample(port, end, 3750)])
  const id = await makeBill(db, [port])
  await bill(db, end + INTERVAL_S + 59)
  expect(await total(id)).toBe(0)
  await bill(db, end + INTERVAL_S + 60)
  expect(await total(id)).toBe(3750)
})

test('a run where nothing is due computes nothing', async () => {
  const db = database.store
  const ports = await makePorts(db, [1e9])
  await makeBill(db, ports)
  const now = at('2026-03-10 12:00')
  expect(await bill(db, now)).toMatchObject({ changed: 1, periods: 1 })
  expect(await bill(db, now + 30)).toEqual({ changed: 0, periods: 0 })
})

test('a late sample changes its buckets and the figures at the next run', async () => {
  const db = database.store
  const [port = 0] = await makePorts(db, [1e9])
  const now = NOW()
  const id = await makeBill(db, [port], { day: new Date((now - 3 * 86_400) * 1000).getDate() })
  await write(port, now - 7200, 300, 3000)
  await bill(db, now)
  expect(await total(id)).toBe(3000)
  await write(port, now - 86_400, 300, 5000)
  await bill(db, now + 1)
  expect(await total(id)).toBe(8000)
  // a device that was unreachable for two hours: its only sample begins before the last count
  await write(port, now, 7200, 24_000)
  await bill(db, now + 900)
  expect(await total(id)).toBe(32_000)
  expect((await rowsOf(db, id, now - 7200)).slice(1)).toEqual(
    Array.from({ length: 25 }, (_, i) => [i * 300, 300, i === 0 ? 3000 : 1000, 0, 0]),
  )
  expect(await db.sql`select from bill_late`).toHaveLength(0)
})

test('late samples of ports without a bill are not noted, and those of deleted ports are removed', async () => {
  const db = database.store
  const [billed = 0, other = 0] = await makePorts(db, [1e9, 1e9])
  await makeBill(db, [billed])
  const now = NOW()
  await write(other, now - 7200, 300, 1)
  expect(await db.sql`select from bill_late`).toHaveLength(0)
  await write(billed, now - 7200, 300, 1)
  expect(await db.sql`select from bill_late`).toHaveLength(1)
  await db.sql`delete from ports where port_id = ${billed}`
  await bill(db, now)
  expect(await db.sql`select from bill_late`).toHaveLength(0)
})

test('a port that moves to another bill counts once', async () => {
  const db = database.store
  const [port = 0, stays = 0] = await makePorts(db, [1e9, 1e9])
  const [from, to] = [await makeBill(db, [port]), await makeBill(db, [stays])]
  const now = NOW()
  const minutes = Array.from({ length: 20 }, (_, i) => now - 3000 + i * 300)
  await bill(db, now)
  const before = [(await total(from)) ?? 0, (await total(to)) ?? 0]
  await updateBill(db, from, {}, [], 'test')
  await updateBill(db, to, {}, [stays, port], 'test')
  await store(
    db,
    minutes.map((endS) => sample(port, endS, 1000)),
  )
  await db.sql`update bills set counted_upto = to_timestamp(${now - 6000})`
  await bill(db, now + 3600)
  const after = [(await total(from)) ?? 0, (await total(to)) ?? 0]
  expect(before).toEqual([0, 0])
  expect((after[0] ?? 0) + (after[1] ?? 0)).toBe(20_000)
  // the change takes effect at the next full 5 minutes
  expect(after[0]).toBeGreaterThanOrEqual(10_000)
  expect(after[1]).toBeGreaterThanOrEqual(7000)
})

test('ports of a new bill can be corrected before it is counted', async () => {
  const db = database.store
  const [wrong = 0, right = 0] = await makePorts(db, [1e9, 1e9])
  await store(db, [sample(wrong, at('2026-03-09 12:00'), 999), sample(right, at('2026-03-09 12:00'), 3750)])
  const id = await makeBill(db, [wrong])
  await updateBill(db, id, {}, [right], 'test')
  await bill(db, at('2026-03-10 12:00'))
  expect(await total(id)).toBe(3750)
})

test('the traffic of a deleted port stays on the bill, even if another port is counted again', async () => {
  const db = database.store
  const [gone = 0, stays = 0] = await makePorts(db, [1e9, 1e9])
  const now = NOW()
  const id = await makeBill(db, [gone, stays], { day: new Date((now - 3 * 86_400) * 1000).getDate() })
  await write(gone, now - 3600, 300, 3000)
  await write(stays, now - 3600, 300, 500)
  await bill(db, now)
  expect(await total(id)).toBe(3500)
  await db.sql`delete from ports where port_id = ${gone}`
  await db.sql`delete from ts.port_samples where port_id = ${gone}`
  await write(stays, now - 1800, 300, 7)
  await write(stays, now + 300, 300, 20)
  await bill(db, now + 1200)
  expect(await total(id)).toBe(3520)
})

test('nothing is counted again if the samples are past their retention', async () => {
  const db = database.store
  const [port = 0] = await makePorts(db, [1e9])
  const end = at('2026-03-05 12:00')
  await store(db, [sample(port, end, 3750)])
  const id = await makeBill(db, [port])
  await bill(db, at('2026-03-10 12:00'))
  await db.sql`delete from ts.port_samples where port_id = ${port}`
  await db.sql`insert into bill_late values (${port}, to_timestamp(${end - 300}), to_timestamp(${end}))`
  const { runBilling } = await import('../../../src/core/bills/calculate.ts')
  await runBilling(db, { intervalS: 300, keepDays: 4, closeHours: 48 }, at('2026-03-10 12:10'))
  expect(await total(id)).toBe(3750)
})

test('a period is recomputed until it closes, and then keeps its figures', async () => {
  const db = database.store
  const [port = 0] = await makePorts(db, [1e9])
  const id = await makeBill(db, [port], { type: 'quota', limit: 10_000 })
  const mark = () =>
    db.sql`insert into bill_late values (${port}, to_timestamp(${at('2026-03-30 00:00')}), to_timestamp(${at('2026-03-31 00:00')}))`
  const march = async () =>
    (await shown(db, id)).history.find((h) => h.bill_datefrom === '2026-03-01 00:00:00')?.bill_used
  await bill(db, at('2026-03-20 12:00'))
  await store(db, [sample(port, at('2026-03-30 12:00'), 1000)])
  await bill(db, at('2026-04-02 12:00'))
  expect(await march()).toBe(1000)
  await store(db, [sample(port, at('2026-03-30 13:00'), 100)])
  await mark()
  await bill(db, at('2026-04-02 12:10'))
  expect(await march()).toBe(1100)
  // 48 hours after its end the figures are final with the next run
  await bill(db, at('2026-04-03 00:10'))
  await store(db, [sample(port, at('2026-03-30 14:00'), 10)])
  await mark()
  await bill(db, at('2026-04-03 00:20'))
  expect(await march()).toBe(1100)
})

test('a change of the limit or the bill day takes effect at the next run', async () => {
  const db = database.store
  const [port = 0] = await makePorts(db, [1e9])
  const id = await makeBill(db, [port], { type: 'quota', limit: 1000 })
  await store(db, [sample(port, at('2026-03-07 12:00'), 1000)])
  const now = at('2026-03-10 12:00')
  await bill(db, now)
  await updateBill(db, id, { bill_quota: 500 }, null, 'test')
  await bill(db, now + 30)
  expect((await shown(db, id)).history[0]).toMatchObject({ bill_allowed: 500, bill_percent: '200.00' })
  await updateBill(db, id, { bill_day: 8 }, null, 'test')
  await bill(db, now + 60)
  expect((await shown(db, id)).record).toMatchObject({ total_data: 0 })
})

test('refused pairs of billed ports are stored with the reason', async () => {
  const db = database.store
  const [billed = 0, other = 0] = await makePorts(db, [1e9, 1e9])
  await makeBill(db, [billed])
  const time = Date.now()
  const refusedPairs = [billed, other].map((portId) => ({ portId, since: time - 300_000, time, reason: 'reset' }))
  await writeSamples(db, { ...batch({}), refusedPairs })
  await writeSamples(db, { ...batch({}), refusedPairs })
  expect([...(await db.sql`select port_id, reason from port_refusals`)]).toEqual([{ port_id: billed, reason: 'reset' }])
})

test('a new bill stores nothing for the time before its ports were monitored', async () => {
  const db = database.store
  const now = at('2026-03-28 12:00')
  const [port = 0, idle = 0] = await makePorts(db, [1e9, 1e9])
  await db.sql`update devices set inserted = to_timestamp(${now - 3600})`
  const [fresh, used] = [await makeBill(db, [idle]), await makeBill(db, [port])]
  await store(db, [sample(port, now - 7200, 3750)])
  await bill(db, now)
  const rows = await db.sql<{ bill_id: number; n: number }[]>`
    select bill_id, count(*)::int as n from bill_data group by bill_id order by bill_id`
  // up to the newest bucket that is counted, 10 minutes ago
  expect([...rows]).toEqual([
    { bill_id: fresh, n: 10 },
    { bill_id: used, n: 23 },
  ])
  expect((await shown(db, fresh)).history).toHaveLength(1)
})
