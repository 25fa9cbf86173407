import type { Sql } from './client.ts'
import { guarded } from './errors.ts'

type Tx = Parameters<Parameters<Sql['begin']>[1]>[0]

/**
 * Makes the planner use indexes for the rest of the transaction. Sessions cache plans, including those of foreign-key
 * checks: a plan made while a table was nearly empty still scans the whole table for every row after it has grown.
 */
export const BY_INDEX = `select set_config('enable_seqscan', 'off', true)`

/** The commit does not wait for the disk. */
const ASYNC_COMMIT = `set_config('synchronous_commit', 'off', true)`

/**
 * Runs a statement in a transaction of its own, planned with indexes. With `lasting` false, a crash of the database may
 * lose the change. Throws StoreError.
 */
export async function byIndex<T>(sql: Sql, work: (tx: Tx) => PromiseLike<T>, lasting = true): Promise<T> {
  return (await guarded(() =>
    sql.begin(async (tx) => {
      // sent together
      const [, result] = await Promise.all([tx.unsafe(lasting ? BY_INDEX : `${BY_INDEX}, ${ASYNC_COMMIT}`), work(tx)])
      return result
    }),
  )) as T
}
