import { describe, expect, test } from 'bun:test'
import type { GraphChart, GraphOptions, GraphOutcome } from '../../src/core/base/graphs.ts'
import { DEVICE_GRAPHS } from '../../src/graphs/catalogue/devices.ts'
import { PORT_GRAPHS } from '../../src/graphs/catalogue/ports.ts'
import { createGraphs } from '../../src/graphs/graphs.ts'
import type { SeriesData, SeriesSource } from '../../src/graphs/series-source.ts'
import { sampleColumn } from '../../src/lib/sample-column.ts'
import { SENSOR_CLASS_NAMES } from '../../src/lib/sensor-classes.ts'
import { timeTicks } from '../../src/lib/time-axis.ts'
import { WIRELESS_UNITS } from '../../src/lib/wireless-classes.ts'
import type { Chart, Spec } from '../../src/web/islands/chart/data.ts'
import { modelOf, text } from '../../src/web/islands/chart/model.ts'
import { knownSeries, NOW_S } from './fixtures.ts'
import { decode } from './pixels.ts'

// Every graph over data at the edges of what a double can hold: it ends, at a size and with texts that are bounded.

const oneUp = (value: number): number => {
  const bits = new BigInt64Array(new Float64Array([value]).buffer)
  bits[0] = (bits[0] ?? 0n) + 1n
  return new Float64Array(bits.buffer)[0] ?? Number.NaN
}

const SHAPES: Readonly<Record<string, (i: number) => number>> = {
  constant: () => 23.15,
  'a constant whose means differ in the last bit': (i) => (i % 7 === 0 ? oneUp(23.15) : 23.15),
  'a negative constant that differs in the last bit': (i) => (i % 5 === 0 ? -oneUp(40.1) : -40.1),
  zero: () => 0,
  'minus zero': () => -0,
  tiny: (i) => 1e-300 * (i % 3),
  denormal: (i) => 5e-324 * (i % 2),
  huge: (i) => 1e300 * (1 + (i % 3)),
  'almost infinite': (i) => (i % 2 === 0 ? 1.7e308 : -1.7e308),
  'tiny and huge': (i) => (i % 2 === 0 ? 1e-300 : 1e300),
  negative: (i) => -1000 - i,
  infinite: (i) => (i % 2 === 0 ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY),
  'one infinite value': (i) => (i === 3 ? Number.POSITIVE_INFINITY : 5),
  unknown: () => Number.NaN,
  'one known value': (i) => (i === 5 ? 42 : Number.NaN),
}

/** The series of a shape, with samples where they are requested; `none`: no series, `empty`: no buckets. */
function sourceOf(value: (i: number) => number, size: 'none' | 'empty' | 'usual'): SeriesSource {
  const known = knownSeries({ limits: { high: 1e300, highWarn: 24, lowWarn: 23.15, low: -1e300 } })
  const shaped = (data: SeriesData, isWhole: boolean): SeriesData => {
    const timeS = size === 'usual' ? data.timeS : new Float64Array()
    const values = timeS.map((_, i) => value(i))
    const rows = Array.from(values, (v, i) => {
      const startS = timeS[i] ?? 0
      return { startS, endS: startS + data.stepS, value: v }
    })
    return {
      ...data,
      timeS,
      level: 'samples',
      series: (size === 'none' ? [] : data.series).map((one, i) => ({
        ...one,
        values,
        subject: { id: i, name: one.name },
        ...(isWhole && { samples: sampleColumn(rows) }),
      })),
    }
  }
  return {
    ...known,
    ports: async (ids, window, counters) =>
      shaped(await known.ports(ids, window, counters), window.mostSamples !== undefined),
    values: async (kind, of, window, lines) =>
      shaped(await known.values(kind, of, window, lines), window.mostSamples !== undefined),
    states: async (ids) => new Map(ids.map((id) => [id, [{ value: 0, name: 'off', severity: 2 }]])),
  }
}

const NAMES = [
  ...PORT_GRAPHS.map(({ name }) => name),
  ...DEVICE_GRAPHS.map(({ name }) => name),
  ...SENSOR_CLASS_NAMES.map((name) => `device_${name}`),
  ...Object.keys(WIRELESS_UNITS).map((name) => `device_wireless_${name}`),
]
const SPEC: Spec = { src: '', title: '', height: 180, device: null, api: null, p95: true }
const NOISE = /NaN|Infinity|undefined/
/** Longest text on a graph of short names: a label, a value with its unit, or the range. */
const LONGEST = 60

async function drawn(source: SeriesSource, name: string, options: GraphOptions, only?: number): Promise<GraphOutcome> {
  const graphs = createGraphs({ series: source, now: () => NOW_S * 1000 })
  return await (name.startsWith('port_') ? graphs.port(1, name, options) : graphs.device(1, name, options, only))
}

function checkSvg(svg: string): void {
  const noise = NOISE.exec(svg)
  expect(noise === null ? null : svg.slice(noise.index - 80, noise.index + 40)).toBeNull()
  expect(svg.length).toBeLessThan(1_000_000)
  const texts = [...svg.matchAll(/<text[^>]*>([^<]*)</g)].map(([, shown = '']) => shown)
  expect(texts.length).toBeLessThan(300)
  expect(texts.filter((shown) => shown.length >= LONGEST)).toEqual([])
}

/** What the chart in the browser computes from the same data. */
function checkChart(chart: GraphChart): void {
  const json = JSON.parse(JSON.stringify(chart)) as Chart
  const { axis, traces } = modelOf(SPEC, json, null, new Set())
  const { min, max, ticks } = axis.scale
  expect(Number.isFinite(min) && Number.isFinite(max) && max > min).toBe(true)
  expect(ticks.length).toBeGreaterThan(0)
  expect(ticks.length).toBeLessThan(20)
  for (const { label } of ticks) expect(label).not.toMatch(NOISE)
  const { major, minor } = timeTicks(json.from, json.to, 900, (label) => label.length * 6)
  expect(major.length + minor.length).toBeLessThan(300)
  const room = (max - min) * 1e-6
  for (const { figure, top } of traces) {
    for (const value of [figure.now, figure.min, figure.avg, figure.max, figure.p95]) {
      const shown = text(json.form, figure, value)
      expect(shown).not.toMatch(NOISE)
      expect(shown.length).toBeLessThan(LONGEST)
    }
    if (figure.min !== null && figure.max !== null && figure.avg !== null) {
      expect(figure.min <= figure.max).toBe(true)
      expect(figure.avg >= figure.min && figure.avg <= figure.max).toBe(true)
    }
    if (figure.percent || figure.draw === 'none' || chart.form.axis === 'percent') continue
    // the axis covers everything that is drawn, up to the largest number that it can show
    const outside = top.filter(
      (value) => value !== null && Math.abs(value) < 1e299 && !(value >= min - room && value <= max + room),
    )
    expect(outside).toEqual([])
  }
}

describe.each(Object.entries(SHAPES))('over values that are %s', (shape, value) => {
  const turn = Object.keys(SHAPES).indexOf(shape)

  test('every graph is drawn', async () => {
    const source = sourceOf(value, 'usual')
    for (const name of NAMES) {
      // the image has what the SVG has: each graph is rasterised over every third shape
      if ((NAMES.indexOf(name) + turn) % 3 === 0) {
        const png = await drawn(source, name, { width: '400', height: '180' })
        if (png.kind === 'no-data') continue
        if (png.kind !== 'image') throw new Error(`${name}: ${JSON.stringify(png)}`)
        const { width, height } = await decode(png.bytes)
        expect([width, height]).toEqual([400, 180])
      }
      const svg = await drawn(source, name, { output: 'svg', title: 'yes' }, 1)
      if (svg.kind === 'no-data') continue
      if (svg.kind !== 'image') throw new Error(`${name}: ${JSON.stringify(svg)}`)
      checkSvg(new TextDecoder().decode(svg.bytes))
      const chart = await drawn(source, name, { output: 'chart', max_points: '300' })
      if (chart.kind !== 'chart') throw new Error(`${name}: ${chart.kind}`)
      checkChart(chart.chart)
      const figures = await drawn(source, name, { output: 'json' })
      expect(NOISE.exec(JSON.stringify(figures))?.[0]).toBeUndefined()
    }
  }, 60_000)

  test('a bill is drawn', async () => {
    const graphs = createGraphs({ series: sourceOf(value, 'usual'), now: () => NOW_S * 1000 })
    const timeS = Float64Array.from({ length: 288 }, (_, i) => NOW_S - 86_400 + i * 300)
    const values = timeS.map((_, i) => value(i))
    const series = (['in', 'out', 'total', 'limit', 'percentile'] as const).map((as) => ({ label: as, as, values }))
    const drawing = { label: 'Bill', unit: 'bit/s', fromS: NOW_S - 86_400, toS: NOW_S, timeS, stepS: 300, series }
    const outcome = await graphs.drawing(drawing, { output: 'svg' })
    if (outcome.kind !== 'image') throw new Error(outcome.kind)
    checkSvg(new TextDecoder().decode(outcome.bytes))
  })
})

test.each(['none', 'empty'] as const)('every graph without values (%s) says so', async (size) => {
  for (const name of NAMES)
    expect(
      (
        await drawn(
          sourceOf(() => 1, size),
          name,
          {},
        )
      ).kind,
    ).toBe('no-data')
})
