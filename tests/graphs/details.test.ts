import { describe, expect, test } from 'bun:test'
import { deviceGraph } from '../../src/graphs/catalogue/devices.ts'
import type { GraphType } from '../../src/graphs/catalogue/graph-type.ts'
import { portGraph } from '../../src/graphs/catalogue/ports.ts'
import { layout } from '../../src/graphs/layout.ts'
import { DARK, statePaint, THEME } from '../../src/graphs/palette.ts'
import type { Scene } from '../../src/graphs/scene.ts'
import type { NamedSeries, SeriesData } from '../../src/graphs/series-source.ts'
import { drawnType, traces } from '../../src/graphs/trace.ts'
import { day, NOW_S, plainMeasure, sceneOf } from './fixtures.ts'

const typed = (name: string): GraphType => {
  const type = portGraph(name) ?? deviceGraph(name)
  if (type === null) throw new Error(`no graph ${name}`)
  return type
}
const words = (scene: Scene) => scene.texts.map((t) => t.text)

/** A day with one line for each subject. */
function lines(subjects: Readonly<Record<string, Readonly<Record<string, (i: number) => number>>>>): SeriesData {
  const data = day({})
  const series = Object.entries(subjects).flatMap(([name, own], id) =>
    Object.entries(own).map(([line, value]): NamedSeries => {
      const values = data.timeS.map((_, i) => value(i))
      return { name: `${name} ${line}`.trim(), subject: { id, name }, line, values, range: null }
    }),
  )
  return { ...data, series }
}

const drawn = (type: GraphType, data: SeriesData, more: Partial<Parameters<typeof layout>[0]> = {}) =>
  layout(
    {
      type: drawnType(type, data),
      traces: traces(drawnType(type, data), data, false, { states: STATES }),
      ...data,
      fromS: NOW_S - 86_400,
      toS: NOW_S,
      nowS: NOW_S,
      width: 800,
      height: 240,
      title: null,
      legend: true,
      ...more,
    },
    plainMeasure,
  )
const STATES = new Map([
  [
    0,
    [
      { value: 1, name: 'normal', severity: 0 },
      { value: 2, name: 'failed', severity: 2 },
    ],
  ],
])

describe('states', () => {
  const data = lines({ PSU: { '': (i) => (i >= 100 && i < 150 ? 2 : 1) } })
  const scene = drawn(typed('device_state'), data)
  test('are bands by name, without an axis of numbers', () => {
    expect(scene.areas.map((area) => area.fill)).toEqual([0, 2, 0].map((severity) => statePaint(severity).fill))
    expect(words(scene)).toContain('failed')
    expect(words(scene).filter((text) => /^\d+(\.\d+)?$/.test(text))).toEqual([])
    expect(scene.gridY).toEqual([])
  })
  test('have their name and the share of time that is ok in the legend', () => {
    expect(words(scene)).toContain('82.64 %')
  })
  test('that changed within a pixel show the more severe', () => {
    const values = data.timeS.map(() => 1.2)
    const changed = { name: 'PSU', subject: { id: 0, name: 'PSU' }, line: '', values, range: null }
    const series = [{ ...changed, lowest: values.map(() => 1), highest: values.map(() => 2) }]
    const [trace] = traces(typed('device_state'), { ...data, series }, false, { states: STATES })
    expect(trace?.values[0]).toBe(2)
  })
})

describe('the axis of counts', () => {
  test.each([1, 2, 3, 7, 13, 40])('up to %p has no fractions', (most) => {
    const scene = sceneOf(typed('device_hr_users'), day({ hrSystemNumUsers: (i) => (i === 5 ? most : 0) }))
    const ticks = scene.texts.filter((t) => t.align === 'right' && t.x < scene.plot.left).map((t) => t.text)
    expect(ticks.length).toBeGreaterThan(1)
    for (const tick of ticks) expect(tick).toMatch(/^\d+$/)
  })
})

test('a stack has a total line, above and below', () => {
  const scene = sceneOf(
    typed('port_errors'),
    day({ in_err: () => 3, in_disc: () => 2, out_err: () => 1, out_disc: () => 1 }),
  )
  expect(words(scene)).toContain('Total In')
  expect(words(scene)).toContain('5 pps')
  expect(scene.lines).toHaveLength(2)
  expect(scene.lines[0]?.steps[2]).toBe(scene.areas[2]?.steps[2] as number)
})

test('several processors have an average', () => {
  const data = lines({ 'CPU #1': { '': () => 10 }, 'CPU #2': { '': () => 30 } })
  const scene = drawn(typed('device_processor'), data)
  expect(words(scene)).toContain('Average')
  expect(words(scene)).toContain('20 %')
  expect(words(drawn(typed('device_processor'), lines({ CPU: { '': () => 10 } })))).not.toContain('Average')
})

describe('memory', () => {
  const amounts = { '': () => 25, used: () => 2 ** 31, size: () => 2 ** 33 }
  test('of several pools is in percent, with bytes in the legend', () => {
    const scene = drawn(typed('device_mempool'), lines({ RAM: amounts, Swap: amounts }))
    expect(scene.lines).toHaveLength(2)
    expect(words(scene)).toContain('2 GiB')
    expect(words(scene)).toContain('8 GiB')
  })
  test('of one pool is in bytes, with its size as a line', () => {
    const scene = drawn(typed('device_mempool'), lines({ RAM: amounts }))
    expect([scene.areas.length, scene.lines.length]).toEqual([1, 1])
    expect(words(scene)).toContain('25 %')
    expect(words(scene)).toContain('8 Gi')
  })
  test('with only the percentage known is in percent', () => {
    const scene = drawn(typed('device_mempool'), lines({ RAM: { ...amounts, used: () => Number.NaN } }))
    expect(words(scene)).toContain('100')
  })
})

describe('limits of a sensor', () => {
  const type = typed('device_temperature')
  const data = lines({ Inlet: { '': (i) => 30 + (i % 3) } })
  const limits = { high: 45, highWarn: 40, lowWarn: null, low: -300 }
  test('are dashed lines; distant ones are omitted', () => {
    const scene = drawn(type, data, { limits })
    const dashed = scene.lines.filter((line) => line.dashed)
    expect(dashed).toHaveLength(2)
    expect(words(scene)).toEqual(expect.arrayContaining(['high', 'high warning']))
    for (const { steps } of dashed) {
      expect(steps[2]).toBeGreaterThanOrEqual(scene.plot.top)
      expect(steps[2]).toBeLessThanOrEqual(scene.plot.bottom)
    }
  })
})

test('outages and maintenance are shaded, clipped to the range', () => {
  const shades = {
    outages: [{ startS: NOW_S - 7200, endS: NOW_S - 3600 }],
    maintenance: [{ startS: NOW_S - 10 * 86_400, endS: NOW_S - 80_000 }],
  }
  const scene = drawn(typed('port_bits'), day({ in_octets: () => 1, out_octets: () => 1 }), { shades })
  expect(scene.shades.map((s) => s.fill)).toEqual([THEME.maintenance, THEME.outage])
  expect(scene.shades[0]?.left).toBe(scene.plot.left)
  expect(scene.shades[1]?.right).toBeLessThan(scene.plot.right)
})

test('fifteen minutes in a year are at least a pixel', () => {
  const base = day({})
  for (const stepS of [300, 3600, 86_400]) {
    const timeS = Float64Array.from(
      { length: Math.ceil((365 * 86_400) / stepS) },
      (_, i) => NOW_S - 365 * 86_400 + i * stepS,
    )
    const values = timeS.map((_, i) => (i === timeS.length - 1 ? 5 : Number.NaN))
    const series = ['in_octets', 'out_octets'].map((name) => ({ name, values, range: null }))
    const scene = drawn(typed('port_bits'), { ...base, timeS, stepS, series }, { fromS: NOW_S - 365 * 86_400 })
    const [x0 = Number.NaN, x1 = Number.NaN] = scene.areas[0]?.steps ?? []
    expect(x1 - x0).toBeGreaterThanOrEqual(1)
    expect(x1).toBeLessThanOrEqual(scene.plot.right)
  }
})

test.each([
  ['device_uptime', { uptime: () => 1028 }, '17.1 min', 'min'],
  ['device_uptime', { uptime: () => 86_400 * 40 }, '40 days', 'days'],
  ['device_poller_perf', { poll_time: () => 0.0125 }, '12.5 ms', 'ms'],
])('%s shows %p as %s', (name, columns, value, unit) => {
  const text = words(sceneOf(typed(name), day(columns)))
  expect(text).toContain(value)
  expect(text).toContain(unit)
})

test('now is the last sample while it is current, also in an image finer than the samples', () => {
  const data = { ...day({ in_octets: (i) => (i >= 286 ? Number.NaN : 5), out_octets: () => 5 }), currentS: 915 }
  expect(words(drawn(typed('port_bits'), data))).toContain('Now')
  expect(words(drawn(typed('port_bits'), data, { nowS: NOW_S + 7200 }))).toContain('Last')
})

test('a dark image has no colour of the light theme', () => {
  const data = day({ in_octets: () => 3, out_octets: () => 2 })
  const scene = drawn(typed('port_bits'), data, { theme: DARK })
  const colours = [...scene.texts.map((t) => t.colour), ...scene.areas.map((a) => a.fill)]
  for (const colour of colours) expect([THEME.text, THEME.muted, THEME.paper]).not.toContain(colour)
})
