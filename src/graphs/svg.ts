import { atOnce } from './fairly.ts'
import type { Area, Line, Scene, Text } from './scene.ts'

/** Fonts: the one that the scene was measured with, or whatever the viewer has. */
const FONTS = "'DejaVu Sans Condensed','DejaVu Sans','Liberation Sans Narrow',Verdana,sans-serif"

/**
 * A scene as an SVG document, with the same geometry as the PNG. All text, including text from devices, is escaped, and
 * there are no scripts, links or styles in it.
 */
export const renderSvg = (scene: Scene): string => atOnce(svgSteps(scene))

/** The same, one shape per step. */
export function* svgSteps(scene: Scene): Generator<void, string> {
  const { width, height, plot, theme } = scene
  const out: string[] = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="${FONTS}">`,
    rect(0, 0, width, height, theme.paper),
    `<clipPath id="p"><path d="M${plot.left} ${plot.top - 1}H${plot.right}V${plot.bottom + 1}H${plot.left}z"/></clipPath>`,
    '<g clip-path="url(#p)">',
    ...scene.shades.map(({ left, right, fill }) => rect(left, plot.top, right - left, plot.bottom - plot.top, fill)),
  ]
  for (const area of scene.areas) {
    out.push(areaPath(area))
    yield
  }
  out.push(
    '</g>',
    ...grid(scene),
    '<g clip-path="url(#p)" fill="none" stroke-linejoin="bevel">',
    // from the top of a stack down, as in the PNG
  )
  for (const { steps, edge } of scene.areas.toReversed()) {
    if (edge !== null) out.push(linePath({ steps, colour: edge }))
    yield
  }
  for (const line of scene.lines) {
    out.push(linePath(line))
    yield
  }
  out.push(
    '</g>',
    ...scene.swatches.map(
      ({ left, top, right, bottom, fill, edge }) =>
        `<rect x="${left + 0.5}" y="${top + 0.5}" width="${right - left - 1}" height="${bottom - top - 1}" fill="${fill}" stroke="${edge}"/>`,
    ),
    ...scene.texts.map(textElement),
    '</svg>',
  )
  return out.filter((part) => part !== '').join('')
}

function rect(x: number, y: number, width: number, height: number, fill: string): string {
  return `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${fill}"/>`
}

function grid({ plot, theme, minorX, gridX, gridY, zeroY }: Scene): string[] {
  const path = (xs: readonly number[], ys: readonly number[], colour: string) => {
    const d = [
      ...xs.map((x) => `M${x + 0.5} ${plot.top}V${plot.bottom}`),
      ...ys.map((y) => `M${plot.left} ${y + 0.5}H${plot.right}`),
    ].join('')
    return d === '' ? '' : `<path d="${d}" stroke="${colour}"/>`
  }
  return [
    path(minorX, [], theme.minorGrid),
    path(gridX, gridY, theme.grid),
    path([plot.left], [zeroY ?? plot.bottom], theme.axis),
  ]
}

/** Tenths of a pixel are precise enough and keep the document short. */
const short = (n: number): string => String(Math.round(n * 10) / 10)

/** Adjacent boxes form one shape, as in the PNG. A step of the same height continues its neighbour's line. */
function areaPath({ steps, fill }: Area): string {
  const d: string[] = []
  for (let start = 0; start < steps.length; ) {
    let end = start + 4
    while (end < steps.length && steps[end] === steps[end - 3]) end += 4
    d.push(`M${short(at(steps, start))} ${short(at(steps, start + 3))}`)
    for (let i = start; i < end; i += 4)
      stepTo(d, at(steps, i + 2), at(steps, i + 1), i + 6 < end ? at(steps, i + 6) : null)
    const flat = allBaseEqual(steps, start, end)
    if (flat) d.push(`V${short(at(steps, start + 3))}`)
    else
      for (let i = end - 4; i >= start; i -= 4)
        stepTo(d, at(steps, i + 3), at(steps, i), i - 1 >= start ? at(steps, i - 1) : null)
    d.push('z')
    start = end
  }
  return d.length === 0 ? '' : `<path d="${d.join('')}" fill="${fill}"/>`
}

function linePath({ steps, colour, width, dashed }: Line): string {
  const d: string[] = []
  for (let i = 0; i < steps.length; i += 4) {
    const y = at(steps, i + 2)
    const continues = i > 0 && steps[i] === steps[i - 3]
    const more = i + 4 < steps.length && steps[i + 4] === steps[i + 1]
    if (!continues) d.push(`M${short(at(steps, i))} ${short(y)}`)
    stepTo(d, y, at(steps, i + 1), more ? at(steps, i + 6) : null)
  }
  if (d.length === 0) return ''
  return `<path d="${d.join('')}" stroke="${colour}"${width === undefined ? '' : ` stroke-width="${width}"`}${dashed ? ' stroke-dasharray="5 3"' : ''}/>`
}

/** To height `y`, then to `x`; the move along x is left to the next step if that has the same height. */
function stepTo(d: string[], y: number, x: number, next: number | null): void {
  d.push(`V${short(y)}`)
  if (next === null || short(next) !== short(y)) d.push(`H${short(x)}`)
}

function allBaseEqual(steps: Float32Array, start: number, end: number): boolean {
  for (let i = start; i < end; i += 4) if (steps[i + 3] !== steps[start + 3]) return false
  return true
}

function at(values: Float32Array, i: number): number {
  return values[i] ?? 0
}

const ANCHORS = { left: '', center: ' text-anchor="middle"', right: ' text-anchor="end"' } as const

function textElement({ text, x, y, size, align, colour }: Text): string {
  return text === ''
    ? ''
    : `<text x="${short(x)}" y="${short(y)}" font-size="${size}" fill="${colour}"${ANCHORS[align]}>${escaped(text)}</text>`
}

/** Characters that XML 1.0 does not allow are dropped. */
const FORBIDDEN = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu

function escaped(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(FORBIDDEN, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
}
