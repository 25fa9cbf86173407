import type { Area, Line, Scene } from '../scene.ts'
import type { Inks } from './palette-blend.ts'
import type { Reach, Surface } from './surface.ts'

/** Lengths of a dash and of the gap after it, pixels; as `stroke-dasharray` in `svg.ts`. */
const DASH = 5
const DASHES = DASH + 3
/** A bevelled corner covers half a square; over half a pixel it is as if the line were this much longer. */
const BEVEL = 0.25

/** The boxes of an area. */
export function fillArea(surface: Surface, ink: number, { steps }: Area): void {
  for (let i = 0; i < steps.length; i += 4) {
    const y = at(steps, i + 2)
    const base = at(steps, i + 3)
    if (y < base) surface.box(ink, at(steps, i), y, at(steps, i + 1), base)
    else surface.box(ink, at(steps, i), base, at(steps, i + 1), y)
  }
}

/**
 * A line along the steps, with vertical lines between adjacent ones. The vertical lines are centred between two columns
 * of pixels: one that is one pixel wide covers half of each, one that is two pixels wide all of both.
 */
export function strokeSteps(surface: Surface, ink: number, { steps, width = 1, dashed }: Omit<Line, 'colour'>): void {
  if (dashed) {
    strokeDashes(surface, ink, steps, width)
    return
  }
  for (let i = 0; i < steps.length; i += 4) {
    const [x0, x1, y] = [at(steps, i), at(steps, i + 1), at(steps, i + 2)]
    const line = { top: y - width / 2, bottom: y + width / 2 }
    const before = i > 0 && steps[i - 3] === x0 ? towards(line, y, at(steps, i - 2)) : line
    const after = i + 4 < steps.length && steps[i + 4] === x1 ? towards(line, y, at(steps, i + 6)) : line
    const cross = (x: number, left: Reach, right: Reach): void => {
      if (width === 1) surface.column(ink, x, { ...line, left, right })
      else surface.box(ink, x, Math.min(left.top, right.top), x + 1, Math.max(left.bottom, right.bottom))
    }
    if (x1 - x0 === 1) cross(x0, before, after)
    else {
      cross(x0, before, line)
      surface.box(ink, x0 + 1, line.top, x1 - 1, line.bottom)
      cross(x1 - 1, line, after)
    }
  }
}

/** The extent of a line at `y` together with the vertical one at its end, which leads to `end`. */
function towards({ top, bottom }: Reach, y: number, end: number): Reach {
  return end < y
    ? { top: Math.min(top, end - BEVEL), bottom }
    : { top, bottom: Math.max(bottom, end + (end > y ? BEVEL : 0)) }
}

/** The horizontal parts of the steps in dashes, counted along x. */
function strokeDashes(surface: Surface, ink: number, steps: Float32Array, width: number): void {
  let start = at(steps, 0)
  for (let i = 0; i < steps.length; i += 4) {
    const [x0, x1, y] = [at(steps, i), at(steps, i + 1), at(steps, i + 2)]
    if (i > 0 && steps[i - 3] !== x0) start = x0
    for (let dash = start + Math.floor((x0 - start) / DASHES) * DASHES; dash < x1; dash += DASHES)
      surface.box(ink, Math.max(x0, dash), y - width / 2, Math.min(x1, dash + DASH), y + width / 2)
  }
}

/** Grid and axes: one pixel wide; where lines of one colour cross, the colour is applied once. */
export function drawGrid(surface: Surface, inks: Inks, { plot, theme, minorX, gridX, gridY, zeroY }: Scene): void {
  const lines = (xs: readonly number[], ys: readonly number[], colour: string): void => {
    const ink = inks.ink(colour)
    const rows = [...new Set(ys)].sort((a, b) => a - b)
    for (const y of rows) surface.box(ink, plot.left, y, plot.right, y + 1)
    for (const x of new Set(xs)) {
      let from = plot.top
      for (const y of [...rows, plot.bottom]) {
        surface.box(ink, x, from, x + 1, Math.min(y, plot.bottom))
        from = Math.max(from, y + 1)
      }
    }
  }
  lines(minorX, [], theme.minorGrid)
  lines(gridX, gridY, theme.grid)
  lines([plot.left], [zeroY ?? plot.bottom], theme.axis)
}

function at(values: Float32Array, i: number): number {
  return values[i] ?? 0
}
