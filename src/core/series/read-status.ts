import type { Store } from '../database/client.ts'

/** What a table of samples or roll-ups holds. Sizes are in bytes and include indexes and TOAST. Numbers of rows are estimates. */
export interface SeriesTable {
  readonly kind: string
  readonly level: 'samples' | '1h' | '1d'
  /** How long rows are kept, days, as of the last round of housekeeping. */
  readonly keepDays: number
  /** How closed chunks are stored; null: as rows. */
  readonly form: 'packed' | 'columnstore' | null
  /** Of all chunks, in every form. */
  readonly octets: number
  readonly rows: number
  readonly parts: number
  /** Of the chunks that are packed or in the columnstore. */
  readonly longOctets: number
  readonly longRows: number
  readonly longParts: number
  /** What the chunks in the columnstore took as rows, bytes; 0 for packed ones, where it is not known. */
  readonly before: number
  /** Chunks that should be packed or in the columnstore by now. */
  readonly waiting: number
  /** Start of the oldest of these; null: none waits. */
  readonly waitingSince: Date | null
  /** Those that have waited for longer than a chunk lasts, because they are older than this server's packing or it is behind. */
  readonly overdue: number
  /** Rows of a day, by the newest closed chunks; null: none has closed. */
  readonly dayRows: number | null
  /** How far a roll-up is behind, seconds; null for samples. */
  readonly behindS: number | null
  /** Time of the oldest row, from the first pages of the oldest chunk; null: none. */
  readonly oldest: Date | null
}

/** A step of maintenance that fails, and since when. */
export interface SeriesProblem {
  readonly step: string
  readonly rel: string
  readonly since: Date
  readonly reason: string
}

export interface SeriesStatus {
  readonly tables: readonly SeriesTable[]
  readonly problems: readonly SeriesProblem[]
}

/**
 * Size, rows, packing, lag and oldest row of every table of the series, by kind. Reads catalogues and a few pages of each
 * table. Throws StoreError.
 */
export async function seriesStatus({ sql }: Pick<Store, 'sql'>): Promise<SeriesStatus> {
  const tables = await sql<SeriesTable[]>`
      select base as kind, level, (extract(epoch from keep) / 86400)::float8 as "keepDays", form, octets, row_count as rows, parts,
        long_octets as "longOctets", long_rows as "longRows", long_parts as "longParts", before, waiting,
        waiting_since as "waitingSince", overdue, day_rows as "dayRows", oldest, extract(epoch from behind)::float8 as "behindS"
      from ts.status()`
  const problems = await sql<SeriesProblem[]>`select step, rel, since, reason from ts.problem order by since, step, rel`
  return { tables, problems }
}
