import type { Store } from '../database/client.ts'

/** Rows per statement: few enough not to block others. */
const ROWS_PER_STEP = 5000
/** The rest is left to the next run. */
const MAX_MS = 20_000

const OLD = [
  ['sightings', 'sighting_id', 'last_seen'],
  ['mac_moves', 'move_id', 'moved_at'],
] as const

/**
 * Deletes sightings that ended more than `days` ago, and moves of that age; 0: none. What is seen now stays, however
 * long ago it was first seen. Returns the number of deleted rows. Throws StoreError.
 */
export async function dropOldSightings({ sql }: Store, days: number): Promise<number> {
  if (days === 0) return 0
  const until = performance.now() + MAX_MS
  let dropped = 0
  for (const [table, id, time] of OLD)
    while (performance.now() < until) {
      const { count } = await sql.unsafe(
        `delete from ${table} where ${id} = any(array(
           select ${id} from ${table} where ${time} < now() - make_interval(days => $1) order by ${time} limit $2))`,
        [days, ROWS_PER_STEP],
      )
      dropped += count
      if (count < ROWS_PER_STEP) break
    }
  return dropped
}
