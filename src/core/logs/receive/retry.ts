import { StoreError } from '../../database/errors.ts'

const FIRST_MS = 100
const LAST_MS = 5000
/** Data is given up after this many errors that are neither an outage nor about the data: about a minute. */
const MAX_UNEXPLAINED = 16

/** The result of storing a batch. */
export type WriteOutcome<T> = { readonly kind: 'done'; readonly result: T } | { readonly kind: 'refused' | 'stopped' }

/**
 * Retries a write until it succeeds, waiting while the database is unavailable. `refused`: the database does not accept
 * the data. `stopped`: the process is ending.
 */
export async function untilTaken<T>(
  write: () => Promise<T>,
  stopped: () => boolean,
  unavailable: (reason: string | null) => void,
): Promise<WriteOutcome<T>> {
  let unexplained = 0
  for (let wait = FIRST_MS; ; wait = Math.min(LAST_MS, wait * 2)) {
    try {
      const done = await write()
      unavailable(null)
      return { kind: 'done', result: done }
    } catch (error) {
      if (!(error instanceof StoreError)) throw error
      const final = error.kind === 'internal' ? ++unexplained > MAX_UNEXPLAINED : !error.retryable
      if (final) return { kind: 'refused' }
      unavailable(error.message)
    }
    if (stopped()) return { kind: 'stopped' }
    await Bun.sleep(wait)
  }
}
