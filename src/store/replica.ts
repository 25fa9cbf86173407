import { connect, type Store } from './client.ts'
import { toStoreError } from './errors.ts'

/** Where heavy reads go at the moment. */
export interface ReadStore {
  /** For reads that need not see a write just made: each goes to the replica, or to the primary while that will not do. */
  readonly store: Store
  /** Why the primary is read; null: the replica is. */
  readonly why: string | null
  /** Seconds by which the replica is behind; null: not known. */
  readonly lagS: number | null
  close(): Promise<void>
}

export interface ReplicaOptions {
  /** Seconds by which the replica may be behind. */
  readonly maxLagS: () => number
  /** The replica is used from now on (null), or not, and why. */
  readonly changed: (why: string | null) => void
  readonly max?: number
}

const CHECK_MS = 1000
/** A replica that takes longer than this to answer counts as away, ms. */
const ANSWER_MS = 2000
/** Longer than between two writes of poller_cluster by a living process, s. */
const BETWEEN_WRITES_S = 2.5

/** Reads of a replica at `url`, which is looked at every second. Until it is known to be current, the primary is read. */
export function readReplica(primary: Store, url: string, { maxLagS, changed, max = 8 }: ReplicaOptions): ReadStore {
  const replica = connect(url, { max })
  let why: string | null = 'it was not looked at yet'
  let lagS: number | null = null
  let checking = false

  /** Every process writes to poller_cluster all the time: how much older is what the replica has of it? */
  async function look(): Promise<string | null> {
    const newest = async ({ sql }: Store): Promise<number | null> => {
      const [row] = await sql<{ at: number | null }[]>`
        select extract(epoch from max(last_report))::float8 as at from poller_cluster`
      return row?.at ?? null
    }
    // the replica first: what is written meanwhile makes it look older, never younger
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
    const looked = look().catch((error: unknown) => `${away}: ${toStoreError(error).message}`)
    const now = await Promise.race([looked, Bun.sleep(ANSWER_MS).then(() => away)])
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
