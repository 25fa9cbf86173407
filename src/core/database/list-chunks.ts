import { createLimiter, type Limiter } from '@portlight/limit/limit.ts'
import type { PendingQuery, Row } from 'postgres'
import type { Store } from './client.ts'

/** A part of a list: JSON objects joined by commas, without brackets. */
export interface ListChunk {
  readonly json: string
  readonly count: number
}

/** A list of records ordered by a key. All members are SQL text from our own code, never from a client. */
export interface ListQuery {
  /** A unique integer column, with its alias. */
  readonly key: string
  /** The members of a record in order, as a select list. */
  readonly columns: string
  /** Tables and joins, without `from`. */
  readonly from: string
  readonly where: PendingQuery<Row[]>
}

/** A list in chunks. */
export type ListChunks = AsyncGenerator<ListChunk, void, undefined>

/** Records read and sent at a time: a few hundred kilobytes of JSON. */
export const CHUNK_ROWS = 2000

/** Chunks read concurrently by all lists, so that clients reading long lists leave connections for other requests. */
const READS_AT_ONCE = 3

const limiters = new WeakMap<Store, Limiter>()

/** Limits concurrent reads of chunks in a store. */
export function chunkLimiter(store: Store): Limiter {
  let limiter = limiters.get(store)
  if (limiter === undefined) {
    limiter = createLimiter(READS_AT_ONCE)
    limiters.set(store, limiter)
  }
  return limiter
}

/**
 * The records of a list in chunks, as JSON made by PostgreSQL. Each chunk is its own statement and continues after the
 * last key, so memory does not grow with the list, a slow client holds no connection, and a record written meanwhile
 * appears at most once. Throws StoreError.
 */
export async function* listChunks(store: Store, query: ListQuery): ListChunks {
  const { sql } = store
  const { key, columns, from, where } = query
  const inTurn = chunkLimiter(store)
  let after = -1
  while (true) {
    const [chunk] = await inTurn(
      async () =>
        await sql<{ json: string; count: number; last: number | null }[]>`
        select coalesce(string_agg(t.json, ',' order by t.key), '') as json, count(*)::int as count, max(t.key) as last
        from (
          select ${sql.unsafe(key)} as key,
            (select row_to_json(r)::text from (select ${sql.unsafe(columns)}) r) as json
          from ${sql.unsafe(from)} where ${where} and ${sql.unsafe(key)} > ${after}
          order by 1 limit ${CHUNK_ROWS}
        ) t`,
    )
    if (!chunk || chunk.last === null) return
    yield { json: chunk.json, count: chunk.count }
    if (chunk.count < CHUNK_ROWS) return
    after = chunk.last
  }
}

/** The record with this key; null: none. Its type follows the columns of the query. */
export async function findRecord<R>({ sql }: Store, query: ListQuery, key: number): Promise<R | null> {
  const [found] = await sql`
      select ${sql.unsafe(query.columns)} from ${sql.unsafe(query.from)}
      where ${query.where} and ${sql.unsafe(query.key)} = ${key}`
  return found === undefined ? null : (found as R)
}
