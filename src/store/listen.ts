import type { Log } from '../observe/log.ts'
import type { Store } from './client.ts'
import { toStoreError } from './errors.ts'

/** A subscription. */
export interface Listening {
  stop(): Promise<void>
}

const RETRY_MS = 2000

/**
 * Calls `onMessage` for every NOTIFY on the channel, from any process. Calls `onConnect` when listening begins and
 * after each reconnection: messages in between are lost, so reload whatever they would have reported. Never throws;
 * retries while the database is unavailable.
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
    // The driver reconnects by itself once it has listened; only the first attempt needs retries here.
    store.sql.listen(channel, onMessage, onConnect).then(
      async (meta) => {
        end = async () => await meta.unlisten()
        if (stopped) await end()
      },
      (error) => {
        if (stopped) return
        log.warn(
          { channel, reason: toStoreError(error).message },
          'cannot listen for notifications from the database, trying again',
        )
        timer = setTimeout(begin, RETRY_MS)
      },
    )
  }
  begin()

  return {
    async stop() {
      stopped = true
      if (timer !== null) clearTimeout(timer)
      // fails if the connection is lost, which ends the listening anyway
      await end?.().catch(() => undefined)
    },
  }
}

/** Sends a NOTIFY to every listening process. Inside a transaction of `store.sql` it is delivered on commit. */
export async function notify(store: Store, channel: string, payload = ''): Promise<void> {
  await store.sql`select pg_notify(${channel}, ${payload})`
}
