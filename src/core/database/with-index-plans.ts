import type { Sql, Tx } from './client.ts'
import { withSettings } from './local-settings.ts'

/**
 * Makes the planner use indexes for the rest of the transaction. Sessions cache plans, including those of foreign-key
 * checks: a plan made while a table was nearly empty still scans the whole table for every row after it has grown.
 */
export const BY_INDEX = { enable_seqscan: 'off' }

/**
 * Order comes from an index as well, wherever one has it. Without this, a plan made while nothing waited reads all that
 * waits by another index and sorts it, each time for one row.
 */
export const IN_ORDER = { enable_sort: 'off', enable_incremental_sort: 'off' }

/** The commit does not wait for the disk, and a crash of the database may lose the change. */
export const ASYNC_COMMIT = { synchronous_commit: 'off' }

/**
 * Runs a statement in a transaction of its own, planned with indexes, and with `more` settings. Throws StoreError.
 */
export async function withIndexPlans<T>(
  sql: Sql,
  work: (tx: Tx) => PromiseLike<T>,
  more: Readonly<Record<string, string>> = {},
): Promise<T> {
  return (await sql.begin((tx) => withSettings(tx, { ...BY_INDEX, ...more }, work))) as T
}
