import type { Store } from '../../database/client.ts'
import { tokenHashes } from '../read.ts'

/** Maximum age of the list, ms. */
const FRESH_MS = 1000

/**
 * Tells whether a hash belongs to an enabled token, from a list at most a second old. Used for clients that keep
 * sending wrong tokens, so that these cost no database query while a valid one among them still works. `now`: steady ms.
 */
export function createKnownTokens(store: Store, now: () => number) {
  let readMs = Number.NEGATIVE_INFINITY
  let list: Promise<ReadonlySet<string>> | null = null
  return {
    async has(hash: string): Promise<boolean> {
      if (list === null || now() - readMs >= FRESH_MS) {
        readMs = now()
        list = tokenHashes(store)
        list.catch(() => {
          list = null // the next caller retries
        })
      }
      return (await list).has(hash)
    },

    /** Call when tokens were changed; the list is then reloaded. */
    forget(): void {
      list = null
    },
  }
}
