import type { Sql, Tx } from './client.ts'
import { withSettings } from './local-settings.ts'

/**
 * Makes the planner use indexes for the rest of the transaction. Sessions cache plans, including those of foreign-key
 * checks: a plan made while a table was nearly empty still scans the whole table for every row after it has grown.
 */
export const BY_INDEX = { enable_seqscan: 'off' }

/** The commit does not wait for the disk. */
const ASYNC_COMMIT = { synchronous_commit: 'off' }

/**
 * Runs a statement in a transaction of its own, planned with indexes. With `lasting` false, a crash of the database may
 * lose the change. Throws StoreError.
 */
export async function withIndexPlans<T>(sql: Sql, work: (tx: Tx) => PromiseLike<T>, lasting = true): Promise<T> {
  return (await sql.begin((tx) => withSettings(tx, lasting ? BY_INDEX : { ...BY_INDEX, ...ASYNC_COMMIT }, work))) as T
}
