import { describe, expect, test } from 'bun:test'
import { niceScale, niceStep } from '../../src/lib/nice-scale.ts'

const scale = (
  min: number,
  max: number,
  maxTicks = 5,
  o: { prefixes?: 'large' | 'all' | 'none'; magnitude?: boolean } = {},
) => {
  const { ticks, ...ends } = niceScale(min, max, {
    maxTicks,
    prefixes: o.prefixes ?? 'large',
    magnitude: o.magnitude ?? false,
  })
  return { ...ends, labels: ticks.map((t) => t.label) }
}

test.each([
  [1, 1],
  [1.1, 2],
  [2.2, 2.5],
  [3, 5],
  [7, 10],
  [0.03, 0.05],
  [1.3e9, 2e9],
])('the round step for %p is %p', (min, want) => {
  expect(niceStep(min)).toBeCloseTo(want, 12)
})

describe('an axis', () => {
  test.each([
    {
      name: 'of traffic',
      got: () => scale(0, 515e6),
      want: { min: 0, max: 600e6, labels: ['0', '200 M', '400 M', '600 M'] },
    },
    {
      name: 'ends on a half step',
      got: () => scale(0, 480e6),
      want: { min: 0, max: 500e6, labels: ['0', '100 M', '200 M', '300 M', '400 M', '500 M'] },
    },
    {
      name: 'shows as many decimals as its step has',
      got: () => scale(0, 2.1e9),
      want: { min: 0, max: 2.25e9, labels: ['0', '0.5 G', '1.0 G', '1.5 G', '2.0 G'] },
    },
    {
      name: 'of 100 Gbit/s',
      got: () => scale(0, 100e9),
      want: { min: 0, max: 100e9, labels: ['0', '20 G', '40 G', '60 G', '80 G', '100 G'] },
    },
    {
      name: 'of tiny rates has no prefix',
      got: () => scale(0, 0.003),
      want: { min: 0, max: 0.003, labels: ['0', '0.001', '0.002', '0.003'] },
    },
    {
      name: 'of small currents has one',
      got: () => scale(0, 0.003, 5, { prefixes: 'all' }),
      want: { min: 0, max: 0.003, labels: ['0', '1 m', '2 m', '3 m'] },
    },
    {
      name: 'with outbound below shows no signs',
      got: () => scale(-20, 40, 3, { magnitude: true }),
      want: { min: -20, max: 40, labels: ['20', '0', '20', '40'] },
    },
    {
      name: 'of negative gauges shows them',
      got: () => scale(-20, -10, 2, { prefixes: 'none' }),
      want: { min: -20, max: -10, labels: ['-20', '-15', '-10'] },
    },
    {
      name: 'without values spans one unit',
      got: () => scale(0, 0, 2),
      want: { min: 0, max: 1, labels: ['0.0', '0.5', '1.0'] },
    },
  ])('$name', ({ got, want }) => {
    const { min, max, labels } = got()
    expect(min).toBeCloseTo(want.min, 9)
    expect(max).toBeCloseTo(want.max, 9)
    expect(labels).toEqual(want.labels.map((l) => (l === '0.0' ? '0' : l)))
  })

  test('never exceeds its maximum of steps and covers its values', () => {
    for (let seed = 1; seed < 500; seed++) {
      const high = 10 ** ((seed % 30) - 12) * (1 + (seed % 97))
      const low = seed % 3 === 0 ? -high * (seed % 7) : 0
      const max = 1 + (seed % 9)
      const s = niceScale(low, high, { maxTicks: max, prefixes: 'large', magnitude: false })
      expect(s.min).toBeLessThanOrEqual(low + (high - low) * 1e-6)
      expect(s.max).toBeGreaterThanOrEqual(high - (high - low) * 1e-6)
      expect(s.ticks.length).toBeLessThanOrEqual(max + 2)
    }
  })
})
