import { figure } from '../../observe/figures.ts'
import type { Metric } from '../../observe/metrics.ts'
import type { DispatcherStats } from './dispatcher.ts'
import type { EngineStats } from './engine.ts'

/** Current state of the alert engine and the outbox, and counters since the process started. */
export function alertMetrics(engine: EngineStats, dispatcher: DispatcherStats): Metric[] {
  return [
    figure('portlight_alert_rules', engine.rules),
    figure('portlight_alert_rules_broken', engine.broken),
    figure('portlight_alert_evaluations_total', engine.evaluations),
    figure('portlight_alert_evaluation_seconds_total', engine.evaluationS),
    figure('portlight_alert_rounds_total', engine.rounds),
    figure('portlight_alert_round_seconds', engine.lastRoundS),
    figure('portlight_alert_devices_waiting', engine.waiting),
    figure('portlight_alert_changes_total', engine.changes),
    figure('portlight_alert_notifications_total', engine.notifications),
    figure('portlight_alert_sent_total', dispatcher.sent),
    figure('portlight_alert_attempts_failed_total', dispatcher.failed),
    figure('portlight_alert_given_up_total', dispatcher.dead),
    figure('portlight_alert_outbox_waiting', dispatcher.waiting),
    figure('portlight_alert_outbox_dead', dispatcher.deadLetters),
    figure('portlight_alert_paths_failing', dispatcher.failing),
    figure('portlight_alert_messages_total', dispatcher.messages),
    figure('portlight_alert_outbox_delay_seconds', dispatcher.lastDelayS),
    ...dispatcher.durations,
  ]
}
