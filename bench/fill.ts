/**
 * Fills the series of ports as a month of polling would, lets housekeeping pack or compress what is closed, and prints
 * the disk space of a sample and of a port in a year, and the times to read graphs and a month's 95th percentile, before
 * and after. In each mode: on the embedded server (plain), on TEST_TIMESCALE_URL, and on the full edition in
 * tests/full-edition if installed. The latter is WebAssembly in one process and is filled with only 1/40 of the ports,
 * so its sizes are valid and its times are an upper bound.
 *
 * `./portlight bench fill [--ports 2400] [--mode plain|apache|tsl] [--pause]`; takes ten minutes and 6 GB of disk a
 * mode. `--pause`: waits for a line on standard input before reading, so that the machine can settle.
 */

import { client, connect, type Store } from '../src/core/database/client.ts'
import { migrate } from '../src/core/schema/migrate.ts'
import { portSeries } from '../src/core/series/read.ts'
import { seriesStatus } from '../src/core/series/read-status.ts'
import { storedRows } from '../src/core/series/stored-rows.ts'
import { maintain } from '../src/core/series/write-roll-ups.ts'
import { createLog } from '../src/observe/log.ts'
import { HAS_FULL_EDITION, startFullEdition } from '../tests/support/full-edition.ts'
import { withDatabase } from './support/database.ts'
import { option, textOption } from './support/option.ts'
import { type BenchResult, result } from './support/result.ts'

const DAYS = 30
const PER_DAY = 288
const PORTS = 2400
/** Ports with a year of roll-ups. */
const YEAR_PORTS = 200
/** Number of reads of each query, each for another port. */
const READS = 40
const DAY_S = 86_400
const WIDTH = 1075
const KEEP = { samplesDays: 60, hourlyDays: 400, dailyDays: 3650 }
const log = createLog('error')

/** `only`: the only mode to run. */
export async function run(ports = option('ports', PORTS), only = textOption('mode')): Promise<BenchResult[]> {
  const modes: Readonly<Record<string, () => Promise<BenchResult[]>>> = {
    plain: () => withDatabase(1, (_, url) => measure(url, ports, '')),
    apache: () => onServer(process.env['TEST_TIMESCALE_URL'], ports),
    tsl: () => onFullEdition(Math.ceil(ports / 40)),
  }
  const wanted = only !== undefined && only in modes ? [only] : Object.keys(modes)
  const results: BenchResult[] = []
  for (const mode of wanted) results.push(...((await modes[mode]?.()) ?? []))
  return results
}

async function onServer(url: string | undefined, ports: number): Promise<BenchResult[]> {
  if (url === undefined) return []
  const name = `bench_fill_${process.pid}`
  const own = new URL(url)
  own.pathname = `/${name}`
  const admin = client(url, 1)
  try {
    await admin.unsafe(`create database ${name}`)
    // as docs/how-to/own-database.md recommends; the embedded server has more on most machines
    await admin.unsafe(`alter database ${name} set work_mem = '16MB'`)
    return await measure(own.href, ports, '')
  } finally {
    await admin.unsafe(`drop database if exists ${name} with (force)`)
    await admin.end()
  }
}

async function onFullEdition(ports: number): Promise<BenchResult[]> {
  if (!HAS_FULL_EDITION) return []
  const server = await startFullEdition()
  try {
    return await measure(server.url, ports, ' (WebAssembly)')
  } finally {
    await server.stop()
  }
}

/** What housekeeping has not finished after this many rounds is reported. */
const ROUNDS = 40

async function measure(url: string, ports: number, note: string): Promise<BenchResult[]> {
  const { mode } = await migrate(url, log)
  const store = connect(url, { max: 1 })
  try {
    // Everything is closed for a day, so that samples are packed whole.
    const end = (Math.floor(Date.now() / 1000 / DAY_S) - 2) * DAY_S
    const filled = await fill(store, ports, end)
    const where = `${mode}${note}`
    await settle(store)
    const rows = await times(store, ports, end, where, new Map())
    const before = await sizes(store, ports, where)
    const packed = await pack(store, url)
    await settle(store)
    return [
      result(`samples stored at (${where})`, filled, 'samples/s'),
      result(`rows packed at (${where})`, packed.rate, 'rows/s', null, {
        text: 'a day of 960,000 ports at 300 s in an hour: 76,800',
        met: packed.rate >= 76_800,
      }),
      result(`${packed.rows} rows packed in (${where})`, packed.tookS, 's'),
      result(`more space meanwhile (${where})`, packed.mostOctets / 2 ** 20, 'MiB'),
      ...(await sizes(store, ports, where, before)),
      ...(await times(store, ports, end, where, new Map(rows.map(({ name, value }) => [name, value])))),
    ]
  } finally {
    await store.close()
  }
}

async function settle({ sql }: Store): Promise<void> {
  await sql.unsafe('vacuum analyze ts.port_samples, ts.port_1h, ts.port_1d')
  for (const { rel } of await sql<
    { rel: string }[]
  >`select packed::text as rel from ts.series where packed is not null`)
    await sql.unsafe(`vacuum analyze ${rel}`)
  await sql.unsafe('checkpoint')
  if (!process.argv.includes('--pause')) return
  console.log('filled')
  for await (const _ of console) break
}

/** Runs housekeeping until nothing is left to pack or compress. Returns rows per second. */
async function pack(
  store: Store,
  url: string,
): Promise<{ rate: number; rows: number; tookS: number; mostOctets: number }> {
  const watch = await watchSize(url)
  const begun = performance.now()
  for (let round = 1; ; round++) {
    const report = await maintain(store, KEEP, 600_000)
    for (const failure of report.failures) console.error(`${failure.step} of ${failure.rel}: ${failure.reason}`)
    if (report.packed + report.compressed === 0) break
    if (round === ROUNDS) throw new Error('housekeeping has not finished')
  }
  const tookS = (performance.now() - begun) / 1000
  const mostOctets = await watch.stop()
  const levels = await Promise.all(LEVELS.map(async (level) => (await formsOf(store, level)).packedRows))
  const rows = levels.reduce((sum, n) => sum + n, 0)
  return { rate: rows / tookS, rows, tookS, mostOctets }
}

/**
 * A fifth of the ports are idle; the others follow a daily cycle with noise, at means from 1 kB/s to 100 MB/s; errors
 * are rare. Returns samples per second.
 */
async function fill({ sql }: Store, ports: number, end: number): Promise<number> {
  await sql.unsafe('set synchronous_commit = off; set statement_timeout = 0').simple()
  const begun = performance.now()
  for (let day = end - DAYS * DAY_S; day < end; day += DAY_S) {
    await sql`select ts.ensure_partitions('ts.port_samples', to_timestamp(${day}))`
    await sql.unsafe(`
      insert into ts.port_samples select to_timestamp(${day} + n * 300 + p % 300), p, 300000 + (random() * 20)::int * 10,
        o, o / 3, o / 700, o / 1400, e, 0, e / 2, 0, o / 90000, o / 400000, o / 200000, o / 300000
      from generate_series(0, ${PER_DAY - 1}) n, generate_series(1, ${ports}) p,
        lateral (select case p % 5 when 0 then 0 else (300 * 10 ^ (3 + p % 6)
            * (0.3 + 0.7 * sin(pi() * n / ${PER_DAY}.0) ^ 2) * (0.8 + 0.4 * random()))::bigint end as o,
          case when random() < 0.002 then 3 else 0 end as e) v`)
  }
  const rate = (ports * DAYS * PER_DAY * 1000) / (performance.now() - begun)
  for (const [level, width, source, unit] of [
    ['1h', 3600, 'samples', 14],
    ['1d', DAY_S, '1h', 364],
  ] as const) {
    const time = source === 'samples' ? '"time"' : 'bucket'
    for (let from = end - 365 * DAY_S; from < end + DAY_S; from += unit * DAY_S) {
      await sql`select ts.ensure_partitions(${`ts.port_${level}`}::text::regclass, to_timestamp(${from}))`
    }
    for (let day = end - DAYS * DAY_S; day < end; day += DAY_S) {
      await sql.unsafe(`
        do $d$ begin
          execute (select format('insert into %s %s', r.dst, ts.aggregate_sql(r, r.src::text,
              '${time} >= to_timestamp(${day}) and ${time} < to_timestamp(${day + DAY_S})'))
            from ts.rollup r where r.dst = 'ts.port_${level}'::regclass);
        end $d$`)
    }
    // the rest of the year, for some ports: the same days repeated
    await sql.unsafe(`
      do $d$ begin
        for month in 1 .. 11 loop
          execute (select format('insert into %s select %s from %1$s where port_id <= ${YEAR_PORTS} and bucket >= to_timestamp(${end - DAYS * DAY_S})',
              r.dst, replace(ts.columns_of(r.dst), 'bucket,', format('bucket - interval ''%s days'',', month * ${DAYS})))
            from ts.rollup r where r.dst = 'ts.port_${level}'::regclass) || ' on conflict do nothing';
        end loop;
      end $d$`)
    await sql.unsafe(
      `update ts.rollup set watermark = to_timestamp(${end}) where dst = 'ts.port_${level}'::regclass and ${width} > 0`,
    )
  }
  return rate
}

/** The most that the database grows by until `stop`, octets. */
async function watchSize(url: string): Promise<{ stop(): Promise<number> }> {
  const sql = client(url, 1)
  const size = async () =>
    (await sql<{ n: number }[]>`select pg_database_size(current_database())::float8 as n`)[0]?.n ?? 0
  const first = await size()
  let most = 0
  let going = true
  const watching = (async () => {
    while (going) {
      most = Math.max(most, (await size()) - first)
      await Bun.sleep(200)
    }
  })()
  return {
    async stop() {
      going = false
      await watching
      await sql.end()
      return most
    },
  }
}

const LEVELS = ['samples', '1h', '1d'] as const

/** Rows and octets of a level, by form; `first` rows are those of port 1, which has the whole year. */
async function formsOf({ sql }: Store, level: string) {
  const [series] = await sql<{ packed: string | null }[]>`
    select packed::text from ts.series where base = 'port' and level = ${level}`
  type Counted = { n: number; first: number }
  const [rows] = await sql.unsafe<Counted[]>(
    `select count(*)::float8 as n, count(*) filter (where port_id = 1)::float8 as first from ts.port_${level}`,
  )
  const [packed] =
    series?.packed == null
      ? []
      : await sql.unsafe<(Counted & { octets: number })[]>(
          `select coalesce(sum(pack_n), 0)::float8 as n, coalesce(sum(pack_n) filter (where port_id = 1), 0)::float8 as first,
            (select coalesce(sum(pg_total_relation_size(relid)), 0)::float8 from pg_partition_tree('${series.packed}'::regclass)) as octets
          from ${series.packed}`,
        )
  return {
    rows: rows?.n ?? 0,
    firstRows: rows?.first ?? 0,
    packedRows: packed?.n ?? 0,
    firstPacked: packed?.first ?? 0,
    packedOctets: packed?.octets ?? 0,
  }
}

/** `before`: the same figures while everything was in rows. */
async function sizes(
  store: Store,
  ports: number,
  where: string,
  before: readonly BenchResult[] = [],
): Promise<BenchResult[]> {
  const { tables } = await seriesStatus(store)
  const results: BenchResult[] = []
  const add = (name: string, value: number, unit: string, most?: number) => {
    const rows = before.find((earlier) => earlier.name.split(':')[0] === name.split(':')[0])
    const goal = most === undefined ? undefined : { text: `${most} ${unit}`, met: value <= most }
    results.push(result(name, value, unit, rows === undefined ? null : { name: 'as rows', value: rows.value }, goal))
  }
  const each: Record<string, number> = {}
  for (const level of LEVELS) {
    const { rows, firstRows, packedRows, firstPacked, packedOctets } = await formsOf(store, level)
    const {
      longParts = 0,
      parts = 0,
      octets: all = 0,
    } = tables.find((table) => table.kind === 'port' && table.level === level) ?? {}
    const total = rows + packedRows
    const row = (all - packedOctets) / Math.max(1, rows)
    const packed = packedOctets / Math.max(1, packedRows)
    // Of the ports without a year most rows are in the chunk that is still open, so the mean over all ports is not that of
    // a port that has the year.
    each[level] =
      packedRows > 0 ? (firstRows * row + firstPacked * packed) / (firstRows + firstPacked) : all / Math.max(1, total)
    const most = { samples: 30, '1h': 95, '1d': undefined }[level]
    const chunks = `${total} rows, ${longParts} of ${parts} chunks compressed (${where})`
    add(`port ${level}: ${chunks}`, all / Math.max(1, total), 'B/row')
    if (packedRows > 0) add(`port ${level}, packed: ${packedRows} rows (${where})`, packed, 'B/row')
    add(`port ${level} of a port with the year, open chunk included (${where})`, each[level], 'B/row', most)
  }
  const { samples = 0, '1h': hour = 0, '1d': day = 0 } = each
  const kept = PER_DAY * 30 * samples + 24 * 365 * hour + 365 * day
  add(`a port's first year, samples kept for 30 days (${where})`, kept / 2 ** 20, 'MiB', 1.2)
  add(`a port's year of samples (${where})`, (PER_DAY * 365 * samples) / 2 ** 20, 'MiB', 3.5)
  add(`ports filled (${where})`, ports, 'ports')
  return results
}

/** `rows`: what the same reads took while everything was in rows, milliseconds by name. */
async function times(
  store: Store,
  ports: number,
  end: number,
  where: string,
  rows: ReadonlyMap<string, number>,
): Promise<BenchResult[]> {
  const graph = (days: number, most: number, leastS: number) => async (i: number) => {
    const port = 1 + ((i * 37) % Math.min(ports, most))
    const window = { fromS: end - days * DAY_S, toS: end, stepS: Math.max(leastS, Math.ceil((days * DAY_S) / WIDTH)) }
    const data = await portSeries(store, [port], window, { intervals: 3, intervalS: 300 }, ['in_octets', 'out_octets'])
    if (data.series.length === 0) throw new Error(`nothing of port ${port}`)
  }
  const percentile = (count: number) => async (i: number) => {
    const ids = Array.from({ length: count }, (_, k) => 1 + ((i * 41 + k * 7) % ports))
    const [from, to] = [`to_timestamp(${end - DAYS * DAY_S})`, `to_timestamp(${end})`]
    await store.sql.unsafe(`
      select percentile_cont(0.95) within group (order by bps) from (
        select sum(in_octets * 8000.0::float8 / period_ms) as bps from ${storedRows('port', 'samples', from, to)} s
        where port_id = any('{${ids.join()}}') and "time" >= ${from} and "time" < ${to}
        group by date_bin('5 minutes', "time", to_timestamp(0))) x`)
  }
  const reads: readonly (readonly [string, (i: number) => Promise<void>])[] = [
    [`week of a port, samples (${where})`, graph(7, ports, 300)],
    // a graph of a year reads daily roll-ups
    [`year of a port, days (${where})`, graph(365, YEAR_PORTS, DAY_S)],
    [`year of a port, hours (${where})`, graph(365, YEAR_PORTS, 3600)],
    [`month's 95th of a port (${where})`, percentile(1)],
    [`month's 95th of 20 ports (${where})`, percentile(20)],
  ]
  const results: BenchResult[] = []
  for (const [name, work] of reads) {
    const took = await timed(work)
    const before = rows.get(name)
    results.push(
      before === undefined
        ? result(name, took, 'ms')
        : result(name, took, 'ms', { name: 'as rows', value: before }, { text: 'twice rows', met: took <= 2 * before }),
    )
  }
  return results
}

/** The median over reads of different ports, milliseconds. */
async function timed(work: (i: number) => Promise<void>): Promise<number> {
  const took: number[] = []
  for (let i = 0; i < READS; i++) {
    const begun = performance.now()
    await work(i)
    took.push(performance.now() - begun)
  }
  return took.toSorted((a, b) => a - b)[READS / 2] ?? 0
}
