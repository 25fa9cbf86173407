import { createCanvas, type SKRSContext2D } from '@napi-rs/canvas'
import { FONT } from '../../../src/graphs/render-sheet.ts'
import type { Area, Line, Scene, Text } from '../../../src/graphs/scene.ts'

/** A scene drawn only with the canvas, as a true-colour PNG. `createSheet` must have registered the font. */
export function drawnByCanvas(scene: Scene): Promise<Uint8Array> {
  const canvas = createCanvas(scene.width, scene.height)
  draw(canvas.getContext('2d'), scene)
  return canvas.encode('png')
}

function draw(ctx: SKRSContext2D, scene: Scene): void {
  const { plot, theme } = scene
  ctx.fillStyle = theme.paper
  ctx.fillRect(0, 0, scene.width, scene.height)
  for (const { left, right, fill } of scene.shades) {
    ctx.fillStyle = fill
    ctx.fillRect(left, plot.top, right - left, plot.bottom - plot.top)
  }
  ctx.lineWidth = 1
  ctx.lineJoin = 'bevel'
  ctx.save()
  ctx.beginPath()
  ctx.rect(plot.left, plot.top, plot.right - plot.left, plot.bottom - plot.top + 1)
  ctx.clip()
  for (const area of scene.areas) fill(ctx, area)
  ctx.restore()
  grid(ctx, scene)
  ctx.save()
  ctx.beginPath()
  ctx.rect(plot.left, plot.top - 1, plot.right - plot.left, plot.bottom - plot.top + 2)
  ctx.clip()
  // from the top of a stack down: where an upper layer is empty, the edge of the one below is visible
  for (const area of scene.areas.toReversed())
    if (area.edge !== null) stroke(ctx, { steps: area.steps, colour: area.edge })
  for (const line of scene.lines) stroke(ctx, line)
  ctx.restore()
  ctx.setLineDash([])
  for (const { left, top, right, bottom, fill, edge } of scene.swatches) {
    ctx.fillStyle = edge
    ctx.fillRect(left, top, right - left, bottom - top)
    ctx.fillStyle = fill
    ctx.fillRect(left + 1, top + 1, right - left - 2, bottom - top - 2)
  }
  for (const text of scene.texts) write(ctx, text)
}

function grid(ctx: SKRSContext2D, scene: Scene): void {
  const { plot, theme } = scene
  const lines = (xs: readonly number[], ys: readonly number[], colour: string) => {
    ctx.strokeStyle = colour
    ctx.beginPath()
    for (const x of xs) {
      ctx.moveTo(x + 0.5, plot.top)
      ctx.lineTo(x + 0.5, plot.bottom)
    }
    for (const y of ys) {
      ctx.moveTo(plot.left, y + 0.5)
      ctx.lineTo(plot.right, y + 0.5)
    }
    ctx.stroke()
  }
  lines(scene.minorX, [], theme.minorGrid)
  lines(scene.gridX, scene.gridY, theme.grid)
  lines([plot.left], [], theme.axis)
  lines([], scene.zeroY === null ? [plot.bottom] : [scene.zeroY], theme.axis)
}

const DASHES = [5, 3]

/** Adjacent boxes form one path, to avoid seams between them. */
function fill(ctx: SKRSContext2D, { steps, fill }: Area): void {
  ctx.fillStyle = fill
  ctx.beginPath()
  for (let start = 0; start < steps.length; ) {
    let end = start + 4
    while (end < steps.length && steps[end] === steps[end - 3]) end += 4
    ctx.moveTo(at(steps, start), at(steps, start + 3))
    for (let i = start; i < end; i += 4) {
      ctx.lineTo(at(steps, i), at(steps, i + 2))
      ctx.lineTo(at(steps, i + 1), at(steps, i + 2))
    }
    for (let i = end - 4; i >= start; i -= 4) {
      ctx.lineTo(at(steps, i + 1), at(steps, i + 3))
      ctx.lineTo(at(steps, i), at(steps, i + 3))
    }
    ctx.closePath()
    start = end
  }
  ctx.fill()
}

function stroke(ctx: SKRSContext2D, { steps, colour, width = 1, dashed }: Line): void {
  ctx.strokeStyle = colour
  ctx.lineWidth = width
  ctx.setLineDash(dashed ? DASHES : [])
  ctx.beginPath()
  for (let i = 0; i < steps.length; i += 4) {
    const y = at(steps, i + 2)
    if (i === 0 || steps[i] !== steps[i - 3]) ctx.moveTo(at(steps, i), y)
    else ctx.lineTo(at(steps, i), y)
    ctx.lineTo(at(steps, i + 1), y)
  }
  ctx.stroke()
}

function at(values: Float32Array, i: number): number {
  return values[i] ?? 0
}

function write(ctx: SKRSContext2D, { text, x, y, size, align, colour }: Text): void {
  ctx.font = `${size}px "${FONT}"`
  ctx.fillStyle = colour
  ctx.textAlign = align
  ctx.fillText(text, x, y)
}
