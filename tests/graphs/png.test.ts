import { describe, expect, test } from 'bun:test'
import { encodePng } from '../../src/graphs/png.ts'
import { decode } from './pixels.ts'

const hex = (rgb: readonly number[]) => `#${rgb.map((c) => c.toString(16).padStart(2, '0')).join('')}`

describe.each([
  [128, 16, 256],
  [1, 1, 1],
  [3, 5, 7],
])('an image of %p x %p with %p colours', (width, height, colours) => {
  test('is reproduced exactly by another decoder', async () => {
    const palette = Uint8Array.from({ length: colours * 3 }, (_, i) => (i * 83) % 256)
    const entry = (x: number, y: number) => (x * 3 + y * 17) % colours
    const rows = new Uint8Array((width + 1) * height)
    for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) rows[y * (width + 1) + 1 + x] = entry(x, y)
    const image = await decode(encodePng({ width, height, rows }, palette))
    expect([image.width, image.height]).toEqual([width, height])
    for (let y = 0; y < height; y++)
      for (let x = 0; x < width; x++)
        expect(image.at(x, y)).toBe(hex([...palette.subarray(entry(x, y) * 3, entry(x, y) * 3 + 3)]))
  })
})
