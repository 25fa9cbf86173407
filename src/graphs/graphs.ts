import type { GraphOptions, GraphOutcome, Graphs } from '../domain/graphs.ts'
import { parseRange } from '../lib/at-time.ts'
import { PORT_COUNTERS } from '../lib/port-counters.ts'
import { deviceGraph, deviceGraphs } from './catalogue/devices.ts'
import { drawnGraph, serviceGraph } from './catalogue/drawings.ts'
import type { GraphType } from './catalogue/graph-type.ts'
import { portGraph } from './catalogue/ports.ts'
import { layout } from './layout.ts'
import { multiportGraph, readMultiport } from './multiport.ts'
import type { Renderer } from './render.ts'
import type { Scene } from './scene.ts'
import type { PortCounterName, SeriesData, SeriesSource, SeriesWindow } from './series-source.ts'
import { FINE_STEP_S } from './statistics.ts'
import { traces } from './trace.ts'
import { isTrafficPort } from './traffic-ports.ts'

export interface GraphsDeps {
  readonly series: SeriesSource
  /** The current time in epoch milliseconds: Date.now, or a test's clock. */
  readonly now: () => number
}

const DEFAULT_WIDTH = 1075
const DEFAULT_HEIGHT = 300
/** Requested sizes are limited to 1..this: 10 million pixels take 40 MB while being drawn. */
const MAX_WIDTH = 4000
const MAX_HEIGHT = 2500
const SECONDS_PER_DAY = 86_400
/** How far back to look for any sample at all: the retention of roll-ups. */
const EVER_S = 3650 * SECONDS_PER_DAY

/**
 * Graphs of a source of series. Requests may be concurrent; pictures are drawn one after the other. The
 * canvas is loaded with the first. Options: `from` (-1d), `to` (now), `width` (1075, 1 to 4000), `height` (300, 1 to 2500),
 * `legend=no`, `title` (any value but `no` shows it), `graph_title` (shows this one instead), `inverse` (out above, in
 * below). `no-data` means that there were never any samples; an empty range is a picture that says so. Source: contract
 * BEHAVIOUR.md 11, get_graph_generic_by_hostname.
 */
export function createGraphs({ series, now }: GraphsDeps): Graphs {
  const draw = drawer()
  const graph = async (
    subject: Subject,
    type: GraphType | null,
    typeName: string,
    options: GraphOptions,
  ): Promise<GraphOutcome> => {
    if (type === null) return { kind: 'unknown-type', message: `${typeName} template missing` }
    const nowS = Math.floor(now() / 1000)
    const range = parseRange(options['from'] || '-1d', options['to'] || 'now', nowS)
    if (range.kind !== 'ok') return range
    const { fromS, toS } = range
    const width = widthOf(options)
    const data = await read(series, subject, type, { fromS, toS, stepS: stepFor(type, fromS, toS, width) })
    if (isUnknown(data) && !(await wasEverKnown(series, subject, type, nowS))) return { kind: 'no-data' }
    const title = await titleOf(series, subject, type, options)
    return await picture(type, data, { fromS, toS }, title, options)
  }
  const picture = async (
    type: GraphType,
    data: SeriesData,
    { fromS, toS }: Pick<SeriesWindow, 'fromS' | 'toS'>,
    title: string | null,
    options: GraphOptions,
  ): Promise<GraphOutcome> => {
    const { inverse, legend, height } = options
    const bytes = await draw(({ measure }) =>
      layout(
        {
          type,
          traces: traces(type, data, flag(inverse)),
          timeS: data.timeS,
          stepS: data.stepS,
          fromS,
          toS,
          nowS: Math.floor(now() / 1000),
          width: widthOf(options),
          height: size(height, DEFAULT_HEIGHT, MAX_HEIGHT),
          title,
          legend: legend !== 'no',
        },
        measure,
      ),
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
    service: ({ datasetId, label, unit }, options) =>
      graph({ kind: 'service', id: datasetId, only: null }, serviceGraph(label, unit), 'service_graph', options),
    drawing: async ({ label, unit, series: drawn, fromS, toS, timeS, stepS }, options) => {
      const series = drawn.map(({ label: name, values, average = null, total = null }) => ({
        name,
        values,
        range: { average, total },
      }))
      const data = { timeS, stepS, series }
      return await picture(drawnGraph(label, unit, drawn), data, { fromS, toS }, wantedTitle(options, label), options)
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
}

/**
 * One bucket per pixel, or finer where that makes statistics exact at an acceptable cost. Buckets below 5 minutes
 * divide 5 minutes, so that 5-minute values can be built from them.
 */
function stepFor(type: GraphType, fromS: number, toS: number, width: number): number {
  const perPixel = Math.max(1, Math.floor((toS - fromS) / width))
  if (perPixel >= FINE_STEP_S) return toS - fromS <= type.fineDays * SECONDS_PER_DAY ? FINE_STEP_S : perPixel
  let step = perPixel
  while (FINE_STEP_S % step !== 0) step++
  return step
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
      const counted = kind === 'port' ? [id] : (await series.devicePorts(id)).filter(isTrafficPort).map((p) => p.portId)
      return series.ports(counted, window, countersOf(type))
    }
    default: {
      const { sensorClass } = type
      // A data set of a service is selected by its id.
      const of =
        kind === 'service'
          ? { only: id }
          : { deviceId: id, only, ...(sensorClass !== undefined && { class: sensorClass }) }
      return series.values(type.data, of, window, type.lines ?? (type.data === 'stats' ? drawnBy(type) : undefined))
    }
  }
}

/** The series that a graph draws by name. */
function drawnBy({ elements }: GraphType): readonly string[] {
  return elements === 'lines' ? [] : elements.map((e) => e.series)
}

/** The counters that a graph draws. */
function countersOf(type: GraphType): PortCounterName[] {
  const drawn = drawnBy(type)
  return PORT_COUNTERS.map((c) => c.series).filter((name) => drawn.includes(name))
}

/** Whether there are any samples: in the last day, which may not be rolled up yet, or in the daily roll-up. */
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
  const label = type.label.charAt(0).toUpperCase() + type.label.slice(1)
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

const widthOf = ({ width }: GraphOptions) => size(width, DEFAULT_WIDTH, MAX_WIDTH)

function size(text: string | undefined, fallback: number, max: number): number {
  const n = text === undefined || text.trim() === '' ? Number.NaN : Number(text)
  return Number.isFinite(n) ? Math.min(max, Math.max(1, Math.round(n))) : fallback
}

/** Present and not "no". */
function flag(text: string | undefined): boolean {
  return text !== undefined && !['', '0', 'no', 'false'].includes(text.toLowerCase())
}

/**
 * Draws one picture after the other and yields to the event loop in between. Requests are answered meanwhile, and the
 * canvas frees its memory only then (2,000 pictures without yielding took 3 GB).
 */
function drawer(): (lay: (renderer: Renderer) => Scene) => Promise<Uint8Array> {
  let renderer: Promise<Renderer> | null = null
  let tail: Promise<unknown> = Promise.resolve()
  return (lay) => {
    // Not imported at the top: the canvas takes 12 to 16 MB, and many installations never draw.
    renderer ??= import('./render.ts').then(({ createRenderer }) => createRenderer())
    const ready = renderer
    const before = tail
    const picture = (async () => {
      await before
      const r = await ready
      return r.render(lay(r))
    })()
    tail = picture.then(turn, turn)
    return picture
  }
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve))
