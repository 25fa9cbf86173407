import type { GraphType } from './catalogue/graph-type.ts'
import { type Legend, legend, shortened } from './legend.ts'
import { THEME } from './palette.ts'
import { niceScale, type Scale } from './scale.ts'
import type { Area, Line, Measure, Rect, Scene, Text } from './scene.ts'
import { consolidate } from './statistics.ts'
import { rangeText, timeTicks } from './time-axis.ts'
import type { Trace } from './trace.ts'

/** Input of a layout. Times are epoch seconds; `timeS`, `stepS` and the traces' values as in `SeriesData`. */
export interface LayoutInput {
  readonly type: GraphType
  readonly traces: readonly Trace[]
  readonly timeS: Float64Array
  readonly stepS: number
  readonly fromS: number
  readonly toS: number
  readonly nowS: number
  readonly width: number
  readonly height: number
  /** null: none. */
  readonly title: string | null
  readonly legend: boolean
}

/** A value is current if its bucket ended at most this many buckets ago. */
const CURRENT_BUCKETS = 3
const PERCENT: Scale = {
  min: 0,
  max: 100,
  ticks: [0, 50, 100].map((value) => ({ value, label: `${value}` })),
}

/**
 * Computes the geometry of a graph: pure, from values to pixels. The picture is exactly `width` x `height`. If space is
 * short, parts are dropped in this order: columns and rows of the legend, the legend, the title, the time labels, the
 * value labels.
 */
export function layout(input: LayoutInput, measure: Measure): Scene {
  const { width, height, type } = input
  const size = fontSize(width, height)
  const table = legendFor(input, size, measure)
  const labelled = { time: height >= 60 && width >= 90, values: width >= 90 && height >= 30, title: height >= 80 }
  const title = labelled.title ? input.title : null
  const named = height >= 90 && width >= 120
  const top = title !== null || named ? Math.round(size * 1.75) : Math.round(size * 0.6)
  const bottom = height - table.height - (labelled.time ? Math.round(size * 1.75) : 3)
  const values = consolidate(input.timeS, input.stepS, columnsOf(input.traces), Math.max(1, width - size * 6))
  const drawn = restack(input.traces, values.values)
  const percentAxis = drawn.some((t) => t.percent) && labelled.values
  const scale = valueScale(type, drawn, Math.max(1, Math.floor((bottom - top) / (size * 2.1))))
  const room = (s: Scale) => Math.max(...s.ticks.map((t) => measure(t.label, size)))
  const plot: Rect = {
    left: labelled.values ? Math.ceil(Math.max(size * (width < 400 ? 3.4 : 4.6), room(scale) + size * 0.9)) : 2,
    right: width - (percentAxis ? Math.ceil(room(PERCENT) + size * 0.9) : width < 400 ? 6 : 14),
    top,
    bottom,
  }
  if (plot.right - plot.left < 2 || plot.bottom - plot.top < 2) return blank(width, height, plot)
  const x = (timeS: number) =>
    Math.round(plot.left + ((timeS - input.fromS) / (input.toS - input.fromS)) * (plot.right - plot.left))
  const onScale = (s: Scale) => (value: number) =>
    plot.bottom - ((value - s.min) / (s.max - s.min)) * (plot.bottom - plot.top)
  const y = onScale(scale)
  const yPercent = onScale(PERCENT)
  const areas: Area[] = []
  const lines: Line[] = []
  for (const trace of drawn) {
    const steps = boxes(values.timeS, values.stepS, trace.top, trace.base, x, trace.percent ? yPercent : y, plot)
    if (trace.draw === 'line') lines.push({ steps, colour: trace.paint.line })
    else
      areas.push({
        steps,
        fill: trace.paint.fill,
        edge: trace.draw === 'band' || trace.percent ? null : trace.paint.line,
      })
  }
  const time = timeTicks(input.fromS, input.toS, plot.right - plot.left, (text) => measure(text, size))
  const texts: Text[] = table.texts.map((t) => ({ ...t, y: t.y + height - table.height }))
  if (labelled.values) {
    for (const tick of scale.ticks)
      texts.push(axisLabel(tick.label, plot.left - Math.round(size * 0.45), y(tick.value), size, 'right'))
    if (percentAxis)
      for (const tick of PERCENT.ticks)
        texts.push(axisLabel(tick.label, plot.right + Math.round(size * 0.45), yPercent(tick.value), size, 'left'))
  }
  if (labelled.time) {
    for (const { timeS, label } of time.major) {
      const half = measure(label, size) / 2
      if (x(timeS) - half < 0 || x(timeS) + half > width) continue
      texts.push({
        text: label,
        x: x(timeS),
        y: bottom + Math.round(size * 1.25),
        size,
        align: 'center',
        colour: THEME.text,
      })
    }
  }
  if (named) texts.push(...axisNames(type, percentAxis, width, size))
  if (title !== null)
    texts.push({
      text: shortened(title, plot.right - plot.left - size * 4, size + 1, measure),
      x: Math.round((plot.left + plot.right) / 2),
      y: Math.round(size * 1.25),
      size: size + 1,
      align: 'center',
      colour: THEME.text,
    })
  if (drawn.every((t) => t.top.every(Number.isNaN)) && height >= 30) {
    texts.push({
      text: 'no data in this range',
      x: Math.round((plot.left + plot.right) / 2),
      y: Math.round((plot.top + plot.bottom) / 2 - size * 0.6),
      size,
      align: 'center',
      colour: THEME.muted,
    })
  }
  const zero = y(0)
  return {
    width,
    height,
    plot,
    areas,
    gridY: scale.ticks.map((t) => Math.round(y(t.value))),
    gridX: time.major.map((t) => x(t.timeS)),
    minorX: time.minor.map(x),
    zeroY: zero >= plot.top - 0.5 && zero <= plot.bottom + 0.5 ? Math.round(zero) : null,
    lines,
    texts,
    swatches: table.swatches.map((s) => ({
      ...s,
      top: s.top + height - table.height,
      bottom: s.bottom + height - table.height,
    })),
  }
}

function fontSize(width: number, height: number): number {
  if (width >= 500 && height >= 180) return 11
  return width >= 300 && height >= 140 ? 10 : width >= 180 && height >= 80 ? 9 : 8
}

function blank(width: number, height: number, plot: Rect): Scene {
  return {
    width,
    height,
    plot,
    areas: [],
    gridY: [],
    gridX: [],
    minorX: [],
    zeroY: null,
    lines: [],
    texts: [],
    swatches: [],
  }
}

function legendFor(input: LayoutInput, size: number, measure: Measure): Legend {
  const { width, height } = input
  if (!input.legend || height < 130 || width < 180) return { height: 0, texts: [], swatches: [] }
  const space = {
    left: Math.round(size * 1.2),
    right: width - 14,
    maxHeight: Math.floor(height * 0.42),
    size,
    footer: height >= 180 ? rangeText(input.fromS, input.toS) : '',
    currentSinceS: input.nowS - CURRENT_BUCKETS * input.stepS,
  }
  return legend(input.type, input.traces, space, measure)
}

/** The columns that need pixels, with bases of bands after their tops. */
function columnsOf(traces: readonly Trace[]): readonly Float64Array[] {
  return traces.flatMap((t) => (t.base === null ? [t.values] : [t.values, t.base]))
}

interface Drawn {
  readonly draw: Trace['draw']
  readonly paint: Trace['paint']
  readonly percent: boolean
  /** In the drawn unit, negative below the axis; NaN is a gap. */
  readonly top: Float64Array
  /** Lower edge of an area; null: zero. */
  readonly base: Float64Array | null
}

/** Scales the values, mirrors those below the axis, and adds up stacks. An unknown value adds nothing to its stack. */
function restack(traces: readonly Trace[], columns: readonly Float64Array[]): readonly Drawn[] {
  const stacks = new Map<Trace['side'], Float64Array<ArrayBufferLike>>()
  let next = 0
  return traces.map((trace) => {
    const factor = trace.side === 'below' ? -trace.scale : trace.scale
    const top = (columns[next++] ?? new Float64Array()).map((v) => v * factor)
    let base: Float64Array | null =
      trace.base === null ? null : (columns[next++] ?? new Float64Array()).map((v) => v * factor)
    if (trace.draw === 'stack') {
      const under = stacks.get(trace.side) ?? new Float64Array(top.length)
      base = under
      stacks.set(
        trace.side,
        under.map((sum, i) => (Number.isNaN(top[i] ?? Number.NaN) ? sum : sum + (top[i] ?? 0))),
      )
      for (let i = 0; i < top.length; i++) top[i] = (top[i] ?? Number.NaN) + (under[i] ?? 0)
    }
    return { draw: trace.draw, paint: trace.paint, percent: trace.percent, top, base }
  })
}

function valueScale(type: GraphType, drawn: readonly Drawn[], maxTicks: number): Scale {
  let min = Number.POSITIVE_INFINITY
  let max = Number.NEGATIVE_INFINITY
  for (const trace of drawn) {
    if (trace.percent) continue
    for (const value of trace.top) {
      if (value < min) min = value
      if (value > max) max = value
    }
  }
  const mirrored = type.elements !== 'lines' && type.elements.some((e) => e.side === 'below')
  const options = { maxTicks, prefixes: type.prefixes, magnitude: mirrored }
  if (type.axis === 'percent') return niceScale(0, Math.max(100, max), options)
  const nothing = { ...options, maxTicks: 2 }
  if (min > max) return niceScale(mirrored ? -1 : 0, 1, nothing)
  if (type.axis === 'free') {
    const pad = max > min ? (max - min) * 0.08 : Math.max(Math.abs(max) * 0.05, 1)
    // Never extend across zero only to gain space.
    return niceScale(
      min >= 0 ? Math.max(0, min - pad) : min - pad,
      max <= 0 ? Math.min(0, max + pad) : max + pad,
      options,
    )
  }
  const [low, high] = [Math.min(0, min), Math.max(0, max)]
  if (low === high) return niceScale(mirrored ? -1 : 0, 1, nothing)
  return niceScale(low * 1.02, high * 1.02, options)
}

/** The boxes of the known values inside the plot, four numbers each; see `Area`. A box is at least a pixel wide. */
function boxes(
  timeS: Float64Array,
  stepS: number,
  top: Float64Array,
  base: Float64Array | null,
  x: (timeS: number) => number,
  y: (value: number) => number,
  plot: Rect,
): Float32Array {
  const out = new Float32Array(timeS.length * 4)
  let n = 0
  for (let i = 0; i < timeS.length; i++) {
    const value = top[i] ?? Number.NaN
    const from = base?.[i] ?? 0
    if (Number.isNaN(value) || Number.isNaN(from)) continue
    const start = timeS[i] ?? Number.NaN
    const x0 = Math.max(plot.left, x(start))
    const x1 = Math.min(plot.right, Math.max(x(start + stepS), x(start) + 1))
    if (!(x1 > x0)) continue
    out[n++] = x0
    out[n++] = x1
    out[n++] = y(value)
    out[n++] = y(from)
  }
  return out.subarray(0, n)
}

function axisLabel(text: string, x: number, y: number, size: number, align: 'left' | 'right'): Text {
  return { text, x, y: Math.round(y) + Math.round(size * 0.36), size, align, colour: THEME.text }
}

/** The units above the axes. */
function axisNames(type: GraphType, percentAxis: boolean, width: number, size: number): Text[] {
  const y = Math.round(size * 1.1)
  const names: Text[] = [{ text: type.unit, x: 4, y, size, align: 'left', colour: THEME.muted }]
  if (percentAxis) names.push({ text: '% loss', x: width - 4, y, size, align: 'right', colour: THEME.muted })
  return names
}
