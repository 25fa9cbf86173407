import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { runBilling } from '../../src/domain/billing/calculate.ts'
import { createBillGraphs } from '../../src/domain/billing/graphs.ts'
import type { Drawing, GraphOptions } from '../../src/domain/graphs.ts'
import { createGraphs } from '../../src/graphs/graphs.ts'
import { storedSeries } from '../../src/graphs/store-source.ts'
import { countBills } from '../../src/store/bills/collect.ts'
import { billHistory, billSamples, listBills } from '../../src/store/bills/read.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'

setDefaultTimeout(60_000)
let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.drop())

const INTERVAL_S = 300
const ALL = { kind: 'all' } as const
/** End of the latest 5 minutes that are counted: two intervals ago. */
const upto = () => Math.floor((Date.now() / 1000 - 2 * INTERVAL_S) / 300) * 300

let minted = 0

/** A bill for two new ports, counted up to `lastS`. */
async function billOfTwo(lastS: number): Promise<{ billId: number; ports: readonly [number, number] }> {
  const { sql } = database.store
  const n = ++minted
  const [device] = await sql<{ id: number }[]>`
    insert into devices (hostname) values (${`b${n}.example.net`}) returning device_id as id`
  const deviceId = device?.id ?? 0
  const rows = await sql<{ id: number }[]>`
    insert into ports (device_id, "ifIndex") values (${deviceId}, 1), (${deviceId}, 2) returning port_id as id`
  const ports = [rows[0]?.id ?? 0, rows[1]?.id ?? 0] as const
  const [bill] = await sql<{ id: number }[]>`
    insert into bills (bill_name, bill_type, bill_cdr, bill_day, dir_95th, bill_custid, bill_ref, bill_notes, bill_last_calc)
    values ('b', 'cdr', 1000, 1, 'in', '', '', '', now() - interval '2 hours') returning bill_id as id`
  const billId = bill?.id ?? 0
  await sql`insert into bill_ports (bill_id, port_id) values (${billId}, ${ports[0]}), (${billId}, ${ports[1]})`
  await sql`insert into bill_data (bill_id, "timestamp", period, delta, in_delta, out_delta)
    values (${billId}, to_timestamp(${lastS}), 0, 0, 0, 0)`
  return { billId, ports }
}

async function sample(port: number, endS: number, periodS: number, octets: number): Promise<void> {
  const { sql } = database.store
  await sql`select ts.ensure_partitions('ts.port_samples', to_timestamp(${endS}))`
  await sql`insert into ts.port_samples ("time", port_id, period_ms, in_octets, out_octets)
    values (to_timestamp(${endS}), ${port}, ${periodS * 1000}, ${octets}, ${octets / 10})`
}

const counted = async (billId: number) =>
  (await billSamples(database.store, billId, { fromS: 0, toS: Date.now() / 1000 })).map((s) => [
    s.timeS - upto(),
    s.periodS,
    s.inOctets,
    s.outOctets,
  ])

test('samples of all ports are spread over 5-minute buckets and counted once', async () => {
  const end = upto()
  const { billId, ports } = await billOfTwo(end - 600)
  // polled 100 s after the bucket's end: two thirds of a sample belong to the earlier bucket
  for (const at of [-500, -200, 100]) await sample(ports[0], end + at, 300, 3000)
  for (const at of [-300, 0, 300]) await sample(ports[1], end + at, 300, 500)
  expect(await countBills(database.store, { intervalS: INTERVAL_S })).toBeGreaterThanOrEqual(2)
  expect(await counted(billId)).toEqual([
    [-600, 0, 0, 0],
    [-300, 300, 3500, 350],
    [0, 300, 3500, 350],
  ])
  await countBills(database.store, { intervalS: INTERVAL_S })
  expect(await counted(billId)).toHaveLength(3)
})

test('the rows of a bill add up to the octets of its samples', async () => {
  const end = upto()
  const { billId, ports } = await billOfTwo(end - 900)
  // a third of an octet in each row
  for (const at of [-450, 0]) for (const port of ports) await sample(port, end + at, 450, 1000)
  await countBills(database.store, { intervalS: INTERVAL_S })
  const rows = (await counted(billId)).slice(1)
  const sum = (column: number) => rows.reduce((total, row) => total + (row[column] ?? 0), 0)
  expect(rows).toHaveLength(3)
  expect([sum(2), sum(3)]).toEqual([4000, 400])
})

test('the graph of a bill averages over counted time', async () => {
  const { store } = database
  const end = upto()
  const { billId } = await billOfTwo(end - 7200)
  // a row over an hour, and one over 5 minutes
  await store.sql`insert into bill_data (bill_id, "timestamp", period, delta, in_delta, out_delta) values
    (${billId}, to_timestamp(${end - 3600}), 3600, 3600000, 3600000, 0), (${billId}, to_timestamp(${end}), 300, 300, 0, 300)`
  const settings = { 'poller.interval': 300, 'ping.interval': 60, 'series.gap_intervals': 3 }
  const real = createGraphs({ series: storedSeries(store, { get: (name) => settings[name] }), now: Date.now })
  const drawn: Drawing[] = []
  const graphs = {
    ...real,
    drawing: (drawing: Drawing, options: GraphOptions) => {
      drawn.push(drawing)
      return real.drawing(drawing, options)
    },
  }
  const window = { fromS: end - 7200, toS: end }
  expect(await createBillGraphs({ store, graphs }).draw(billId, 'bits', window, {})).toMatchObject({ kind: 'image' })
  expect(drawn[0]?.series.map((line) => line.average)).toEqual([28_800_000 / 3900, 2400 / 3900, undefined])
})

test('a sample after failed polls is counted at its end', async () => {
  const end = upto()
  const { billId, ports } = await billOfTwo(end - 900)
  await sample(ports[0], end - 100, 3000, 9000)
  await countBills(database.store, { intervalS: INTERVAL_S })
  expect(await counted(billId)).toEqual([
    [-900, 0, 0, 0],
    [-600, 300, 0, 0],
    [-300, 300, 0, 0],
    [0, 300, 9000, 900],
  ])
})

test('after a long pause one row covers the uncounted time', async () => {
  const end = upto()
  const { billId, ports } = await billOfTwo(end - 86_400)
  await sample(ports[0], end - 7200, 60_000, 7000)
  await countBills(database.store, { intervalS: INTERVAL_S })
  const rows = await counted(billId)
  expect(rows[1]).toEqual([-3600, 82_800, 7000, 700])
  expect(rows).toHaveLength(14)
})

test('the first row of a new bill has no traffic', async () => {
  const { billId, ports } = await billOfTwo(0)
  await database.store.sql`delete from bill_data where bill_id = ${billId}`
  await sample(ports[0], upto() - 100, 300, 3000)
  await countBills(database.store, { intervalS: INTERVAL_S })
  expect(await counted(billId)).toEqual([[0, 0, 0, 0]])
})

test('figures and history match the counted traffic', async () => {
  const now = new Date(2026, 7, 15, 12).getTime() / 1000
  const { billId } = await billOfTwo(now)
  const { sql } = database.store
  await sql`insert into bill_data (bill_id, "timestamp", period, delta, in_delta, out_delta)
    select ${billId}, to_timestamp(${now} - n * 300), 300, 82500, 75000, 7500 from generate_series(1, 100) n`
  const july = new Date(2026, 6, 20).getTime() / 1000
  await sql`insert into bill_data (bill_id, "timestamp", period, delta, in_delta, out_delta)
    select ${billId}, to_timestamp(${july} + n * 300), 300, 3750, 0, 3750 from generate_series(1, 10) n`
  await runBilling(database.store, INTERVAL_S, now)
  expect(await listBills(database.store, ALL, { id: billId })).toMatchObject([
    { rate_95th_in: 2000, rate_95th_out: 200, rate_95th: 2000, dir_95th: 'in', rate_average: 2200 },
  ])
  expect(await billHistory(database.store, billId)).toMatchObject([
    {
      bill_datefrom: '2026-08-01 00:00:00',
      bill_dateto: '2026-08-31 23:59:59',
      bill_type: 'CDR',
      bill_allowed: 1000,
      bill_used: 2000,
      bill_overuse: 1000,
      bill_percent: '200.00',
      traf_total: 8_250_000,
      bill_peak_in: 75_000,
    },
    {
      bill_datefrom: '2026-07-01 00:00:00',
      rate_95th: 100,
      dir_95th: 'out',
      bill_overuse: 0,
      traf_in: 0,
      traf_out: 37_500,
    },
  ])
})
