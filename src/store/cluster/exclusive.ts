import type { Store } from '../client.ts'
import { LEAD_LOCK, livingLocks } from './session.ts'

/** Keeps other processes from taking the lead while something runs that must run only once. */
export interface Exclusive {
  release(): Promise<void>
}

/** Whether a process serves this database. */
export async function isServed({ sql }: Store): Promise<boolean> {
  return (await livingLocks(sql)).length > 0
}

/** Takes the lead without serving; null: a process serves the database. Throws the driver's error. */
export async function takeExclusively(store: Store): Promise<Exclusive | null> {
  const session = await store.sql.reserve()
  const [row] = await session<{ ours: boolean }[]>`select pg_try_advisory_lock(${LEAD_LOCK}::bigint) as ours`
  if (row?.ours !== true || (await isServed(store))) {
    if (row?.ours === true) await session`select pg_advisory_unlock(${LEAD_LOCK}::bigint)`
    session.release()
    return null
  }
  return {
    async release() {
      try {
        await session`select pg_advisory_unlock(${LEAD_LOCK}::bigint)`
        session.release()
      } catch {
        // the session ended and released the lock
      }
    },
  }
}
