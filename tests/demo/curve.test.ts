import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { bursty, compose, daily, noisy, windows } from '../../src/demo/curve.ts'
import { hash01, smoothNoise } from '../../src/demo/hash.ts'
import { flow, reading, type TrafficShape, trouble } from '../../src/demo/traffic.ts'

const DAY_S = 86_400
const seconds = fc.double({ min: 0, max: 4e8, noNaN: true })
const step = fc.double({ min: 0.01, max: 10 * DAY_S, noNaN: true })
const seed = fc.integer({ min: 0, max: 2 ** 32 - 1 })
const SHAPES: readonly TrafficShape[] = ['office', 'evening', 'server', 'storage', 'flat', 'backup']

describe('curves never decrease', () => {
  test('through day and week, with the strongest variation allowed', () => {
    const curve = daily({ peakHour: 14, depth: 0.75, weekend: 0.15 })
    fc.assert(fc.property(seconds, step, (s, d) => curve(s + d) > curve(s)))
  })

  test('with noise from any seed', () => {
    fc.assert(fc.property(seed, seconds, step, (n, s, d) => noisy(n, 0.95)(s + d) > noisy(n, 0.95)(s)))
  })

  test('with bursts and little traffic between them', () => {
    fc.assert(fc.property(seed, seconds, step, (n, s, d) => bursty(n, 3600, 0.95)(s + d) > bursty(n, 3600, 0.95)(s)))
  })

  test.each(SHAPES)('in every counter of a %s flow', (shape) => {
    const { octets, unicast, multicast, broadcast } = flow(7, { meanBps: 8e9, shape, packetOctets: 900 })
    fc.assert(
      fc.property(seconds, step, (s, d) => [octets, unicast, multicast, broadcast].every((c) => c(s + d) >= c(s))),
    )
  })
})

test.each(SHAPES)('the mean rate of a %s flow over ten weeks is as requested, within 2 %%', (shape) => {
  const { octets } = flow(11, { meanBps: 8e6, shape, packetOctets: 900 })
  const from = 1000 * DAY_S
  const rate = (octets(from + 70 * DAY_S) - octets(from)) / (70 * DAY_S)
  expect(Math.abs(rate / 1e6 - 1)).toBeLessThan(0.02)
})

test('an office flow is busier by day than by night', () => {
  const { octets } = flow(3, { meanBps: 8e6, shape: 'office', packetOctets: 900 })
  const during = (fromHour: number, toHour: number) =>
    octets(2 * DAY_S + toHour * 3600) - octets(2 * DAY_S + fromHour * 3600)
  expect(during(11, 15)).toBeGreaterThan(2.5 * during(1, 5))
})

test('faults occur as often as requested, in clusters', () => {
  const errors = trouble(5, 60)
  const perQuarter = Array.from({ length: 960 }, (_, i) => errors(900 * (i + 1)) - errors(900 * i))
  const total = perQuarter.reduce((a, b) => a + b)
  expect(total / 240).toBeGreaterThan(55)
  expect(total / 240).toBeLessThan(65)
  expect(perQuarter.filter((n) => n < 5).length).toBeGreaterThan(perQuarter.length / 2)
})

test('the delta of two polls is the sum of the deltas of any polls between them', () => {
  const { octets } = flow(9, { meanBps: 4e10, shape: 'server', packetOctets: 900 })
  fc.assert(
    fc.property(seconds, fc.array(step, { minLength: 1, maxLength: 20 }), (boot, steps) => {
      const times = [boot]
      for (const d of steps) times.push((times.at(-1) ?? boot) + d)
      const counts = times.map((s) => reading(octets, s, boot))
      const deltas = counts.slice(1).map((c, i) => c - (counts[i] ?? 0n))
      return (
        deltas.every((d) => d >= 0n) && deltas.reduce((a, b) => a + b) === reading(octets, times.at(-1) ?? boot, boot)
      )
    }),
  )
})

describe('windows', () => {
  const w = windows(1, 540, 150)

  test('are off for their duration in every cycle', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1_000_000 }), (cycle) => {
        const on = w.onSeconds((cycle + 1) * 540) - w.onSeconds(cycle * 540)
        return Math.abs(on - 390) < 1e-6
      }),
    )
  })

  test('count time while isOn is true, and change at changedAt', () => {
    fc.assert(
      fc.property(fc.double({ min: 600, max: 1e8, noNaN: true }), (s) => {
        const since = w.changedAt(s)
        const on = w.onSeconds(s) - w.onSeconds(since)
        const expected = w.isOn(s) ? s - since : 0
        return since <= s && Math.abs(on - expected) < 1e-6
      }),
    )
  })
})

test('noise stays within its range and its maximum slope', () => {
  fc.assert(
    fc.property(seed, fc.double({ min: -1e6, max: 1e9, noNaN: true }), (n, x) => {
      const value = smoothNoise(n, x)
      const slope = (smoothNoise(n, x + 1e-3) - value) / 1e-3
      return Math.abs(value) <= 1 && Math.abs(slope) <= 3.01
    }),
  )
})

test('the same seed and number always give the same value', () => {
  // fixed values: a change would make the counters of running fleets jump at their next start
  expect([hash01(1, 0), hash01(1, 2 ** 40), hash01(2 ** 31, 77)].map((v) => v.toFixed(6))).toMatchInlineSnapshot(`
    [
      "0.317599",
      "0.868447",
      "0.579527",
    ]
  `)
})

test('a curve of a curve keeps the mean', () => {
  const curve = compose(noisy(1, 0.9), daily({ peakHour: 12, depth: 0.7, weekend: 0.1 }))
  const rate = (curve(1000 * DAY_S) - curve(930 * DAY_S)) / (70 * DAY_S)
  expect(Math.abs(rate - 1)).toBeLessThan(0.01)
})
