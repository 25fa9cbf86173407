import type { Measure, Scene, Text } from '../scene.ts'
import { type Inks, LEVELS } from './palette-blend.ts'
import { drawGrid, fillArea, strokeSteps } from './shapes.ts'
import type { Surface } from './surface.ts'
import type { Mask } from './texts.ts'

/** Number of area fills for which the grid colours on top of them get their own palette entries. */
const GRIDDED = 32

/** Texts that are drawn in a step: those of a usual graph, whose pixels are read together. */
const TEXTS_AT_ONCE = 150

/** What is needed for drawing besides the scene. */
export interface Tools {
  readonly inks: Inks
  readonly measure: Measure
  readonly masks: { of(texts: readonly Text[]): readonly Mask[] }
}

/** Draws a scene on a surface of its size, one shape of a band per step. */
export function* drawSteps(surface: Surface, scene: Scene, { inks, measure, masks }: Tools): Generator<void> {
  inks.reset()
  reserve(inks, scene)
  yield
  const texts: PlacedMask[] = []
  for (let from = 0; from < scene.texts.length; from += TEXTS_AT_ONCE) {
    const some = scene.texts.slice(from, from + TEXTS_AT_ONCE)
    texts.push(...masks.of(some).map((mask, i) => placed(mask, some[i], measure)))
    yield
  }
  for (const _ of surface.bands()) yield* drawBand(surface, scene, inks, texts)
}

interface PlacedMask extends Mask {
  readonly colour: string
}

/** Where a text's mask goes on the image. */
function placed(mask: Mask, text: Text | undefined, measure: Measure): PlacedMask {
  const [x, y] = text === undefined ? [0, 0] : [penX(text, measure), text.y]
  return { ...mask, left: x + mask.left, top: y + mask.top, colour: text?.colour ?? '' }
}

/** Draws in the same order as `svg.ts`. */
function* drawBand(surface: Surface, scene: Scene, inks: Inks, texts: readonly PlacedMask[]): Generator<void> {
  const { plot, theme } = scene
  surface.unclip()
  surface.clear(inks.ink(theme.paper))
  for (const { left, right, fill } of scene.shades) surface.box(inks.ink(fill), left, plot.top, right, plot.bottom)
  surface.clip({ ...plot, bottom: plot.bottom + 1 })
  for (const area of scene.areas) {
    fillArea(surface, inks.ink(area.fill), area)
    yield
  }
  surface.unclip()
  drawGrid(surface, inks, scene)
  surface.clip({ ...plot, top: plot.top - 1, bottom: plot.bottom + 1 })
  // from the top of a stack down: where an upper layer is empty, the edge of the one below is visible
  for (const { edge, steps } of scene.areas.toReversed()) {
    if (edge === null) continue
    strokeSteps(surface, inks.ink(edge), { steps })
    yield
  }
  for (const line of scene.lines) {
    strokeSteps(surface, inks.ink(line.colour), line)
    yield
  }
  surface.unclip()
  for (const { left, top, right, bottom, fill, edge } of scene.swatches) {
    surface.box(inks.ink(edge), left, top, right, bottom)
    surface.box(inks.ink(fill), left + 1, top + 1, right - 1, bottom - 1)
  }
  for (const [i, { colour, levels, width, left, top }] of texts.entries()) {
    surface.mask(inks.ink(colour), levels, width, left, top)
    if (i % TEXTS_AT_ONCE === TEXTS_AT_ONCE - 1) yield
  }
  yield
}

/** The left end of a text in whole pixels, so that its mask fits anywhere. */
function penX({ text, x, size, align }: Text, measure: Measure): number {
  if (align === 'left') return Math.round(x)
  const width = measure(text, size)
  return Math.round(align === 'right' ? x - width : x - width / 2)
}

/**
 * Reserves palette entries for the colours that must be exact, before smoothed edges use them up: all opaque ones, then
 * the grid on paper and areas, and the smoothed texts on paper.
 */
function reserve(inks: Inks, { theme, shades, areas, lines, swatches, texts }: Scene): void {
  const paper = inks.solid(inks.ink(theme.paper))
  for (const { fill } of shades) inks.ink(fill)
  for (const { fill, edge } of areas) {
    inks.ink(fill)
    if (edge !== null) inks.ink(edge)
  }
  for (const { colour } of lines) inks.ink(colour)
  for (const { fill, edge } of swatches) {
    inks.ink(fill)
    inks.ink(edge)
  }
  inks.ink(theme.axis)
  const fills = [...new Set(areas.map(({ fill }) => fill))].slice(0, GRIDDED)
  for (const below of [paper, ...fills.map((fill) => inks.solid(inks.ink(fill)))])
    for (const colour of [theme.minorGrid, theme.grid]) inks.over(inks.ink(colour), LEVELS, below)
  for (const colour of new Set(texts.map((text) => text.colour)))
    for (let level = LEVELS; level > 0; level--) inks.over(inks.ink(colour), level, paper)
}
