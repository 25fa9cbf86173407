import { createECDH } from 'node:crypto'
import { signingKey } from '../../base/signing-key.ts'
import type { Store } from '../../database/client.ts'
import type { PushSubscriptions } from '../transports/resolve.ts'
import { browsersOf, deleteBrowser, noteSent } from './write-subscriptions.ts'

/** Deliveries that are remembered, so that a repeated attempt does not reach a browser twice. */
const MAX_REMEMBERED = 10_000

/**
 * The key pair with which this installation identifies itself to push services (VAPID, RFC 8292), Base64url. It is made
 * once: browsers are bound to its public key.
 */
export async function pushKeys(store: Store): Promise<{ readonly publicKey: string; readonly privateKey: string }> {
  const pair = createECDH('prime256v1')
  // any 32 octets but a few of 2^32 are a private key
  const key = await signingKey(store, 'push')
  pair.setPrivateKey(key)
  return { publicKey: pair.getPublicKey('base64url'), privateKey: Buffer.from(key).toString('base64url') }
}

/** The browsers that web push sends to. */
export function createPushSubscriptions(store: Store): PushSubscriptions {
  const sent = new Set<string>()
  let keys: ReturnType<typeof pushKeys> | null = null
  return {
    async keys() {
      keys ??= pushKeys(store)
      try {
        return await keys
      } catch (error) {
        keys = null
        throw error
      }
    },
    browsersOf: (names) => browsersOf(store, names),
    wasSent: (key, id) => sent.has(`${key} ${id}`),
    async sent(key, id) {
      sent.add(`${key} ${id}`)
      if (sent.size > MAX_REMEMBERED)
        for (const oldest of sent.values().take(sent.size - MAX_REMEMBERED)) sent.delete(oldest)
      await noteSent(store, id)
    },
    async gone(id) {
      await deleteBrowser(store, id, null)
    },
  }
}
