import { figure } from '../../../observe/figures.ts'
import type { Metric } from '../../../observe/metrics.ts'
import { type Counts, DROP_REASONS, type ListenerCounts } from './protocol.ts'

export const NONE: Counts = {
  syslog: { received: 0, stored: 0, waiting: 0, dropped: {} },
  traps: { received: 0, stored: 0, waiting: 0, dropped: {} },
}

/** Totals of two threads of which `b` replaced `a`. */
export function sumOf(a: Counts, b: Counts): Counts {
  const one = (x: ListenerCounts, y: ListenerCounts): ListenerCounts => {
    const dropped: Record<string, number> = { ...x.dropped }
    for (const [reason, count] of Object.entries(y.dropped)) dropped[reason] = (dropped[reason] ?? 0) + count
    return { received: x.received + y.received, stored: x.stored + y.stored, waiting: y.waiting, dropped }
  }
  return { syslog: one(a.syslog, b.syslog), traps: one(a.traps, b.traps) }
}

/** What the listeners received, stored and dropped since the process started. */
export function listenerMetrics(counts: Counts): Metric[] {
  return (['syslog', 'traps'] as const).flatMap((protocol) => {
    const { received, stored, waiting, dropped } = counts[protocol]
    return [
      figure(`portlight_${protocol}_received_total`, received),
      figure(`portlight_${protocol}_stored_total`, stored),
      figure(`portlight_${protocol}_waiting`, waiting),
      ...DROP_REASONS.map((reason) => figure(`portlight_${protocol}_dropped_total`, dropped[reason] ?? 0, { reason })),
    ]
  })
}
