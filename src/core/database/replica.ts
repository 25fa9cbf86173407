import { connect, type Store } from './client.ts'
import { toStoreError } from './errors.ts'

/** Where heavy reads go at the moment. */
export interface ReadStore {
  /** For reads that need not see the latest writes: the replica, or the primary while the replica is not usable. */
  readonly store: Store
  /** Why reads go to the primary; null: they go to the replica. */
  readonly why: string | null
  /** Lag of the replica in seconds; null: unknown. */
  readonly lagS: number | null
  close(): Promise<void>
}

export interface ReplicaOptions {
  /** Maximum lag of the replica in seconds. */
  readonly maxLagS: () => number
  /** Called when reads move to the replica (null) or to the primary, with the reason. */
  readonly changed: (why: string | null) => void
  readonly max?: number
}

const CHECK_MS = 1000
/** A replica that takes longer than this to answer counts as unavailable, ms. */
const ANSWER_MS = 2000
/** Longer than the interval at which a live process writes to poller_cluster, s. */
const BETWEEN_WRITES_S = 2.5

/** Reads from the replica at `url`, which is checked every second; from the primary until it is known to be current. */
export function readReplica(primary: Store, url: string, { maxLagS, changed, max = 8 }: ReplicaOptions): ReadStore {
  const replica = connect(url, { max })
  let why: string | null = 'it has not been checked yet'
  let lagS: number | null = null
  let checking = false

  /** Every process keeps writing to poller_cluster; the lag is how much older the replica's newest row is. */
  async function probe(): Promise<string | null> {
    const newest = async ({ sql }: Store): Promise<number | null> => {
      const [row] = await sql<{ at: number | null }[]>`
        select extract(epoch from max(last_report))::float8 as at from poller_cluster`
      return row?.at ?? null
    }
    // the replica first: a write in between makes it look older, never newer
    const there = await newest(replica)
    const here = await newest(primary)
    if (there === null || here === null) return 'no process has reported to it yet'
    lagS = Math.max(0, here - there)
    return lagS > maxLagS() + BETWEEN_WRITES_S ? `it is ${lagS.toFixed(1)} s behind` : null
  }

  async function check(): Promise<void> {
    if (checking) return
    checking = true
    const away = 'it does not answer'
    const probed = probe().catch((error: unknown) => `${away}: ${toStoreError(error).message}`)
    const now = await Promise.race([probed, Bun.sleep(ANSWER_MS).then(() => away)])
    if (now?.startsWith(away) === true) lagS = null
    checking = false
    const before = why
    why = now
    if ((now === null) !== (before === null)) changed(now)
  }

  const timer = setInterval(() => void check(), CHECK_MS)
  void check()
  const current = (): Store => (why === null ? replica : primary)
  return {
    store: {
      get db() {
        return current().db
      },
      get sql() {
        return current().sql
      },
      get url() {
        return current().url
      },
      get notifications() {
        return primary.notifications
      },
      waiting: () => current().waiting(),
      close: () => Promise.resolve(),
    },
    get why() {
      return why
    },
    get lagS() {
      return lagS
    },
    async close() {
      clearInterval(timer)
      await replica.close(1)
    },
  }
}
