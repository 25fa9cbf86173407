import { type Sample, sampleColumn } from '../../lib/sample-column.ts'
import { bitsOf, hasCounters, type Line, rateOf, type SampleKind } from '../../series/kind.ts'
import { KINDS, type NarrowName } from '../../series/kinds.ts'
import type { Store } from '../database/client.ts'
import { integers } from '../database/pg-array.ts'
import { axis, Buckets, counterSpans, gaugeSpans } from './buckets.ts'
import { LEVEL_WIDTH_S, pickLevel, reachOf } from './level.ts'
import { coarseUpto, hoursSql } from './read-coarse.ts'
import { rolledRows } from './read-rolled.ts'
import { bounds, endOf, numeric } from './sql.ts'
import { storedRows } from './stored-rows.ts'
import { currentFor, type GapRule, type Last, type NamedSeries, type SeriesData, type SeriesWindow } from './window.ts'

export { type PortCounterName, portSeries } from './read-ports.ts'
export type { GapRule, Last, NamedSeries, RangeFigures, SeriesData, SeriesWindow } from './window.ts'

/** Selects subjects of a kind: all of a device, those of a class, or one by id. */
export interface SubjectsOf {
  /** Absent: the subject `only`, on any device. */
  readonly deviceId?: number
  /** These subjects, on any device, even if they are not shown. */
  readonly ids?: readonly number[]
  /** Only for kinds whose subjects have classes. */
  readonly class?: string
  /** null or absent: all. */
  readonly only?: number | null
}

/**
 * The lines of a kind (`wanted`: only these names) for each subject, named after the subject's description and the
 * line. Gauges are time-weighted averages. Throws StoreError.
 */
export async function kindSeries(
  store: Store,
  name: NarrowName,
  of: SubjectsOf,
  window: SeriesWindow,
  rule: GapRule,
  lineNames?: readonly string[],
): Promise<SeriesData> {
  const kind: SampleKind = KINDS[name]
  const lines = lineNames === undefined ? kind.lines : kind.lines.filter((line) => lineNames.includes(line.name))
  const [subjects, reach, coarseS] = await Promise.all([
    subjectsOf(store, kind, of),
    reachOf(store, name),
    coarseUpto(store, name),
  ])
  const density = { subjects: subjects.length, intervalS: rule.intervalS }
  const level = window.level ?? pickLevel(window, reach, Date.now() / 1000, density)
  const { timeS, stepS } = axis(narrowed(window, subjects.length * lines.length), LEVEL_WIDTH_S[level])
  const shape = { timeS, stepS, level, currentS: currentFor(rule, stepS) }
  if (subjects.length === 0 || lines.length === 0 || timeS.length === 0) return { ...shape, series: [] }
  const { from, to } = bounds({ timeS, stepS, level, rule })
  const raw = level === 'samples'
  const endS = endOf({ timeS, stepS })
  const ids = subjects.map((s) => s.id)
  const stored =
    level === 'samples'
      ? storedRows(name, level, from, to)
      : (await rolledRows(store, name))(level, timeS[0] ?? 0, endS)
  const source = level === '1h' ? hoursSql(kind, ids, timeS[0] ?? 0, endS, coarseS, stored) : stored
  const time = raw ? '"time"' : 'bucket'
  const counters = hasCounters(kind.columns)
  const columns = lines.map((l) =>
    raw
      ? `(${l.sample})::float8`
      : `(${l.rolled})::float8, (${weightOf(kind, l)})::float8, ${extremeOf(kind, l, 'min')}, ${extremeOf(kind, l, 'max')}`,
  )
  const rows = await store.sql
    .unsafe(
      `select ${kind.key}, extract(epoch from ${time})::float8, ${raw && counters ? 'period_ms' : 'null'}, ${columns.join()}
         from ${source} s
         where ${kind.key} = any('${integers(ids)}'::int[]) and ${time} >= ${from} and ${time} ${raw ? '<=' : '<'} ${to}
         order by 1, 2`,
    )
    .values()
  const bySubject = Map.groupBy(rows as unknown[][], (row) => Number(row[0]))
  const shown = numbered(subjects)
  return {
    ...shape,
    series: shown.flatMap(({ id, name: subject }) => {
      const own = bySubject.get(id) ?? []
      return lines.map((line, l): NamedSeries => {
        const found = raw
          ? lineOfSamples(own, 3 + l, counters ? 'counter' : kind.held ? 'held' : 'gauge', {
              rule,
              window,
              timeS,
              stepS,
            })
          : lineOfRollUp(own, 3 + 4 * l, LEVEL_WIDTH_S[level], { window, timeS, stepS })
        return {
          name: [subject, line.name].filter((text) => text !== '').join(' '),
          subject: { id, name: subject },
          line: line.name,
          ...found,
        }
      })
    }),
  }
}

/** Most values of a graph: a thousand lines in five hundred buckets. */
const MAX_VALUES = 500_000

/** Wider buckets for so many lines that their values would not fit. */
function narrowed(window: SeriesWindow, lines: number): SeriesWindow {
  if (window.mostSamples === undefined) return window
  return { ...window, stepS: Math.max(window.stepS, ((window.toS - window.fromS) * lines) / MAX_VALUES) }
}

type Axis = Pick<SeriesData, 'timeS' | 'stepS'> & { readonly window: SeriesWindow }
type Found = Pick<NamedSeries, 'values' | 'lowest' | 'highest' | 'samples' | 'range'>

/**
 * A line from samples in order; its values are in column `at`. A counter's sample is valid for its own period, unless
 * that is a gap; other values are valid since the previous sample. `held`: as in the kind's declaration.
 */
function lineOfSamples(
  rows: readonly unknown[][],
  at: number,
  as: 'counter' | 'gauge' | 'held',
  { rule, window, timeS, stepS }: Axis & { readonly rule: GapRule },
): Found {
  const known = as === 'held' ? rows.filter((row) => row[at] !== null) : rows
  const times = known.map((row) => Number(row[1]))
  const spans =
    as === 'counter'
      ? counterSpans(
          times.map((endS, i) => ({ startS: endS - numeric(known[i]?.[2]) / 1000, endS })),
          rule,
        )
      : gaugeSpans(times, as === 'held' ? heldRule(rule) : rule)
  const buckets = new Buckets(timeS, stepS)
  let [area, seconds] = [0, 0]
  let last: Last | null = null
  const samples: Sample[] = []
  spans.forEach((span, i) => {
    const value = numeric(known[i]?.[at])
    buckets.add(span, value)
    const inside = Math.min(span.endS, window.toS) - Math.max(span.startS, window.fromS)
    if (!(inside > 0) || Number.isNaN(value)) return
    area += value * inside
    seconds += inside
    last = { value, atS: span.endS }
    samples.push({ ...span, value })
  })
  return foundIn(buckets, seconds > 0 ? area / seconds : null, last, window, samples)
}

/**
 * A line from roll-ups: value, weight, lowest and highest are in the columns from `at`. Rows on the window's edges
 * count whole.
 */
function lineOfRollUp(rows: readonly unknown[][], at: number, widthS: number, { window, timeS, stepS }: Axis): Found {
  const buckets = new Buckets(timeS, stepS)
  let [area, weight] = [0, 0]
  const rolled: Sample[] = []
  for (const row of rows) {
    const startS = Number(row[1])
    const span = { startS, endS: startS + widthS }
    const [value = Number.NaN, samples = Number.NaN, min, max] = row.slice(at, at + 4).map(numeric)
    const kept = (extreme = Number.NaN): number => (Number.isNaN(extreme) ? value : extreme)
    buckets.addRolled(span, value, samples / widthS, kept(min), kept(max))
    const inside = Math.min(span.endS, window.toS) - Math.max(span.startS, window.fromS)
    if (!(inside > 0 && samples > 0) || Number.isNaN(value)) continue
    area += value * samples
    weight += samples
    rolled.push({ ...span, value, lowest: kept(min), highest: kept(max), known: samples / widthS })
  }
  return foundIn(buckets, weight > 0 ? area / weight : null, null, window, rolled)
}

function foundIn(
  buckets: Buckets,
  average: number | null,
  last: Last | null,
  { mostSamples }: SeriesWindow,
  samples: readonly Sample[],
): Found {
  return {
    ...(mostSamples !== undefined && { samples: sampleColumn(samples) }),
    values: buckets.average(),
    lowest: buckets.min(),
    highest: buckets.max(),
    range: { average, total: null, last },
  }
}

/** Agents refresh some of their counters no more often than this, seconds (Net-SNMP's caches: 60 s and a poll). */
const HELD_S = 120

/** A held value is valid since the previous known one, also across polls between two refreshes of the agent. */
function heldRule(rule: GapRule): GapRule {
  return { ...rule, intervals: Math.max(rule.intervals, Math.ceil(HELD_S / rule.intervalS)) }
}

/** Numbers subjects that have the same name: `Intel Xeon #1`, `Intel Xeon #2`. */
function numbered(subjects: readonly SubjectRow[]): readonly SubjectRow[] {
  const groups = Map.groupBy(subjects, ({ name }) => name)
  return subjects.map((subject) => {
    const same = groups.get(subject.name) ?? []
    if (same.length < 2) return subject
    return { id: subject.id, name: `${subject.name} #${same.indexOf(subject) + 1}`.trim() }
  })
}

/** Known samples in a roll-up row: the line's own weight, or that of its column. */
function weightOf({ columns }: SampleKind, { weight, sample }: Line): string {
  const at = columns.findIndex(({ name }) => sample.replaceAll('"', '').split(' ')[0] === name)
  return weight ?? `coalesce(known[${at + 1}], n)`
}

/**
 * The lowest or highest sample of a roll-up row, where the line is a column (times a constant) that keeps it, or the rate
 * of a counter.
 */
function extremeOf({ columns }: SampleKind, { sample }: Line, of: 'min' | 'max'): string {
  const counter = columns.find(({ name, role }) => role === 'counter' && sample === rateOf(name))
  if (counter !== undefined) return `"${counter.name}_${of}"::float8`
  const octets = columns.find(({ name, role }) => role === 'counter' && sample === bitsOf(name))
  if (octets !== undefined) return `8 * "${octets.name}_${of}"::float8`
  const [, column = '', constant = ''] = /^"?(\w+)"?( \/ [\d.]+)?$/.exec(sample) ?? []
  return columns.some(({ name, role }) => name === column && role !== 'total')
    ? `("${column}_${of}"${constant})::float8`
    : 'null::float8'
}

/** Maximum subjects read, more than a graph or an answer can show. */
const MAX_SUBJECTS = 1000

interface SubjectRow {
  readonly id: number
  readonly name: string
}

async function subjectsOf({ sql }: Store, { subject }: SampleKind, of: SubjectsOf): Promise<SubjectRow[]> {
  const { deviceId, class: wantedClass, only = null, ids } = of
  const { table, id, name, where = 'true', class: classColumn } = subject
  if (ids !== undefined) {
    if (name === null) return ids.map((one) => ({ id: one, name: '' }))
    return await sql.unsafe<SubjectRow[]>(
      `select ${id} as id, ${name} as name from ${table} where ${id} = any('${integers(ids)}'::int[]) order by 1`,
    )
  }
  if (deviceId === undefined) return only === null ? [] : [{ id: only, name: '' }]
  if (name === null) return [{ id: deviceId, name: '' }]
  return await sql.unsafe<SubjectRow[]>(
    `select ${id} as id, ${name} as name from ${table}
       where device_id = $1 and ($2::int is null or ${id} = $2) and ${where}
         ${classColumn === undefined ? 'and $3::text is null' : `and ${classColumn} = $3`} order by 1 limit ${MAX_SUBJECTS}`,
    [deviceId, only, classColumn === undefined ? null : (wantedClass ?? '')],
    { prepare: true },
  )
}
