import type { Store } from './client.ts'

/** The advisory lock that the one process that polls a database holds. */
const SERVE_LOCK = 0x706f6c6c // «poll»

/** Being the process that polls this database. */
export interface Leadership {
  /** Gives it up. */
  release(): Promise<void>
}

const CHECK_MS = 5000

/**
 * Takes the lock in a session of its own and takes it again when that session is lost. Null: another process holds it.
 * `lost` is called once when, after a loss, another process was faster.
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
      // while the database is away nobody else can take it either
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
        // the session is gone, and the lock with it
      }
    },
  }
}

/** Is there a process that polls this database. */
export async function isServed(store: Store): Promise<boolean> {
  const rows = await store.sql`
    select from pg_locks where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())
      and classid = 0 and objid = ${SERVE_LOCK} and granted`
  return rows.length > 0
}
