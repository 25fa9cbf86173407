import { expect, test } from 'bun:test'
import { percentile95 } from '../../src/lib/percentile.ts'

const upTo = (n: number) => Array.from({ length: n }, (_, i) => i + 1)

test.each([
  { name: 'a day of 5-minute values: index round(288 * 0.95) - 2 = 272', values: upTo(288), want: 273 },
  { name: 'twenty values: index 17', values: upTo(20), want: 18 },
  { name: 'order does not matter', values: upTo(20).reverse(), want: 18 },
  { name: 'one value', values: [7], want: 7 },
  { name: 'two values: index 0', values: [7, 3], want: 3 },
  { name: 'unknown values are left out', values: [Number.NaN, 7, Number.NaN], want: 7 },
  { name: 'negative values', values: [-1, -2, -3], want: -2 },
  { name: 'nothing known', values: [Number.NaN], want: null },
  { name: 'nothing', values: [], want: null },
])('$name', ({ values, want }) => {
  expect(percentile95(values)).toBe(want)
})

test('the input is not sorted in place', () => {
  const values = [3, 1, 2]
  percentile95(values)
  expect(values).toEqual([3, 1, 2])
})
