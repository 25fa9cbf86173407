import { createCanvas, loadImage } from '@napi-rs/canvas'

export interface Pixels {
  readonly width: number
  readonly height: number
  /** `#rrggbb`. */
  at(x: number, y: number): string
  /** Largest difference of a channel from that of a colour. */
  distance(x: number, y: number, colour: string): number
}

/** Decodes an image with a third-party decoder. */
export async function decode(bytes: Uint8Array): Promise<Pixels> {
  const image = await loadImage(bytes)
  const canvas = createCanvas(image.width, image.height)
  const ctx = canvas.getContext('2d')
  ctx.drawImage(image, 0, 0)
  const rgba = canvas.data()
  const channels = (x: number, y: number) => [0, 1, 2].map((c) => rgba[(y * image.width + x) * 4 + c] ?? 0)
  return {
    width: image.width,
    height: image.height,
    at: (x, y) =>
      `#${channels(x, y)
        .map((c) => c.toString(16).padStart(2, '0'))
        .join('')}`,
    distance: (x, y, colour) =>
      Math.max(...channels(x, y).map((c, i) => Math.abs(c - Number.parseInt(colour.slice(1 + 2 * i, 3 + 2 * i), 16)))),
  }
}
