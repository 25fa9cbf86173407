import { afterAll, afterEach, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import type { Drawing, GraphOptions } from '../../../src/core/base/graphs.ts'
import { createBillGraphs } from '../../../src/core/bills/graphs.ts'
import { createGraphs } from '../../../src/graphs/graphs.ts'
import { storedSeries } from '../../../src/graphs/store-source.ts'
import { type TestDatabase, testDatabase } from '../../support/database.ts'
import { at, bill, importRows, makeBill, makePorts, shown, store } from './support.ts'

setDefaultTimeout(60_000)
let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterEach(async () => {
  await database.store.sql`delete from bills`
})
afterAll(() => database.drop())

/** Bill graphs that record what they drew. */
function graphsOf() {
  const settings = { 'poller.interval': 300, 'ping.interval': 60, 'series.gap_intervals': 3 }
  const real = createGraphs({ series: storedSeries(database.store, { get: (name) => settings[name] }), now: Date.now })
  const drawn: Drawing[] = []
  const graphs = {
    ...real,
    drawing: (drawing: Drawing, options: GraphOptions) => {
      drawn.push(drawing)
      return real.drawing(drawing, options)
    },
  }
  return { drawn, graphs: createBillGraphs({ store: database.store, graphs }) }
}

const lines = (drawing: Drawing | undefined) =>
  drawing?.series.map(({ label, as, below = false, values }) => [label, as, below, values[0]])

test('the graph of a bill averages over counted time and sums octets', async () => {
  const [port = 0] = await makePorts(database.store, [1e9])
  const id = await makeBill(database.store, [port])
  const end = at('2026-03-10 12:00')
  // a row over an hour, and one over 5 minutes
  await importRows(database.store, id, [
    { endS: end - 3600, periodS: 3600, in: 3_600_000, out: 0 },
    { endS: end, periodS: 300, in: 0, out: 300 },
  ])
  const { drawn, graphs } = graphsOf()
  expect(await graphs.draw(id, 'bits', { fromS: end - 7200, toS: end }, {})).toMatchObject({ kind: 'image' })
  expect(drawn[0]?.series.map(({ average }) => average)).toEqual([
    28_800_000 / 3900,
    2400 / 3900,
    28_802_400 / 3900,
    undefined,
    undefined,
  ])
  expect(drawn[0]?.series.map(({ total }) => total)).toEqual([3_600_000, 300, 3_600_300, undefined, undefined])
})

test('the highest value of a month is that of a sample, so that it is not below the 95th percentile', async () => {
  const [port = 0] = await makePorts(database.store, [1e9])
  const id = await makeBill(database.store, [port])
  const end = at('2026-03-31 00:00')
  // 30 days, 1 of 10 samples at ten times the rate: values of the graph combine nine samples
  await importRows(
    database.store,
    id,
    Array.from({ length: 30 * 288 }, (_, i) => ({
      ...{ endS: end - (30 * 288 - 1 - i) * 300, periodS: 300 },
      ...{ in: i % 10 === 0 ? 3_750_000 : 375_000, out: 0 },
    })),
  )
  const { drawn, graphs } = graphsOf()
  const answer = await graphs.draw(id, 'bits', { fromS: end - 30 * 86_400, toS: end }, {})
  const [series] = drawn[0]?.series ?? []
  expect(Math.max(...(series?.values ?? []))).toBeLessThan(100_000)
  expect(Math.max(...(series?.highest ?? []))).toBe(100_000)
  expect(answer).toMatchObject({ kind: 'image' })
  const line = drawn[0]?.series.find(({ as }) => as === 'percentile')
  expect(line?.values[0]).toBeLessThanOrEqual(100_000)
})

test.each([
  {
    dir: 'in',
    type: 'cdr',
    out: 1,
    want: [
      ['95th in', 'percentile', false, 100],
      ['Allowed', 'limit', false, 50],
    ],
  },
  {
    dir: 'in',
    type: 'cdr',
    out: 7500,
    want: [
      ['95th out', 'percentile', true, 200],
      ['Allowed', 'limit', true, 50],
    ],
  },
  {
    dir: 'agg',
    type: 'cdr',
    out: 3750,
    want: [
      ['95th total', 'percentile', false, 200],
      ['Allowed', 'limit', false, 50],
    ],
  },
  // 31 days, without the hour that may be skipped by summer time
  {
    dir: 'in',
    type: 'quota',
    out: 1,
    want: [
      ['95th in', 'percentile', false, 100],
      ['Quota, evenly', 'limit', false, 400 / (at('2026-04-01 00:00') - at('2026-03-01 00:00'))],
    ],
  },
] as const)('lines of a $type bill, $dir, out $out', async ({ dir, type, out, want }) => {
  const [port = 0] = await makePorts(database.store, [1e9])
  const id = await makeBill(database.store, [port], { dir, type, limit: 50 })
  const end = at('2026-03-10 12:00')
  await store(database.store, [{ port, endS: end - 3600, periodS: 300, in: 3750, out }])
  await bill(database.store, end)
  const { drawn, graphs } = graphsOf()
  const [period] = (await shown(database.store, id)).history
  if (period === undefined) throw new Error('no period')
  expect(await graphs.drawPeriod(period, 'bits', {})).toMatchObject({ kind: 'image' })
  expect(lines(drawn[0])?.slice(3)).toEqual(want.map((line) => [...line]))
})

test('bars of a period: the last 5 minutes of a day belong to that day; a quota is spread over the days', async () => {
  const [port = 0] = await makePorts(database.store, [1e9])
  const id = await makeBill(database.store, [port], { type: 'quota', limit: 31_000 })
  await store(database.store, [
    { port, endS: at('2026-03-05 00:00'), periodS: 300, in: 100, out: 10 },
    { port, endS: at('2026-03-05 00:05'), periodS: 300, in: 7, out: 0 },
  ])
  await bill(database.store, at('2026-03-10 12:00'))
  const { drawn, graphs } = graphsOf()
  const [period] = (await shown(database.store, id)).history
  if (period === undefined) throw new Error('no period')
  const bars = await graphs.periodBars('day', period)
  expect([bars.ticklabels[3], bars.tot_data[3], bars.ticklabels[4], bars.tot_data[4]]).toEqual([
    '2026-03-04',
    110,
    '2026-03-05',
    7,
  ])
  expect(await graphs.drawPeriod(period, 'day', {})).toMatchObject({ kind: 'image' })
  expect(lines(drawn[0])?.[3]?.slice(0, 2)).toEqual(['Quota, evenly', 'limit'])
  expect(drawn[0]?.series[0]).toMatchObject({ label: 'In', total: 107 })
  expect((await graphs.periodBars('hour', period)).ticklabels).toEqual(['00:00', '23:00'])
})

test('a bill without any known data has no image', async () => {
  const [port = 0] = await makePorts(database.store, [1e9])
  const id = await makeBill(database.store, [port])
  const now = at('2026-03-10 12:00')
  await bill(database.store, now)
  const { graphs } = graphsOf()
  expect(await graphs.draw(id, 'bits', { fromS: now - 3600, toS: now }, {})).toEqual({ kind: 'no-data' })
  expect(await graphs.bits(id, { fromS: now - 3600, toS: now }, null)).toMatchObject({ in_data: [], ticks: [] })
})

test('the graph of a bill names the device of its ports if there is only one', async () => {
  const [port = 0, other = 0] = await makePorts(database.store, [1e9, 1e9])
  const id = await makeBill(database.store, [port])
  const end = at('2026-03-10 12:00')
  await importRows(database.store, id, [{ endS: end, periodS: 300, in: 300, out: 300 }])
  const { drawn, graphs } = graphsOf()
  const draw = () => graphs.draw(id, 'bits', { fromS: end - 7200, toS: end }, {})
  await draw()
  const [own] = await database.store.sql<{ device_id: number }[]>`select device_id from ports where port_id = ${port}`
  expect(drawn.at(-1)?.deviceId).toBe(own?.device_id ?? null)
  await database.store.sql`
    with d as (insert into devices (hostname) values ('bill-second') returning device_id)
    update ports set device_id = d.device_id from d where port_id = ${other}`
  await database.store.sql`insert into bill_ports (bill_id, port_id) values (${id}, ${other})`
  await draw()
  expect(drawn.at(-1)?.deviceId).toBeNull()
})
