import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { niceScale } from '../../src/lib/nice-scale.ts'
import { legendPercentile95, percentile95 } from '../../src/lib/percentile.ts'
import { type Prefixes, readable, scalePrefix, shortNumber, siText } from '../../src/lib/si.ts'
import { timeTicks } from '../../src/lib/time-axis.ts'
import { type ValueForm, valueAxis, valueText } from '../../src/lib/value-axis.ts'

/** The neighbour of a double, one unit in the last place away. */
function nextUp(value: number): number {
  const bits = new BigInt64Array(new Float64Array([value]).buffer)
  bits[0] = (bits[0] ?? 0n) + (value >= 0 ? 1n : -1n)
  return new Float64Array(bits.buffer)[0] ?? Number.NaN
}

const EDGES = [0, -0, 1, -1, 1e-300, -1e-300, 5e-324, 1e300, -1e300, 1.7e308, 23.15, 230.4, 1e-9, 2 ** 53, 999_999.5]
const ODD = [...EDGES, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
const number = fc.oneof(fc.constantFrom(...ODD), fc.double(), fc.double({ min: -1000, max: 1000 }), fc.integer())
const pair = fc.oneof(
  fc.tuple(number, number),
  number.map((value) => [value, value] as const),
  number.map((value) => [value, nextUp(value)] as const),
  number.map((value) => [value, nextUp(nextUp(nextUp(value)))] as const),
  fc.tuple(number, fc.double({ min: 1e-16, max: 1e-6 })).map(([value, share]) => [value, value * (1 + share)] as const),
)
const prefixes = fc.constantFrom<Prefixes>('large', 'all', 'none', 'binary')
const form: fc.Arbitrary<ValueForm> = fc.record(
  {
    unit: fc.constantFrom('', 'V', 'bit/s', '%', 'dBm', 'blocks/s'),
    prefixes,
    axis: fc.constantFrom('zero', 'percent', 'free'),
    format: fc.constant('duration'),
    whole: fc.constant(true),
  },
  { requiredKeys: ['unit', 'prefixes', 'axis'] },
)
const RUNS = { numRuns: 3000 }

/** Longest text that an axis or a legend has room for. */
const LONGEST = 24

describe('a value axis over any numbers', () => {
  test('has finite ends in order and few ticks in order, all of them inside', () => {
    fc.assert(
      fc.property(
        pair,
        form,
        fc.integer({ min: -1, max: 10_000 }),
        fc.boolean(),
        ([min, max], type, most, mirrored) => {
          const { scale } = valueAxis({ type, min, max, mirrored, maxTicks: most })
          expect(Number.isFinite(scale.min) && Number.isFinite(scale.max)).toBe(true)
          expect(scale.max).toBeGreaterThan(scale.min)
          expect(scale.ticks.length).toBeLessThanOrEqual(Math.max(2, Math.min(100, most)) + 2)
          const room = (scale.max - scale.min) * 1e-6
          scale.ticks.forEach(({ value, label }, i) => {
            expect(value).toBeGreaterThan(i === 0 ? Number.NEGATIVE_INFINITY : (scale.ticks[i - 1]?.value ?? 0))
            expect(value >= scale.min - room && value <= scale.max + room).toBe(true)
            expect(label.length).toBeLessThanOrEqual(LONGEST)
            expect(label).not.toMatch(/NaN|Infinity|undefined/)
          })
        },
      ),
      RUNS,
    )
  })

  test('covers the values that it is made for', () => {
    const known = fc.double({ noNaN: true, min: -1e299, max: 1e299 })
    fc.assert(
      fc.property(known, known, form, (a, b, type) => {
        const [min, max] = [Math.min(a, b), Math.max(a, b)]
        const { scale } = valueAxis({ type, min, max, mirrored: false, maxTicks: 6 })
        // far less than a pixel
        const slack = (scale.max - scale.min) * 1e-6
        expect(scale.max).toBeGreaterThanOrEqual(max - slack)
        if (type.axis !== 'percent') expect(scale.min).toBeLessThanOrEqual(min + slack)
      }),
      RUNS,
    )
  })

  test('labels its ticks differently', () => {
    fc.assert(
      fc.property(pair, prefixes, ([min, max], prefix) => {
        const { ticks } = niceScale(min, max, { maxTicks: 6, prefixes: prefix, magnitude: false })
        expect(new Set(ticks.map(({ label }) => label)).size).toBe(ticks.length)
      }),
      RUNS,
    )
  })

  test('of a constant sensor, whose mean differs in the last bit, is that of a constant', () => {
    for (const value of [23.15, 230.4, 3.3, -40.1, 1e9 + 0.1, 1e-7]) {
      const type = { unit: 'V', prefixes: 'none', axis: 'free' } as const
      const axis = (max: number) => valueAxis({ type, min: value, max, mirrored: false, maxTicks: 6 })
      const labels = (max: number) => axis(max).scale.ticks.map(({ label }) => label)
      expect(labels(nextUp(value))).toEqual(labels(value))
      expect(labels(value).length).toBeGreaterThan(1)
    }
  })
})

test('a time axis has few marks inside its range, however odd range and width are', () => {
  const seconds = fc.oneof(fc.integer({ min: 0, max: 4e9 }), fc.constantFrom(0, 253_402_300_799, Number.NaN, 1e300))
  const width = fc.oneof(fc.integer({ min: -1, max: 5000 }), fc.constantFrom(Number.NaN, 1e12))
  fc.assert(
    fc.property(seconds, seconds, width, fc.constantFrom(0, 1, 7, 40), (a, b, pixels, letter) => {
      const [from, to] = [Math.min(a, b), Math.max(a, b)]
      const { major, minor } = timeTicks(from, to, pixels, () => letter)
      expect(major.length + minor.length).toBeLessThanOrEqual(4000)
      for (const timeS of [...minor, ...major.map((mark) => mark.timeS)])
        expect(timeS >= from && timeS <= to).toBe(true)
    }),
    { numRuns: 1000 },
  )
})

describe('numbers as text', () => {
  test('are short and never NaN or -0', () => {
    fc.assert(
      fc.property(number, form, fc.boolean(), (value, type, averaged) => {
        for (const text of [
          valueText(type, value, averaged),
          readable(value, type.unit, type.prefixes),
          siText(value),
        ]) {
          expect(text.length).toBeLessThanOrEqual(40)
          expect(text).not.toMatch(/NaN|Infinity|undefined|^-0( |$)/)
        }
      }),
      RUNS,
    )
  })

  test('keep their size', () => {
    fc.assert(
      fc.property(
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.integer({ min: 0, max: 20 }),
        (value, digits) => {
          const shown = Number(shortNumber(value, digits))
          expect(Math.abs(shown - value)).toBeLessThanOrEqual(10 ** -digits + Math.abs(value) * 1e-9)
        },
      ),
      RUNS,
    )
    expect(shortNumber(1.5e300, 2)).toBe('1.5e+300')
  })

  test('have a finite divisor above 0', () => {
    fc.assert(
      fc.property(number, prefixes, (value, prefix) => {
        const { divisor } = scalePrefix(value, prefix)
        expect(divisor > 0 && Number.isFinite(divisor)).toBe(true)
      }),
      RUNS,
    )
  })
})

describe('a percentile', () => {
  test('is one of the known values, at or above the median', () => {
    fc.assert(
      fc.property(fc.array(number, { maxLength: 300 }), (values) => {
        const known = values.filter(Number.isFinite).toSorted((a, b) => a - b)
        for (const found of [percentile95(values), legendPercentile95(values)]) {
          if (known.length === 0) expect(found).toBeNull()
          else expect(known.some((value) => value === found)).toBe(true)
        }
        const legend = legendPercentile95(values)
        if (legend !== null) expect(legend).toBeGreaterThanOrEqual(known[Math.floor((known.length - 1) / 2)] ?? 0)
      }),
      { numRuns: 500 },
    )
  })

  test('of a million values is that of the sorted list', () => {
    const values = Float64Array.from({ length: 1_000_000 }, (_, i) => (i * 7919) % 1_000_003)
    const sorted = values.toSorted()
    expect(percentile95(values)).toBe(sorted[950_000 - 2] ?? null)
    expect(legendPercentile95(values)).toBe(sorted[950_000 - 2] ?? null)
  })
})
