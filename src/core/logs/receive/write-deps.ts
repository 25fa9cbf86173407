import type { Store } from '../../database/client.ts'
import type { Counter } from './counter.ts'
import type { FairQueue } from './fair-queue.ts'
import type { LiveOptions } from './protocol.ts'
import type { Senders } from './senders.ts'

/** Dependencies for storing received messages. */
export interface WriteDeps {
  readonly store: Store
  readonly queue: FairQueue
  readonly senders: Senders
  readonly counter: Counter
  readonly live: () => LiveOptions
  readonly stopped: () => boolean
  readonly unavailable: (reason: string | null) => void
  /** Called after messages from these devices were stored. */
  readonly stored: (deviceIds: readonly number[]) => void
}
