/**
 * Time of one graph compared with `rrdtool graph`: 1075 x 300 pixels, two series of 800 points as areas with a line,
 * legend with now, average, maximum and 95th percentile. The programs alternate, so that load on the machine affects
 * all of them. Baselines: one `rrdtool -` process that draws all graphs (as in LibreNMS; comparable to a running
 * service) and one process per graph. Then 2,000 more graphs, to show that memory does not grow.
 *
 * `bun bench/png.ts [rounds]`; prints readable figures, then one line of JSON.
 */
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { GraphOutcome } from '../src/core/base/graphs.ts'
import { createGraphs } from '../src/graphs/graphs.ts'
import type { RangeFigures, SeriesData, SeriesSource } from '../src/graphs/series-source.ts'
import { type BenchResult, formatResult, result } from './result.ts'
import { persistentRrdtool, rrdGraph } from './rrdtool.ts'

const POINTS = 800
const STEP_S = 300
const FROM_S = 1_790_000_100
const TO_S = FROM_S + POINTS * STEP_S
const RENDERS = 2000

/** Octets per second with a daily cycle and noise, the same for both programs. */
function traffic(seed: number): Float64Array {
  let state = seed
  return Float64Array.from({ length: POINTS }, (_, i) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.round(
      4e7 * (1.2 + Math.sin((i * STEP_S * 2 * Math.PI) / 86_400 + seed)) * (0.8 + (0.4 * state) / 2 ** 32),
    )
  })
}

function rangeOf(values: Float64Array): RangeFigures {
  const sum = values.reduce((a, b) => a + b, 0)
  return { average: sum / POINTS, total: sum * STEP_S }
}

const columns = { in: traffic(1), out: traffic(2) }
const data: SeriesData = {
  timeS: Float64Array.from({ length: POINTS }, (_, i) => FROM_S + i * STEP_S),
  stepS: STEP_S,
  series: [
    { name: 'in_octets', values: columns.in, range: rangeOf(columns.in) },
    { name: 'out_octets', values: columns.out, range: rangeOf(columns.out) },
  ],
}
const none: SeriesData = { timeS: new Float64Array(), stepS: STEP_S, series: [] }
const source: SeriesSource = {
  ports: async () => data,
  values: async () => none,
  devicePorts: async () => [],
  deviceHas: async () => ({
    ports: 1,
    kinds: [],
    sensorClasses: [],
    wirelessClasses: [],
    statistics: [],
    polls: true,
    pings: true,

    lines: [],
  }),
  shades: async () => ({ outages: [], maintenance: [] }),
  limits: async () => null,
  states: async () => new Map(),
  portName: async () => null,
  deviceName: async () => null,
}
const graphs = createGraphs({ series: source, now: () => TO_S * 1000 })

async function ours(): Promise<number> {
  const outcome: GraphOutcome = await graphs.port(1, 'port_bits', { from: `${FROM_S}`, to: `${TO_S}` })
  if (outcome.kind !== 'image') throw new Error(`no image: ${outcome.kind}`)
  return outcome.bytes.length
}

async function makeRrd(path: string): Promise<void> {
  const create = [
    'create',
    path,
    '--start',
    `${FROM_S}`,
    '--step',
    `${STEP_S}`,
    'DS:in:GAUGE:600:0:U',
    'DS:out:GAUGE:600:0:U',
    `RRA:AVERAGE:0.5:1:${POINTS}`,
  ]
  await Bun.$`rrdtool ${create}`.quiet()
  const updates = Array.from(
    { length: POINTS },
    (_, i) => `${FROM_S + (i + 1) * STEP_S}:${columns.in[i]}:${columns.out[i]}`,
  )
  await Bun.$`rrdtool ${['update', path, ...updates]}`.quiet()
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

function quantile(times: readonly number[], q: number): number {
  const sorted = [...times].sort((a, b) => a - b)
  return Math.round((sorted[Math.floor((sorted.length - 1) * q)] ?? Number.NaN) * 100) / 100
}

/** Our graph compared with rrdtool's for the same data: times, ratio and memory. Also prints the spread. */
export async function run(rounds = 100): Promise<BenchResult[]> {
  if (Bun.which('rrdtool') === null) throw new Error('rrdtool is not installed: nothing to compare with')
  const folder = await mkdtemp(join(tmpdir(), 'bench-png-'))
  const [rrd, png] = [join(folder, 'traffic.rrd'), join(folder, 'graph.png')]
  await makeRrd(rrd)
  const args = rrdGraph(rrd, png, FROM_S, TO_S)
  const rrdtool = persistentRrdtool()
  for (let i = 0; i < 10; i++) {
    await ours()
    await rrdtool.run(args)
  }
  const times = { ours: [] as number[], persistent: [] as number[], fork: [] as number[] }
  for (let i = 0; i < rounds; i++) {
    times.ours.push(await timed(ours))
    times.persistent.push(await timed(() => rrdtool.run(args)))
    if (i % 4 === 0) times.fork.push(await timed(() => Bun.spawn(['rrdtool', ...args], { stdout: 'ignore' }).exited))
  }
  await rrdtool.stop()
  const sizes = { ours: await ours(), rrdtool: (await stat(png)).size }
  await rm(folder, { recursive: true })

  const medians = {
    ours: quantile(times.ours, 0.5),
    persistent: quantile(times.persistent, 0.5),
    fork: quantile(times.fork, 0.5),
  }
  const row = (name: string, list: readonly number[], octets: number) =>
    console.log(
      `${name.padEnd(30)} ${quantile(list, 0.5)} ms (p10 ${quantile(list, 0.1)}, p90 ${quantile(list, 0.9)}), ${octets} octets`,
    )
  console.log(`one graph of 1075 x 300, 2 series x ${POINTS} points, median of ${rounds}:`)
  row('portlight', times.ours, sizes.ours)
  row('rrdtool, one process', times.persistent, sizes.rrdtool)
  row('rrdtool, a process per graph', times.fork, sizes.rrdtool)
  const ratio = Math.round((100 * medians.ours) / medians.persistent) / 100
  console.log(`ratio to one rrdtool process: ${ratio} (goal: at most 0.8)`)

  const cpu = process.cpuUsage()
  const rssMb: number[] = []
  for (let i = 0; i <= RENDERS; i++) {
    if (i % 250 === 0) rssMb.push(Math.round(process.memoryUsage.rss() / 1e6))
    await ours()
  }
  const { user, system } = process.cpuUsage(cpu)
  const cpuMs = Math.round((user + system) / RENDERS) / 1000
  console.log(`CPU time of a graph: ${cpuMs} ms, all threads`)
  console.log(`RSS in MB, every 250 of ${RENDERS} graphs: ${rssMb.join(' ')}`)
  return [
    result(
      'graph',
      medians.ours,
      'ms',
      { name: 'rrdtool, one process', value: medians.persistent },
      {
        text: "at most 0.8 of rrdtool's time",
        met: ratio <= 0.8,
      },
    ),
    result('graph', medians.ours, 'ms', { name: 'rrdtool, a process per graph', value: medians.fork }),
    result('CPU time of a graph, all threads', cpuMs, 'ms'),
  ]
}

if (import.meta.main) for (const r of await run(Number(process.argv[2] ?? 100))) console.log(formatResult(r))
