import { atOnce, type Fairly } from './fairly.ts'
import { encodePng, encodePngAside } from './png.ts'
import { drawSteps } from './raster/draw.ts'
import { Inks } from './raster/palette-blend.ts'
import { KEPT_PIXELS, surfaces } from './raster/surface.ts'
import { textMasks } from './raster/texts.ts'
import { createSheet } from './render-sheet.ts'
import type { Measure, Scene } from './scene.ts'

/** Most text widths that are cached, and the longest text whose width is. */
const MAX_WIDTHS = 5000
const MAX_KEPT_TEXT = 200

/** Draws scenes, one at a time. */
export interface Renderer {
  readonly measure: Measure
  /** Renders the scene as a PNG. */
  render(scene: Scene): Uint8Array
  /** The same in slices, with time for other work in between. Throws DomainError beyond the budget. */
  renderFairly(scene: Scene, fairly: Fairly): Promise<Uint8Array>
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
  const render = (scene: Scene): Uint8Array => {
    const drawn = surface(scene.width, scene.height)
    atOnce(drawSteps(drawn, scene, tools))
    return encodePng(drawn, inks.rgb())
  }
  const renderFairly = async (scene: Scene, fairly: Fairly): Promise<Uint8Array> => {
    const drawn = surface(scene.width, scene.height)
    await fairly(drawSteps(drawn, scene, tools))
    return scene.width * scene.height > KEPT_PIXELS
      ? await encodePngAside(drawn, inks.rgb())
      : encodePng(drawn, inks.rgb())
  }
  return {
    measure,
    render,
    renderFairly,
  }
}
