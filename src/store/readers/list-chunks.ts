import type { PendingQuery, Row } from 'postgres'
import type { Store } from '../client.ts'
import { guarded } from '../errors.ts'

/** A part of a list: JSON objects joined by commas, without brackets. */
export interface ListChunk {
  readonly json: string
  readonly count: number
}

/** A list of records in the order of a key. Every member is text of the program, never of a client. */
export interface ListQuery {
  /** A unique column of whole numbers, with its alias. */
  readonly key: string
  /** The members of a record in their order, as a select list. */
  readonly columns: string
  /** Tables and joins, without `from`. */
  readonly from: string
  readonly where: PendingQuery<Row[]>
}

/** A list as it is read. */
export type ListChunks = AsyncGenerator<ListChunk, void, undefined>

/** Records that are fetched, written and forgotten at a time: some hundred kilobytes of JSON. */
export const CHUNK_ROWS = 2000

/**
 * The records of a list in chunks, as JSON that PostgreSQL makes. Each chunk is a statement of its own that goes on after
 * the last key: memory does not grow with the list, no connection is held between chunks, however slowly they are taken,
 * and a record that is written meanwhile is in the list or not, but never twice. Throws StoreError.
 */
export async function* listChunks({ sql }: Store, query: ListQuery): ListChunks {
  const { key, columns, from, where } = query
  let after = -1
  while (true) {
    const [chunk] = await guarded(
      () => sql<{ json: string; count: number; last: number | null }[]>`
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

/** The record of a list with this key; null: there is none. Its type is what the columns of the query give. */
export async function findRecord<R>({ sql }: Store, query: ListQuery, key: number): Promise<R | null> {
  const [found] = await guarded(
    () => sql`
      select ${sql.unsafe(query.columns)} from ${sql.unsafe(query.from)}
      where ${query.where} and ${sql.unsafe(query.key)} = ${key}`,
  )
  return found === undefined ? null : (found as R)
}
