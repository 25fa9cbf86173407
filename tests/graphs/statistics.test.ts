import { describe, expect, test } from 'bun:test'
import { consolidate, statistics } from '../../src/graphs/statistics.ts'

const N = Number.NaN
const times = (n: number) => Float64Array.from({ length: n }, (_, i) => 1000 + i * 10)

describe('statistics', () => {
  test('the 95th percentile is of 5-minute values, however fine the buckets are', () => {
    const timeS = Float64Array.from({ length: 200 }, (_, i) => 3000 + i * 30)
    // Twenty groups of ten buckets with means 1 to 20; the percentile is the one at index 17.
    const values = timeS.map((_, i) => Math.floor(i / 10) + 1 + (i % 2 === 0 ? 0.5 : -0.5))
    expect(statistics(timeS, 30, values, true, null).p95).toBe(18)
  })
  test('ignore unknown buckets', () => {
    expect(statistics(times(5), 10, Float64Array.of(4, N, 2, 6, N), true, null)).toEqual({
      last: 6,
      lastS: 1040,
      min: 2,
      avg: 4,
      max: 6,
      p95: 4,
      total: null,
    })
  })
  test('are null if nothing is known', () => {
    expect(statistics(times(2), 10, Float64Array.of(N, N), true, null)).toEqual({
      last: null,
      lastS: null,
      min: null,
      avg: null,
      max: null,
      p95: null,
      total: null,
    })
  })
  test('use the average and total of the range if the source has them', () => {
    const range = { average: 3.5, total: 42 }
    const values = Float64Array.of(4, N, 2, 6, N)
    expect(statistics(times(5), 10, values, true, range)).toMatchObject({ min: 2, avg: 3.5, max: 6, total: 42 })
    // a total over a gap is drawn nowhere
    const nothing = { last: null, min: null, avg: 3.5, max: null, total: 42 }
    expect(statistics(times(2), 10, Float64Array.of(N, N), true, range)).toMatchObject(nothing)
  })
  test('of zeros are zeros, not unknown', () => {
    expect(statistics(times(2), 10, Float64Array.of(0, 0), true, null)).toEqual({
      last: 0,
      lastS: 1020,
      min: 0,
      avg: 0,
      max: 0,
      p95: 0,
      total: null,
    })
  })
})

describe('consolidation', () => {
  const run = (values: number[], columns: number) => {
    const r = consolidate(times(values.length), 10, [Float64Array.from(values)], columns)
    return { timeS: [...r.timeS], stepS: r.stepS, values: [...(r.values[0] ?? [])] }
  }
  test('averages buckets that share a pixel', () => {
    expect(run([1, 3, 5, 7, 9, 11], 3)).toEqual({ timeS: [1000, 1020, 1040], stepS: 20, values: [2, 6, 10] })
  })
  test('keeps a gap as wide as a pixel', () => {
    expect(run([1, 3, N, N, 9, N], 3)).toEqual({ timeS: [1000, 1020, 1040], stepS: 20, values: [2, N, 9] })
  })
  test('changes nothing that fits', () => {
    expect(run([1, N, 3], 3)).toEqual({ timeS: [1000, 1010, 1020], stepS: 10, values: [1, N, 3] })
  })
})
