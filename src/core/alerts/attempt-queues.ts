/** Maximum number of concurrent attempts, in total and for one transport. */
const MAX_AT_ONCE = 128
const MAX_BY_TRANSPORT = 4

/** What waits for an attempt. */
export interface Attemptable {
  readonly item: { readonly id: number; readonly transport_id: number }
  /** Distinguishes kinds of items with ids of their own. */
  readonly what: string
}

/** Claimed items by transport, of which some are being sent. */
export interface AttemptQueues<T extends Attemptable> {
  add(one: T): void
  /** Starts as many attempts as the limits allow, one of each transport in turn. */
  beginSome(): void
  /** Number of items by transport, with those being sent. Transports without any are forgotten. */
  sizes(): ReadonlyMap<number, number>
  /** Starts no more, and forgets what was not started. */
  stop(): void
  /** Resolves when the attempts under way have ended. */
  idle(): Promise<void>
}

/** `attempt` must not throw. */
export function createAttemptQueues<T extends Attemptable>(attempt: (one: T) => Promise<void>): AttemptQueues<T> {
  const queues = new Map<number, { busy: number; readonly waiting: T[] }>()
  const under = new Map<string, Promise<void>>()
  let stopped = false

  function beginSome(): void {
    for (let begun = true; begun; ) {
      begun = false
      for (const queue of queues.values()) {
        if (stopped || under.size >= MAX_AT_ONCE || queue.busy >= MAX_BY_TRANSPORT) continue
        const next = queue.waiting.shift()
        if (next === undefined) continue
        begin(queue, next)
        begun = true
      }
    }
  }

  function begin(queue: { busy: number }, next: T): void {
    const key = `${next.what} ${next.item.id}`
    queue.busy++
    under.set(
      key,
      attempt(next).finally(() => {
        under.delete(key)
        queue.busy--
        beginSome()
      }),
    )
  }

  return {
    add(one) {
      const { transport_id: id } = one.item
      const queue = queues.get(id) ?? { busy: 0, waiting: [] }
      queues.set(id, queue)
      queue.waiting.push(one)
    },
    beginSome,
    sizes() {
      const sizes = new Map<number, number>()
      for (const [id, { busy, waiting }] of queues) {
        sizes.set(id, busy + waiting.length)
        if (busy + waiting.length === 0) queues.delete(id)
      }
      return sizes
    },
    stop() {
      stopped = true
      for (const { waiting } of queues.values()) waiting.length = 0
    },
    async idle() {
      await Promise.all(under.values())
    },
  }
}
