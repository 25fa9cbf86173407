import { createCanvas, GlobalFonts } from '@napi-rs/canvas'
import fontPath from './fonts/DejaVuSansCondensed.ttf' with { type: 'file' }
import { encodePng } from './png.ts'
import { drawScene } from './raster/draw.ts'
import { Inks } from './raster/inks.ts'
import { surfaces } from './raster/surface.ts'
import { SHEET, textMasks } from './raster/texts.ts'
import type { Measure, Scene } from './scene.ts'

/** The bundled font under a name of its own, so that graphs look the same whatever fonts are installed. */
export const FONT = 'Portlight Sans'
/** Most widths of texts that are kept, and the longest of these texts. */
const MAX_WIDTHS = 5000
const MAX_KEPT_TEXT = 200

/** Draws scenes, one at a time. */
export interface Renderer {
  readonly measure: Measure
  /** Renders the scene as a PNG. */
  render(scene: Scene): Uint8Array
}

/** Registers the font. Throws when it cannot be read. */
export async function createRenderer(): Promise<Renderer> {
  const font = GlobalFonts.register(Buffer.from(await Bun.file(fontPath).arrayBuffer()), FONT)
  if (font === null) throw new Error(`font cannot be read: ${fontPath}`)
  const ctx = createCanvas(SHEET.width, SHEET.height).getContext('2d')
  const fontOf = (size: number): string => `${size}px "${FONT}"`
  const widths = new Map<string, number>()
  const measure: Measure = (text, size) => {
    const key = `${size} ${text}`
    const known = widths.get(key)
    if (known !== undefined) return known
    ctx.font = fontOf(size)
    const { width } = ctx.measureText(text)
    if (widths.size >= MAX_WIDTHS) widths.clear()
    if (text.length <= MAX_KEPT_TEXT) widths.set(key, width)
    return width
  }
  const inks = new Inks()
  const surface = surfaces(inks)
  const tools = { inks, measure, masks: textMasks(ctx, fontOf, measure) }
  return {
    measure,
    render: (scene) => {
      const drawn = surface(scene.width, scene.height)
      drawScene(drawn, scene, tools)
      return encodePng(drawn, inks.rgb())
    },
  }
}
