import { extremesIn, lastOfSum, meanOf, type SampleColumn, sumOf, timesOf } from '../lib/sample-column.ts'
import type { Element, GraphType } from './catalogue/graph-type.ts'
import { atOnce } from './fairly.ts'
import { INK, lineColour, PAINTS, type Paint, stackPaint, TOTAL } from './palette.ts'
import type { Last, NamedSeries, SensorLimits, SensorState, SeriesData } from './series-source.ts'
import { severer, severityOf } from './states.ts'
import { type Statistics, sampleStatistics, statistics } from './statistics.ts'

/** An element of the graph's type with its data. */
export interface Trace {
  readonly label: string
  readonly scale: number
  readonly paint: Paint
  readonly draw: Element['draw']
  readonly side: Element['side']
  readonly percent: boolean
  readonly silent: boolean
  /** Drawn twice as wide: totals and averages. */
  readonly bold?: true
  /** In the stored unit, not yet multiplied by `scale`. */
  readonly values: Float64Array
  /** Lower edge of a band; null for other elements. */
  readonly base: Float64Array | null
  /** Whole samples; null: only buckets are known. */
  readonly samples: SampleColumn | null
  /** Lowest and highest sample of each bucket, which are drawn behind the line; null: not drawn. */
  readonly band: { readonly lowest: Float64Array; readonly highest: Float64Array } | null
  readonly statistics: Statistics
  /** Of a state sensor: percent of the known time in states that are ok; null: never known. */
  readonly okShare?: number | null
  /** Bytes used and total size, as of now. */
  readonly amounts?: { readonly used: number | null; readonly size: number | null }
  /** Meaning of the values of a state sensor. */
  readonly states?: readonly SensorState[]
}

/** What a graph shows besides its series. */
export interface Extras {
  /** Limits of the one sensor that is drawn. */
  readonly limits: SensorLimits | null
  /** States of state sensors by id. */
  readonly states: ReadonlyMap<number, readonly SensorState[]>
}

export const NO_EXTRAS: Extras = { limits: null, states: new Map() }

/** More lines than this are drawn without the band of their extremes, which would cover each other. */
const MAX_BANDS = 4

/** The series to draw. A series missing from the source is unknown throughout. `inverse` swaps the sides. */
export const traces = (
  type: GraphType,
  data: SeriesData,
  inverse: boolean,
  extras: Pick<Extras, 'states'> = NO_EXTRAS,
): readonly Trace[] => atOnce(traceSteps(type, data, inverse, extras))

/** The same, one series per step. */
export function* traceSteps(
  type: GraphType,
  data: SeriesData,
  inverse: boolean,
  { states }: Pick<Extras, 'states'> = NO_EXTRAS,
): Generator<void, readonly Trace[]> {
  const all =
    type.elements === 'lines'
      ? yield* lineTraces(type, data, states)
      : yield* elementTraces(type, type.elements, data, inverse)
  const banded = all.filter((trace) => hasBand(trace))
  return banded.length > MAX_BANDS ? all : all.map((trace) => (banded.includes(trace) ? withBand(trace, data) : trace))
}

/** A stack's layers have no extremes of their own, only their total has; a graph of the spread draws it itself. */
const hasBand = ({ draw, base, samples, states }: Trace): boolean =>
  (draw === 'line' || draw === 'area') && base === null && samples !== null && states === undefined

const withBand = (trace: Trace, { timeS, stepS }: SeriesData): Trace =>
  trace.samples === null ? trace : { ...trace, band: extremesIn(trace.samples, timeS, stepS) }

/** One element per step. */
function* mapped<T, U>(all: readonly T[], make: (one: T, at: number) => U): Generator<void, readonly U[]> {
  const made: U[] = []
  for (const one of all) {
    made.push(make(one, made.length))
    yield
  }
  return made
}

const PLAIN = { scale: 1, side: 'above', percent: false, silent: false, base: null, samples: null, band: null } as const

type Measured = Pick<NamedSeries, 'values' | 'range' | 'lowest' | 'highest' | 'samples'>

/** Whole samples where the source has them, and their statistics. */
function measured(data: SeriesData, series: Measured, withPercentile: boolean): Pick<Trace, 'samples' | 'statistics'> {
  const { samples = null } = series
  if (samples === null) return { samples, statistics: statistics(data, series, withPercentile) }
  return { samples, statistics: sampleStatistics(samples, series.range, withPercentile) }
}

function* lineTraces(type: GraphType, data: SeriesData, states: Extras['states']): Generator<void, readonly Trace[]> {
  const withPercentile = type.columns.includes('p95')
  const [usedLine, sizeLine] = type.amounts ?? []
  const lines = data.series.filter(({ line }) => type.amounts === undefined || !type.amounts.includes(line ?? ''))
  const amount = (of: NamedSeries, line: string | undefined): number | null => {
    const found = data.series.find((s) => s.line === line && s.subject?.id === of.subject?.id)
    return found === undefined ? null : measured(data, found, false).statistics.last
  }
  const drawn = yield* mapped(lines, (series, i): Trace => {
    const known = series.subject === undefined ? undefined : states.get(series.subject.id)
    const values = type.states ? severest(series, known ?? []) : series.values
    return {
      ...PLAIN,
      label: series.name.replaceAll(/\s+/g, ' ').trim(),
      paint: type.stack ? stackPaint(i) : { line: lineColour(i), fill: lineColour(i) },
      draw: type.stack ? 'stack' : 'line',
      values,
      ...measured(data, series, withPercentile),
      ...(type.amounts && { amounts: { used: amount(series, usedLine), size: amount(series, sizeLine) } }),
      ...(type.states && { states: known ?? [], okShare: okShare(series, values, known ?? []) }),
    }
  })
  if (type.stack) {
    const known = drawn.filter(({ statistics: { last } }) => last !== null)
    return known.length === 0 ? drawn : [...known, ...totals(data, known, withPercentile)]
  }
  return type.average && lines.length > 1 ? [averageOf(data, lines), ...drawn] : drawn
}

function* elementTraces(
  type: GraphType,
  elements: readonly Element[],
  data: SeriesData,
  inverse: boolean,
): Generator<void, readonly Trace[]> {
  const withPercentile = type.columns.includes('p95')
  const unknown = { name: '', values: new Float64Array(data.timeS.length).fill(Number.NaN), range: null }
  const series = (name: string): NamedSeries => data.series.find((s) => (s.line ?? s.name) === name) ?? unknown
  const drawn = yield* mapped(
    elements,
    (e): Trace => ({
      ...PLAIN,
      label: e.label,
      scale: e.scale,
      paint: e.paint,
      draw: e.draw,
      side: inverse && type.data === 'ports' ? (e.side === 'above' ? 'below' : 'above') : e.side,
      percent: e.percent ?? false,
      silent: e.silent ?? false,
      values: series(e.series).values,
      base: e.base === undefined ? null : series(e.base).values,
      ...measured(data, series(e.series), withPercentile),
    }),
  )
  // an agent may not support every statistic of a graph
  const known = type.data === 'stats' ? drawn.filter(({ statistics: { last } }) => last !== null) : drawn
  return known.length === 0 ? drawn : [...known, ...totals(data, known, withPercentile)]
}

/** The total of each side with several stacked elements. Unknown values add nothing; unknown if all are. */
function totals(data: SeriesData, drawn: readonly Trace[], withPercentile: boolean): readonly Trace[] {
  const sides = (['above', 'below'] as const).map((side) => drawn.filter((t) => t.draw === 'stack' && t.side === side))
  const both = sides.every((stacked) => stacked.length > 0)
  return sides.flatMap((stacked): Trace[] => {
    const [first] = stacked
    if (first === undefined || stacked.length < 2) return []
    return [
      {
        ...PLAIN,
        label: both ? `Total ${first.label.split(' ').at(-1)}` : 'Total',
        scale: first.scale,
        side: first.side,
        paint: TOTAL,
        draw: 'line',
        ...totalOf(data, stacked, withPercentile),
      },
    ]
  })
}

function totalOf(
  data: SeriesData,
  stacked: readonly Trace[],
  withPercentile: boolean,
): Pick<Trace, 'values' | 'samples' | 'statistics'> {
  const values = combined(stacked.map((t) => t.values)).sum
  const known = stacked.map((t) => t.statistics.total)
  const total = known.every((t) => t === null) ? null : known.reduce<number>((sum, t) => sum + (t ?? 0), 0)
  const columns = columnsOf(stacked)
  if (columns !== null) {
    const range = { average: null, total, last: lastOf(stacked) ?? lastOfSum(columns) }
    return { values, ...measured(data, { values, samples: sumOf(columns), range }, withPercentile) }
  }
  // the average of the sum is only meaningful if every average is known
  const averages = stacked.map((t) => t.statistics.avg)
  const average = averages.includes(null) ? null : averages.reduce<number>((sum, t) => sum + (t ?? 0), 0)
  return { values, ...measured(data, { values, range: { average, total, last: lastOf(stacked) } }, withPercentile) }
}

/** Most additions for the sum of whole samples: each series has a part in each span between two times of any of them. */
const MOST_ADDITIONS = 10_000_000

const isSmall = (columns: readonly SampleColumn[]): boolean =>
  timesOf(columns).length * columns.length <= MOST_ADDITIONS

/** The samples of all; null: those of a known series are not, or there are too many at different times. */
function columnsOf(
  all: readonly { readonly samples?: SampleColumn | null; readonly values: Float64Array }[],
): readonly SampleColumn[] | null {
  const known = all.filter(({ samples, values }) => samples != null || !values.every(Number.isNaN))
  const columns = known.flatMap(({ samples }) => samples ?? [])
  return columns.length > 0 && columns.length === known.length && isSmall(columns) ? columns : null
}

/** The sum of the last values if all have the same time; otherwise null. */
function lastOf(stacked: readonly Trace[]): Last | null {
  const times = new Set(stacked.map(({ statistics: { lastS } }) => lastS))
  const [atS] = times
  if (times.size !== 1 || atS == null) return null
  return { value: stacked.reduce((sum, { statistics: { last } }) => sum + (last ?? 0), 0), atS }
}

function averageOf(data: SeriesData, lines: readonly NamedSeries[]): Trace {
  const { sum, known } = combined(lines.map((s) => s.values))
  const values = sum.map((value, i) => value / (known[i] ?? Number.NaN))
  const columns = columnsOf(lines)
  return {
    ...PLAIN,
    label: 'Average',
    paint: INK,
    draw: 'line',
    bold: true,
    values,
    ...measured(data, { values, range: null, ...(columns !== null && { samples: meanOf(columns) }) }, false),
  }
}

/** Percent of the known time in states that are ok: of whole samples, or of buckets where only those are known. */
function okShare({ samples }: NamedSeries, values: Float64Array, states: readonly SensorState[]): number | null {
  let [ok, known] = [0, 0]
  const count = (value: number, seconds: number) => {
    known += seconds
    if (severityOf(value, states) === 0) ok += seconds
  }
  if (samples === undefined) for (const value of values) count(value, Number.isNaN(value) ? 0 : 1)
  else
    samples.endS.forEach((endS, i) => {
      const worst = severer(samples.lowest[i] ?? Number.NaN, samples.highest[i] ?? Number.NaN, states)
      count(worst, (endS - (samples.startS[i] ?? endS)) * (samples.known[i] ?? 0))
    })
  return known > 0 ? (100 * ok) / known : null
}

/** Sum of the known values of each bucket, NaN if none; and how many are known. */
function combined(columns: readonly Float64Array[]): { sum: Float64Array; known: Float64Array } {
  const length = columns[0]?.length ?? 0
  const sum = new Float64Array(length).fill(Number.NaN)
  const known = new Float64Array(length)
  for (const column of columns) {
    for (let i = 0; i < length; i++) {
      const value = column[i] ?? Number.NaN
      if (!Number.isFinite(value)) continue
      sum[i] = known[i] === 0 ? value : (sum[i] ?? 0) + value
      known[i] = (known[i] ?? 0) + 1
    }
  }
  return { sum, known }
}

/**
 * A state for each bucket. An average is not a state, so where it changed, the more severe of the lowest and highest.
 */
function severest(
  { values, lowest = values, highest = values }: NamedSeries,
  states: readonly SensorState[],
): Float64Array {
  return values.map((_, i) => severer(lowest[i] ?? Number.NaN, highest[i] ?? Number.NaN, states))
}

/** The graph type for a single subject: bytes used and the size instead of percent, if they are known. */
export function drawnType(type: GraphType, data: SeriesData): GraphType {
  if (type.amounts === undefined || type.elements !== 'lines') return type
  const [used, size] = type.amounts
  const subjects = new Set(data.series.map((s) => s.subject?.id))
  const known = (line: string) => data.series.some((s) => s.line === line && !s.values.every(Number.isNaN))
  if (subjects.size !== 1 || !known(used) || !known(size)) return type
  const plain = { scale: 1, side: 'above' } as const
  return {
    ...type,
    unit: 'B',
    prefixes: 'binary',
    axis: 'zero',
    columns: ['now', 'min', 'avg', 'max'],
    elements: [
      { ...plain, series: used, label: 'Used', paint: PAINTS.neutral, draw: 'area' },
      { ...plain, series: size, label: 'Size', paint: PAINTS.loss, draw: 'line' },
      {
        ...plain,
        series: '',
        label: '% used',
        paint: { line: '#5b6472', fill: '#5b6472' },
        draw: 'none',
        percent: true,
      },
    ],
  }
}
