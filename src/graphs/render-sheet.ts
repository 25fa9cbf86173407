import fontPath from './fonts/DejaVuSansCondensed.ttf' with { type: 'file' }
import { prepareCanvas } from './native-library.ts'
import { MARGIN, type Sheet } from './raster/texts.ts'
import type { Measure } from './scene.ts'

/** The bundled font has its own name, so that graphs look the same whatever fonts are installed. */
export const FONT = 'Portlight Sans'
/** One row of texts as wide as the widest image. */
const [WIDTH, HEIGHT] = [4096, 48]

/** Registers the font and creates the canvas that measures and draws texts. Throws when that library or the font cannot be read. */
export async function createSheet(): Promise<Sheet & { readonly measure: Measure }> {
  prepareCanvas()
  const { createCanvas, GlobalFonts } = await import('@napi-rs/canvas')
  const found = GlobalFonts.register(Buffer.from(await Bun.file(fontPath).arrayBuffer()), FONT)
  if (found === null) throw new Error(`font cannot be read: ${fontPath}`)
  const ctx = createCanvas(WIDTH, HEIGHT).getContext('2d')
  const font = (size: number): string => `${size}px "${FONT}"`
  return {
    width: WIDTH,
    height: HEIGHT,
    measure: (text, size) => {
      ctx.font = font(size)
      return ctx.measureText(text).width
    },
    draw: (texts, { width, height, baseline }) => {
      ctx.clearRect(0, 0, width, height)
      for (const placed of texts) {
        ctx.save()
        ctx.beginPath()
        ctx.rect(placed.left, 0, placed.width, height)
        ctx.clip()
        ctx.font = font(placed.size)
        ctx.fillStyle = placed.colour
        ctx.fillText(placed.text, placed.left + MARGIN, baseline)
        ctx.restore()
      }
      return ctx.getImageData(0, 0, width, height).data
    },
  }
}
