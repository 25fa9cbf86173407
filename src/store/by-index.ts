import type { Sql } from './client.ts'
import { guarded } from './errors.ts'

type Tx = Parameters<Parameters<Sql['begin']>[1]>[0]

/**
 * Statement that makes the rest of its transaction plan with indexes. Plans are kept by the session, those of foreign keys
 * too: one that was made while a table was nearly empty reads all of it, for each row, when it has grown since.
 */
export const BY_INDEX = `select set_config('enable_seqscan', 'off', true)`

/** A commit does not wait for the disk. */
const UNSURE = `set_config('synchronous_commit', 'off', true)`

/**
 * Runs a statement in a transaction of its own, planned with indexes. `lasting` false: a crash of the database may lose it.
 * Throws StoreError.
 */
export async function byIndex<T>(sql: Sql, work: (tx: Tx) => PromiseLike<T>, lasting = true): Promise<T> {
  return (await guarded(() =>
    sql.begin(async (tx) => {
      // sent together
      const [, result] = await Promise.all([tx.unsafe(lasting ? BY_INDEX : `${BY_INDEX}, ${UNSURE}`), work(tx)])
      return result
    }),
  )) as T
}
