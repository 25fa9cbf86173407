import { type Metric, metricsNamed } from '../observe/metrics.ts'
import type { DispatcherStats } from './dispatcher.ts'
import type { EngineStats } from './engine.ts'

/** What the alert engine and its outbox did since the start, and how they stand now. */
export function alertMetrics(engine: EngineStats, dispatcher: DispatcherStats): Metric[] {
  const { counter, gauge } = metricsNamed('portlight_alert_')
  return [
    gauge('rules', 'Alert rules that are evaluated.', engine.rules),
    gauge('rules_broken', 'Alert rules that cannot be evaluated.', engine.broken),
    counter('evaluations', 'Evaluations of rules, each on one batch of devices.', engine.evaluations),
    counter('evaluation_seconds', 'Time that evaluations took.', engine.evaluationS),
    counter('rounds', 'Evaluations of all rules on all devices.', engine.rounds),
    gauge('round_seconds', 'How long the last of them took.', engine.lastRoundS),
    gauge('devices_waiting', 'Devices whose results wait to be evaluated.', engine.waiting),
    counter('changes', 'Alerts that were changed.', engine.changes),
    counter('notifications', 'Notifications stored to be sent, one for each transport.', engine.notifications),
    counter('sent', 'Notifications sent.', dispatcher.sent),
    counter('attempts_failed', 'Attempts to send that failed.', dispatcher.failed),
    counter('given_up', 'Notifications given up.', dispatcher.dead),
    gauge('outbox_waiting', 'Stored notifications that wait.', dispatcher.waiting),
    gauge('outbox_dead', 'Stored notifications that were given up.', dispatcher.letters),
    gauge(
      'outbox_delay_seconds',
      'From storing to handing over, of the last notification sent.',
      dispatcher.lastDelayS,
    ),
  ]
}
