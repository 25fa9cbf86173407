import { createCanvas, loadImage } from '@napi-rs/canvas'
import { encodePng } from '../../src/graphs/png.ts'

const MAX_COLOURS = 256

/** A screenshot with at most 256 colours: the most frequent ones, each pixel as the nearest of them. */
export async function reduced(png: Uint8Array): Promise<Uint8Array> {
  const image = await loadImage(png)
  const { width, height } = image
  const context = createCanvas(width, height).getContext('2d')
  context.drawImage(image, 0, 0)
  const { data } = context.getImageData(0, 0, width, height)
  const colourAt = (i: number) => ((data[i] ?? 0) << 16) | ((data[i + 1] ?? 0) << 8) | (data[i + 2] ?? 0)
  const counts = new Map<number, number>()
  for (let i = 0; i < data.length; i += 4) counts.set(colourAt(i), (counts.get(colourAt(i)) ?? 0) + 1)
  const palette = paletteOf(counts)
  const nearest = new Map<number, number>()
  const rows = new Uint8Array(height * (width + 1))
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const colour = colourAt((y * width + x) * 4)
      const known = nearest.get(colour) ?? nearestOf(palette, colour)
      nearest.set(colour, known)
      rows[y * (width + 1) + 1 + x] = known
    }
  }
  const bytes = palette.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255])
  return encodePng({ width, height, rows }, Uint8Array.from(bytes))
}

/** The most frequent colours, without those that hardly differ from a more frequent one. */
function paletteOf(counts: ReadonlyMap<number, number>): number[] {
  const palette: number[] = []
  for (const [colour] of [...counts].sort(([, a], [, b]) => b - a)) {
    if (palette.length === MAX_COLOURS) break
    if (palette.every((known) => distance(known, colour) > 60)) palette.push(colour)
  }
  return palette
}

function distance(a: number, b: number): number {
  const [red, green, blue] = [(a >> 16) - (b >> 16), ((a >> 8) & 255) - ((b >> 8) & 255), (a & 255) - (b & 255)]
  return red * red + green * green + blue * blue
}

function nearestOf(palette: readonly number[], colour: number): number {
  let best = 0
  for (const [i, known] of palette.entries()) {
    if (distance(known, colour) < distance(palette[best] ?? 0, colour)) best = i
  }
  return best
}
