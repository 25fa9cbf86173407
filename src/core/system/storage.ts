import type { SeriesProblem, SeriesStatus, SeriesTable } from '../series/read-status.ts'

/** The size of the database at one time. */
export interface SizeNote {
  readonly at: Date
  /** Bytes on disk, without the write-ahead log. */
  readonly octets: number
  /** False: a part of the growth until then were rows that will still be packed. */
  readonly settled: boolean
}

/** The file system of the database, bytes. `free`: available to the server. */
export interface DiskSpace {
  readonly free: number
  readonly size: number
}

/** When the disk is full if the database goes on growing as it did. */
export type Forecast =
  /** The growth or the free space is not known. */
  | { readonly kind: 'unknown' }
  /** Not within ten years. */
  | { readonly kind: 'never' }
  | { readonly kind: 'full'; readonly inS: number }

/** What samples of all kinds take if they are kept for `days`, bytes; estimates. */
export interface KeepCost {
  readonly days: number
  /** All as rows. */
  readonly rows: number | null
  /** In the form in which closed chunks are stored. Null: no samples were stored in it yet. */
  readonly long: number | null
  /** `long` counts a kind as rows because none of its chunks is packed yet. */
  readonly atMost: boolean
  /** `long` without what samples take now. */
  readonly more: number | null
}

/** How far closed chunks are packed, or moved to the columnstore. */
export interface PackingState {
  readonly form: 'packed' | 'columnstore' | null
  readonly done: number
  readonly waiting: number
  /** Start of the oldest chunk that waits; null: none does. */
  readonly oldest: Date | null
  /** Chunks that have waited for longer than a chunk lasts: older data that is being packed, or a step that fails. */
  readonly overdue: number
  /** Older data is being packed, as after an upgrade: since when, of how many chunks. Null: it is not. */
  readonly run: PackingRun | null
  /** Seconds until these are packed, by the pace so far; null: not known, or nothing is to be done. */
  readonly leftS: number | null
  readonly problems: readonly SeriesProblem[]
}

/** The packing of older data. */
export interface PackingRun {
  readonly began: Date
  /** Chunks that waited when it began, or more. */
  readonly total: number
}

/** What the database holds, and how it grows. Sizes in bytes. */
export interface StorageFacts {
  readonly readAt: Date
  readonly octets: number
  readonly tables: readonly SeriesTable[]
  readonly packing: PackingState
  /** Bytes a day; null: not known yet. */
  readonly growth: number | null
  /** Null: the database is on another machine. */
  readonly disk: DiskSpace | null
  readonly forecast: Forecast
  /** Since when a warning about the disk is in force, and why; null: none is. */
  readonly warning: { readonly since: Date; readonly reason: string } | null
  /** Failing steps of the maintenance, of all kinds. */
  readonly problems: readonly SeriesProblem[]
}

/** Days of the usual choices of how long samples are kept. */
const USUAL_DAYS: readonly number[] = [30, 90, 180, 365, 730]
/** The longest time that a cost is computed for, days. */
export const MOST_DAYS = 36_500

const DAY_MS = 86_400_000
const DAY_S = 86_400
/** The days that the growth is taken from: the last ones, so that it follows changes within days. */
const GROWTH_DAYS = 8
/** Notes closer than this tell too little of a day. */
const APART_MS = 0.8 * DAY_MS
/** A forecast beyond this says nothing. */
const HORIZON_S = 3650 * DAY_S

/**
 * Growth in bytes a day: the median of the slopes between the settled notes of the last days, which a single jump does not
 * change. Null: fewer than two that are a day apart.
 */
export function growthPerDay(notes: readonly SizeNote[], nowMs: number): number | null {
  const known = notes.filter(
    ({ at, octets, settled }) =>
      settled && Number.isFinite(octets) && octets >= 0 && Math.abs(nowMs - at.getTime()) <= GROWTH_DAYS * DAY_MS,
  )
  const slopes = known.flatMap((from) =>
    known
      .filter((to) => to.at.getTime() - from.at.getTime() >= APART_MS)
      .map((to) => ((to.octets - from.octets) * DAY_MS) / (to.at.getTime() - from.at.getTime())),
  )
  slopes.sort((a, b) => a - b)
  const middle = slopes.length >> 1
  const upper = slopes[middle]
  const lower = slopes[slopes.length % 2 === 0 ? middle - 1 : middle]
  return upper === undefined || lower === undefined ? null : (upper + lower) / 2
}

/** When `free` bytes are used up at `growth` bytes a day. */
export function forecastFull(free: number | null, growth: number | null): Forecast {
  if (free === null || growth === null || Number.isNaN(free) || !Number.isFinite(growth)) return { kind: 'unknown' }
  if (free <= 0) return { kind: 'full', inS: 0 }
  const inS = growth > 0 ? (free / growth) * DAY_S : Number.POSITIVE_INFINITY
  return inS > HORIZON_S ? { kind: 'never' } : { kind: 'full', inS }
}

/** When the warning begins, and when it ends: apart, so that it does not come and go. */
const LIMITS = { begin: { days: 14, share: 0.1 }, end: { days: 21, share: 0.12 } } as const

/**
 * Why the disk needs attention, as one line; null: it does not. `warned`: a warning is in force, which ends only at more
 * than the limits that began it. Without figures it stays as it is: undefined.
 */
export function diskWarning(disk: DiskSpace | null, forecast: Forecast, warned: boolean): string | null | undefined {
  if (disk === null || !Number.isFinite(disk.free) || !(disk.size > 0)) return undefined
  const limits = warned ? LIMITS.end : LIMITS.begin
  const share = disk.free / disk.size
  const left = `${Math.floor(share * 100)} % of the disk of the database are free`
  if (forecast.kind === 'full' && forecast.inS < limits.days * DAY_S)
    return `the disk of the database is full in ${daysText(forecast.inS)} at today's rate, ${left}`
  return share < limits.share ? left : null
}

/** `3 days`, in whole days. */
export function daysText(seconds: number): string {
  const days = Math.floor(seconds / DAY_S)
  return days < 1 ? 'less than a day' : days === 1 ? '1 day' : `${days} days`
}

/** A shorter time says too little about the pace. */
const PACE_MS = 600_000

/** The packing of all tables together. */
export function packingState({ tables, problems }: SeriesStatus, run: PackingRun | null, nowMs: number): PackingState {
  const sum = (of: (table: SeriesTable) => number): number => tables.reduce((total, table) => total + of(table), 0)
  const since = tables.flatMap(({ waitingSince }) => (waitingSince === null ? [] : [waitingSince.getTime()]))
  const waiting = sum((table) => table.waiting)
  const done = run === null ? 0 : run.total - waiting
  const elapsedMs = run === null ? 0 : nowMs - run.began.getTime()
  return {
    form: tables.find(({ form }) => form !== null)?.form ?? null,
    done: sum(({ longParts }) => longParts),
    waiting,
    oldest: since.length === 0 ? null : new Date(Math.min(...since)),
    overdue: sum(({ overdue }) => overdue),
    run,
    leftS: done > 0 && waiting > 0 && elapsedMs >= PACE_MS ? (waiting * elapsedMs) / done / 1000 : null,
    problems: problems.filter(({ step }) => step === 'packing' || step === 'compression'),
  }
}

/** Bytes of a row in each form; null: no row has it. */
export function octetsPerRow(table: SeriesTable): { readonly rows: number | null; readonly long: number | null } {
  const rows = table.rows - table.longRows
  return {
    rows: rows > 0 ? (table.octets - table.longOctets) / rows : null,
    long: table.longRows > 0 ? table.longOctets / table.longRows : null,
  }
}

/** A table in one form. `oldest`: null in the form that does not have the oldest rows. Bytes, days; `rows` and `perRow` (bytes of a row; null: no row has this form) are estimates. */
export interface StoredForm extends Pick<SeriesTable, 'kind' | 'level' | 'keepDays' | 'oldest'> {
  readonly form: 'rows' | 'packed' | 'columnstore'
  readonly octets: number
  readonly rows: number
  readonly perRow: number | null
}

/** Every table that holds something, in each of its forms. */
export function storedForms(tables: readonly SeriesTable[]): StoredForm[] {
  return tables.flatMap((table): StoredForm[] => {
    const { kind, level, keepDays, oldest, octets, rows, longOctets, longRows, longParts, form } = table
    if (rows === 0 && oldest === null) return []
    const each = octetsPerRow(table)
    const named = { kind, level, keepDays }
    // what is packed is older than what is not
    const isLong = longParts > 0
    return [
      {
        ...named,
        oldest: isLong ? null : oldest,
        form: 'rows',
        octets: octets - longOctets,
        rows: rows - longRows,
        perRow: each.rows,
      },
      ...(!isLong
        ? []
        : [
            {
              ...named,
              oldest,
              form: form ?? ('packed' as const),
              octets: longOctets,
              rows: longRows,
              perRow: each.long,
            },
          ]),
    ]
  })
}

/** The usual choices of how long samples are kept, and another one, with what each takes. Null: only the usual. */
export function keepCosts(tables: readonly SeriesTable[], days: number | null): KeepCost[] {
  const all = new Set([...USUAL_DAYS, ...(days === null ? [] : [days])])
  return [...all].toSorted((a, b) => a - b).map((count) => keepCost(tables, count))
}

/** What samples would take if those of all kinds were kept for `days`. */
export function keepCost(tables: readonly SeriesTable[], days: number): KeepCost {
  const samples = tables.filter(({ level }) => level === 'samples')
  const written = samples.flatMap((table) => {
    if (table.dayRows === null) return []
    const each = octetsPerRow(table)
    const asRows = each.rows ?? (table.before > 0 && table.longRows > 0 ? table.before / table.longRows : null)
    return [{ stored: table.dayRows * days, asRows, long: each.long }]
  })
  const total = (of: (kind: (typeof written)[number]) => number | null): number | null =>
    written.reduce<number | null>((sum, kind) => {
      const each = of(kind)
      return sum === null || each === null ? null : sum + kind.stored * each
    }, 0)
  if (written.length === 0) return { days, rows: null, long: null, atMost: false, more: null }
  const isPacked = written.some(({ long }) => long !== null)
  const long = isPacked ? total(({ long, asRows }) => long ?? asRows) : null
  const now = samples.reduce((sum, { octets }) => sum + octets, 0)
  return {
    days,
    rows: total(({ asRows }) => asRows),
    long,
    atMost: isPacked && written.some((kind) => kind.long === null),
    more: long === null ? null : long - now,
  }
}
