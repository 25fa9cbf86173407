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
import { createGraphs } from '/work/main/src/graphs/graphs.ts'
import { storedSeries } from '/work/main/src/graphs/store-source.ts'
import { option } from '/work/main/bench/support/option.ts'
import { type BenchResult, result } from '/work/main/bench/support/result.ts'
import { persistentRrdtool, rrdGraph } from '/work/main/bench/support/rrdtool.ts'
import { type BenchServer, startServer } from '/work/main/bench/support/server.ts'

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


    const t = async (label: string, f: () => Promise<unknown>) => { for (let i=0;i<40;i++) await f(); const all: number[] = []; for (let i=0;i<100;i++) { const a=performance.now(); await f(); all.push(performance.now()-a) } ; all.sort((a,b)=>a-b); console.log(label, all[50]!.toFixed(2), all[90]!.toFixed(2)) }
    for (const [name, fromS] of Object.entries(RANGES)) for (const output of ['json','svg','png'])
      await t(name+' '+output, () => graphs.port(port, 'port_bits', { from: `${fromS}`, to: `${TO_S}`, ...(output==='png'?{}:{output}) }) as any)
    return []
  } finally {
    await rrdtool.stop()
    await server.stop()
    await rm(folder, { recursive: true })
  }
}
await run()
process.exit(0)
