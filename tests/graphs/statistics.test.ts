import { describe, expect, test } from 'bun:test'
import { INK } from '../../src/graphs/palette.ts'
import { plotted } from '../../src/graphs/plotted.ts'
import type { RangeFigures } from '../../src/graphs/series-source.ts'
import { statistics } from '../../src/graphs/statistics.ts'

const N = Number.NaN
const stats = (timeS: Float64Array, stepS: number, values: Float64Array, range: RangeFigures | null = null) =>
  statistics({ timeS, stepS }, { values, range }, true)
const times = (n: number) => Float64Array.from({ length: n }, (_, i) => 1000 + i * 10)

describe('statistics', () => {
  test('the 95th percentile uses 5-minute values, however fine the buckets are', () => {
    const timeS = Float64Array.from({ length: 200 }, (_, i) => 3000 + i * 30)
    // twenty groups of ten buckets with means 1 to 20; 95 % of them are at most 19
    const values = timeS.map((_, i) => Math.floor(i / 10) + 1 + (i % 2 === 0 ? 0.5 : -0.5))
    expect(stats(timeS, 30, values).p95).toBe(19)
  })
  test('ignore unknown buckets', () => {
    expect(stats(times(5), 10, Float64Array.of(4, N, 2, 6, N))).toEqual({
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
    expect(stats(times(2), 10, Float64Array.of(N, N))).toEqual({
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
    expect(stats(times(5), 10, values, range)).toMatchObject({ min: 2, avg: 3.5, max: 6, total: 42 })
    // a total over a gap is not drawn
    const nothing = { last: null, min: null, avg: 3.5, max: null, total: 42 }
    expect(stats(times(2), 10, Float64Array.of(N, N), range)).toMatchObject(nothing)
  })
  test('the lowest and highest are those of the samples, the last is the last sample', () => {
    const series = {
      values: Float64Array.of(4, 6),
      lowest: Float64Array.of(1, 5),
      highest: Float64Array.of(5, 9),
      range: { average: 5, total: null, last: { value: 9, atS: 1019 } },
    }
    expect(statistics({ timeS: times(2), stepS: 10 }, series, false)).toMatchObject({
      min: 1,
      max: 9,
      last: 9,
      lastS: 1019,
    })
  })
  test('the percentile of a few buckets is not below their average', () => {
    expect(stats(times(3), 300, Float64Array.of(1, 1, 10)).p95).toBe(10)
    const many = Float64Array.from({ length: 200 }, (_, i) => i + 1)
    // as in bills: index round(200 * 0.95) - 2
    expect(
      stats(
        Float64Array.from({ length: 200 }, (_, i) => 300 * i),
        300,
        many,
      ).p95,
    ).toBe(189)
  })
  test('of zeros are zeros, not unknown', () => {
    expect(stats(times(2), 10, Float64Array.of(0, 0))).toEqual({
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
    const trace = {
      label: '',
      scale: 1,
      side: 'above',
      percent: false,
      silent: false,
      draw: 'line',
      base: null,
      samples: null,
      band: null,
    } as const
    const column = Float64Array.from(values)
    const line = { ...trace, paint: INK, values: column, statistics: stats(times(values.length), 10, column) }
    const r = plotted({ timeS: times(values.length), stepS: 10 }, [line], columns)
    return { timeS: [...r.timeS], stepS: r.stepS, values: [...(r.columns[0]?.values ?? [])] }
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
