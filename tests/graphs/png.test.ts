import { describe, expect, test } from 'bun:test'
import { encodeIndexedPng } from '../../src/graphs/png.ts'
import { decode } from './pixels.ts'

function picture(width: number, height: number, colour: (x: number, y: number) => number): Uint8Array {
  const pixels = new Uint32Array(width * height)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) pixels[y * width + x] = (0xff000000 | colour(x, y)) >>> 0
  return new Uint8Array(pixels.buffer)
}
const hex = (colour: number) =>
  `#${[0, 8, 16].map((s) => ((colour >>> s) & 255).toString(16).padStart(2, '0')).join('')}`

describe('a picture', () => {
  test('of 256 colours is reproduced exactly', async () => {
    const colour = (x: number, y: number) => x * 0x010307 + y * 0x0f0000 * 0 + (y % 2)
    const image = await decode(encodeIndexedPng(picture(128, 16, colour), 128, 16))
    expect([image.width, image.height]).toEqual([128, 16])
    for (let y = 0; y < 16; y++) for (let x = 0; x < 128; x++) expect(image.at(x, y)).toBe(hex(colour(x, y)))
  })
  test('of one pixel is valid', async () => {
    expect(
      (
        await decode(
          encodeIndexedPng(
            picture(1, 1, () => 0x123456),
            1,
            1,
          ),
        )
      ).at(0, 0),
    ).toBe(hex(0x123456))
  })
  test('of many similar colours stays similar', async () => {
    const colour = (x: number, y: number) => (x & 127) | ((y & 127) << 8) | 0x400000
    const image = await decode(encodeIndexedPng(picture(128, 128, colour), 128, 128))
    let worst = 0
    for (let y = 0; y < 128; y++)
      for (let x = 0; x < 128; x++) worst = Math.max(worst, image.distance(x, y, hex(colour(x, y))))
    expect(worst).toBeGreaterThan(0)
    expect(worst).toBeLessThanOrEqual(14)
  })
  test('of more colours than the table holds keeps white and black', async () => {
    const size = 300
    const colour = (x: number, y: number) =>
      x < 20 ? 0xffffff : x < 40 ? 0 : Math.imul(y * size + x, 2_654_435_761) & 0xffffff
    const image = await decode(encodeIndexedPng(picture(size, size, colour), size, size))
    expect([image.at(5, 5), image.at(30, 30)]).toEqual(['#ffffff', '#000000'])
  })
})
