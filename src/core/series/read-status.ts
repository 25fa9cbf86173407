import type { Store } from '../database/client.ts'
import { toStoreError } from '../database/errors.ts'

/** What a table of samples or roll-ups holds. Sizes are in bytes and include indexes. */
export interface SeriesTable {
  readonly kind: string
  readonly level: 'samples' | '1h' | '1d'
  readonly octets: number
  /** The server's estimate. */
  readonly rows: number
  /** Partitions or chunks. */
  readonly parts: number
  /** Chunks in the columnstore, which took `before` bytes as rows and now take `after`. */
  readonly compressed: number
  readonly before: number
  readonly after: number
  /** Chunks that should be compressed by now. */
  readonly waiting: number
  /** How far a roll-up is behind, seconds; null for samples. */
  readonly behindS: number | null
  /** Time of the oldest row; null: none, or it takes too long to find. */
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

/** Limit of one search for the oldest row. There is no index on time, so it reads a chunk. */
const SEARCH_TIMEOUT_MS = 2000
/** The oldest chunks may be empty. */
const SEARCHED_PARTS = 3

/** Size, rows, compression, lag and oldest row of every table of the series, by kind. Throws StoreError. */
export async function seriesStatus(store: Store): Promise<SeriesStatus> {
  const { sql } = store
  const rows = await sql<(Omit<SeriesTable, 'oldest'> & { rel: string; timeCol: string })[]>`
      select base as kind, level, rel::text, time_col as "timeCol", octets, row_count as rows, parts, compressed, before,
        after, waiting, extract(epoch from behind)::float8 as "behindS"
      from ts.status()`
  const tables: SeriesTable[] = []
  for (const { rel, timeCol, ...table } of rows) {
    tables.push({ ...table, oldest: await oldestRow(store, rel, timeCol) })
  }
  const problems = await sql<SeriesProblem[]>`select step, rel, since, reason from ts.problem order by since, step, rel`
  return { tables, problems }
}

async function oldestRow({ sql }: Store, rel: string, timeCol: string): Promise<Date | null> {
  const parts = await sql<{ part: string }[]>`
    select part::text from ts.parts(${rel}::text::regclass) limit ${SEARCHED_PARTS}`
  for (const { part } of parts) {
    try {
      const [row] = await sql.begin(async (tx) => {
        await tx.unsafe(`set local statement_timeout = ${SEARCH_TIMEOUT_MS}`)
        return await tx.unsafe<{ oldest: Date | null }[]>(`select min("${timeCol}") as oldest from ${part}`)
      })
      if (row?.oldest != null) return row.oldest
    } catch (thrown) {
      const error = toStoreError(thrown)
      if (error.code === '57014') return null
      throw error
    }
  }
  return null
}
