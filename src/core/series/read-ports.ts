import { PORT_COUNTERS } from '../../lib/port-counters.ts'
import { type Sample, sampleColumn } from '../../lib/sample-column.ts'
import { KINDS } from '../../series/kinds.ts'
import type { Store } from '../database/client.ts'
import { integers } from '../database/pg-array.ts'
import { axis, Buckets, gaps } from './buckets.ts'
import { LEVEL_WIDTH_S, type Level, pickLevel, reachOf } from './level.ts'
import { counterFigures, knownMs, type Piece, pieces } from './range.ts'
import { coarseUpto, hoursSql } from './read-coarse.ts'
import { type RolledRows, rolledRows } from './read-rolled.ts'
import { bounds, endOf, numeric } from './sql.ts'
import { storedRows } from './stored-rows.ts'
import {
  currentFor,
  type GapRule,
  type Last,
  type RangeFigures,
  type SeriesData,
  type SeriesWindow,
  type Span,
} from './window.ts'

export type PortCounterName = (typeof PORT_COUNTERS)[number]['series']
const ALL_COUNTERS: readonly PortCounterName[] = PORT_COUNTERS.map((c) => c.series)

/**
 * Rates per second of these ports, summed: one series per counter, with its name. A single port's series also has the
 * lowest and highest sample rate of each bucket, where stored. NaN where no port is known. A sample counts in the range
 * in which it ends: at or after `fromS`, and before `toS`. Totals are sums of stored values, the same at every level;
 * averages are totals over the time in which any of the ports is known. Throws StoreError.
 */
export async function portSeries(
  store: Store,
  portIds: readonly number[],
  window: SeriesWindow,
  given: GapRule | Promise<GapRule>,
  counters: readonly PortCounterName[] = ALL_COUNTERS,
): Promise<SeriesData> {
  const nowS = Date.now() / 1000
  const coarse = window.mostSamples === undefined && window.stepS >= LEVEL_WIDTH_S['1h']
  const [rule, reach, early] = await Promise.all([
    given,
    reachOf(store, 'port'),
    // samples are read without it
    coarse ? rolledRows(store, 'port') : null,
  ])
  const density = { subjects: portIds.length, intervalS: rule.intervalS, isSummed: true }
  const level = window.level ?? pickLevel(window, reach, nowS, density)
  const { timeS, stepS } = axis(window, LEVEL_WIDTH_S[level])
  const single = portIds.length === 1
  const coarseS = level === '1h' ? await coarseUpto(store, 'port') : 0
  const reading: Reading = { portIds, counters, window, timeS, stepS, level, rule, coarseS }
  const parts = pieces(window, level, reach, nowS)
  const read = async () => {
    if (portIds.length === 0 || timeS.length === 0) return []
    if (level === 'samples') return await readSamples(store, reading, parts)
    return await readRolled(store, { ...reading, level, rolled: early ?? (await rolledRows(store, 'port')) }, parts)
  }
  const columns = await read()
  const unknown = new Float64Array(timeS.length).fill(Number.NaN)
  return {
    timeS,
    stepS,
    level,
    currentS: currentFor(rule, stepS),
    series: counters.map((name, c) => {
      const { buckets, range = null, samples = null } = columns[c] ?? {}
      return {
        name,
        values: buckets?.average() ?? unknown,
        range,
        ...(single && buckets !== undefined && { lowest: buckets.min(), highest: buckets.max() }),
        ...(samples !== null && { samples: sampleColumn(samples) }),
      }
    }),
  }
}

interface Reading {
  readonly portIds: readonly number[]
  readonly counters: readonly PortCounterName[]
  readonly window: SeriesWindow
  readonly timeS: Float64Array
  readonly stepS: number
  readonly level: Level
  readonly rule: GapRule
  /** Before this time days may have no hours, epoch seconds. */
  readonly coarseS: number
}

interface RolledReading extends Reading {
  readonly level: Exclude<Level, 'samples'>
  readonly rolled: RolledRows
}

/** A counter's rows. */
interface ColumnRead {
  readonly buckets: Buckets
  readonly range: RangeFigures
  /** Samples or roll-up rows in the window; null: not requested. */
  readonly samples: readonly Sample[] | null
}

/**
 * The server sums ports that were polled at the same time; spans of ports polled at different times overlap. A sample
 * over a gap is not drawn, but counts in totals.
 */
async function readSamples({ sql }: Store, reading: Reading, parts: readonly Piece[]): Promise<ColumnRead[]> {
  const { portIds, counters, window, timeS, stepS, rule } = reading
  const { from, to } = bounds(reading)
  const isWhole = window.mostSamples !== undefined
  const single = portIds.length === 1
  const octets = counters.map((c) => (single ? `${c}::float8` : `sum(${c})::float8`))
  // Literals, so that the planner excludes partitions and chunks outside the window.
  const rows: unknown[][] = await sql
    .unsafe(
      `select extract(epoch from "time")::float8, period_ms, ${octets.join()} from ${storedRows('port', 'samples', from, to)} s
         where port_id = any('${integers(portIds)}'::int[]) and "time" > ${from} and "time" <= ${to}
         ${single ? '' : 'group by "time", period_ms'} order by "time"`,
    )
    .values()
  const periods = rows.map((row) => Number(row[1]))
  const spans = rows.map(
    (row, i): Span => ({ startS: Number(row[0]) - (periods[i] ?? 0) / 1000, endS: Number(row[0]) }),
  )
  const isGap = gaps(spans, rule)
  const inside = spans.map(({ endS }) => parts.some(({ fromS, toS }) => fromS <= endS && endS < toS))
  return counters.map((_, c) => {
    const buckets = new Buckets(timeS, stepS)
    const known: Span[] = []
    let total: number | null = null
    let ms = 0
    let last: Last | null = null
    const samples: Round[] = []
    spans.forEach((span, i) => {
      const counted = numeric(rows[i]?.[2 + c])
      const periodMs = periods[i] ?? 0
      if (isGap[i] !== true) buckets.add(span, (counted * 1000) / periodMs)
      const isDrawn = isWhole && isGap[i] !== true && span.endS > window.fromS && span.startS < window.toS
      if (isDrawn && periodMs > 0 && !Number.isNaN(counted)) addToRound(samples, span, (counted * 1000) / periodMs)
      if (inside[i] !== true || Number.isNaN(counted)) return
      total = (total ?? 0) + counted
      ms += periodMs
      if (!single) known.push(span)
      else if (isGap[i] !== true) last = { value: (counted * 1000) / periodMs, atS: span.endS }
    })
    const range = { ...counterFigures(total, single ? ms : knownMs(known)), last }
    return { buckets, range, samples: isWhole ? roundsOf(samples) : null }
  })
}

/** The sum of the samples of one round of polls. */
interface Round {
  startS: number
  readonly endS: number
  value: number
}

/** Ports of a device are polled at the same time, but the agent may have read them over different periods. */
function addToRound(rounds: Round[], { startS, endS }: Span, value: number): void {
  const last = rounds.at(-1)
  if (last?.endS !== endS) rounds.push({ startS, endS, value })
  else {
    last.value += value
    last.startS = Math.min(last.startS, startS)
  }
}

/** null: the ports were polled at different times, as on several devices, so that no row is the sum of them all. */
function roundsOf(rounds: readonly Round[]): readonly Sample[] | null {
  const mixed = rounds.filter(({ startS, endS }, i) => {
    const before = rounds[i - 1]
    return before !== undefined && before.endS - startS > (endS - startS) / 2
  })
  return mixed.length > rounds.length / 10 ? null : rounds
}

/** Milliseconds in which a counter is known within a roll-up row; NULL if never. */
const knownSql = (c: PortCounterName): string =>
  `case when ${c} is not null then coalesce(known[${ALL_COUNTERS.indexOf(c) + 1}], period_ms) end`

/** The lowest or highest rate of a counter within a row, for a single port; its average where that is not stored. */
function extremeSql({ portIds }: Pick<Reading, 'portIds'>, c: PortCounterName, of: 'min' | 'max'): string {
  if (portIds.length !== 1) return 'null::float8'
  const rate = `${c} * 1000.0::float8 / nullif(${knownSql(c)}, 0)`
  return `coalesce(${c}_${of}::float8, ${rate})`
}

/** Columns of a row for each counter: sum, known time, lowest and highest rate; sum and known time within the range. */
const WIDTH = 6

/**
 * Start of each bucket of `widthS`, and the columns of each counter. PostgreSQL adds up the rows of a bucket, because a
 * year may have ten times as many rows as a graph has pixels. `whole`: the pieces of the range read from this level.
 */
function bucketsSql(reading: RolledReading, whole: readonly Piece[], widthS: number): string {
  const { portIds, counters, timeS, level, rolled } = reading
  const { from, to } = bounds(reading)
  const single = portIds.length === 1
  const where = `port_id = any('${integers(portIds)}'::int[]) and bucket >= ${from} and bucket < ${to}`
  const row = counters.map((c, i) => {
    const [sum, known] = single
      ? [`${c}::float8`, `(${knownSql(c)})::float8`]
      : [`sum(${c})::float8`, `max(${knownSql(c)})::float8`]
    return `${sum} as s${i}, ${known} as k${i}, ${extremeSql({ portIds }, c, 'min')} as l${i}, ${extremeSql({ portIds }, c, 'max')} as h${i}`
  })
  // a window that ends now has an open end
  const until = (s: number) => (s === Number.POSITIVE_INFINITY ? `'infinity'` : `to_timestamp(${s})`)
  const inside =
    whole.map(({ fromS, toS }) => `(bucket >= to_timestamp(${fromS}) and bucket < ${until(toS)})`).join(' or ') ||
    'false'
  const columns = counters.map((_, i) => {
    const known = `k${i} > 0 and s${i} is not null`
    const sums = (more: string) =>
      `sum(s${i}) filter (where ${known}${more}), sum(k${i}) filter (where ${known}${more})`
    return `${sums('')}, min(l${i}), max(h${i}), ${sums(' and inside')}`
  })
  const endS = endOf(reading)
  const stored = rolled(level, timeS[0] ?? 0, endS)
  const source = level === '1h' ? hoursSql(KINDS.port, portIds, timeS[0] ?? 0, endS, reading.coarseS, stored) : stored
  return `select extract(epoch from date_bin(interval '${widthS} seconds', bucket, to_timestamp(${timeS[0] ?? 0})))::float8 as start,
      ${columns.join()}
    from (select bucket, (${inside}) as inside, ${row.join()}
      from ${source} s where ${where} ${single ? '' : 'group by bucket'}) x group by start`
}

/** The same columns for a piece, as one row without start and extremes. */
function pieceSql({ portIds, counters, rolled }: RolledReading, { level, fromS, toS }: Piece): string {
  const raw = level === 'samples'
  const time = raw ? '"time"' : 'bucket'
  const ms = (c: PortCounterName): string => (raw ? `case when ${c} is not null then period_ms end` : knownSql(c))
  const columns = counters.map(
    (_, i) => `null::float8, null::float8, null::float8, null::float8, sum(c${i})::float8, max(k${i})::float8`,
  )
  return `select null, ${columns.join()}
    from (select ${counters.map((c, i) => `sum(${c}) as c${i}, sum(${ms(c)}) as k${i}`).join()}
      from ${level === 'samples' ? storedRows('port', level, `to_timestamp(${fromS})`, `to_timestamp(${toS})`) : rolled(level, fromS, toS)} r
      where port_id = any('${integers(portIds)}'::int[]) and ${time} >= to_timestamp(${fromS}) and ${time} < to_timestamp(${toS})
      group by port_id) x`
}

/**
 * One row per bucket of the axis (or per row of the roll-up, in order), and one per piece of a partial bucket. The known time of a roll-up row is that of the
 * port with the longest known time.
 */
async function readRolled({ sql }: Store, reading: RolledReading, parts: readonly Piece[]): Promise<ColumnRead[]> {
  const { counters, window, timeS, stepS, level } = reading
  const isWhole = window.mostSamples !== undefined
  const widthS = isWhole ? LEVEL_WIDTH_S[level] : stepS
  const whole = parts.filter((part) => part.level === level)
  const cut = parts.filter((part) => part.level !== level)
  const statement = [bucketsSql(reading, whole, widthS), ...cut.map((part) => pieceSql(reading, part))].join(
    ' union all ',
  )
  const rows: unknown[][] = await sql.unsafe(statement).values()
  // partial buckets have no start
  if (isWhole) rows.sort((a, b) => (numeric(a[0]) || 0) - (numeric(b[0]) || 0))
  return counters.map((_, c) => {
    const buckets = new Buckets(timeS, stepS)
    let total: number | null = null
    let ms = 0
    const samples: Sample[] = []
    for (const row of rows) {
      const startS = numeric(row[0])
      const found = row.slice(1 + WIDTH * c, 1 + WIDTH * (c + 1)).map(numeric)
      const [counted = Number.NaN, knownMs = Number.NaN, min, max, inside = Number.NaN, insideMs = Number.NaN] = found
      if (!Number.isNaN(counted) && knownMs > 0) {
        const span = { startS, endS: startS + widthS }
        const [value, known] = [(counted * 1000) / knownMs, knownMs / 1000 / widthS]
        buckets.addRolled(span, value, known, min, max)
        const isInside = span.endS > window.fromS && startS < window.toS
        if (isWhole && isInside) samples.push({ ...span, value, known, ...extremesOf(min, max) })
      }
      if (Number.isNaN(inside) || !(insideMs > 0)) continue
      total = (total ?? 0) + inside
      ms += insideMs
    }
    return { buckets, range: counterFigures(total, ms), samples: isWhole ? samples : null }
  })
}

/** Lowest and highest rate of a row; NaN where they are not stored. */
function extremesOf(lowest = Number.NaN, highest = Number.NaN): Pick<Sample, 'lowest' | 'highest'> {
  return { lowest, highest }
}
