import type { Store } from '../database/client.ts'
import { hasLeaderLock, heldLocks, livingLocks, takeLeaderLock } from './session.ts'

/** Keeps other processes from becoming the leader while something runs that must run only once. */
export interface Exclusive {
  release(): Promise<void>
}

/** Whether a process serves this database. An empty one is served by nobody; one of an older version counts every lock. */
export async function isServed({ sql }: Store): Promise<boolean> {
  const locks = (await hasLeaderLock(sql)) ? livingLocks(sql) : heldLocks(sql)
  return (await locks).length > 0
}

/** Becomes the leader without serving; null: a process serves the database. Throws the driver's error. */
export async function takeExclusively(store: Store): Promise<Exclusive | null> {
  const session = await store.sql.reserve()
  // all, because a restore may replace the row that names the lock
  const unlock = () => session`select pg_advisory_unlock_all()`
  if (!(await takeLeaderLock(session)) || (await isServed(store))) {
    await unlock()
    session.release()
    return null
  }
  return {
    async release() {
      try {
        await unlock()
        session.release()
      } catch {
        // the session ended and released the lock
      }
    },
  }
}
