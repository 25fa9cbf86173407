import { type Metric, metricsNamed } from '../observe/metrics.ts'
import { type Counts, DROP_REASONS, type ListenerCounts } from './protocol.ts'

export const NONE: Counts = {
  syslog: { received: 0, stored: 0, waiting: 0, dropped: {} },
  traps: { received: 0, stored: 0, waiting: 0, dropped: {} },
}

/** Counts of two threads, one after the other. */
export function sumOf(a: Counts, b: Counts): Counts {
  const one = (x: ListenerCounts, y: ListenerCounts): ListenerCounts => {
    const dropped: Record<string, number> = { ...x.dropped }
    for (const [reason, count] of Object.entries(y.dropped)) dropped[reason] = (dropped[reason] ?? 0) + count
    return { received: x.received + y.received, stored: x.stored + y.stored, waiting: y.waiting, dropped }
  }
  return { syslog: one(a.syslog, b.syslog), traps: one(a.traps, b.traps) }
}

/** What the listeners received, stored and dropped since the start. */
export function listenerMetrics(counts: Counts): Metric[] {
  return (['syslog', 'traps'] as const).flatMap((protocol) => {
    const { counter, gauge } = metricsNamed(`portlight_${protocol}_`)
    const { received, stored, waiting, dropped } = counts[protocol]
    return [
      counter('received', 'Messages received.', received),
      counter('stored', 'Messages stored.', stored),
      gauge('waiting', 'Messages that wait to be stored.', waiting),
      ...DROP_REASONS.map((reason) => ({
        ...counter('dropped', 'Messages not stored, by reason.', dropped[reason] ?? 0),
        labels: { reason },
      })),
    ]
  })
}
