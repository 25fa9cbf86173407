import type { Log } from '../../observe/log.ts'
import type { Store } from './client.ts'

/** A subscription. */
export interface Listening {
  stop(): Promise<void>
}

/**
 * Calls `onMessage` for every NOTIFY on the channel, from any process. Calls `onConnect` when listening begins and
 * after each reconnection: messages in between are lost, so reload whatever they would have reported. Never throws;
 * tries again for as long as the database is unavailable or refuses, as a standby does until it is promoted.
 */
export function listen(
  store: Store,
  channel: string,
  onMessage: (payload: string) => void,
  onConnect: () => void,
  log: Log,
): Listening {
  const end = store.notifications.subscribe(channel, { heard: onMessage, connected: onConnect, log })
  return {
    stop() {
      end()
      return Promise.resolve()
    },
  }
}

/** Sends a NOTIFY to every listening process. Inside a transaction of `store.sql` it is delivered on commit. */
export async function notify(store: Store, channel: string, payload = ''): Promise<void> {
  await store.sql`select pg_notify(${channel}, ${payload})`
}
