import { describe, expect, test } from 'bun:test'
import { parseColour } from '../../../src/graphs/raster/colour.ts'
import { Inks, LEVELS } from '../../../src/graphs/raster/palette-blend.ts'

const rgbOf = (inks: Inks, entry: number) => [...inks.rgb().subarray(3 * entry, 3 * entry + 3)]

describe('a colour', () => {
  test('is read in both forms', () => {
    expect(parseColour('#0a80FF')).toEqual({ red: 10, green: 128, blue: 255, alpha: 1 })
    expect(parseColour('rgba(30, 40, 60, 0.045)')).toEqual({ red: 30, green: 40, blue: 60, alpha: 0.045 })
  })
  test.each(['red', '#fff', '#12345', 'rgb(1, 2, 3)', ''])('%p is rejected', (text) => {
    expect(() => parseColour(text)).toThrow('not a colour')
  })
})

describe('blending', () => {
  test('mixes by coverage and by the alpha of the ink', () => {
    const inks = new Inks()
    const paper = inks.solid(inks.ink('#ffffff'))
    const half = inks.over(inks.ink('#000000'), LEVELS / 2, paper)
    expect(rgbOf(inks, half)).toEqual([128, 128, 128])
    expect(rgbOf(inks, inks.over(inks.ink('rgba(0, 0, 0, 0.1)'), LEVELS, paper))).toEqual([230, 230, 230])
  })
  test('gives the colour below without coverage, and the ink itself with full coverage', () => {
    const inks = new Inks()
    const paper = inks.solid(inks.ink('#ffffff'))
    const green = inks.ink('#009e73')
    expect(inks.over(green, 0, paper)).toBe(paper)
    expect(inks.over(green, LEVELS, paper)).toBe(inks.solid(green))
  })
  test('does not depend on the previous image', () => {
    const inks = new Inks()
    inks.over(inks.ink('#000000'), 8, inks.solid(inks.ink('#ffffff')))
    inks.reset()
    const entry = inks.over(inks.ink('#ff0000'), 8, inks.solid(inks.ink('#0000ff')))
    expect(rgbOf(inks, entry)).toEqual([128, 0, 128])
    expect(inks.rgb().length).toBe(9)
  })
})

describe('a full palette', () => {
  const grey = (n: number) => `#${n.toString(16).padStart(2, '0').repeat(3)}`

  test('keeps opaque inks exact and gives every blend the nearest entry', () => {
    const inks = new Inks()
    const all = Array.from({ length: 256 }, (_, n) => inks.ink(grey(n)))
    expect(inks.rgb().length).toBe(768)
    for (const [n, ink] of all.entries()) expect(rgbOf(inks, inks.solid(ink))).toEqual([n, n, n])
    const [white = 0, black = 0] = [all[255], all[0]]
    for (let level = 0; level <= LEVELS; level++) {
      const [red = 0] = rgbOf(inks, inks.over(black, level, inks.solid(white)))
      // looked up by the highest five bits of a colour
      expect(Math.abs(red - (255 - (255 * level) / LEVELS))).toBeLessThanOrEqual(8)
    }
    inks.ink('#ff0000')
    expect(inks.rgb().length).toBe(768)
  })
  test('of many inks blends each of them', () => {
    const inks = new Inks()
    for (let round = 0; round < 2; round++) {
      inks.reset()
      const paper = inks.solid(inks.ink('#ffffff'))
      for (let n = 0; n < 150; n++) {
        const entry = inks.over(inks.ink(grey(n)), LEVELS, paper)
        expect(rgbOf(inks, entry)).toEqual([n, n, n])
      }
    }
  })
})
