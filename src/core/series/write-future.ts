import { KIND_LIST } from '../../series/kinds.ts'
import type { Store } from '../database/client.ts'

/**
 * Removes the samples between two times, epoch ms, that were stored while the clock was ahead: their time is wrong, and
 * they would stand among right ones once it comes. Returns how many. Throws StoreError.
 */
export async function forgetFuture({ sql }: Store, afterMs: number, untilMs: number): Promise<number> {
  let removed = 0
  for (const { name } of KIND_LIST) {
    const { count } = await sql`delete from ${sql(`ts.${name}_samples`)}
        where "time" > to_timestamp(${afterMs / 1000}::float8) and "time" <= to_timestamp(${untilMs / 1000}::float8)`
    removed += count
  }
  return removed
}
