import type { DropReason, ListenerCounts } from './protocol.ts'

/** Counters of one protocol. */
export class Counter {
  received = 0
  stored = 0
  private readonly dropped: Partial<Record<DropReason, number>> = {}

  drop(reason: DropReason, count = 1): void {
    if (count > 0) this.dropped[reason] = (this.dropped[reason] ?? 0) + count
  }

  counts(waiting: number): ListenerCounts {
    return { received: this.received, stored: this.stored, waiting, dropped: { ...this.dropped } }
  }
}
