import type { Store } from './client.ts'

/** The advisory lock held by the one process that polls a database. */
const SERVE_LOCK = 0x706f6c6c // "poll"

/** The right to poll this database. */
export interface Leadership {
  /** Releases the lock. */
  release(): Promise<void>
}

const CHECK_MS = 5000

/**
 * Takes the lock in its own session and retakes it if that session is lost. Null: another process holds it. Calls
 * `lost` once if another process took it after a loss.
 */
export async function takeLead(store: Store, lost: () => void): Promise<Leadership | null> {
  let session = await store.sql.reserve()
  const [row] = await session<{ ours: boolean }[]>`select pg_try_advisory_lock(${SERVE_LOCK}) as ours`
  if (row?.ours !== true) {
    session.release()
    return null
  }
  let pid = await backend()
  let checking = false
  const timer = setInterval(() => {
    if (checking) return
    checking = true
    check()
      // while the database is unavailable no other process can take it either
      .catch(() => undefined)
      .finally(() => {
        checking = false
      })
  }, CHECK_MS)

  async function backend(): Promise<number> {
    const [mine] = await session<{ pid: number }[]>`select pg_backend_pid() as pid`
    return mine?.pid ?? 0
  }

  async function check(): Promise<void> {
    try {
      if ((await backend()) === pid) return
    } catch {
      session = await store.sql.reserve()
    }
    const [again] = await session<{ ours: boolean }[]>`select pg_try_advisory_lock(${SERVE_LOCK}) as ours`
    if (again?.ours !== true) return lost()
    pid = await backend()
  }

  return {
    async release() {
      clearInterval(timer)
      try {
        await session`select pg_advisory_unlock(${SERVE_LOCK})`
        session.release()
      } catch {
        // the session ended and released the lock
      }
    },
  }
}

/** Whether a process polls this database. */
export async function isServed(store: Store): Promise<boolean> {
  const rows = await store.sql`
    select from pg_locks where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())
      and classid = 0 and objid = ${SERVE_LOCK} and granted`
  return rows.length > 0
}
