import { type Metric, metricsNamed } from '../observe/metrics.ts'
import type { CheckerStats } from './checker.ts'

const STATUS = ['ok', 'warning', 'critical', 'unknown'] as const

/** Counters since the start and current state of service checks. */
export function checkMetrics({ builtin, plugins, held, byStatus, lost, died, results }: CheckerStats): Metric[] {
  const { counter, gauge } = metricsNamed('portlight_')
  return [
    ...STATUS.map(
      (status, i): Metric => ({
        name: 'portlight_services',
        type: 'gauge',
        help: 'Services that are checked, by state.',
        value: byStatus[i] ?? 0,
        labels: { status },
      }),
    ),
    gauge('services_held', 'Services that are not checked because their device is down.', held),
    gauge('checks_running', 'Service checks running.', builtin.running + plugins.running),
    gauge('checks_waiting', 'Service checks that are due and waiting.', builtin.waiting + plugins.waiting),
    gauge(
      'check_lag_seconds',
      'Time by which the oldest waiting check is overdue.',
      Math.max(builtin.lagMs, plugins.lagMs) / 1000,
    ),
    counter(
      'checks_late',
      'Service checks that started more than a tenth of their interval late.',
      builtin.late + plugins.late,
    ),
    counter(
      'checks_skipped',
      'Intervals skipped because the previous check was still running.',
      builtin.skipped + plugins.skipped,
    ),
    counter('checks_lost', 'Service checks lost with their thread.', lost),
    counter('check_threads_died', 'Threads of checks that died or hung and were replaced.', died),
    counter('check_values', 'Values of checks stored.', results.written),
    counter('check_values_dropped', 'Values of checks dropped because the buffer was full.', results.dropped),
    counter('check_values_refused', 'Results of checks that the database refused.', results.refused),
    gauge('check_values_waiting', 'Values of checks in memory.', results.waiting),
  ]
}
