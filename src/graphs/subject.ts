import type { GraphOptions } from '../core/base/graphs.ts'
import { PORT_COUNTERS } from '../lib/port-counters.ts'
import { endedBy } from '../lib/sample-column.ts'
import { isTrafficPort } from '../series/traffic-ports.ts'
import type { GraphType } from './catalogue/graph-type.ts'
import type { QuerySubject } from './chart-sql.ts'
import { pixelsOf } from './layout.ts'
import { readMultiport } from './multiport.ts'
import type { Size } from './options.ts'
import { requestedTitle } from './options.ts'
import type { PortCounterName, SeriesData, SeriesSource, SeriesWindow, Shades } from './series-source.ts'
import { FINE_STEP_S } from './statistics.ts'
import { type Extras, NO_EXTRAS } from './trace.ts'

const SECONDS_PER_HOUR = 3600
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

export interface Subject {
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
export const subjectText = ({ kind, id, only, ids, deviceId }: Subject): string => {
  if (kind === 'ports') return `${ids?.length ?? 0} ports`
  if (kind === 'service') return `data set ${id} of device ${deviceId}`
  return only === null ? `${kind} ${id}` : `part ${only} of device ${id}`
}

/** Widths of buckets below 5 minutes, seconds. */
const FINE_STEPS = Array.from({ length: FINE_STEP_S }, (_, i) => i + 1).filter((step) => FINE_STEP_S % step === 0)

/**
 * One bucket per pixel of the plot, or finer where that makes the percentile exact at an acceptable cost. Buckets below
 * 5 minutes divide 5 minutes, so that 5-minute values can be built from them.
 */
export function stepFor(type: GraphType, fromS: number, toS: number, { width, height, points }: Size): number {
  // one less: buckets begin at multiples of their width, so the first may begin before the range
  const most = Math.max(1, (points ?? pixelsOf(width, height)) - 1)
  const perPixel = Math.max(1, Math.ceil((toS - fromS) / most))
  // buckets of days come from the daily roll-up: in a graph of a year, each is three pixels wide
  if (perPixel >= SECONDS_PER_DAY / 3) return Math.max(perPixel, SECONDS_PER_DAY)
  if (perPixel >= FINE_STEP_S) return toS - fromS <= (type.fineDays ?? 0) * SECONDS_PER_DAY ? FINE_STEP_S : perPixel
  return FINE_STEPS.find((step) => step >= perPixel) ?? FINE_STEP_S
}

/** Limits of a single sensor; states of state sensors. */
export async function extrasOf(
  series: SeriesSource,
  { only }: Subject,
  type: GraphType,
  data: SeriesData,
): Promise<Extras> {
  if (type.data !== 'sensor' && type.data !== 'wireless') return NO_EXTRAS
  const ids = data.series.flatMap(({ subject }) => (subject === undefined ? [] : [subject.id]))
  const limits = only === null || type.states === true ? null : await series.limits(type.data, only)
  return { limits, states: type.states === true ? await series.states(ids) : NO_EXTRAS.states }
}

export function shadesOf(
  series: SeriesSource,
  { kind, id, deviceId }: Subject,
  fromS: number,
  toS: number,
): Promise<Shades | null> | null {
  if (kind === 'device') return series.shades({ deviceId: id }, fromS, toS)
  if (deviceId !== undefined) return series.shades({ deviceId }, fromS, toS)
  return kind === 'port' ? series.shades({ portId: id }, fromS, toS) : null
}

export async function readSubject(
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

export const mostOf = ({ data }: GraphType): number => (data === 'ports' ? MAX_PORT_SAMPLES : MAX_SAMPLES)

/**
 * The data of a graph. In what comes from a roll-up, whose rows are means, the last samples replace the last rows: "now" is
 * a measured value. Those of a range that ended before the oldest sample stay.
 */
export async function readWithLast(
  series: SeriesSource,
  subject: Subject,
  type: GraphType,
  window: SeriesWindow,
): Promise<SeriesData> {
  const { toS } = window
  const lately = { fromS: toS - LATELY_S, toS, stepS: FINE_STEP_S, mostSamples: mostOf(type) }
  const readLast = () => readSubject(series, subject, type, lately)
  // with such buckets the range is longer than samples are kept for, so both are read at once
  const [data, early] = await Promise.all([
    readSubject(series, subject, type, window),
    window.stepS >= SECONDS_PER_HOUR ? readLast() : null,
  ])
  if (data.level === undefined || data.level === 'samples' || data.series.length === 0) return data
  const last = early ?? (await readLast())
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
export async function queried(
  series: SeriesSource,
  { kind, id, only, ids }: Subject,
  type: GraphType,
): Promise<QuerySubject> {
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
export async function wasEverKnown(
  series: SeriesSource,
  subject: Subject,
  type: GraphType,
  nowS: number,
): Promise<boolean> {
  const lately = { fromS: nowS - SECONDS_PER_DAY, toS: nowS, stepS: FINE_STEP_S }
  const ever = { fromS: Math.max(0, nowS - EVER_S), toS: nowS, stepS: SECONDS_PER_DAY }
  for (const window of [lately, ever]) if (!isUnknown(await readSubject(series, subject, type, window))) return true
  return false
}

export function isUnknown(data: SeriesData): boolean {
  return data.series.every(({ values }) => values.every(Number.isNaN))
}

export async function titleOf(
  series: SeriesSource,
  { kind, id }: Subject,
  type: GraphType,
  options: GraphOptions,
): Promise<string | null> {
  const label = type.title ?? type.label
  const title = requestedTitle(options, label)
  if (title !== label || kind === 'service' || kind === 'ports') return title
  const name = await (kind === 'port' ? series.portName(id) : series.deviceName(id))
  return name === null ? label : `${name} · ${label}`
}
