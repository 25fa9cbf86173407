import type { Store } from '../src/core/database/client.ts'
import { listTopPorts, type TopOrder, type TopQuery } from '../src/core/lists/read-top-ports.ts'
import { withDatabase } from './support/database.ts'
import { option } from './support/option.ts'
import { databaseCpuS } from './support/processes.ts'
import { type BenchResult, result } from './support/result.ts'
import { PASSWORD, withPages } from './support/web-server.ts'
import { fill } from './web.ts'

/**
 * Top ports over 24 hours with 100 devices of 100 ports (`--devices N`, `--ports N`) and three days of history, next to
 * a plain count of the rows that cover the same range.
 */
const GOAL_MS = 800
const RUNS = 9
const DAYS = 3
const [HOUR_S, DAY_S] = [3600, 86_400] as const
const ORDERS: readonly (readonly [TopOrder, string])[] = [
  ['busiest', 'busiest'],
  ['errors', 'most errors'],
  ['change', 'largest change'],
]

export async function run(): Promise<BenchResult[]> {
  const [devices, ports] = [option('devices', 100), option('ports', 100)]
  return await withDatabase(8, async (store) => {
    await fill(store, devices, ports)
    await fillHistory(store)
    const nowMs = Date.now()
    const n = (devices * ports).toLocaleString('en-US')
    const out: BenchResult[] = []
    for (const [order, words] of ORDERS) {
      const query = queryOf(order, nowMs)
      const counted = await timesOf(store, () => countRows(store, query))
      const listed = await timesOf(store, () => listTopPorts(store, { kind: 'all' }, query, nowMs))
      const name = `top of ${n} ports: ${words}`
      const goal = { text: `${GOAL_MS} ms`, met: listed.cpuMs <= GOAL_MS }
      const counting = 'count of the rows'
      out.push(result(`${name}, median`, listed.medianMs, 'ms', { name: counting, value: counted.medianMs }))
      out.push(
        result(`${name}, CPU of the database`, listed.cpuMs, 'ms', { name: counting, value: counted.cpuMs }, goal),
      )
    }
    out.push(...(await withPages(store, pageTimes)))
    return out
  })
}

function queryOf(order: TopOrder, nowMs: number): TopQuery {
  const day = DAY_S * 1000
  return {
    span: { fromMs: nowMs - day, toMs: nowMs },
    before: order === 'change' ? { fromMs: nowMs - 2 * day, toMs: nowMs - day } : null,
    ...{ order, text: '', deviceId: null, groupId: null, location: null, offset: 0, limit: 100 },
  }
}

/** Reads what `listTopPorts` has to read at least: the hours of both ranges, and the samples that are not rolled up. */
async function countRows({ sql }: Store, { span, before }: TopQuery): Promise<void> {
  const from = (before ?? span).fromMs / 1000
  await sql`select count(*), sum(in_octets), sum(out_octets), sum(in_err) from ts.port_1h
    where bucket >= date_trunc('hour', to_timestamp(${from}::float8))`
  await sql`select count(*), sum(in_octets), sum(out_octets), sum(in_err) from ts.port_samples
    where "time" > (select watermark from ts.rollup where dst = 'ts.port_1h'::regclass)`
}

/** Median of the time elapsed, which depends on the load of the machine, and mean CPU time of the database, both ms. */
async function timesOf(store: Store, work: () => Promise<unknown>): Promise<{ medianMs: number; cpuMs: number }> {
  await work() // reads the pages of the database into memory
  const times: number[] = []
  const before = await databaseCpuS(store)
  for (let i = 0; i < RUNS; i++) {
    const beganMs = performance.now()
    await work()
    times.push(performance.now() - beganMs)
  }
  const usedS = (await databaseCpuS(store)) - before
  return { medianMs: times.toSorted((a, b) => a - b)[Math.floor(RUNS / 2)] ?? 0, cpuMs: (usedS * 1000) / RUNS }
}

/** The whole page, the first time that an order is asked for. */
async function pageTimes(origin: string): Promise<BenchResult[]> {
  const signedIn = await fetch(`${origin}/sign-in`, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin },
    body: new URLSearchParams({ username: 'admin', password: PASSWORD }),
  })
  const cookie = (signedIn.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
  const out: BenchResult[] = []
  for (const [order, words] of ORDERS) {
    const beganMs = performance.now()
    const answer = await fetch(`${origin}/ports/top?by=${order}&from=-24h`, {
      headers: { cookie, accept: 'text/html' },
    })
    await answer.text()
    if (!answer.ok) throw new Error(`the page answers ${answer.status}`)
    out.push(result(`top ports, the page: ${words}, the first time`, performance.now() - beganMs, 'ms'))
  }
  return out
}

/** Days and hours of roll-ups, and the samples since the last full hour, as three days of polling leave them. */
async function fillHistory({ sql }: Store): Promise<void> {
  const now = Math.floor(Date.now() / 1000)
  const [hour, day] = [Math.floor(now / HOUR_S) * HOUR_S, Math.floor(now / DAY_S) * DAY_S]
  const values = 'port_id * 1e5 + 1e6 * (extract(epoch from t)::int8 / 3600 % 24)'
  const counters = 'in_octets, out_octets, in_pkts, out_pkts, in_err, out_err, in_disc, out_disc'
  const row = `(${values})::int8, (${values})::int8 / 2, 100000, 50000, port_id % 5, 0, port_id % 3, 0`
  for (const [level, from, to, step] of [
    ['1d', day - DAYS * DAY_S, day - DAY_S, DAY_S],
    ['1h', hour - DAYS * DAY_S, hour - HOUR_S, HOUR_S],
  ] as const) {
    for (let at = from; at <= to; at += DAY_S)
      await sql`select ts.ensure_partitions(${`ts.port_${level}`}::regclass, to_timestamp(${at}))`
    await sql.unsafe(`insert into ts.port_${level} (bucket, port_id, n, period_ms, ${counters})
      select t, port_id, ${step / 300}, ${step * 1000}, ${row}
      from generate_series(to_timestamp(${from}), to_timestamp(${to}), '${step} s') t, ports`)
  }
  await sql.unsafe(`insert into ts.port_samples ("time", port_id, period_ms, ${counters})
    select t, port_id, 300000, ${row} from generate_series(to_timestamp(${hour}), now() - interval '1 s', '300 s') t, ports
    on conflict do nothing`)
  await sql`update ts.rollup set watermark = to_timestamp(${hour}) where dst = 'ts.port_1h'::regclass`
  await sql`update ts.rollup set watermark = to_timestamp(${day}) where dst = 'ts.port_1d'::regclass`
  await sql`vacuum analyze`
}
