import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  HOURS_OF_WEEK,
  median,
  type PastHour,
  perDayOf,
  replayOf,
  usualOf,
} from '../../../../src/core/rules/over/learned.ts'
import { spreadsTest } from '../../../../src/core/rules/over/spreads.ts'

const WEEK_S = 7 * 86_400

/** Hours of some weeks; `value` of week and hour of the week. */
function hoursOf(weeks: number, value: (week: number, hour: number) => number): PastHour[] {
  return Array.from({ length: weeks * HOURS_OF_WEEK }, (_, i) => {
    const hour = (i % HOURS_OF_WEEK) + 1
    return { at: i * 3600, hour, value: value(Math.floor(i / HOURS_OF_WEEK), hour) }
  })
}

const isOffice = (hour: number) => hour <= 120 && hour % 24 >= 9 && hour % 24 <= 17
const busy = (week: number, hour: number) => (isOffice(hour) ? 500 : 50) + ((week * 7 + hour) % 5)

describe('usual', () => {
  test('is the median of the same hours, and one bad week changes nothing much', () => {
    const plain = usualOf(hoursOf(8, busy))
    const bad = usualOf(hoursOf(8, (week, hour) => (week === 3 ? 100_000 : busy(week, hour))))
    for (const [i, usual] of plain.usual.entries()) {
      const expected = isOffice(i + 1) ? 502 : 52
      expect(Math.abs(Number(usual) - expected)).toBeLessThan(3)
      expect(Math.abs(Number(bad.usual[i]) - expected)).toBeLessThan(3)
      expect(Number(bad.spread[i])).toBeLessThan(10)
    }
  })

  test('is not known after two weeks, and of hours without values', () => {
    const young = usualOf(hoursOf(2, busy))
    expect([...young.usual, ...young.spread].every((one) => one === null)).toBe(true)
    const gap = usualOf(hoursOf(8, busy).filter(({ hour }) => hour !== 30))
    expect([gap.usual[29], gap.spread[29]]).toEqual([null, null])
    expect(gap.usual[30]).not.toBeNull()
    expect(usualOf([]).usual).toHaveLength(HOURS_OF_WEEK)
  })

  test('a value that never differs has a spread of a hundredth of it, and none if it is 0', () => {
    expect(usualOf(hoursOf(4, () => 40)).spread[0]).toBeCloseTo(0.4)
    expect(usualOf(hoursOf(4, () => 0)).spread[0]).toBeNull()
  })

  test('has 168 members that are numbers or unknown, whatever the past', () => {
    const hour = fc.record({
      at: fc.integer(),
      hour: fc.integer({ min: -5, max: 200 }),
      value: fc.oneof(fc.double(), fc.constant(Number.NaN), fc.constant(1e300)),
    })
    fc.assert(
      fc.property(fc.array(hour, { maxLength: 600 }), (hours) => {
        const { usual, spread } = usualOf(hours)
        expect([usual.length, spread.length]).toEqual([HOURS_OF_WEEK, HOURS_OF_WEEK])
        for (const one of spread) expect(one === null || one > 0).toBe(true)
        for (const one of usual) expect(one === null || !Number.isNaN(one)).toBe(true)
      }),
    )
  })

  test('moves with its values: usual and spread of k * v + c are k * usual + c and k * spread', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 100, max: 1000 }), { minLength: 30, maxLength: 90 }), (values) => {
        const hours = (of: (v: number) => number) =>
          values.map((value, i) => ({ at: i * 3600, hour: (i % 6) + 1, value: of(value) }))
        const [one, other] = [usualOf(hours((v) => v)), usualOf(hours((v) => 3 * v))]
        for (let i = 0; i < 6; i++) {
          expect(Number(other.usual[i])).toBeCloseTo(3 * Number(one.usual[i]))
          expect(Number(other.spread[i])).toBeCloseTo(3 * Number(one.spread[i]))
        }
      }),
    )
  })
})

describe('the change per day', () => {
  const days = (values: readonly number[]) => values.map((value, i) => ({ at: i * 86_400, value }))
  test.each<[string, number[], number | null]>([
    ['a straight line', [10, 12, 14, 16, 18], 2],
    ['a line with one day of cleaning', [10, 12, 14, 16, 3, 20, 22, 24, 26], 2],
    ['constant', [7, 7, 7, 7], 0],
    ['three days', [1, 2, 3], null],
    ['unknown days', [1, Number.NaN, 3, Number.NaN, 5, 6], 1],
    ['nothing', [], null],
  ])('%s', (_, values, want) => {
    const found = perDayOf(days(values))
    if (want === null) expect(found).toBeNull()
    else expect(found).toBeCloseTo(want)
  })

  test('of a line is its slope, in any order and with gaps', () => {
    const line = fc.record({ slope: fc.integer({ min: -1000, max: 1000 }), base: fc.integer({ min: -1e6, max: 1e6 }) })
    const at = fc.uniqueArray(fc.integer({ min: 0, max: 60 }), { minLength: 4, maxLength: 40 })
    fc.assert(
      fc.property(line, at, ({ slope, base }, days) => {
        const found = perDayOf(days.map((day) => ({ at: day * 86_400, value: base + slope * day })))
        expect(found).toBeCloseTo(slope, 5)
      }),
    )
  })

  test('several values at one instant divide by nothing', () => {
    expect(perDayOf([1, 2, 3, 4, 5].map((value) => ({ at: 0, value })))).toBeNull()
  })
})

test('the median is between the least and the greatest, and unknown of nothing', () => {
  expect(median([])).toBeNull()
  expect(median([3, 1, 2])).toBe(2)
  expect(median([4, 1])).toBe(2.5)
  const finite = fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e300, max: 1e300 })
  fc.assert(
    fc.property(fc.array(finite, { minLength: 1 }), (values) => {
      const middle = Number(median(values))
      expect(middle).toBeGreaterThanOrEqual(Math.min(...values))
      expect(middle).toBeLessThanOrEqual(Math.max(...values))
    }),
  )
})

describe('the past of a condition', () => {
  const past = hoursOf(8, busy)
  const usual = usualOf(past)
  const isAbove = (spreads: number) => spreads > 4

  test('a night with the traffic of a day is one time, however many hours', () => {
    const night = past.map((one) =>
      one.at >= 5 * WEEK_S + 3600 && one.at < 5 * WEEK_S + 4 * 3600 ? { ...one, value: 900 } : one,
    )
    expect(replayOf(past, usual, isAbove)).toEqual({ hours: 0, times: 0 })
    expect(replayOf(night, usual, isAbove)).toEqual({ hours: 3, times: 1 })
    expect(replayOf(night.toReversed(), usual, isAbove)).toEqual({ hours: 3, times: 1 })
  })

  test('an unknown hour ends nothing', () => {
    const values = [900, Number.NaN, 900, 50, 900]
    const hours = values.map((value, i) => ({ at: i * 3600, hour: i + 1, value }))
    expect(replayOf(hours, usual, isAbove)).toEqual({ hours: 3, times: 2 })
  })
})

test.each([
  ['greater', '3', [3.1], [3, -5]],
  ['less_or_equal', '-2', [-2, -9], [-1, 4]],
  ['not_between', ['-3', '3'], [4, -4], [3, 0]],
  ['between', ['1', '2'], [1, 1.5], [0, 3]],
] as const)('spreads compared with %s %p', (operator, value, yes, no) => {
  const values = [value].flat().map((text) => ({ kind: 'literal' as const, text, number: false }))
  const isTrue = spreadsTest({ kind: 'condition', field: 'x.y', operator, values })
  for (const one of yes) expect(isTrue?.(one)).toBe(true)
  for (const one of no) expect(isTrue?.(one)).toBe(false)
})

test.each(['', 'abc', '1e999', ' '])('spreads cannot be compared with %p', (text) => {
  const values = [{ kind: 'literal' as const, text, number: false }]
  expect(spreadsTest({ kind: 'condition', field: 'x.y', operator: 'greater', values })).toBeNull()
})
