import type uPlot from 'uplot'
import type { Mark } from './data.ts'
import { type Model, severityOf, stateName, type Trace } from './model.ts'
import { isDark, token } from './theme.ts'

/** Line and fill of a series. */
export const paintOf = ({ figure }: Trace): readonly [string, string] => (isDark() ? figure.dark : figure.light)

/** A step line over the known values: each bucket is drawn over its whole width, and gaps are left open. */
export function steps(
  model: () => Model,
  at: number,
  what: 'top' | 'past',
): (u: uPlot) => { stroke: Path2D; fill: Path2D | null } {
  return (u) => {
    const { chart, traces } = model()
    const trace = traces[at]
    const stroke = new Path2D()
    const fill = new Path2D()
    if (trace === undefined) return { stroke, fill: null }
    const values = what === 'top' ? trace.top : (trace.past ?? [])
    const scale = trace.figure.percent ? '%' : 'y'
    const { draw } = trace.figure
    const isFilled = what === 'top' && draw !== 'line'
    let isOpen = false
    chart.time.forEach((time, i) => {
      const value = values[i] ?? null
      if (value === null) {
        isOpen = false
        return
      }
      const [x0, x1] = [
        Math.round(u.valToPos(time, 'x', true)),
        Math.round(u.valToPos(time + chart.step, 'x', true)),
      ] as const
      const y = u.valToPos(value, scale, true)
      if (isOpen) stroke.lineTo(x0, y)
      else stroke.moveTo(x0, y)
      stroke.lineTo(Math.max(x1, x0 + 1), y)
      isOpen = true
      if (isFilled) {
        const from = u.valToPos(trace.base?.[i] ?? 0, scale, true)
        fill.rect(x0, Math.min(y, from), Math.max(1, x1 - x0), Math.abs(from - y))
      }
    })
    return { stroke: draw === 'band' ? new Path2D() : stroke, fill: isFilled ? fill : null }
  }
}

/** The bands from the lowest to the highest sample of each bucket, behind the lines. */
export function bands(u: uPlot, { chart, traces }: Model): void {
  const { ctx, bbox } = u
  ctx.save()
  ctx.beginPath()
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height)
  ctx.clip()
  ctx.globalAlpha = BAND_ALPHA
  for (const trace of traces) {
    const { band, below, percent } = trace.figure
    if (band === null) continue
    const [sign, scale] = [below ? -1 : 1, percent ? '%' : 'y']
    ctx.fillStyle = paintOf(trace)[0]
    chart.time.forEach((time, i) => {
      const [low, high] = [band.lowest[i] ?? null, band.highest[i] ?? null]
      if (low === null || high === null) return
      const [x0, x1] = [Math.round(u.valToPos(time, 'x', true)), Math.round(u.valToPos(time + chart.step, 'x', true))]
      const [y0, y1] = [u.valToPos(low * sign, scale, true), u.valToPos(high * sign, scale, true)]
      ctx.fillRect(x0, Math.min(y0, y1), Math.max(1, x1 - x0), Math.abs(y1 - y0))
    })
  }
  ctx.restore()
}

const BAND_ALPHA = 0.22

/** Outages and maintenance behind the values. */
export function shades(u: uPlot, { chart }: Model): void {
  const { ctx, bbox } = u
  ctx.save()
  const paint = (spans: readonly (readonly [number, number])[], colour: string) => {
    ctx.fillStyle = colour
    for (const [from, to] of spans) {
      const left = Math.max(bbox.left, u.valToPos(from, 'x', true))
      const right = Math.min(bbox.left + bbox.width, u.valToPos(to, 'x', true))
      if (right > bbox.left && left < bbox.left + bbox.width)
        ctx.fillRect(left, bbox.top, Math.max(1, right - left), bbox.height)
    }
  }
  paint(chart.maintenance, token('off-soft'))
  paint(chart.outages, token('bad-soft'))
  ctx.restore()
}

/** The zero line, percentiles and limits with their names, and the lines of marks. */
export function overlays(u: uPlot, model: Model, marks: readonly Mark[]): void {
  const { ctx, bbox } = u
  const ratio = devicePixelRatio
  ctx.save()
  ctx.lineWidth = ratio
  /** Positions of the labels drawn so far; a label that would cover another is left out. */
  const named: number[] = []
  const line = (value: number, stroke: string, dash: readonly number[], label: string) => {
    const y = Math.round(u.valToPos(value, 'y', true)) + 0.5
    if (y < bbox.top - 1 || y > bbox.top + bbox.height + 1) return
    ctx.beginPath()
    ctx.setLineDash(dash.map((part) => part * ratio))
    ctx.strokeStyle = stroke
    ctx.moveTo(bbox.left, y)
    ctx.lineTo(bbox.left + bbox.width, y)
    ctx.stroke()
    if (label === '' || named.some((other) => Math.abs(other - y) < 12 * ratio)) return
    named.push(y)
    ctx.font = `${10.5 * ratio}px ${getComputedStyle(document.body).fontFamily}`
    ctx.textAlign = 'right'
    const isLow = y - bbox.top < 16 * ratio
    const right = bbox.left + bbox.width - 4 * ratio
    const base = isLow ? y + 13 * ratio : y - 5 * ratio
    // The label gets a background, because it may lie over data.
    const width = ctx.measureText(label).width + 8 * ratio
    ctx.fillStyle = token('surface')
    ctx.globalAlpha = 0.88
    ctx.fillRect(right - width + 4 * ratio, base - 10 * ratio, width, 13 * ratio)
    ctx.globalAlpha = 1
    ctx.fillStyle = token('text-2')
    ctx.fillText(label, right, base)
  }
  if (!model.isStates) {
    line(0, token('zero'), [], '')
    for (const value of model.p95s) line(value, token('text-3'), [5, 4], '95th')
    for (const { value, label, severe } of model.limits)
      line(value, token(severe ? 'bad-mark' : 'warn-mark'), [2, 3], label)
  }
  ctx.setLineDash([3 * ratio, 3 * ratio])
  for (const { at, kind } of marks) {
    const x = Math.round(u.valToPos(at, 'x', true)) + 0.5
    if (x < bbox.left || x > bbox.left + bbox.width) continue
    ctx.strokeStyle = token(kind === 'alert' ? 'bad-mark' : 'ack-mark')
    ctx.globalAlpha = 0.55
    ctx.beginPath()
    ctx.moveTo(x, bbox.top)
    ctx.lineTo(x, bbox.top + bbox.height)
    ctx.stroke()
  }
  ctx.restore()
}

const FILLS = ['ok-soft', 'warn-soft', 'bad-soft', 'off-soft'] as const
const LINES = ['ok-mark', 'warn-mark', 'bad-mark', 'off-mark'] as const

/** State sensors as lanes: a band for each period in one state, with the name of the state if it fits. */
export function lanes(u: uPlot, { chart, traces }: Model): void {
  const { ctx, bbox } = u
  const ratio = devicePixelRatio
  const pitch = bbox.height / Math.max(1, traces.length)
  const gap = pitch > 12 * ratio ? 3 * ratio : pitch > 4 ? 1 : 0
  const font = getComputedStyle(document.body).fontFamily
  ctx.save()
  ctx.textBaseline = 'middle'
  ctx.font = `${11 * ratio}px ${font}`
  traces.forEach(({ figure, top }, lane) => {
    const y = bbox.top + lane * pitch
    const height = Math.max(1, pitch - gap)
    const band = (from: number, to: number, value: number) => {
      const severity = severityOf(figure.states, value)
      const left = Math.max(bbox.left, Math.round(u.valToPos(from, 'x', true)))
      const width = Math.min(bbox.left + bbox.width, Math.round(u.valToPos(to, 'x', true))) - left
      if (width <= 0) return
      ctx.fillStyle = token(FILLS[severity] ?? 'off-soft')
      ctx.fillRect(left, y, width, height)
      ctx.fillStyle = token(LINES[severity] ?? 'off-mark')
      ctx.fillRect(left, y, width, Math.max(1, Math.min(2 * ratio, height / 4)))
      const name = stateName(figure.states, value)
      if (height < 13 * ratio || ctx.measureText(name).width + 8 * ratio > width) return
      ctx.fillStyle = token('text')
      ctx.textAlign = 'center'
      ctx.fillText(name, left + width / 2, y + height / 2 + ratio)
    }
    let start = 0
    for (let i = 1; i <= top.length; i++) {
      const value = top[start] ?? null
      if (i < top.length && top[i] === top[start]) continue
      if (value !== null) band(chart.time[start] ?? 0, (chart.time[i - 1] ?? 0) + chart.step, value)
      start = i
    }
    if (height < 10 * ratio) return
    ctx.fillStyle = token('text-2')
    ctx.textAlign = 'right'
    ctx.fillText(cut(ctx, figure.name, bbox.left - 12 * ratio), bbox.left - 6 * ratio, y + height / 2 + ratio)
  })
  ctx.restore()
}

/** The text, truncated to a width. */
function cut(ctx: CanvasRenderingContext2D, name: string, width: number): string {
  if (ctx.measureText(name).width <= width) return name
  let end = name.length
  while (end > 1 && ctx.measureText(`${name.slice(0, end)}…`).width > width) end--
  return `${name.slice(0, end)}…`
}
