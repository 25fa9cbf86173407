import { BeyondBudget, type GraphOptions, type GraphOutcome, type Graphs } from '../core/base/graphs.ts'
import { parseTimeRange } from '../lib/at-time.ts'
import { type Answered, answerOf } from './answer.ts'
import { deviceGraph, deviceGraphs } from './catalogue/devices.ts'
import { drawnGraph, serviceGraph } from './catalogue/drawings.ts'
import type { GraphType } from './catalogue/graph-type.ts'
import { portGraph } from './catalogue/ports.ts'
import { chartSql } from './chart-sql.ts'
import { createImageQueue, MAX_WAITING } from './image-queue.ts'
import { multiportGraph } from './multiport.ts'
import { requestedTitle, sizeOf } from './options.ts'
import { createTurns } from './read-turns.ts'
import type { SeriesData, SeriesSource } from './series-source.ts'
import {
  extrasOf,
  isUnknown,
  mostOf,
  queried,
  readWithLast,
  type Subject,
  shadesOf,
  stepFor,
  subjectText,
  titleOf,
  wasEverKnown,
} from './subject.ts'
import { drawnType, NO_EXTRAS } from './trace.ts'

export interface GraphsDeps {
  readonly series: SeriesSource
  /** The current time in epoch milliseconds: Date.now, or a test's clock. */
  readonly now: () => number
  /** Longest time that one graph may take, ms, and how many images may wait; absent: as in operation. */
  readonly budgetMs?: number
  readonly mostWaiting?: number
  /** Longest time that a graph waits until its rows are read, ms; absent: as in operation. */
  readonly maxWaitMs?: number
  /** Called with a graph that was beyond the budget, such as `port_bits of port 7, 1075 x 300 for 86400 s`, and why. */
  readonly onBeyond?: (graph: string, why: string) => void
}

/**
 * Graphs of a source of series. Requests may be concurrent; images are drawn one at a time. The canvas is loaded when
 * the first one is drawn. Options: `from` (-1d), `to` (now), `width` (1075, 16 to 4000), `height` (300, 10 to 2000),
 * `legend=no`, `title` (any value but `no` shows it), `graph_title` (shows this one instead), `inverse` (out above, in
 * below), `theme=dark`, `output=svg` (also `graph_type=svg`), `output=json` (numbers, at most `max_points`),
 * `output=chart` (also how they are drawn). `no-data` means that there were never any samples; an empty range gives an
 * image that says so. Source: contract BEHAVIOUR.md 11, get_graph_generic_by_hostname.
 */
export function createGraphs({
  series,
  now,
  budgetMs,
  mostWaiting = MAX_WAITING,
  maxWaitMs,
  onBeyond,
}: GraphsDeps): Graphs {
  const queue = createImageQueue(mostWaiting)
  const inTurn = createTurns(maxWaitMs)
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
    const read = await inTurn(async () => {
      const [data, shades] = await Promise.all([
        readWithLast(series, subject, type, window),
        shadesOf(series, subject, fromS, toS),
      ])
      if (isUnknown(data) && !(await wasEverKnown(series, subject, type, nowS))) return null
      const [title, extras] = await Promise.all([
        titleOf(series, subject, type, options),
        extrasOf(series, subject, type, data),
      ])
      const sql =
        options['output'] === 'chart' ? chartSql(type, await queried(series, subject, type), data.level ?? null) : null
      return { data, rest: { shades, title, extras, sql } }
    })
    if (read === null) return { kind: 'no-data' }
    const { data, rest } = read
    return await answer(drawnType(type, data), subjectText(subject), data, { fromS, toS, size, options, ...rest })
  }
  /** `subject`: what is drawn, for the log. */
  const answer = async (type: GraphType, subject: string, data: SeriesData, o: Answered): Promise<GraphOutcome> => {
    try {
      return await answerOf({ queue, budgetMs, nowS: Math.floor(now() / 1000) }, type, data, o)
    } catch (error) {
      const { width, height } = o.size
      if (error instanceof BeyondBudget)
        onBeyond?.(`${type.name} of ${subject}, ${width} x ${height} for ${o.toS - o.fromS} s`, error.message)
      throw error
    }
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
      const figured = drawn.map(({ label: name, values, highest, average = null, total = null }) => ({
        name,
        values,
        ...(highest !== undefined && { highest }),
        range: { average, total },
      }))
      const data = { timeS, stepS, series: figured }
      const title = requestedTitle(options, label)
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
