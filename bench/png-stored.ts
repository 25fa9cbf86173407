/**
 * Graphs from stored data to bytes, compared with `rrdtool graph` on files with the same data: 1075 x 300 pixels,
 * traffic in and out of a port, a day of 5-minute samples and a year of hourly roll-ups. The programs alternate. Then
 * 5,000 graphs, to show that memory does not grow, and the latency of `ping` while 50 clients request graphs.
 *
 * `--rounds N` (60)
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createGraphs } from '../src/graphs/graphs.ts'
import { storedSeries } from '../src/graphs/store-source.ts'
import { option } from './support/option.ts'
import { type BenchResult, result } from './support/result.ts'
import { persistentRrdtool, rrdGraph } from './support/rrdtool.ts'
import { type BenchServer, startServer } from './support/server.ts'

const STEP_S = 300
const HOUR_S = 3600
const TO_S = Math.floor(Date.now() / 86_400_000) * 86_400
const RANGES = { day: TO_S - 86_400, year: TO_S - 365 * 86_400 } as const
const RENDERS = 5000
const CLIENTS = 50
const UNDER_LOAD_MS = 10_000
const GOAL = 0.4
const PING_GOAL_MS = 25
const SETTINGS = { 'poller.interval': STEP_S, 'ping.interval': 60, 'series.gap_intervals': 3 }

/** Octets per second at a time, the same for both programs. */
function rate(timeS: number, seed: number): number {
  const noise = (Math.imul(timeS / STEP_S + seed * 7919, 2_654_435_761) >>> 0) / 2 ** 32
  return Math.round(4e7 * (1.2 + Math.sin((timeS * 2 * Math.PI) / 86_400 + seed)) * (0.8 + 0.4 * noise))
}

const times = (fromS: number, stepS: number) =>
  Array.from({ length: (TO_S - fromS) / stepS }, (_, i) => fromS + (i + 1) * stepS)

/** Inserts a port with a day of samples and a year of hourly and daily roll-ups. Returns its id. */
async function fill({ store: { sql } }: BenchServer): Promise<number> {
  const [device] = await sql<
    { id: number }[]
  >`insert into devices (hostname, disabled) values ('b', 1) returning device_id as id`
  const [port] = await sql<{ id: number }[]>`
    insert into ports (device_id, "ifIndex", "ifName") values (${device?.id ?? 0}, 1, 'Gi0/1') returning port_id as id`
  const id = port?.id ?? 0
  // samples are kept for 30 days
  const days = (n: number) => Array.from({ length: n }, (_, i) => TO_S - i * 86_400)
  for (const level of ['samples', '1h', '1d'])
    await sql`select ts.ensure_partitions(${`ts.port_${level}`}::regclass, to_timestamp(d)) from unnest(${days(level === 'samples' ? 30 : 366)}::float8[]) d`
  for (let i = 0, all = times(RANGES.day, STEP_S); i < all.length; i += 1000)
    await sql`insert into ts.port_samples ${sql(
      all.slice(i, i + 1000).map((at) => ({
        time: new Date(at * 1000),
        port_id: id,
        period_ms: STEP_S * 1000,
        in_octets: rate(at, 1) * STEP_S,
        out_octets: rate(at, 2) * STEP_S,
      })),
    )}`
  for (const [level, widthS] of [
    ['1h', HOUR_S],
    ['1d', 86_400],
  ] as const) {
    const all = times(RANGES.year, widthS)
    for (let i = 0; i < all.length; i += 1000)
      await sql`insert into ${sql(`ts.port_${level}`)} ${sql(
        all.slice(i, i + 1000).map((at) => ({
          bucket: new Date((at - widthS) * 1000),
          port_id: id,
          n: widthS / STEP_S,
          period_ms: widthS * 1000,
          in_octets: rate(at, 1) * widthS,
          out_octets: rate(at, 2) * widthS,
          in_octets_min: rate(at, 1) * 0.8,
          in_octets_max: rate(at, 1) * 1.2,
          out_octets_min: rate(at, 2) * 0.8,
          out_octets_max: rate(at, 2) * 1.2,
        })),
      )}`
  }
  await sql`update ts.rollup set watermark = to_timestamp(${TO_S}) where base = 'port'`
  await sql`analyze`
  return id
}

/** The same data as an RRD file with the archives of RRD-based monitors: 5 minutes, then hours. */
async function makeRrd(path: string): Promise<void> {
  const archives = ['RRA:AVERAGE:0.5:1:2016', 'RRA:AVERAGE:0.5:12:9000', 'RRA:MAX:0.5:12:9000']
  const sources = ['DS:in:GAUGE:7200:0:U', 'DS:out:GAUGE:7200:0:U']
  const begin = ['--start', `${RANGES.year}`, '--step', `${STEP_S}`]
  await Bun.$`rrdtool ${['create', path, ...begin, ...sources, ...archives]}`.quiet()
  const all = times(RANGES.year, STEP_S)
  for (let i = 0; i < all.length; i += 2000) {
    const updates = all.slice(i, i + 2000).map((at) => `${at}:${rate(at, 1)}:${rate(at, 2)}`)
    await Bun.$`rrdtool ${['update', path, ...updates]}`.quiet()
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

function quantile(list: readonly number[], q: number): number {
  const sorted = [...list].sort((a, b) => a - b)
  return Math.round((sorted[Math.floor((sorted.length - 1) * q)] ?? Number.NaN) * 100) / 100
}

/** Times of our graphs and rrdtool's, memory over many graphs, and the latency of other requests in the meantime. */
export async function run(): Promise<BenchResult[]> {
  const rounds = option('rounds', 60)
  if (Bun.which('rrdtool') === null) throw new Error('rrdtool is not installed: nothing to compare with')
  const folder = await mkdtemp(join(tmpdir(), 'bench-png-'))
  const [rrd, png] = [join(folder, 'traffic.rrd'), join(folder, 'graph.png')]
  await makeRrd(rrd)
  const server = await startServer([])
  const rrdtool = persistentRrdtool()
  try {
    const port = await fill(server)
    const graphs = createGraphs({
      series: storedSeries(server.store, { get: (name) => SETTINGS[name] }),
      now: Date.now,
    })
    const ours = async (fromS: number) => {
      const outcome = await graphs.port(port, 'port_bits', { from: `${fromS}`, to: `${TO_S}` })
      if (outcome.kind !== 'image') throw new Error(`no image: ${outcome.kind}`)
    }
    const results: BenchResult[] = []
    for (const [name, fromS] of Object.entries(RANGES)) {
      const args = rrdGraph(rrd, png, fromS, TO_S)
      const found = { ours: [] as number[], theirs: [] as number[] }
      for (let i = -10; i < rounds; i++) {
        const [mine, theirs] = [await timed(() => ours(fromS)), await timed(() => rrdtool.run(args))]
        if (i < 0) continue
        found.ours.push(mine)
        found.theirs.push(theirs)
      }
      const [mine, theirs] = [quantile(found.ours, 0.5), quantile(found.theirs, 0.5)]
      console.log(
        `${name}: ${mine} ms (p90 ${quantile(found.ours, 0.9)}), rrdtool ${theirs} ms (p90 ${quantile(found.theirs, 0.9)})`,
      )
      const baseline = { name: 'rrdtool, one process', value: theirs }
      const goal = { text: `at most ${GOAL} of rrdtool's time`, met: mine / theirs <= GOAL }
      results.push(result(`graph of a ${name}, stored data to bytes`, mine, 'ms', baseline, goal))
    }
    results.push(await memory(() => ours(RANGES.day)), await pingUnderLoad(server, port))
    return results
  } finally {
    await rrdtool.stop()
    await server.stop()
    await rm(folder, { recursive: true })
  }
}

/** Growth of memory from the first fifth of the graphs to the last. */
async function memory(draw: () => Promise<void>): Promise<BenchResult> {
  const cpu = process.cpuUsage()
  const rssMb: number[] = []
  for (let i = 0; i < RENDERS; i++) {
    if (i % 250 === 0) rssMb.push(Math.round(process.memoryUsage.rss() / 1e6))
    await draw()
  }
  const { user, system } = process.cpuUsage(cpu)
  console.log(`RSS in MB, every 250 of ${RENDERS} graphs: ${rssMb.join(' ')}`)
  console.log(`CPU time of a graph: ${Math.round((user + system) / RENDERS) / 1000} ms, all threads`)
  const fifth = rssMb.length / 5
  const growth = quantile(rssMb.slice(-fifth), 0.5) - quantile(rssMb.slice(fifth, 2 * fifth), 0.5)
  return result(`growth of memory over ${RENDERS} graphs`, growth, 'MB', null, {
    text: 'below 20 MB',
    met: growth < 20,
  })
}

/** p99 of ping from a separate client while others request graphs without a pause. */
async function pingUnderLoad({ url, token, store }: BenchServer, port: number): Promise<BenchResult> {
  const [row] = await store.sql<{ hostname: string }[]>`
    select hostname from devices join ports using (device_id) where port_id = ${port}`
  const headers = { 'X-Auth-Token': token }
  const path = `${url}/api/v0/devices/${row?.hostname}/ports/${encodeURIComponent('Gi0/1')}/port_bits?from=${RANGES.day}&to=${TO_S}`
  const end = performance.now() + UNDER_LOAD_MS
  let drawn = 0
  const client = async () => {
    while (performance.now() < end) {
      const response = await fetch(path, { headers })
      if (response.headers.get('content-type') !== 'image/png') throw new Error(await response.text())
      await response.arrayBuffer()
      drawn++
    }
  }
  const clients = Promise.all(Array.from({ length: CLIENTS }, client))
  const took: number[] = []
  while (performance.now() < end) {
    took.push(await timed(async () => (await fetch(`${url}/api/v0/ping`, { headers })).arrayBuffer()))
    await Bun.sleep(10)
  }
  await clients
  const p99 = quantile(took, 0.99)
  console.log(
    `${CLIENTS} clients: ${drawn} graphs in ${UNDER_LOAD_MS / 1000} s; ping p50 ${quantile(took, 0.5)} ms, p99 ${p99} ms`,
  )
  const goal = { text: `at most ${PING_GOAL_MS} ms`, met: p99 <= PING_GOAL_MS }
  return result(`p99 of ping during ${CLIENTS} concurrent graphs`, p99, 'ms', null, goal)
}
