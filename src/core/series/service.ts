import type { Settings } from '../../config/schema.ts'
import { parseTimeRange } from '../../lib/at-time.ts'
import { formOf } from '../../lib/measure.ts'
import { PORT_COUNTERS } from '../../lib/port-counters.ts'
import { type Actor, scopeOf } from '../base/actor.ts'
import { forbidden, invalid } from '../base/errors.ts'
import { isAllowed } from '../base/permissions.ts'
import type { Store } from '../database/client.ts'
import { LEVEL_WIDTH_S, levelFor, reachOf } from './level.ts'
import { type GapRule, kindSeries, type NamedSeries, portSeries, type SeriesData } from './read.ts'
import { isKind, KIND_NAMES, type KindName, linesOf } from './read-lines.ts'
import { type SeriesSubject, visibleSubjects } from './read-subjects.ts'

/** A request for stored values. Texts are as sent; see `docs/reference/api.md`. */
export interface SeriesRequest {
  readonly kind: string
  /** Ids of subjects. */
  readonly ids: readonly number[]
  /** Names of lines; empty: all. */
  readonly lines: readonly string[]
  readonly from: string
  readonly to: string
  /** Seconds; null: as many buckets as `maxPoints` allows. */
  readonly stepS: number | null
  readonly maxPoints: number
  readonly fn: string
}

/** Stored values of several subjects on one time axis. NaN is unknown. */
export interface SeriesAnswer {
  readonly kind: KindName
  readonly fn: SeriesFunction
  /** Epoch seconds. */
  readonly fromS: number
  readonly toS: number
  /** Starts of the buckets; each is `stepS` wide. */
  readonly timeS: Float64Array
  readonly stepS: number
  /** The level read: `samples`, or the roll-up `1h` or `1d`. */
  readonly level: string
  readonly series: readonly SubjectSeries[]
}

/** One line of one subject. */
export interface SubjectSeries {
  readonly id: number
  readonly name: string
  /** Name of the kind's line; '' if it has only one. */
  readonly line: string
  readonly unit: string
  /** Share of the buckets with a value, 0 to 1. */
  readonly known: number
  readonly values: Float64Array
}

/** How the samples of a bucket become one value: their time-weighted mean, or the lowest or highest. */
export type SeriesFunction = 'avg' | 'min' | 'max'
const FUNCTIONS: readonly SeriesFunction[] = ['avg', 'min', 'max']

const MAX_IDS = 100
const MAX_POINTS = 20_000
/** Maximum number of values in one response. */
const MAX_VALUES = 2_000_000
/**
 * Maximum number of daily values that a request reads: there is no coarser level for longer ranges or more subjects.
 */
const MAX_DAILY = 2_000_000
/** Number of ports read at the same time. */
const AT_ONCE = 4

/** Stored values for API clients. */
export function createSeriesService({
  store,
  reads,
  settings,
}: {
  readonly store: Store
  /** Used for reading samples; may be a replica. */
  readonly reads: Store
  readonly settings: Settings
}) {
  const ruleFor = (kind: KindName, pollIntervalS: number | null): GapRule => ({
    intervals: settings.get('series.gap_intervals'),
    intervalS: kind === 'icmp' ? settings.get('ping.interval') : (pollIntervalS ?? settings.get('poller.interval')),
  })
  return {
    /**
     * Values of subjects of a kind. Throws `invalid` for a request that is invalid or too large, `forbidden` if the
     * actor may not see one of the subjects or it does not exist.
     */
    async read(actor: Actor, request: SeriesRequest): Promise<SeriesAnswer> {
      const { kind, fn, fromS, toS, stepS, lines } = parsed(request)
      if (!isAllowed(actor, kind === 'service' ? 'Service.viewAny' : 'Device.viewAny', settings))
        throw forbidden('Insufficient permissions')
      const subjects = await visibleSubjects(store, kind, request.ids, scopeOf(actor))
      if (subjects.length < request.ids.length) throw forbidden(`Insufficient permissions to access this ${kind}`)
      const groups = [...Map.groupBy(subjects, ({ pollIntervalS }) => ruleFor(kind, pollIntervalS).intervalS)]
      const window = { fromS, toS, stepS }
      const fastest = Math.min(...groups.map(([intervalS]) => intervalS))
      const level = await levelFor(reads, kind, window, { subjects: subjects.length, intervalS: fastest })
      if (level === '1d') requireReadable(subjects.length, lines.length, fromS, toS, (await reachOf(reads, kind))['1d'])
      const read: SeriesData[] = []
      for (const [intervalS, own] of groups)
        read.push(...(await readGroup(reads, kind, own, { ...window, level }, ruleFor(kind, intervalS), lines)))
      const [first] = read
      if (first === undefined) throw invalid("'id' names no subject")
      return {
        kind,
        fn,
        fromS,
        toS,
        timeS: first.timeS,
        stepS: first.stepS,
        level,
        series: read
          .flatMap(({ series }) => series)
          .map((one) => present(kind, one, fn, subjects))
          .sort((a, b) => a.id - b.id),
      }
    },
  }
}

export type SeriesService = ReturnType<typeof createSeriesService>

function parsed(request: SeriesRequest) {
  const { ids, maxPoints } = request
  const kind = request.kind
  if (!isKind(kind)) throw invalid(`'kind' is not one of ${KIND_NAMES.join(', ')}`)
  const fn = FUNCTIONS.find((name) => name === request.fn)
  if (fn === undefined) throw invalid(`'fn' is not one of ${FUNCTIONS.join(', ')}`)
  if (ids.length === 0 || ids.length > MAX_IDS) throw invalid(`'id' is not 1 to ${MAX_IDS} numbers separated by commas`)
  if (!ids.every((id) => Number.isInteger(id) && id > 0 && id < 2 ** 31))
    throw invalid("'id' contains something that is not an id")
  const known = linesOf(kind).map(({ name }) => name)
  const lines = request.lines.length === 0 ? known : request.lines
  const unknown = lines.find((line) => !known.includes(line))
  if (unknown !== undefined) throw invalid(`'line' is not one of ${known.join(', ')}`)
  if (!(Number.isInteger(maxPoints) && maxPoints >= 2 && maxPoints <= MAX_POINTS))
    throw invalid(`'max_points' is not from 2 to ${MAX_POINTS}`)
  const range = parseTimeRange(request.from, request.to, Math.floor(Date.now() / 1000))
  if (range.kind !== 'ok') throw invalid(range.message)
  const { fromS, toS } = range
  // one less, because buckets begin at multiples of their width and may overlap both ends
  const widest = Math.ceil((toS - fromS) / (maxPoints - 1))
  if (request.stepS !== null && !(Number.isInteger(request.stepS) && request.stepS >= 1 && request.stepS <= 31_622_400))
    throw invalid("'step' is not a number of seconds")
  const stepS = Math.max(1, request.stepS ?? widest)
  const points = Math.min(MAX_POINTS, Math.ceil((toS - fromS) / stepS))
  if (points * ids.length * lines.length > MAX_VALUES)
    throw invalid(`more than ${MAX_VALUES} values: request fewer ids or lines, or a longer step`)
  return { kind, fn, fromS, toS, stepS, lines }
}

/** Throws `invalid` if there may be too many daily values. `reachS`: how far back the roll-up reaches, seconds. */
function requireReadable(subjects: number, lines: number, fromS: number, toS: number, reachS: number): void {
  const nowS = Date.now() / 1000
  const storedS = Math.max(0, Math.min(toS, nowS) - Math.max(fromS, nowS - reachS))
  const days = Math.ceil(storedS / LEVEL_WIDTH_S['1d'])
  if (subjects * lines * days <= MAX_DAILY) return
  throw invalid(
    `${subjects} ids with ${lines} lines have up to ${subjects * lines * days} daily values in ${days} days, and at most ${MAX_DAILY} are read: request fewer ids or lines, or a shorter range`,
  )
}

async function readGroup(
  store: Store,
  kind: KindName,
  subjects: readonly SeriesSubject[],
  window: Parameters<typeof portSeries>[2],
  rule: GapRule,
  lines: readonly string[],
): Promise<SeriesData[]> {
  const ids = subjects.map(({ id }) => id)
  if (kind !== 'port') return [await kindSeries(store, kind, { ids }, window, rule, lines)]
  const counters = PORT_COUNTERS.map(({ series }) => series).filter((name) => lines.includes(name))
  const read: SeriesData[] = []
  for (let i = 0; i < ids.length; i += AT_ONCE) {
    const some = ids.slice(i, i + AT_ONCE)
    const data = await Promise.all(some.map((id) => portSeries(store, [id], window, rule, counters)))
    data.forEach((one, at) => {
      const id = some[at] ?? 0
      read.push({ ...one, series: one.series.map((s) => ({ ...s, subject: { id, name: '' }, line: s.name })) })
    })
  }
  return read
}

function present(
  kind: KindName,
  { subject, line = '', values, lowest, highest }: NamedSeries,
  fn: SeriesFunction,
  subjects: readonly SeriesSubject[],
): SubjectSeries {
  const found = subjects.find(({ id }) => id === subject?.id)
  const chosen = { avg: values, min: lowest ?? values, max: highest ?? values }[fn]
  const known = chosen.reduce((n, value) => n + (Number.isNaN(value) ? 0 : 1), 0)
  return {
    id: subject?.id ?? 0,
    name: found?.name ?? '',
    line,
    unit: unitFor(kind, line, found?.class ?? null),
    known: chosen.length === 0 ? 0 : known / chosen.length,
    values: chosen,
  }
}

/** Sensors have the unit of their class. */
function unitFor(kind: KindName, line: string, sensorClass: string | null): string {
  if (sensorClass === null) return linesOf(kind).find(({ name }) => name === line)?.unit ?? ''
  return formOf(kind, sensorClass).unit
}
