/**
 * The catalogue of graphs over data at the edges: values that strain numbers, and as many lines, samples and shades as
 * a request can have, in the largest image. Prints the longest time for which the main thread does nothing else, the
 * growth of resident memory, and the five worst graphs for each form of output.
 *
 * `--only NAME,NAME` for some graphs, `--amount TEXT` for amounts that begin so, `--verbose` for each figure.
 */
import { readFileSync } from 'node:fs'
import { DEVICE_GRAPHS } from '../src/graphs/catalogue/devices.ts'
import { PORT_GRAPHS } from '../src/graphs/catalogue/ports.ts'
import { createGraphs } from '../src/graphs/graphs.ts'
import type { NamedSeries, SeriesData, SeriesSource, SeriesWindow } from '../src/graphs/series-source.ts'
import { sampleColumn } from '../src/lib/sample-column.ts'
import { SENSOR_CLASS_NAMES } from '../src/lib/sensor-classes.ts'
import { KINDS } from '../src/series/kinds.ts'
import { textOption } from './support/option.ts'
import { type BenchResult, result } from './support/result.ts'
import { residentMib } from './support/watch.ts'

const NOW_S = Date.UTC(2026, 10, 21, 12) / 1000
/** As many subjects as the store returns, and as many values as it returns for them. */
const SUBJECTS = 1000
const MAX_VALUES = 500_000
const SHADES = 500
const NAME = 'A sensor with a long name, as in some chassis: Linecard 7 Power Zone 12 '
/** Goals. */
const MAX_BLOCK_MS = 200
const MAX_MIB = 400
const WORST = 5

const VALUES: Readonly<Record<string, (i: number) => number>> = {
  usual: (i) => 40 + 20 * Math.sin(i / 50) + ((i * 7919) % 13),
  'almost constant': (i) => (i % 7 === 0 ? 23.150000000000002 : 23.15),
  huge: (i) => (i % 2 === 0 ? 1.7e308 : -1.7e308),
  tiny: (i) => 5e-324 * (i % 2),
  unknown: () => Number.NaN,
}

type Amount = 'few lines' | 'most lines' | 'most lines, read at different times' | 'most samples'
const AMOUNTS: readonly Amount[] = ['few lines', 'most lines', 'most lines, read at different times', 'most samples']

function series(name: string, at: number, timeS: Float64Array, value: (i: number) => number, o: Samples): NamedSeries {
  const values = timeS.map((_, i) => value(i + at))
  const lengthS = (o.window.toS - o.window.fromS) / o.count
  const rows = Array.from({ length: o.window.mostSamples === undefined ? 0 : o.count }, (_, i) => {
    const startS = o.window.fromS + i * lengthS + o.shiftS
    return { startS, endS: startS + lengthS, value: value(i + at) }
  })
  return {
    name,
    values,
    lowest: values,
    highest: values,
    subject: { id: at + 1, name },
    range: null,
    ...(o.window.mostSamples !== undefined && { samples: sampleColumn(rows) }),
  }
}

interface Samples {
  readonly window: SeriesWindow
  readonly count: number
  readonly shiftS: number
}

function sourceOf(value: (i: number) => number, amount: Amount): SeriesSource {
  const isMany = amount.startsWith('most lines')
  const isShifted = amount.endsWith('different times')
  const shades = Array.from({ length: SHADES }, (_, i) => ({
    startS: NOW_S - (i + 1) * 3600,
    endS: NOW_S - (i + 1) * 3600 + 900,
  })).toReversed()
  const answer = (names: readonly (readonly [name: string, line: string])[], window: SeriesWindow): SeriesData => {
    const stepS = Math.max(window.stepS, ((window.toS - window.fromS) * names.length) / MAX_VALUES)
    const length = Math.ceil((window.toS - window.fromS) / stepS)
    const timeS = Float64Array.from({ length }, (_, i) => window.fromS + i * stepS)
    const count = Math.max(1, Math.floor(amount === 'few lines' ? 1440 : (window.mostSamples ?? 0) / names.length))
    return {
      timeS,
      stepS,
      level: 'samples',
      series: names.map(([name, line], at) => ({
        ...series(name, at, timeS, value, { window, count, shiftS: isShifted ? at / names.length : 0 }),
        line,
      })),
    }
  }
  return {
    ports: async (ids, window, counters) =>
      answer(
        counters.map((name) => [name, name] as const),
        // the shift of a port of its own
        isShifted
          ? { ...window, fromS: window.fromS + ((ids[0] ?? 0) % 60), toS: window.toS + ((ids[0] ?? 0) % 60) }
          : window,
      ),
    values: async (kind, of, window, lines) => {
      const wanted = lines ?? KINDS[kind].lines.map(({ name }) => name)
      const isPlural = isMany && of.only == null && KINDS[kind].subject.name !== null
      const subjects = isPlural ? SUBJECTS : amount === 'most samples' ? 1 : 2
      const names = Array.from({ length: KINDS[kind].subject.name === null ? 1 : subjects }, (_, s) =>
        wanted.map((line) => [KINDS[kind].subject.name === null ? line : `${NAME}${s} ${line}`, line] as const),
      )
      return answer(names.flat(), window)
    },
    devicePorts: async () =>
      Array.from({ length: 48 }, (_, i) => ({
        portId: i + 1,
        ifType: 'ethernetCsmacd',
        ifName: `e${i}`,
        ifDescr: `e${i}`,
      })) as never,
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
    shades: async () => ({ outages: shades, maintenance: shades }),
    limits: async () => ({ high: 1e300, highWarn: 24, lowWarn: 23.15, low: -1e300 }),
    states: async (ids) =>
      new Map(
        ids.map((id) => [
          id,
          Array.from({ length: 50 }, (_, v) => ({ value: v, name: `state ${v}`, severity: v % 4 })),
        ]),
      ) as never,
    portName: async (id) => `core1 Gi0/${id}`,
    deviceName: async () => 'core1',
  }
}

/** CPU time of this thread, ms, which other programs on the machine do not lengthen. */
function threadMs(): number {
  return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]) / 1e6
}

/** The longest time, ms, for which nothing else ran while the work was done, and its duration. */
async function blocked<T>(
  work: () => Promise<T>,
): Promise<{ readonly outcome: T; readonly block: number; readonly ms: number }> {
  let [block, last, isOver] = [0, threadMs(), false]
  const look = (): void => {
    const now = threadMs()
    block = Math.max(block, now - last)
    last = now
    if (!isOver) setImmediate(look)
  }
  setImmediate(look)
  const began = performance.now()
  last = threadMs()
  const outcome = await work()
  isOver = true
  look()
  return { outcome, block, ms: performance.now() - began }
}

const FORMS = {
  png: { width: '4000', height: '2000', title: 'yes' },
  svg: { width: '4000', height: '2000', title: 'yes', output: 'svg' },
  json: { output: 'json', max_points: '4000' },
  chart: { output: 'chart', max_points: '4000' },
} as const

interface Measured {
  readonly form: keyof typeof FORMS
  readonly what: string
  readonly block: number
  readonly ms: number
  readonly mib: number
}

async function measureAll(): Promise<readonly Measured[]> {
  const wanted = textOption('only')?.split(',')
  const names = [
    ...PORT_GRAPHS.map(({ name }) => name),
    ...DEVICE_GRAPHS.map(({ name }) => name),
    ...SENSOR_CLASS_NAMES.slice(0, 2).map((name) => `device_${name}`),
    'device_state',
    'device_wireless_clients',
    'ports',
  ].filter((name) => wanted?.includes(name) ?? true)
  const found: Measured[] = []
  for (const amount of AMOUNTS.filter((one) => one.startsWith(textOption('amount') ?? ''))) {
    // the shape of numbers is tried with few lines, the amount with usual numbers
    for (const [shape, value] of Object.entries(VALUES)) {
      if (amount !== 'few lines' && shape !== 'usual' && shape !== 'almost constant') continue
      const graphs = createGraphs({ series: sourceOf(value, amount), now: () => NOW_S * 1000 })
      for (const name of [...new Set(names)]) {
        for (const [form, options] of Object.entries(FORMS)) {
          const range = { from: String(NOW_S - 7 * 86_400), to: String(NOW_S) }
          const before = residentMib(process.pid)
          const draw = () =>
            name === 'ports'
              ? graphs.ports(
                  Array.from({ length: 24 }, (_, i) => i + 1),
                  { ...range, ...options },
                )
              : name.startsWith('port_')
                ? graphs.port(1, name, { ...range, ...options })
                : graphs.device(1, name, { ...range, ...options })
          const { outcome, block, ms } = await blocked(() => draw().then(({ kind }) => kind, String))
          const mib = residentMib(process.pid) - before
          if (process.argv.includes('--verbose'))
            console.warn(form, name, amount, shape, outcome, Math.round(block), Math.round(ms), Math.round(mib))
          found.push({
            form: form as keyof typeof FORMS,
            what: `${name}, ${amount}, ${shape} (${outcome})`,
            block,
            ms,
            mib,
          })
        }
      }
    }
  }
  return found
}

export async function run(): Promise<BenchResult[]> {
  // the canvas and the compiled code are not counted
  await measureOnce()
  const before = residentMib(process.pid)
  let peak = before
  const sampler = setInterval(() => {
    peak = Math.max(peak, residentMib(process.pid))
  }, 5)
  const found = await measureAll()
  clearInterval(sampler)
  peak = Math.max(peak, residentMib(process.pid))
  const worst = (Object.keys(FORMS) as (keyof typeof FORMS)[]).flatMap((form) =>
    found
      .filter((one) => one.form === form)
      .toSorted((a, b) => b.block - a.block)
      .slice(0, WORST),
  )
  const longest = Math.max(...found.map(({ block }) => block))
  return [
    result('graphs drawn', found.length, ''),
    result('longest block of the main thread', longest, 'ms', null, {
      text: `<= ${MAX_BLOCK_MS} ms`,
      met: longest <= MAX_BLOCK_MS,
    }),
    result('growth of resident memory at its peak', peak - before, 'MiB', null, {
      text: `<= ${MAX_MIB} MiB`,
      met: peak - before <= MAX_MIB,
    }),
    ...worst.map(({ form, what, block, ms }) => result(`${form} ${what} in ${Math.round(ms)} ms`, block, 'ms')),
  ]
}

async function measureOnce(): Promise<void> {
  const graphs = createGraphs({ series: sourceOf(() => 1, 'few lines'), now: () => NOW_S * 1000 })
  for (let i = 0; i < 20; i++)
    for (const output of ['display', 'svg', 'chart']) await graphs.device(1, 'device_processor', { output })
}
