import type { Sql } from './client.ts'
import { guarded } from './errors.ts'

type Tx = Parameters<Parameters<Sql['begin']>[1]>[0]

/**
 * Statement that makes the rest of its transaction plan with indexes. Plans are kept by the session, those of foreign keys
 * too: one that was made while a table was nearly empty reads all of it, for each row, when it has grown since.
 */
export const BY_INDEX = `select set_config('enable_seqscan', 'off', true)`

/** Runs a statement in a transaction of its own, planned with indexes. Throws StoreError. */
export async function byIndex<T>(sql: Sql, work: (tx: Tx) => PromiseLike<T>): Promise<T> {
  return (await guarded(() =>
    sql.begin(async (tx) => {
      // sent together
      const [, result] = await Promise.all([tx.unsafe(BY_INDEX), work(tx)])
      return result
    }),
  )) as T
}
