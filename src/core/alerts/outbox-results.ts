import type { Log } from '../../observe/log.ts'
import type { Store } from '../database/client.ts'
import { finishOutbox, type OutboxResult } from './write-outbox.ts'

export interface ResultsDeps {
  readonly store: Store
  readonly log: Log
  /** Aborted: results that cannot be stored are dropped; their notifications are sent again after the next start. */
  readonly stopped: AbortSignal
  /** Called with the ids of notifications whose results were stored. */
  readonly stored: (ids: Iterable<number>) => void
}

/** Stores what became of notifications. */
export interface Results {
  add(id: number, result: OutboxResult): void
  /** Resolves when all results are stored or dropped. */
  idle(): Promise<void>
}

const RETRY_MS = 1000

/** Retries while the database is unavailable. The next notifications of an alert wait for the result of the last. */
export function createResults({ store, log, stopped, stored }: ResultsDeps): Results {
  let results = new Map<number, OutboxResult>()
  let storing: Promise<void> | null = null

  function begin(): void {
    storing = storeAll().finally(() => {
      storing = null
      // a result that was added after the last look
      if (results.size > 0 && !stopped.aborted) begin()
    })
  }

  async function storeAll(): Promise<void> {
    while (results.size > 0) {
      const some = results
      results = new Map()
      try {
        await finishOutbox(store, some)
      } catch (error) {
        log.error({ err: error, notifications: some.size }, 'results of notifications not stored, trying again')
        results = new Map([...some, ...results])
        if (stopped.aborted) return
        await Bun.sleep(RETRY_MS)
        continue
      }
      stored(some.keys())
    }
  }

  return {
    add(id, result) {
      results.set(id, result)
      if (storing === null) begin()
    },
    async idle() {
      await storing
    },
  }
}
