import { expect, test } from 'bun:test'
import { axis, Buckets, gaps, gaugeSpans } from '../../../src/core/series/buckets.ts'
import type { Span } from '../../../src/core/series/window.ts'

const { NaN: unknown } = Number
const spans = (...pairs: [number, number][]): Span[] => pairs.map(([startS, endS]) => ({ startS, endS }))

function averages(stepS: number, count: number, ...rows: [number, number, number][]): number[] {
  const buckets = new Buckets(
    Float64Array.from({ length: count }, (_, i) => i * stepS),
    stepS,
  )
  for (const [startS, endS, value] of rows) buckets.add({ startS, endS }, value)
  return [...buckets.average()]
}

test('buckets finer than the samples have no holes between them', () => {
  expect(averages(10, 6, [0, 30, 5], [30, 60, 7])).toEqual([5, 5, 5, 7, 7, 7])
})

test('buckets coarser than the samples average by time', () => {
  expect(averages(60, 1, [0, 45, 4], [45, 60, 8])).toEqual([5])
})

test('a bucket without a sample is unknown, next to known ones', () => {
  expect(averages(10, 4, [0, 10, 1], [30, 40, 2])).toEqual([1, unknown, unknown, 2])
})

test('unknown values are not averaged', () => {
  expect(averages(20, 1, [0, 10, 6], [10, 20, unknown])).toEqual([6])
})

test('values of the same time are added, even if only one of them is known in the rest of the bucket', () => {
  expect(averages(10, 2, [0, 20, 1], [0, 10, 2])).toEqual([3, 1])
})

test('a span that covers a hole left by others fills it', () => {
  expect(averages(10, 3, [0, 10, 1], [20, 30, 1], [0, 30, 2])).toEqual([3, 2, 3])
})

test('the lowest and highest value of a bucket are kept', () => {
  const buckets = new Buckets(Float64Array.of(0), 10)
  buckets.add({ startS: 0, endS: 5 }, 3)
  buckets.addRolled({ startS: 5, endS: 10 }, 2, 1, 1, 9)
  expect([...buckets.max(), ...buckets.min()]).toEqual([9, 1])
})

test.each([
  {
    name: 'a pause longer than the allowed intervals is a gap',
    input: spans([0, 30], [30, 130], [130, 160]),
    want: [false, true, false],
  },
  { name: 'a shorter pause is not', input: spans([0, 30], [30, 115], [115, 145]), want: [false, false, false] },
  {
    name: 'samples from a time with longer intervals are not gaps',
    input: spans([0, 300], [300, 600], [600, 900]),
    want: [false, false, false],
  },
  {
    name: 'rows of one poll are not each other’s neighbours',
    input: spans([0, 30], [30, 500], [31, 500], [500, 530]),
    want: [false, true, true, false],
  },
])('$name', ({ input, want }) => {
  expect(gaps(input, { intervals: 3, intervalS: 30 })).toEqual([...want])
})

test('a gauge is valid since the previous sample, or for one interval after a gap', () => {
  expect(gaugeSpans([60, 120, 600], { intervals: 3, intervalS: 60 })).toEqual(spans([0, 60], [60, 120], [540, 600]))
})

test('the axis starts at a multiple of its step and covers the window', () => {
  const { timeS, stepS } = axis({ fromS: 95, toS: 190, stepS: 30 }, 1)
  expect([stepS, ...timeS]).toEqual([30, 90, 120, 150, 180])
})

test('steps are multiples of the unit, and no axis is longer than 20,000 buckets', () => {
  expect(axis({ fromS: 0, toS: 86_400, stepS: 4000 }, 3600).stepS).toBe(7200)
  expect(axis({ fromS: 0, toS: 1e9, stepS: 1 }, 1).timeS.length).toBeLessThanOrEqual(20_000)
})
