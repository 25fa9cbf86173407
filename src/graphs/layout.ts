import type { Scale } from '../lib/nice-scale.ts'
import { timeTicks } from '../lib/time-axis.ts'
import { valueAxis } from '../lib/value-axis.ts'
import type { GraphType } from './catalogue/graph-type.ts'
import { boxes, type Drawn, extremesOf, restack, translucent } from './drawn.ts'
import { atOnce } from './fairly.ts'
import { type Legend, legendSteps, shortened } from './legend.ts'
import { limitLines, reachedLimits } from './limits.ts'
import { THEME, type Theme, themed } from './palette.ts'
import { type Plotted, plotted, pointsFor } from './plotted.ts'
import { rangeText } from './range-text.ts'
import type { Area, Line, Measure, Rect, Scene, Shade, Text } from './scene.ts'
import type { SensorLimits, Shades } from './series-source.ts'
import { stateBands } from './state-bands.ts'
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
  const table = yield* legendFor(input, size, measure, theme)
  yield
  const values = plottedFor(input)
  yield
  const drawn = restack(input.traces, values)
  yield
  const frame = frameOf(input, drawn, table.height, measure)
  const { plot, scale, x, y } = frame
  if (plot.right - plot.left < 2 || plot.bottom - plot.top < 2) return blank(width, height, plot, theme)
  const content = yield* contentSteps(input, frame, values, drawn, measure)
  const labelWidth = (text: string) => measure(text, size)
  const time = timeTicks(input.fromS, input.toS, plot.right - plot.left, labelWidth, input.leastTick)
  const lower = height - table.height
  const isEmpty = values.columns.every((c) => c.values.every(Number.isNaN))
  const texts = [
    ...table.texts.map((t) => ({ ...t, y: t.y + lower })),
    ...content.texts,
    ...labels(input, frame, time.major, measure),
    ...(isEmpty && height >= 30 ? [noData(frame)] : []),
  ]
  const zero = y(0)
  const zeroInside = type.states !== true && zero >= plot.top - 0.5 && zero <= plot.bottom + 0.5
  return {
    width,
    height,
    theme,
    plot,
    shades: shadesIn(input.shades, plot, x, theme),
    areas: content.areas,
    gridY: type.states ? [] : scale.ticks.map((t) => Math.round(y(t.value))),
    gridX: time.major.map((t) => x(t.timeS)),
    minorX: time.minor.map(x),
    zeroY: zeroInside ? Math.round(zero) : null,
    lines: content.lines,
    texts,
    swatches: table.swatches.map((s) => ({ ...s, top: s.top + lower, bottom: s.bottom + lower })),
  }
}

/** The plot with its axes, and what is shown around it. */
interface Frame {
  readonly size: number
  readonly theme: Theme
  readonly plot: Rect
  readonly scale: Scale
  readonly unit: string
  /** null: none is shown. */
  readonly title: string | null
  /** The units above the axes are shown. */
  readonly named: boolean
  readonly timeLabels: boolean
  readonly valueLabels: boolean
  /** Label of the axis on the right, which is in percent; null: no trace is. */
  readonly percentName: string | null
  readonly percentAxis: boolean
  readonly limits: ReturnType<typeof reachedLimits>
  /** Names of the bands of states; empty: there are none. */
  readonly laneNames: readonly string[]
  readonly x: (timeS: number) => number
  readonly y: (value: number) => number
  readonly yPercent: (value: number) => number
}

function frameOf(input: LayoutInput, drawn: readonly Drawn[], legendHeight: number, measure: Measure): Frame {
  const { width, height, type, theme = THEME } = input
  const size = fontSize(width, height)
  const timeLabels = height >= 60 && width >= 90
  const valueLabels = width >= 90 && height >= 30
  const title = height >= 80 ? input.title : null
  const named = height >= 90 && width >= 120
  const top = title !== null || named ? Math.round(size * 1.75) : Math.round(size * 0.6)
  const bottom = height - legendHeight - (timeLabels ? Math.round(size * 1.75) : 3)
  const percentName = input.traces.find((t) => t.percent && t.draw !== 'none')?.label ?? null
  const percentAxis = percentName !== null && valueLabels
  const [min, max] = extremesOf(drawn, input.traces)
  const limits = reachedLimits(input.limits ?? null, min, max)
  const reached = limits.map(({ value }) => value)
  const { scale, unit } = valueAxis({
    type,
    min: Math.min(min, ...reached),
    max: Math.max(max, ...reached),
    mirrored: input.traces.some((t) => t.side === 'below'),
    maxTicks: Math.max(1, Math.floor((bottom - top) / (size * 2.1))),
  })
  const room = (s: Scale) => Math.max(...s.ticks.map((t) => measure(t.label, size)))
  const laneNames = type.states === true && input.traces.length > 1 ? input.traces.map((t) => t.label) : []
  const leftRoom =
    type.states === true
      ? Math.min(width * 0.25, Math.max(0, ...laneNames.map((name) => measure(name, size))) + size * 0.9)
      : room(scale) + size * 0.9
  const plot: Rect = {
    left: valueLabels ? Math.ceil(Math.max(size * (width < 400 ? 3.4 : 4.6), leftRoom)) : 2,
    right: width - (percentAxis ? Math.ceil(room(PERCENT) + size * 0.9) : width < 400 ? 6 : 14),
    top,
    bottom,
  }
  const onScale = (s: Scale) => (value: number) => {
    const share = (value - s.min) / (s.max - s.min)
    // far outside the plot it does not matter how far
    return plot.bottom - Math.max(-FAR, Math.min(FAR, share)) * (plot.bottom - plot.top)
  }
  return {
    ...{ size, theme, plot, scale, unit, title, named, timeLabels, valueLabels },
    ...{ percentName, percentAxis, limits, laneNames },
    x: (timeS) =>
      Math.round(plot.left + ((timeS - input.fromS) / (input.toS - input.fromS)) * (plot.right - plot.left)),
    y: onScale(scale),
    yPercent: onScale(PERCENT),
  }
}

interface Content {
  readonly areas: readonly Area[]
  readonly lines: readonly Line[]
  readonly texts: readonly Text[]
}

/** What is inside the plot: bands of states, or areas, lines and limits. One series per step. */
function* contentSteps(
  input: LayoutInput,
  frame: Frame,
  values: Plotted,
  drawn: readonly Drawn[],
  measure: Measure,
): Generator<void, Content> {
  const { plot, x, y, yPercent, size, theme, limits, named, valueLabels, laneNames } = frame
  if (input.type.states === true) {
    const space = { plot, x, size, theme, labels: valueLabels ? laneNames : [] }
    return { lines: [], ...(yield* stateBands(input.traces, values, space, measure)) }
  }
  const areas: Area[] = []
  const lines: Line[] = []
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
    else areas.push({ steps, fill: paint.fill, edge: trace.draw === 'band' || trace.percent ? null : paint.line })
  }
  const limit = limitLines(limits, { plot, y, size, theme }, measure)
  return { areas, lines: [...lines, ...limit.lines], texts: named ? limit.texts : [] }
}

/** What is written around the plot: values, times, units, the title. */
function labels(
  input: LayoutInput,
  frame: Frame,
  times: readonly { readonly timeS: number; readonly label: string }[],
  measure: Measure,
): Text[] {
  const { plot, scale, size, theme, x, y, yPercent, title, percentAxis, percentName } = frame
  const texts: Text[] = []
  if (frame.valueLabels && input.type.states !== true) {
    const inset = Math.round(size * 0.45)
    for (const { label, value } of scale.ticks)
      texts.push(axisLabel(label, plot.left - inset, y(value), size, 'right', theme))
    if (percentAxis)
      for (const { label, value } of PERCENT.ticks)
        texts.push(axisLabel(label, plot.right + inset, yPercent(value), size, 'left', theme))
  }
  const centred = { size, align: 'center', colour: theme.text } as const
  if (frame.timeLabels) {
    for (const { timeS, label } of times) {
      const half = measure(label, size) / 2
      if (x(timeS) - half < 0 || x(timeS) + half > input.width) continue
      texts.push({ text: label, x: x(timeS), y: plot.bottom + Math.round(size * 1.25), ...centred })
    }
  }
  if (frame.named)
    texts.push(
      ...axisNames(input.type.states ? '' : frame.unit, percentAxis ? percentName : null, input.width, size, theme),
    )
  if (title !== null)
    texts.push({
      text: shortened(title, plot.right - plot.left - size * 4, size + 1, measure),
      x: Math.round((plot.left + plot.right) / 2),
      y: Math.round(size * 1.25),
      ...centred,
      size: size + 1,
    })
  return texts
}

const noData = ({ plot, size, theme }: Frame): Text => ({
  text: 'no data in this range',
  x: Math.round((plot.left + plot.right) / 2),
  y: Math.round((plot.top + plot.bottom) / 2 - size * 0.6),
  size,
  align: 'center',
  colour: theme.muted,
})

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

function* legendFor(input: LayoutInput, size: number, measure: Measure, theme: Theme): Generator<void, Legend> {
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
  return yield* legendSteps(input.type, input.traces, space, measure)
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
