import { KIND_LIST } from '../../series/kinds.ts'
import type { Store } from '../database/client.ts'

/**
 * Removes the samples between two times, epoch ms, that were stored while the clock was ahead: their time is wrong, and
 * they would stand among right ones once it comes. Returns how many. Throws StoreError.
 */
export async function forgetFuture(store: Store, afterMs: number, untilMs: number): Promise<number> {
  const { sql } = store
  let removed = 0
  for (const { name } of KIND_LIST) {
    const table = `ts.${name}_samples`
    await unpack(store, table, afterMs, untilMs)
    const { count } = await sql`delete from ${sql(table)}
        where "time" > to_timestamp(${afterMs / 1000}::float8) and "time" <= to_timestamp(${untilMs / 1000}::float8)`
    removed += count
  }
  return removed
}

/** Makes packed samples of this time rows again: a clock that was ahead for days had them packed. */
async function unpack({ sql }: Store, table: string, afterMs: number, untilMs: number): Promise<void> {
  const [series] = await sql<{ packed: string; key: string; chunkMs: number }[]>`
    select packed::text, key_col::text as key, extract(epoch from chunk)::float8 * 1000 as "chunkMs"
    from ts.series where rel = ${table}::text::regclass and packed is not null`
  if (series === undefined) return
  const { packed, key, chunkMs } = series
  const subjects = sql`select distinct ${sql(key)} from ${sql(packed)}
    where pack_span > to_timestamp(${(afterMs - chunkMs) / 1000}::float8) and pack_span <= to_timestamp(${untilMs / 1000}::float8)`
  await sql`
    select ts.unpack_rows(${table}::text::regclass, array(${subjects}),
      to_timestamp(${afterMs / 1000}::float8), to_timestamp(${untilMs / 1000}::float8) + interval '1 microsecond')`
}
