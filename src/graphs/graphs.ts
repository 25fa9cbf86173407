import { BeyondBudget, type GraphOptions, type GraphOutcome, type Graphs } from '../core/base/graphs.ts'
import { parseTimeRange } from '../lib/at-time.ts'
import { PORT_COUNTERS } from '../lib/port-counters.ts'
import { endedBy } from '../lib/sample-column.ts'
import { isTrafficPort } from '../series/traffic-ports.ts'
import { deviceGraph, deviceGraphs } from './catalogue/devices.ts'
import { drawnGraph, serviceGraph } from './catalogue/drawings.ts'
import type { GraphType } from './catalogue/graph-type.ts'
import { portGraph } from './catalogue/ports.ts'
import { chartOf } from './chart.ts'
import { chartSql, type QuerySubject } from './chart-sql.ts'
import { createBudget, turn } from './fairly.ts'
import { figures } from './figures.ts'
import { layoutSteps, pixelsOf, plottedFor } from './layout.ts'
import { multiportGraph, readMultiport } from './multiport.ts'
import { DARK, THEME } from './palette.ts'
import { plotted } from './plotted.ts'
import type { Renderer } from './render.ts'
import type { PortCounterName, SeriesData, SeriesSource, SeriesWindow, Shades } from './series-source.ts'
import { FINE_STEP_S } from './statistics.ts'
import { svgSteps } from './svg.ts'
import { drawnType, type Extras, NO_EXTRAS, traceSteps } from './trace.ts'

export interface GraphsDeps {
  readonly series: SeriesSource
  /** The current time in epoch milliseconds: Date.now, or a test's clock. */
  readonly now: () => number
  /** Longest time that one graph may take, ms, and how many images may wait; absent: as in operation. */
  readonly budgetMs?: number
  readonly mostWaiting?: number
  /** Called with a graph that was beyond the budget, such as `port_bits of port 7, 1075 x 300 for 86400 s`, and why. */
  readonly onBeyond?: (graph: string, why: string) => void
}

const DEFAULT_WIDTH = 1075
const DEFAULT_HEIGHT = 300
/** Sizes outside these ranges are rejected: 8 million pixels take 32 MB while being drawn. */
const WIDTHS: readonly [number, number] = [16, 4000]
const HEIGHTS: readonly [number, number] = [10, 2000]
/** Most buckets in a response with numbers. */
const MAX_POINTS = 4000
const SECONDS_PER_DAY = 86_400
/**
 * Most whole samples behind the statistics of one graph; with more, they come from a roll-up. Ports have more: a month
 * of one is 45,000, and the percentiles of 24 for a week are those of 5 minutes.
 */
const MAX_SAMPLES = 60_000
const MAX_PORT_SAMPLES = 300_000
/** How long before the end of a range the last sample is looked for where the statistics come from a roll-up. */
const LATELY_S = 3600
/** How far back to look for any sample at all: the retention of roll-ups. */
const EVER_S = 3650 * SECONDS_PER_DAY

/**
 * Graphs of a source of series. Requests may be concurrent; images are drawn one at a time. The canvas is loaded when
 * the first one is drawn. Options: `from` (-1d), `to` (now), `width` (1075, 16 to 4000), `height` (300, 10 to 2000),
 * `legend=no`, `title` (any value but `no` shows it), `graph_title` (shows this one instead), `inverse` (out above, in
 * below), `theme=dark`, `output=svg` (also `graph_type=svg`), `output=json` (numbers, at most `max_points`),
 * `output=chart` (also how they are drawn). `no-data` means that there were never any samples; an empty range gives an
 * image that says so. Source: contract BEHAVIOUR.md 11, get_graph_generic_by_hostname.
 */
export function createGraphs({ series, now, budgetMs, mostWaiting = MAX_WAITING, onBeyond }: GraphsDeps): Graphs {
  const draw = drawer(mostWaiting)
  const graph = async (
    subject: Subject,
    type: GraphType | null,
    typeName: string,
    options: GraphOptions,
  ): Promise<GraphOutcome> => {
    if (type === null) return { kind: 'unknown-type', message: `${typeName} template missing` }
    const nowS = Math.floor(now() / 1000)
    const range = parseTimeRange(options['from'] || '-1d', options['to'] || 'now', nowS)
    if (range.kind !== 'ok') return range
    const size = sizeOf(options)
    if (size.kind !== 'ok') return size
    const { fromS, toS } = range
    const window = { fromS, toS, stepS: stepFor(type, fromS, toS, size), mostSamples: mostOf(type) }
    const [data, shades] = await Promise.all([
      read(series, subject, type, window).then((found) => withLast(series, subject, type, window, found)),
      shadesOf(series, subject, fromS, toS),
    ])
    if (isUnknown(data) && !(await wasEverKnown(series, subject, type, nowS))) return { kind: 'no-data' }
    const [title, extras] = await Promise.all([
      titleOf(series, subject, type, options),
      extrasOf(series, subject, type, data),
    ])
    const sql =
      options['output'] === 'chart' ? chartSql(type, await queried(series, subject, type), data.level ?? null) : null
    return await answer(drawnType(type, data), subjectText(subject), data, {
      fromS,
      toS,
      size,
      title,
      options,
      extras,
      shades,
      sql,
    })
  }
  /** `subject`: what is drawn, for the log. */
  const answer = async (type: GraphType, subject: string, data: SeriesData, o: Answered): Promise<GraphOutcome> => {
    try {
      return await drawnWithin(type, data, o)
    } catch (error) {
      const { width, height } = o.size
      if (error instanceof BeyondBudget)
        onBeyond?.(`${type.name} of ${subject}, ${width} x ${height} for ${o.toS - o.fromS} s`, error.message)
      throw error
    }
  }
  const drawnWithin = async (type: GraphType, data: SeriesData, o: Answered): Promise<GraphOutcome> => {
    const { size, options, extras } = o
    const fairly = createBudget(budgetMs)
    const input = {
      type,
      traces: await fairly(traceSteps(type, data, flag(options['inverse']), extras)),
      timeS: data.timeS,
      stepS: data.stepS,
      ...(data.currentS !== undefined && { currentS: data.currentS }),
      ...(data.level !== undefined && { level: data.level }),
      fromS: o.fromS,
      toS: o.toS,
      nowS: Math.floor(now() / 1000),
      width: size.width,
      height: size.height,
      title: o.title,
      legend: options['legend'] !== 'no',
      theme: options['theme'] === 'dark' ? DARK : THEME,
      limits: extras.limits,
      ...(o.shades !== null && { shades: o.shades }),
      ...(o.leastTick && { leastTick: o.leastTick }),
    }
    const { output } = options
    if (output === 'json' || output === 'chart') {
      const values = size.points === null ? plottedFor(input) : plotted(data, input.traces, size.points)
      const level = data.level ?? null
      return output === 'json'
        ? { kind: 'figures', figures: figures(input, values, level) }
        : { kind: 'chart', chart: chartOf(input, values, level, o.sql ?? null) }
    }
    if (options['output'] === 'svg' || options['graph_type'] === 'svg') {
      const svg = await draw(async ({ measure }) => await fairly(svgSteps(await fairly(layoutSteps(input, measure)))))
      return { kind: 'image', bytes: new TextEncoder().encode(svg), contentType: 'image/svg+xml' }
    }
    const bytes = await draw(async (renderer) =>
      renderer.renderFairly(await fairly(layoutSteps(input, renderer.measure)), fairly),
    )
    return { kind: 'image', bytes, contentType: 'image/png' }
  }
  return {
    port: (id, name, options) => graph({ kind: 'port', id, only: null }, portGraph(name), name, options),
    device: (id, name, options, only) =>
      graph({ kind: 'device', id, only: only ?? null }, deviceGraph(name), name, options),
    ports: async (ids, options) => {
      const names = await Promise.all(ids.map((id) => series.portName(id)))
      const type = multiportGraph(names.map((name, at) => name ?? `port ${ids[at]}`))
      return await graph({ kind: 'ports', id: 0, only: null, ids }, type, type.name, options)
    },
    service: ({ deviceId, datasetId, label, unit }, options) =>
      graph(
        { kind: 'service', id: datasetId, only: null, deviceId },
        serviceGraph(label, unit),
        'service_graph',
        options,
      ),
    drawing: async ({ label, unit, series: drawn, fromS, toS, timeS, stepS, deviceId = null, monthly }, options) => {
      const size = sizeOf(options)
      if (size.kind !== 'ok') return size
      const figured = drawn.map(({ label: name, values, average = null, total = null }) => ({
        name,
        values,
        range: { average, total },
      }))
      const data = { timeS, stepS, series: figured }
      const title = wantedTitle(options, label)
      const shades = deviceId === null ? null : await series.shades({ deviceId }, fromS, toS)
      const range = { fromS, toS, size, title, options, extras: NO_EXTRAS, shades }
      return await answer(drawnGraph(label, unit, drawn), 'a bill', data, {
        ...range,
        ...(monthly && { leastTick: 'month' }),
      })
    },
    deviceTypes: async (id) =>
      deviceGraphs(await series.deviceHas(id)).map(({ name, label }) => ({ name, desc: label })),
  }
}

interface Subject {
  readonly kind: 'port' | 'device' | 'service' | 'ports'
  readonly id: number
  /** The single processor, memory pool, file system or sensor to draw; null: all. */
  readonly only: number | null
  /** The ports of kind `ports`. */
  readonly ids?: readonly number[]
  /** The device of kind `service`. */
  readonly deviceId?: number
}

/** A subject in the log. */
const subjectText = ({ kind, id, only, ids, deviceId }: Subject): string => {
  if (kind === 'ports') return `${ids?.length ?? 0} ports`
  if (kind === 'service') return `data set ${id} of device ${deviceId}`
  return only === null ? `${kind} ${id}` : `part ${only} of device ${id}`
}

interface Answered {
  readonly fromS: number
  readonly toS: number
  readonly size: Size
  readonly title: string | null
  readonly options: GraphOptions
  readonly extras: Extras
  /** null: none are known. */
  readonly shades: Shades | null
  readonly leastTick?: 'month'
  /** The query of a chart; null or absent: none. */
  readonly sql?: string | null
}

/**
 * One bucket per pixel of the plot, or finer where that makes the percentile exact at an acceptable cost. Buckets below
 * 5 minutes divide 5 minutes, so that 5-minute values can be built from them.
 */
function stepFor(type: GraphType, fromS: number, toS: number, { width, height, points }: Size): number {
  // one less: buckets begin at multiples of their width, so the first may begin before the range
  const most = Math.max(1, (points ?? pixelsOf(width, height)) - 1)
  const perPixel = Math.max(1, Math.ceil((toS - fromS) / most))
  // buckets of days come from the daily roll-up: in a graph of a year, each is three pixels wide
  if (perPixel >= SECONDS_PER_DAY / 3) return Math.max(perPixel, SECONDS_PER_DAY)
  if (perPixel >= FINE_STEP_S) return toS - fromS <= (type.fineDays ?? 0) * SECONDS_PER_DAY ? FINE_STEP_S : perPixel
  return FINE_STEPS.find((step) => step >= perPixel) ?? FINE_STEP_S
}

/** Widths of buckets below 5 minutes, seconds. */
const FINE_STEPS = Array.from({ length: FINE_STEP_S }, (_, i) => i + 1).filter((step) => FINE_STEP_S % step === 0)

/** Limits of a single sensor; states of state sensors. */
async function extrasOf(series: SeriesSource, { only }: Subject, type: GraphType, data: SeriesData): Promise<Extras> {
  if (type.data !== 'sensor' && type.data !== 'wireless') return NO_EXTRAS
  const ids = data.series.flatMap(({ subject }) => (subject === undefined ? [] : [subject.id]))
  const limits = only === null || type.states === true ? null : await series.limits(type.data, only)
  return { limits, states: type.states === true ? await series.states(ids) : NO_EXTRAS.states }
}

function shadesOf(
  series: SeriesSource,
  { kind, id, deviceId }: Subject,
  fromS: number,
  toS: number,
): Promise<Shades | null> | null {
  if (kind === 'device') return series.shades({ deviceId: id }, fromS, toS)
  if (deviceId !== undefined) return series.shades({ deviceId }, fromS, toS)
  return kind === 'port' ? series.shades({ portId: id }, fromS, toS) : null
}

async function read(
  series: SeriesSource,
  { kind, id, only, ids }: Subject,
  type: GraphType,
  window: SeriesWindow,
): Promise<SeriesData> {
  switch (type.data) {
    case 'ports': {
      if (ids !== undefined) return readMultiport(series, ids, window)
      const counted = kind === 'port' ? [id] : await trafficPorts(series, id)
      return series.ports(counted, window, countersOf(type))
    }
    default: {
      const { sensorClass } = type
      // a data set of a service is selected by its id, as are further values of a port
      const of =
        kind === 'service' || kind === 'port'
          ? { only: id }
          : { deviceId: id, only, ...(sensorClass !== undefined && { class: sensorClass }) }
      return series.values(type.data, of, window, type.lines ?? (type.data === 'stats' ? drawnBy(type) : undefined))
    }
  }
}

const mostOf = ({ data }: GraphType): number => (data === 'ports' ? MAX_PORT_SAMPLES : MAX_SAMPLES)

/**
 * The data with the last samples in place of the last rows of a roll-up, which are means: "now" is a measured value.
 * Those of a range that ended before the oldest sample stay.
 */
async function withLast(
  series: SeriesSource,
  subject: Subject,
  type: GraphType,
  { toS }: SeriesWindow,
  data: SeriesData,
): Promise<SeriesData> {
  if (data.level === undefined || data.level === 'samples' || data.series.length === 0) return data
  const lately = { fromS: toS - LATELY_S, toS, stepS: FINE_STEP_S, mostSamples: mostOf(type) }
  const last = await read(series, subject, type, lately)
  if (last.level !== 'samples') return data
  return {
    ...data,
    series: data.series.map((one) => {
      const found = last.series.find(({ name, subject }) => name === one.name && subject?.id === one.subject?.id)
      return found?.samples === undefined || one.samples === undefined
        ? one
        : { ...one, samples: endedBy(one.samples, found.samples) }
    }),
  }
}

/** The objects whose values the query of a chart reads. */
async function queried(series: SeriesSource, { kind, id, only, ids }: Subject, type: GraphType): Promise<QuerySubject> {
  if (kind === 'service' || (kind === 'port' && type.data !== 'ports')) return { ports: null, deviceId: null, only: id }
  if (type.data !== 'ports') return { ports: null, deviceId: id, only }
  const counted = kind === 'port' ? [id] : (ids ?? (await trafficPorts(series, id)))
  return { ports: counted, deviceId: null, only: null }
}

const trafficPorts = async (series: SeriesSource, deviceId: number): Promise<number[]> =>
  (await series.devicePorts(deviceId)).filter(isTrafficPort).map(({ portId }) => portId)

/** Names of the series that a graph draws. */
function drawnBy({ elements }: GraphType): readonly string[] {
  return elements === 'lines' ? [] : elements.map((e) => e.series)
}

/** The counters that a graph draws. */
function countersOf(type: GraphType): PortCounterName[] {
  const drawn = drawnBy(type)
  return PORT_COUNTERS.map((c) => c.series).filter((name) => drawn.includes(name))
}

/** Whether there have ever been samples: in the last day, which may not be rolled up yet, or in the daily roll-up. */
async function wasEverKnown(series: SeriesSource, subject: Subject, type: GraphType, nowS: number): Promise<boolean> {
  const lately = { fromS: nowS - SECONDS_PER_DAY, toS: nowS, stepS: FINE_STEP_S }
  const ever = { fromS: Math.max(0, nowS - EVER_S), toS: nowS, stepS: SECONDS_PER_DAY }
  for (const window of [lately, ever]) if (!isUnknown(await read(series, subject, type, window))) return true
  return false
}

function isUnknown(data: SeriesData): boolean {
  return data.series.every(({ values }) => values.every(Number.isNaN))
}

async function titleOf(
  series: SeriesSource,
  { kind, id }: Subject,
  type: GraphType,
  options: GraphOptions,
): Promise<string | null> {
  const label = type.title ?? type.label
  const title = wantedTitle(options, label)
  if (title !== label || kind === 'service' || kind === 'ports') return title
  const name = await (kind === 'port' ? series.portName(id) : series.deviceName(id))
  return name === null ? label : `${name} · ${label}`
}

/** The title that the options request: their own, or `usual`; null: none. */
function wantedTitle({ title, graph_title: ownTitle }: GraphOptions, usual: string): string | null {
  if (ownTitle) return ownTitle
  return !title || title === 'no' ? null : usual
}

interface Size {
  readonly kind: 'ok'
  readonly width: number
  readonly height: number
  /** Most buckets in a response with numbers; null: as many as the image has. */
  readonly points: number | null
}

/** The size that the options request. Text that is not a number counts as absent; a size out of range is rejected. */
function sizeOf({ width, height, max_points: maxPoints }: GraphOptions): Size | { kind: 'bad-size'; message: string } {
  const [w, h, points] = [numberOf(width) ?? DEFAULT_WIDTH, numberOf(height) ?? DEFAULT_HEIGHT, numberOf(maxPoints)]
  if (!within(w, WIDTHS)) return { kind: 'bad-size', message: `'width' is not from ${WIDTHS.join(' to ')}` }
  if (!within(h, HEIGHTS)) return { kind: 'bad-size', message: `'height' is not from ${HEIGHTS.join(' to ')}` }
  if (points !== null && !within(points, [2, MAX_POINTS]))
    return { kind: 'bad-size', message: `'max_points' is not from 2 to ${MAX_POINTS}` }
  return { kind: 'ok', width: w, height: h, points }
}

const within = (n: number, [least, most]: readonly [number, number]) => n >= least && n <= most

function numberOf(text: string | undefined): number | null {
  const n = text === undefined || text.trim() === '' ? Number.NaN : Number(text)
  return Number.isNaN(n) ? null : Math.round(n)
}

/** Present and not "no". */
function flag(text: string | undefined): boolean {
  return text !== undefined && !['', '0', 'no', 'false'].includes(text.toLowerCase())
}

/** More images than this do not wait: they would be drawn after their requests were given up. */
const MAX_WAITING = 200

/**
 * Draws one image at a time in the same memory, yielding to the event loop in between so that other requests are
 * served.
 */
function drawer(mostWaiting: number) {
  let waiting = 0
  let renderer: Promise<Renderer> | null = null
  let tail: Promise<unknown> = Promise.resolve()
  const inTurn = <T>(work: (renderer: Renderer) => T | Promise<T>): Promise<T> => {
    // not imported at the top: the canvas takes 12 to 16 MB, and many installations never draw
    renderer ??= import('./render.ts').then(({ createRenderer }) => createRenderer())
    // what stood in the way may be gone the next time
    renderer.catch(() => {
      renderer = null
    })
    const ready = renderer
    const before = tail
    if (waiting >= mostWaiting) return Promise.reject(new BeyondBudget(`${mostWaiting} images are waiting to be drawn`))
    waiting++
    const picture = (async () => {
      await before
      waiting--
      return work(await ready)
    })()
    tail = picture.then(turn, turn)
    return picture
  }
  return inTurn
}
