import type { Log } from '../../observe/log.ts'
import type { Store } from '../database/client.ts'
import type { SendingResult } from './messages/result.ts'
import type { HealthRules } from './messages/transport-health.ts'
import { finishSending } from './messages/write-results.ts'

export interface ResultsDeps {
  readonly store: Store
  readonly log: Log
  /** When transports count as failing. */
  readonly rules: () => HealthRules
  /** Aborted: results that cannot be stored are dropped; their notifications are sent again after the next start. */
  readonly stopped: AbortSignal
  /** Called with the ids of notifications and messages whose results were stored. */
  readonly stored: (notifications: Iterable<number>, messages: Iterable<number>) => void
}

/** Stores what became of notifications, and of messages. */
export interface Results {
  add(what: 'notification' | 'message', id: number, result: SendingResult): void
  /** Resolves when all results are stored or dropped. */
  idle(): Promise<void>
}

const RETRY_MS = 1000

const none = () => ({ notifications: new Map<number, SendingResult>(), messages: new Map<number, SendingResult>() })

/** Retries while the database is unavailable. The next notifications of an alert wait for the result of the last. */
export function createResults({ store, log, rules, stopped, stored }: ResultsDeps): Results {
  let results = none()
  let storing: Promise<void> | null = null
  const left = () => results.notifications.size + results.messages.size

  function begin(): void {
    storing = storeAll().finally(() => {
      storing = null
      // a result that was added after the last look
      if (left() > 0 && !stopped.aborted) begin()
    })
  }

  async function storeAll(): Promise<void> {
    while (left() > 0) {
      const some = results
      const count = left()
      results = none()
      try {
        await finishSending(store, some, rules(), null)
      } catch (error) {
        log.error({ err: error, notifications: count }, 'results of notifications not stored, trying again')
        results = {
          notifications: new Map([...some.notifications, ...results.notifications]),
          messages: new Map([...some.messages, ...results.messages]),
        }
        if (stopped.aborted) return
        await Bun.sleep(RETRY_MS)
        continue
      }
      stored(some.notifications.keys(), some.messages.keys())
    }
  }

  return {
    add(what, id, result) {
      results[what === 'message' ? 'messages' : 'notifications'].set(id, result)
      if (storing === null) begin()
    },
    async idle() {
      await storing
    },
  }
}
