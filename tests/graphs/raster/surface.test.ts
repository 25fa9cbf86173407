import { describe, expect, test } from 'bun:test'
import { Inks } from '../../../src/graphs/raster/palette-blend.ts'
import { fillArea, strokeSteps } from '../../../src/graphs/raster/shapes.ts'
import { surfaces } from '../../../src/graphs/raster/surface.ts'

const N = Number.NaN

/** A white surface, a black ink, and how black the pixels of a row are, in sixteenths. */
function paper(width: number, height: number) {
  const inks = new Inks()
  const surface = surfaces(inks)(width, height)
  surface.clear(inks.ink('#ffffff'))
  const black = inks.ink('#000000')
  return {
    surface,
    black,
    row: (y: number) =>
      Array.from(surface.rows.subarray(y * (width + 1) + 1, (y + 1) * (width + 1)), (entry) =>
        Math.round((255 - (inks.rgb()[3 * entry] ?? 0)) / (255 / 16)),
      ),
    column: (x: number) =>
      Array.from({ length: height }, (_, y) =>
        Math.round((255 - (inks.rgb()[3 * (surface.rows[y * (width + 1) + 1 + x] ?? 0)] ?? 0)) / (255 / 16)),
      ),
    filters: () => Array.from({ length: height }, (_, y) => surface.rows[y * (width + 1)]),
  }
}

describe('a box', () => {
  test('covers its first and last row in part', () => {
    const { surface, black, column, row } = paper(4, 6)
    surface.box(black, 1, 1.25, 3, 4.5)
    expect(column(1)).toEqual([0, 12, 16, 16, 8, 0])
    expect(row(2)).toEqual([0, 16, 16, 0])
  })
  test('within one row covers its share of it', () => {
    const { surface, black, column } = paper(4, 3)
    surface.box(black, 0, 1.25, 4, 1.75)
    expect(column(0)).toEqual([0, 8, 0])
  })
  test('is clipped, even far outside, and leaves the filter bytes alone', () => {
    const { surface, black, row, filters } = paper(40, 4)
    surface.box(black, -1e30, -1e30, 1e30, 1.5)
    surface.clip({ left: 1, top: 2, right: 3, bottom: 3 })
    surface.box(black, -100, Number.NEGATIVE_INFINITY, 100, Number.POSITIVE_INFINITY)
    expect(row(0)).toEqual(Array(40).fill(16))
    expect(row(1)).toEqual(Array(40).fill(8))
    expect(row(2)).toEqual([0, 16, 16, ...Array(37).fill(0)])
    expect(row(3)).toEqual(Array(40).fill(0))
    expect(filters()).toEqual([0, 0, 0, 0])
  })
  test('upside down or of unknown height draws nothing', () => {
    const { surface, black, column } = paper(2, 3)
    surface.box(black, 0, 2, 2, 1)
    surface.box(black, 0, N, 2, 2)
    surface.box(black, 0, 1, 2, N)
    expect(column(0)).toEqual([0, 0, 0])
  })
})

test('an area lies between its value and its base, whichever is higher', () => {
  const { surface, black, column } = paper(3, 6)
  fillArea(surface, black, { steps: Float32Array.of(0, 1, 1, 3, 1, 2, 5, 3, 2, 3, N, 3), fill: '', edge: null })
  expect([0, 1, 2].map(column)).toEqual([
    [0, 16, 16, 0, 0, 0],
    [0, 0, 0, 16, 16, 0],
    [0, 0, 0, 0, 0, 0],
  ])
})

describe('a line', () => {
  test('is a pixel high and covers half of the columns on both sides of a step', () => {
    const { surface, black, row } = paper(8, 8)
    strokeSteps(surface, black, { steps: Float32Array.of(0, 4, 1.5, 1, 4, 8, 6.5, 6) })
    expect(row(1).slice(0, 3)).toEqual([16, 16, 16])
    expect(row(4)).toEqual([0, 0, 0, 8, 8, 0, 0, 0])
    expect(row(6).slice(5)).toEqual([16, 16, 16])
  })
  test('is interrupted where there are no values', () => {
    const { surface, black, row } = paper(8, 8)
    strokeSteps(surface, black, { steps: Float32Array.of(0, 3, 1.5, 1, 5, 8, 6.5, 6) })
    expect(row(1)).toEqual([16, 16, 16, 0, 0, 0, 0, 0])
    expect(row(4)).toEqual(Array(8).fill(0))
  })
  test('that goes up and down every pixel is not darker than its lines', () => {
    const { surface, black, row } = paper(3, 8)
    strokeSteps(surface, black, { steps: Float32Array.of(0, 1, 6.5, 0, 1, 2, 1.5, 0, 2, 3, 6.5, 0) })
    expect(row(4)).toEqual([8, 12, 8])
  })
  test('two pixels wide covers both columns', () => {
    const { surface, black, row } = paper(8, 8)
    strokeSteps(surface, black, { steps: Float32Array.of(0, 4, 2, 1, 4, 8, 6, 6), width: 2 })
    expect(row(1).slice(0, 4)).toEqual([16, 16, 16, 16])
    expect(row(4)).toEqual([0, 0, 0, 16, 16, 0, 0, 0])
  })
  test('with dashes has five pixels drawn and three not', () => {
    const { surface, black, row } = paper(20, 3)
    strokeSteps(surface, black, { steps: Float32Array.of(1, 20, 1.5, 1.5), dashed: true })
    const dash = [16, 16, 16, 16, 16, 0, 0, 0]
    expect(row(1)).toEqual([0, ...dash, ...dash, 16, 16, 16])
  })
  test('of values far outside stays within the clip', () => {
    const { surface, black, row, column } = paper(6, 4)
    surface.clip({ left: 1, top: 1, right: 5, bottom: 3 })
    strokeSteps(surface, black, { steps: Float32Array.of(0, 3, -1e30, 0, 3, 6, 1e30, 0) })
    strokeSteps(surface, black, { steps: Float32Array.of(0, 6, N, 0) })
    expect(column(2)).toEqual([0, 8, 8, 0])
    expect(row(1)).toEqual([0, 0, 8, 8, 0, 0])
  })
})

test('memory is kept between images of different sizes', () => {
  const make = surfaces(new Inks())
  const large = make(100, 100)
  expect(make(50, 20).rows.buffer).toBe(large.rows.buffer)
  expect(make(2000, 1000).rows.buffer).not.toBe(large.rows.buffer)
  expect(make(100, 100).rows.buffer).toBe(large.rows.buffer)
})
