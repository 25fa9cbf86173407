import { describe, expect, test } from 'bun:test'
import { textMasks } from '../../../src/graphs/raster/texts.ts'
import { createSheet } from '../../../src/graphs/render-sheet.ts'

const sheet = await createSheet()
const { measure } = sheet
const masks = () => textMasks(sheet, measure)
const text = (of: string, size = 11, colour = '#000000') => ({
  text: of,
  size,
  colour,
  x: 0,
  y: 0,
  align: 'left' as const,
})

describe('the mask of a text', () => {
  test('has its width and stands on the baseline', () => {
    const [mask] = masks().of([text('HHH', 20)])
    expect(Math.abs((mask?.width ?? 0) - measure('HHH', 20))).toBeLessThan(6)
    expect((mask?.levels.length ?? 0) / (mask?.width ?? 1) + (mask?.top ?? 0)).toBe(0)
    expect(mask?.levels.some((level) => level === 16)).toBe(true)
  })
  test('is the same whether new or cached, alone or among others', () => {
    const own = masks()
    const [first] = own.of([text('12.5 Mbit/s')])
    expect(own.of([text('12.5 Mbit/s')])[0]).toBe(first as NonNullable<typeof first>)
    const among = masks().of([text('other'), text('12.5 Mbit/s'), text('big', 20)])
    expect(among[1]).toEqual(first as NonNullable<typeof first>)
  })
  test('of spaces is empty; one wider than an image is cut off', () => {
    const [none, wide] = masks().of([text('   '), text('W'.repeat(5000))])
    expect(none?.levels.length).toBe(0)
    expect(wide?.width).toBeLessThanOrEqual(4096)
    expect(wide?.width).toBeGreaterThan(4000)
  })
})

test('more texts than fit on a sheet are all drawn', () => {
  const wanted = Array.from({ length: 300 }, (_, i) => text(`a rather long label, number ${i}`))
  const found = masks().of(wanted)
  expect(found.length).toBe(300)
  expect(found.every((mask) => mask.levels.length > 500)).toBe(true)
})

test('kept masks do not grow without bound', () => {
  const own = masks()
  for (let i = 0; i < 40; i++) own.of(Array.from({ length: 50 }, (_, n) => text(`${i} ${n} `.repeat(12))))
  expect(own.octets()).toBeGreaterThan(1_000_000)
  expect(own.octets()).toBeLessThanOrEqual(2_000_000)
})
