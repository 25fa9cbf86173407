import type { Log } from '../observe/log.ts'
import type { Store } from './client.ts'
import { toStoreError } from './errors.ts'

/** Listening that has begun. */
export interface Listening {
  stop(): Promise<void>
}

const RETRY_MS = 2000

/**
 * Calls `onMessage` for every NOTIFY on the channel, from whichever process. `onConnect` runs when listening begins, and
 * again after each lost connection: messages of the meantime are lost, so read again then what they would have told.
 * Never throws; while the database is away it goes on trying.
 */
export function listen(
  store: Store,
  channel: string,
  onMessage: (payload: string) => void,
  onConnect: () => void,
  log: Log,
): Listening {
  let stopped = false
  let end: (() => Promise<void>) | null = null
  let timer: ReturnType<typeof setTimeout> | null = null

  const begin = (): void => {
    // The driver listens again by itself once it has listened; only the first time is ours to repeat.
    store.sql.listen(channel, onMessage, onConnect).then(
      async (meta) => {
        end = () => meta.unlisten()
        if (stopped) await end()
      },
      (error) => {
        if (stopped) return
        log.warn({ channel, reason: toStoreError(error).message }, 'cannot listen to the database, trying again')
        timer = setTimeout(begin, RETRY_MS)
      },
    )
  }
  begin()

  return {
    async stop() {
      stopped = true
      if (timer !== null) clearTimeout(timer)
      await end?.()
    },
  }
}

/** Tells every listening process; it arrives when the transaction of `store.sql` around it, if any, is committed. */
export async function notify(store: Store, channel: string, payload = ''): Promise<void> {
  await store.sql`select pg_notify(${channel}, ${payload})`
}
