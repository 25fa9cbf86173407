import type { Store } from '../../src/core/database/client.ts'

/** More than any client of a test has connections. */
const SESSIONS = 16

/**
 * Has every session of a store report to the server how many rows it has written. A session does so up to ten seconds late,
 * and what it then reports is added to what VACUUM or ANALYZE has counted meanwhile. Call it before these.
 */
export async function reportRows({ sql, db }: Store): Promise<void> {
  // while each waits for a moment, all connections get one
  const report = 'select pg_stat_force_next_flush(), pg_sleep(0.02)'
  await Promise.all(Array.from({ length: SESSIONS }, () => [sql.unsafe(report), db.execute(report)]).flat())
}
