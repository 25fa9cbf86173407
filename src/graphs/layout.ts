import type { Scale } from '../lib/nice-scale.ts'
import { timeTicks } from '../lib/time-axis.ts'
import { valueAxis } from '../lib/value-axis.ts'
import type { GraphType } from './catalogue/graph-type.ts'
import { atOnce } from './fairly.ts'
import { type Legend, legend, shortened } from './legend.ts'
import { limitLines, reachedLimits } from './limits.ts'
import { THEME, type Theme, themed } from './palette.ts'
import { type Plotted, plotted, pointsFor } from './plotted.ts'
import { rangeText } from './range-text.ts'
import type { Area, Line, Measure, Rect, Scene, Shade, Text } from './scene.ts'
import type { SensorLimits, Shades } from './series-source.ts'
import { lanes } from './state-bands.ts'
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
  /** Maximum age of a last value that still counts as current; absent: three buckets. */
  readonly currentS?: number
  readonly width: number
  readonly height: number
  /** null: none. */
  readonly title: string | null
  readonly legend: boolean
  /** Absent: light. */
  readonly theme?: Theme
  /** Absent: none. */
  readonly shades?: Shades
  readonly limits?: SensorLimits | null
  /** What was read: samples, or the hourly or daily roll-up. Absent: values without a store. */
  readonly level?: string
  /** Finest ticks of the time axis; absent: as fine as fits. */
  readonly leastTick?: 'month'
}

/** By default, a value is current if its bucket ended at most this many buckets ago. */
const CURRENT_BUCKETS = 3
/** Heights of the plot above or below it. */
const FAR = 100
const PERCENT: Scale = {
  min: 0,
  max: 100,
  ticks: [0, 50, 100].map((value) => ({ value, label: `${value}` })),
}

/** The values that an image of this size shows. */
export function plottedFor({ timeS, stepS, traces, width, height }: PlottedInput): Plotted {
  return plotted({ timeS, stepS }, traces, pixelsOf(width, height))
}

/** How many columns of pixels an image of this size has for values. */
export function pixelsOf(width: number, height: number): number {
  return pointsFor(width, fontSize(width, height))
}

type PlottedInput = Pick<LayoutInput, 'timeS' | 'stepS' | 'traces' | 'width' | 'height'>

/**
 * Computes the geometry of a graph, in pixels, from its values; a pure function. The image is exactly `width` x
 * `height`. If space is short, parts are dropped in this order: columns and rows of the legend, the legend, the title,
 * the time labels, the value labels.
 */
export const layout = (input: LayoutInput, measure: Measure): Scene => atOnce(layoutSteps(input, measure))

/** The same, one series per step. */
export function* layoutSteps(input: LayoutInput, measure: Measure): Generator<void, Scene> {
  const { width, height, type, theme = THEME } = input
  const size = fontSize(width, height)
  const table = legendFor(input, size, measure, theme)
  const labelled = { time: height >= 60 && width >= 90, values: width >= 90 && height >= 30, title: height >= 80 }
  const title = labelled.title ? input.title : null
  const named = height >= 90 && width >= 120
  const top = title !== null || named ? Math.round(size * 1.75) : Math.round(size * 0.6)
  const bottom = height - table.height - (labelled.time ? Math.round(size * 1.75) : 3)
  yield
  const values = plottedFor(input)
  yield
  const drawn = restack(input.traces, values)
  yield
  const percentName = input.traces.find((t) => t.percent && t.draw !== 'none')?.label ?? null
  const percentAxis = percentName !== null && labelled.values
  const [min, max] = extremes(drawn, input.traces)
  const limits = reachedLimits(input.limits ?? null, min, max)
  const reached = limits.map(({ value }) => value)
  const axis = valueAxis({
    type,
    min: Math.min(min, ...reached),
    max: Math.max(max, ...reached),
    mirrored: input.traces.some((t) => t.side === 'below'),
    maxTicks: Math.max(1, Math.floor((bottom - top) / (size * 2.1))),
  })
  const { scale } = axis
  const room = (s: Scale) => Math.max(...s.ticks.map((t) => measure(t.label, size)))
  const laneNames = type.states === true && input.traces.length > 1 ? input.traces.map((t) => t.label) : []
  const leftRoom =
    type.states === true
      ? Math.min(width * 0.25, Math.max(0, ...laneNames.map((name) => measure(name, size))) + size * 0.9)
      : room(scale) + size * 0.9
  const plot: Rect = {
    left: labelled.values ? Math.ceil(Math.max(size * (width < 400 ? 3.4 : 4.6), leftRoom)) : 2,
    right: width - (percentAxis ? Math.ceil(room(PERCENT) + size * 0.9) : width < 400 ? 6 : 14),
    top,
    bottom,
  }
  if (plot.right - plot.left < 2 || plot.bottom - plot.top < 2) return blank(width, height, plot, theme)
  const x = (timeS: number) =>
    Math.round(plot.left + ((timeS - input.fromS) / (input.toS - input.fromS)) * (plot.right - plot.left))
  const onScale = (s: Scale) => (value: number) => {
    const share = (value - s.min) / (s.max - s.min)
    // far outside the plot it does not matter how far
    return plot.bottom - Math.max(-FAR, Math.min(FAR, share)) * (plot.bottom - plot.top)
  }
  const y = onScale(scale)
  const yPercent = onScale(PERCENT)
  const areas: Area[] = []
  const lines: Line[] = []
  const texts: Text[] = table.texts.map((t) => ({ ...t, y: t.y + height - table.height }))
  if (type.states === true) {
    const found = yield* lanes(
      input.traces,
      values,
      { plot, x, size, theme, labels: labelled.values ? laneNames : [] },
      measure,
    )
    areas.push(...found.areas)
    texts.push(...found.texts)
  } else {
    for (const { band, paint, percent } of drawn) {
      if (band !== null)
        areas.push({
          steps: boxes(values, band.highest, band.lowest, x, percent ? yPercent : y, plot),
          fill: translucent(themed(paint, theme).line),
          edge: null,
        })
    }
    for (const trace of drawn) {
      yield
      if (trace.draw === 'none') continue
      const steps = boxes(values, trace.top, trace.base, x, trace.percent ? yPercent : y, plot)
      const paint = themed(trace.paint, theme)
      if (trace.draw === 'line') lines.push({ steps, colour: paint.line, ...(trace.bold && { width: 2 }) })
      else
        areas.push({
          steps,
          fill: paint.fill,
          edge: trace.draw === 'band' || trace.percent ? null : paint.line,
        })
    }
    const limit = limitLines(limits, { plot, y, size, theme }, measure)
    lines.push(...limit.lines)
    if (named) texts.push(...limit.texts)
  }
  const labelWidth = (text: string) => measure(text, size)
  const time = timeTicks(input.fromS, input.toS, plot.right - plot.left, labelWidth, input.leastTick)
  if (labelled.values && type.states !== true) {
    for (const tick of scale.ticks)
      texts.push(axisLabel(tick.label, plot.left - Math.round(size * 0.45), y(tick.value), size, 'right', theme))
    if (percentAxis)
      for (const tick of PERCENT.ticks)
        texts.push(
          axisLabel(tick.label, plot.right + Math.round(size * 0.45), yPercent(tick.value), size, 'left', theme),
        )
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
        colour: theme.text,
      })
    }
  }
  if (named)
    texts.push(...axisNames(type.states ? '' : axis.unit, percentAxis ? percentName : null, width, size, theme))
  if (title !== null)
    texts.push({
      text: shortened(title, plot.right - plot.left - size * 4, size + 1, measure),
      x: Math.round((plot.left + plot.right) / 2),
      y: Math.round(size * 1.25),
      size: size + 1,
      align: 'center',
      colour: theme.text,
    })
  if (values.columns.every((c) => c.values.every(Number.isNaN)) && height >= 30) {
    texts.push({
      text: 'no data in this range',
      x: Math.round((plot.left + plot.right) / 2),
      y: Math.round((plot.top + plot.bottom) / 2 - size * 0.6),
      size,
      align: 'center',
      colour: theme.muted,
    })
  }
  const zero = y(0)
  const zeroInside = type.states !== true && zero >= plot.top - 0.5 && zero <= plot.bottom + 0.5
  return {
    width,
    height,
    theme,
    plot,
    shades: shadesIn(input.shades, plot, x, theme),
    areas,
    gridY: type.states ? [] : scale.ticks.map((t) => Math.round(y(t.value))),
    gridX: time.major.map((t) => x(t.timeS)),
    minorX: time.minor.map(x),
    zeroY: zeroInside ? Math.round(zero) : null,
    lines,
    texts,
    swatches: table.swatches.map((s) => ({
      ...s,
      top: s.top + height - table.height,
      bottom: s.bottom + height - table.height,
    })),
  }
}

/** Font size in an image of this size. */
function fontSize(width: number, height: number): number {
  if (width >= 500 && height >= 180) return 11
  return width >= 300 && height >= 140 ? 10 : width >= 180 && height >= 80 ? 9 : 8
}

function blank(width: number, height: number, plot: Rect, theme: Theme): Scene {
  return {
    width,
    height,
    theme,
    plot,
    shades: [],
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

function legendFor(input: LayoutInput, size: number, measure: Measure, theme: Theme): Legend {
  const { width, height } = input
  if (!input.legend || height < 130 || width < 180) return { height: 0, texts: [], swatches: [] }
  const space = {
    left: Math.round(size * 1.2),
    right: width - 14,
    maxHeight: Math.floor(height * 0.42),
    size,
    footer: height >= 180 ? rangeText(input.fromS, input.toS) : '',
    ...(input.level !== undefined && { level: input.level }),
    currentSinceS: input.nowS - (input.currentS ?? CURRENT_BUCKETS * input.stepS),
    theme,
  }
  return legend(input.type, input.traces, space, measure)
}

interface Drawn {
  readonly draw: Trace['draw']
  readonly paint: Trace['paint']
  readonly percent: boolean
  readonly bold: boolean
  /** In the drawn unit, negative below the axis; NaN is a gap. */
  readonly top: Float64Array
  /** Lower edge of an area; null: zero. */
  readonly base: Float64Array | null
  /** From the lowest to the highest sample; null: none is drawn. */
  readonly band: { readonly lowest: Float64Array; readonly highest: Float64Array } | null
}

/** Scales the values, mirrors those below the axis, and adds up stacks. An unknown value adds nothing to its stack. */
function restack(traces: readonly Trace[], { columns }: Plotted): readonly Drawn[] {
  const stacks = new Map<Trace['side'], Float64Array<ArrayBufferLike>>()
  return traces.map((trace, at) => {
    const column = columns[at]
    const factor = trace.side === 'below' ? -trace.scale : trace.scale
    const top = (column?.values ?? new Float64Array()).map((v) => v * factor)
    let base: Float64Array | null = column?.base?.map((v) => v * factor) ?? null
    if (trace.draw === 'stack') {
      const under = stacks.get(trace.side) ?? new Float64Array(top.length)
      base = under
      stacks.set(
        trace.side,
        under.map((sum, i) => (Number.isNaN(top[i] ?? Number.NaN) ? sum : sum + (top[i] ?? 0))),
      )
      for (let i = 0; i < top.length; i++) top[i] = (top[i] ?? Number.NaN) + (under[i] ?? 0)
    }
    const scaled = (edge: Float64Array) => edge.map((v) => v * factor)
    const band = column?.band && { lowest: scaled(column.band.lowest), highest: scaled(column.band.highest) }
    return {
      draw: trace.draw,
      paint: trace.paint,
      percent: trace.percent,
      bold: trace.bold === true,
      top,
      base,
      band: band ?? null,
    }
  })
}

/**
 * Lowest and highest value on the left axis: of what is drawn, and of the samples in the legend. Infinite if none is
 * known.
 */
function extremes(drawn: readonly Drawn[], traces: readonly Trace[]): [min: number, max: number] {
  let min = Number.POSITIVE_INFINITY
  let max = Number.NEGATIVE_INFINITY
  const cover = (value: number): void => {
    if (!Number.isFinite(value)) return
    if (value < min) min = value
    if (value > max) max = value
  }
  for (const { percent, draw, top } of drawn) if (!percent && draw !== 'none') for (const value of top) cover(value)
  for (const { percent, draw, side, scale, statistics } of traces) {
    if (percent || draw === 'none') continue
    const factor = side === 'below' ? -scale : scale
    for (const value of [statistics.min, statistics.max, statistics.last]) if (value !== null) cover(value * factor)
  }
  return [min, max]
}

/** The colour of the band between the lowest and highest samples. */
function translucent(line: string): string {
  const part = (at: number) => Number.parseInt(line.slice(at, at + 2), 16)
  return `rgba(${part(1)}, ${part(3)}, ${part(5)}, 0.22)`
}

function shadesIn(shades: Shades | undefined, plot: Rect, x: (timeS: number) => number, theme: Theme): Shade[] {
  const of = (spans: Shades['outages'], fill: string) =>
    spans.flatMap(({ startS, endS }): Shade[] => {
      const left = Math.min(plot.right - 1, Math.max(plot.left, x(startS)))
      const right = Math.min(plot.right, Math.max(x(endS), left + 1))
      return right > left ? [{ left, right, fill }] : []
    })
  return [...of(shades?.maintenance ?? [], theme.maintenance), ...of(shades?.outages ?? [], theme.outage)]
}

/**
 * The boxes of the known values inside the plot, four numbers each; see `Area`. A box is at least a pixel wide, also at
 * the right end.
 */
function boxes(
  { timeS, stepS }: Plotted,
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
    if (!Number.isFinite(value) || !Number.isFinite(from)) continue
    const start = timeS[i] ?? Number.NaN
    const x0 = Math.min(plot.right - 1, Math.max(plot.left, x(start)))
    const x1 = Math.min(plot.right, Math.max(x(start + stepS), x0 + 1))
    if (!(x1 > x0)) continue
    out[n++] = x0
    out[n++] = x1
    out[n++] = y(value)
    out[n++] = y(from)
  }
  return out.subarray(0, n)
}

function axisLabel(text: string, x: number, y: number, size: number, align: 'left' | 'right', theme: Theme): Text {
  return { text, x, y: Math.round(y) + Math.round(size * 0.36), size, align, colour: theme.text }
}

/** The units above the axes. */
function axisNames(unit: string, percent: string | null, width: number, size: number, theme: Theme): Text[] {
  const y = Math.round(size * 1.1)
  const names: Text[] = [{ text: unit, x: 4, y, size, align: 'left', colour: theme.muted }]
  if (percent !== null) {
    const text = percent.startsWith('%') ? percent : `% ${percent.toLowerCase()}`
    names.push({ text, x: width - 4, y, size, align: 'right', colour: theme.muted })
  }
  return names
}
