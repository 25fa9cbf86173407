import { describe, expect, test } from 'bun:test'
import { deviceGraph } from '../../src/graphs/catalogue/devices.ts'
import type { GraphType } from '../../src/graphs/catalogue/graph-type.ts'
import { portGraph } from '../../src/graphs/catalogue/ports.ts'
import { PAINTS } from '../../src/graphs/palette.ts'
import type { Scene } from '../../src/graphs/scene.ts'
import { day, plainMeasure, sceneOf } from './fixtures.ts'

function existing(type: GraphType | null): GraphType {
  if (type === null) throw new Error('no such graph')
  return type
}
const bits = existing(portGraph('port_bits'))
const errors = existing(portGraph('port_errors'))
const ping = existing(deviceGraph('device_icmp_perf'))
const processor = existing(deviceGraph('device_processor'))
const temperature = existing(deviceGraph('device_temperature'))
const N = Number.NaN

/** Box i of an area: x0, x1, y, base. */
const box = (scene: Scene, area: number, i: number) => [...(scene.areas[area]?.steps.subarray(i * 4, i * 4 + 4) ?? [])]
const count = (scene: Scene, area = 0) => (scene.areas[area]?.steps.length ?? 0) / 4
const words = (scene: Scene) => scene.texts.map((t) => t.text)

describe('traffic', () => {
  test('in is above the axis and out below, on one scale', () => {
    const scene = sceneOf(bits, day({ in_octets: () => 100, out_octets: () => 50 }))
    const [, , inY = N, zero = N] = box(scene, 0, 0)
    const [, , outY = N] = box(scene, 1, 0)
    expect(zero - inY).toBeCloseTo(2 * (outY - zero), 3)
    expect(scene.zeroY).toBe(Math.round(zero))
    expect(scene.areas.map((a) => a.fill)).toEqual([PAINTS.in.fill, PAINTS.out.fill])
  })
  test('inverse swaps the sides', () => {
    const scene = sceneOf(bits, day({ in_octets: () => 100, out_octets: () => 50 }), { inverse: true })
    const [, , inY = N, zero = N] = box(scene, 0, 0)
    expect(inY).toBeGreaterThan(zero)
  })
  test('octets are drawn as bits and summed as octets', () => {
    const text = words(sceneOf(bits, day({ in_octets: () => 1000, out_octets: () => 0 })))
    expect(text).toContain('8 kbit/s')
    expect(text).toContain('86.4 MB')
  })
})

describe('gaps', () => {
  const gap = sceneOf(bits, day({ in_octets: (i) => (i >= 100 && i < 150 ? N : 5), out_octets: () => 5 }))
  test('have no box', () => {
    expect(count(gap, 0)).toBe(238)
    expect(count(gap, 1)).toBe(288)
  })
  test('are not bridged', () => {
    const [, end = N] = box(gap, 0, 99)
    const [start = N] = box(gap, 0, 100)
    expect(start - end).toBeGreaterThan(100)
  })
  test('adjacent buckets share an edge, so that there is no seam', () => {
    for (let i = 1; i < 99; i++) expect(box(gap, 0, i)[0]).toBe(box(gap, 0, i - 1)[1])
  })
  test('differ from zero traffic', () => {
    const zeros = sceneOf(bits, day({ in_octets: () => 0, out_octets: () => N }))
    expect([count(zeros, 0), count(zeros, 1)]).toEqual([288, 0])
  })
  test('a graph without known values shows a message', () => {
    const empty = sceneOf(bits, day({ in_octets: () => N, out_octets: () => N }))
    expect(words(empty)).toContain('no data in this range')
    expect(words(empty)).toContain('Last')
  })
})

describe('stacked series', () => {
  const scene = sceneOf(
    errors,
    day({ in_err: () => 3, in_disc: (i) => (i === 7 ? N : 2), out_err: () => 1, out_disc: () => 1 }),
  )
  test('stand on each other', () => {
    const [, , errTop = N] = box(scene, 0, 0)
    const [, , discTop = N, discBase = N] = box(scene, 2, 0)
    expect(discBase).toBe(errTop)
    expect(discTop).toBeLessThan(discBase)
  })
  test('keep a gap where they are unknown', () => {
    expect(count(scene, 2)).toBe(287)
  })
})

describe('ping', () => {
  test('loss has its own axis', () => {
    const scene = sceneOf(ping, day({ rtt_avg: () => 12, rtt_min: () => 10, rtt_max: () => 20, loss: () => 100 }))
    const loss = scene.areas.findIndex((a) => a.fill === PAINTS.loss.fill)
    expect(box(scene, loss, 0)[2]).toBe(scene.plot.top)
    expect(words(scene)).toContain('% loss')
  })
  test('the spread reaches from the fastest to the slowest answer', () => {
    const scene = sceneOf(ping, day({ rtt_avg: () => 12, rtt_min: () => 10, rtt_max: () => 20, loss: () => 0 }))
    const [, , slowest = N, fastest = N] = box(scene, 0, 0)
    expect((scene.plot.bottom - slowest) / (scene.plot.bottom - fastest)).toBeCloseTo(2, 3)
  })
})

describe('the axis', () => {
  test('of percent is 0 to 100', () => {
    const scene = sceneOf(processor, day({ cpu: () => 3 }))
    expect(words(scene)).toContain('100')
    expect(scene.gridY.at(-1)).toBe(scene.plot.top)
  })
  test('of gauges fits the values', () => {
    const scene = sceneOf(temperature, day({ inlet: (i) => 24 + (i % 2), exhaust: () => 27 }))
    expect(scene.zeroY).toBeNull()
  })
  test('of a constant gauge has space on both sides', () => {
    const scene = sceneOf(temperature, day({ inlet: () => 25 }))
    const y = scene.lines[0]?.steps[2] ?? N
    expect(y).toBeGreaterThan(scene.plot.top + 20)
    expect(y).toBeLessThan(scene.plot.bottom - 20)
  })
})

describe('the legend', () => {
  const many = (n: number) => day(Object.fromEntries(Array.from({ length: n }, (_, i) => [`Processor ${i}`, () => i])))
  test('gives the number of omitted series', () => {
    const text = words(sceneOf(processor, many(200)))
    expect(
      text.filter((t) => /^Processor \d+$/.test(t)).length +
        Number(text.find((t) => t.endsWith('more'))?.split(' ')[1]),
    ).toBe(200)
  })
  test('labels an outdated value as the last one', () => {
    expect(words(sceneOf(processor, day({ cpu: (i) => (i > 280 ? N : 5) })))).toContain('Last')
    expect(words(sceneOf(processor, day({ cpu: () => 5 })))).toContain('Now')
  })
  test('legend=no gives its space to the plot', () => {
    const [with_, without] = [sceneOf(bits, day({}), {}), sceneOf(bits, day({}), { legend: false })]
    expect(without.swatches).toHaveLength(0)
    expect(without.plot.bottom).toBeGreaterThan(with_.plot.bottom + 30)
  })
  test('shortens names that are too long', () => {
    const text = words(sceneOf(processor, day({ [`Processor ${'x'.repeat(300)}`]: () => 1 })))
    expect(text.some((t) => /^Processor x+…$/.test(t))).toBe(true)
  })
})

describe('at any size', () => {
  const scenes = [1, 2, 10, 40, 90, 150, 212, 400, 600, 1075, 4000].flatMap((width) =>
    [1, 2, 20, 50, 100, 200, 300, 2500].flatMap((height) =>
      [bits, ping, processor].map((type) =>
        sceneOf(type, day({ in_octets: (i) => i, out_octets: (i) => 2 * i, rtt_avg: () => 3, loss: () => 5 }), {
          width,
          height,
          title: 'A title that is long enough to be truncated',
        }),
      ),
    ),
  )
  test('every coordinate is a number', () => {
    for (const { plot, areas, lines, texts, gridX, gridY } of scenes) {
      const numbers = [
        plot.left,
        plot.right,
        plot.top,
        plot.bottom,
        ...gridX,
        ...gridY,
        ...texts.flatMap((t) => [t.x, t.y]),
      ]
      for (const { steps } of [...areas, ...lines]) numbers.push(...steps)
      expect(numbers.every(Number.isFinite)).toBe(true)
    }
  })
  test('texts stay inside the image', () => {
    for (const scene of scenes)
      for (const { text, x, y, size, align } of scene.texts) {
        const width = plainMeasure(text, size)
        const left = align === 'left' ? x : align === 'right' ? x - width : x - width / 2
        expect({
          text,
          ok: left >= -1 && left + width <= scene.width + 1 && y <= scene.height && y - size * 0.8 >= -1,
        }).toEqual({ text, ok: true })
      }
  })
  test('the series stay within the width of the plot', () => {
    for (const { plot, areas } of scenes)
      for (const { steps } of areas)
        for (let i = 0; i < steps.length; i += 4) {
          expect(steps[i] ?? N).toBeGreaterThanOrEqual(plot.left)
          expect(steps[i + 1] ?? N).toBeLessThanOrEqual(plot.right)
        }
  })
  test('a thumbnail still has values and times', () => {
    const text = words(sceneOf(bits, day({ in_octets: () => 1e6, out_octets: () => 1e6 }), { width: 212, height: 100 }))
    expect(text.some((t) => t.endsWith(' M'))).toBe(true)
    expect(text.some((t) => /^\d\d:\d\d$/.test(t))).toBe(true)
  })
})
