import { isMetricName } from '../observe/catalogue.ts'
import { figure } from '../observe/figures.ts'
import type { Metric } from '../observe/metrics.ts'
import type { PollerStats } from './poller-stats.ts'

/**
 * Counters since the start and the current state of polling. Overload shows as late and skipped polls, lag and queues.
 */
export function pollerMetrics(stats: PollerStats): Metric[] {
  const { polls, discoveries, runs, pool, writer, samples, changes, fenced } = stats
  return [
    figure('portlight_devices', polls.devices),
    figure('portlight_polls_total', runs.polls),
    figure('portlight_polls_silent_total', runs.silent),
    figure('portlight_polls_incomplete_total', runs.incomplete),
    figure('portlight_polls_lost_total', runs.lost),
    figure('portlight_polls_late_total', polls.late),
    figure('portlight_polls_skipped_total', polls.skipped),
    figure('portlight_poll_seconds_total', runs.tookS),
    figure('portlight_polls_running', polls.running),
    figure('portlight_polls_waiting', polls.waiting),
    figure('portlight_poll_lag_seconds', polls.lagMs / 1000),
    figure('portlight_discoveries_total', runs.discoveries),
    figure('portlight_discoveries_waiting', discoveries.waiting),
    figure('portlight_values_cleaned_total', runs.cleaned),
    ...samples,
    figure('portlight_samples_dropped_total', writer.dropped),
    figure('portlight_samples_refused_total', writer.refused),
    figure('portlight_polls_fenced_total', fenced.samples),
    figure('portlight_changes_fenced_total', fenced.changes),
    figure('portlight_samples_waiting', writer.waiting),
    figure('portlight_samples_limit', writer.limit),
    figure('portlight_database_up', writer.up ? 1 : 0),
    figure('portlight_changes_waiting', changes.waiting),
    figure('portlight_workers', pool.workers),
    figure('portlight_worker_jobs', pool.jobs),
    figure('portlight_workers_died_total', pool.died),
    figure('portlight_workers_stalled_total', pool.stalled),
    figure('portlight_workers_stuck', pool.stuck),
    figure('portlight_devices_quarantined', runs.quarantined),
    figure('portlight_floods_total', runs.floods),
    figure('portlight_discoveries_large_waiting', runs.largeWaiting),
    ...Object.entries(runs.refused).map(([reason, value]) =>
      figure('portlight_counter_pairs_refused_total', value, { reason }),
    ),
    ...runs.durations,
    ...Object.entries(pool.transport).flatMap(([name, value]) => snmpMetric(name, value)),
  ]
}

/** A transport counter under a name derived from its own: `wrongSource` becomes portlight_snmp_wrong_source_total. */
function snmpMetric(own: string, value: number): Metric[] {
  const name = `portlight_snmp_${RENAMED[own] ?? own.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`)}`
  return [`${name}_total`, name].filter(isMetricName).map((declared) => figure(declared, value))
}

const RENAMED: Readonly<Record<string, string>> = { octetsIn: 'received_bytes', octetsOut: 'sent_bytes' }
