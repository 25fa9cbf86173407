import { figure } from '../../../observe/figures.ts'
import type { Metric } from '../../../observe/metrics.ts'
import type { CheckerStats } from './checker.ts'

const STATUS = ['ok', 'warning', 'critical', 'unknown'] as const

/** Current state of service checks, and counters since the process started. */
export function checkMetrics({ builtin, plugins, held, byStatus, lost, died, results }: CheckerStats): Metric[] {
  return [
    ...STATUS.map((status, i) => figure('portlight_services', byStatus[i] ?? 0, { status })),
    figure('portlight_services_held', held),
    figure('portlight_checks_running', builtin.running + plugins.running),
    figure('portlight_checks_waiting', builtin.waiting + plugins.waiting),
    figure('portlight_check_lag_seconds', Math.max(builtin.lagMs, plugins.lagMs) / 1000),
    figure('portlight_checks_late_total', builtin.late + plugins.late),
    figure('portlight_checks_skipped_total', builtin.skipped + plugins.skipped),
    figure('portlight_checks_lost_total', lost),
    figure('portlight_check_threads_died_total', died),
    figure('portlight_check_values_total', results.written),
    figure('portlight_check_values_dropped_total', results.dropped),
    figure('portlight_check_values_refused_total', results.refused),
    figure('portlight_check_values_waiting', results.waiting),
  ]
}
