import { encodePng } from './png.ts'
import { drawScene } from './raster/draw.ts'
import { Inks } from './raster/inks.ts'
import { surfaces } from './raster/surface.ts'
import { textMasks } from './raster/texts.ts'
import { createSheet } from './render-sheet.ts'
import type { Measure, Scene } from './scene.ts'

/** Most widths of texts that are kept, and the longest of these texts. */
const MAX_WIDTHS = 5000
const MAX_KEPT_TEXT = 200

/** Draws scenes, one at a time. */
export interface Renderer {
  readonly measure: Measure
  /** Renders the scene as a PNG. */
  render(scene: Scene): Uint8Array
}

/** Throws when the font cannot be read. */
export async function createRenderer(): Promise<Renderer> {
  const sheet = await createSheet()
  const widths = new Map<string, number>()
  const measure: Measure = (text, size) => {
    const key = `${size} ${text}`
    const known = widths.get(key)
    if (known !== undefined) return known
    const width = sheet.measure(text, size)
    if (widths.size >= MAX_WIDTHS) widths.clear()
    if (text.length <= MAX_KEPT_TEXT) widths.set(key, width)
    return width
  }
  const inks = new Inks()
  const surface = surfaces(inks)
  const tools = { inks, measure, masks: textMasks(sheet, measure) }
  return {
    measure,
    render: (scene) => {
      const drawn = surface(scene.width, scene.height)
      drawScene(drawn, scene, tools)
      return encodePng(drawn, inks.rgb())
    },
  }
}
