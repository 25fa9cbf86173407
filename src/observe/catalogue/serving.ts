import { counter, gauge, histogram } from './declare.ts'

const REASON = {
  reason:
    '`queue_full`, `kernel`, `unknown_device`, `filtered`, `malformed`, `framing`, `connections`, `refused_by_database`, `credentials`, `clock`, `engine`, `rate`',
}

/** Service checks. */
export const CHECKS = {
  portlight_services: gauge('Services that are checked, by state.', {
    labels: { status: '`ok`, `warning`, `critical`, `unknown`' },
  }),
  portlight_services_held: gauge('Services that are not checked because their device is down.'),
  portlight_checks_running: gauge('Service checks running.'),
  portlight_checks_waiting: gauge('Service checks that are due and waiting.'),
  portlight_check_lag_seconds: gauge('Time by which the oldest waiting check is overdue.'),
  portlight_checks_late_total: counter('Service checks that started more than a tenth of their interval late.'),
  portlight_checks_skipped_total: counter('Intervals skipped because the previous check was still running.'),
  portlight_checks_lost_total: counter('Service checks lost with their thread.'),
  portlight_check_threads_died_total: counter('Check threads that died or hung and were replaced.'),
  portlight_check_values_total: counter('Check values stored.'),
  portlight_check_values_dropped_total: counter('Check values dropped because the buffer was full.'),
  portlight_check_values_refused_total: counter('Check results that the database refused.'),
  portlight_check_values_waiting: gauge('Check values in memory.'),
  portlight_check_seconds: histogram('Duration of service checks.', {
    labels: {
      type: 'a built-in check type; `other` for types provided only by plugins',
      by: '`builtin`, `plugin`, `refused`',
    },
    missing: 'before the first check',
  }),
} as const

/** Syslog messages, SNMP traps and informs. */
export const LISTENERS = {
  portlight_syslog_received_total: counter('Messages received.'),
  portlight_syslog_stored_total: counter('Messages stored.'),
  portlight_syslog_waiting: gauge('Messages waiting to be stored.'),
  portlight_syslog_dropped_total: counter('Messages not stored, by reason.', { labels: REASON }),
  portlight_traps_received_total: counter('Messages received.'),
  portlight_traps_stored_total: counter('Messages stored.'),
  portlight_traps_waiting: gauge('Messages waiting to be stored.'),
  portlight_traps_dropped_total: counter('Messages not stored, by reason.', { labels: REASON }),
} as const

/** The alert engine, and notifications. */
export const ALERTING = {
  portlight_alert_rules: gauge('Alert rules being evaluated.'),
  portlight_alert_rules_broken: gauge('Alert rules that cannot be evaluated.'),
  portlight_alert_evaluations_total: counter('Evaluations of rules, each on one batch of devices.'),
  portlight_alert_evaluation_seconds_total: counter('Total duration of evaluations.'),
  portlight_alert_rounds_total: counter('Evaluations of all rules on all devices.'),
  portlight_alert_round_seconds: gauge('Duration of the last evaluation of all rules on all devices.'),
  portlight_alert_devices_waiting: gauge('Devices with results waiting to be evaluated.'),
  portlight_alert_changes_total: counter('Changes of alerts.'),
  portlight_alert_notifications_total: counter('Notifications stored for sending, one per transport.'),
  portlight_alert_sent_total: counter('Notifications sent.'),
  portlight_alert_attempts_failed_total: counter('Failed attempts to send a notification.'),
  portlight_alert_given_up_total: counter('Notifications given up.'),
  portlight_alert_outbox_waiting: gauge('Stored notifications waiting to be sent.'),
  portlight_alert_outbox_dead: gauge('Stored notifications that were given up.'),
  portlight_alert_paths_failing: gauge('Transports that count as failing.'),
  portlight_alert_messages_total: counter('Messages sent that were about several notifications.'),
  portlight_alert_outbox_delay_seconds: gauge('Time from storing to delivery of the last notification sent.'),
  portlight_alert_outbox_age_seconds: gauge(
    'Age of the oldest notification waiting to be sent; 0: none is. As of the last inspection of the database.',
  ),
  portlight_notification_duration_seconds: histogram('Duration of attempts to send notifications.', {
    labels: { kind: 'the kind of transport', outcome: '`delivered`, `retry`, `refused`' },
    missing: 'before the first notification',
  }),
} as const

/** Requests, live events and sessions. */
export const SERVING = {
  portlight_http_request_duration_seconds: histogram(
    'Time from the headers of an API request (v0, v1) to those of its response; for streamed lists, to the first part.',
    {
      labels: {
        operation:
          'the operationId in [the API reference](api.md), or `none` if the request was refused before routing (no valid token, unknown path)',
        status: '`2xx`, `3xx`, `4xx`, `5xx`',
      },
      missing: 'before the first request',
    },
  ),
  portlight_live_clients: gauge('Clients connected to live events.'),
  portlight_live_events_total: counter('Live events created.'),
  portlight_live_slow_clients_total: counter('Clients disconnected because they read too slowly.'),
  portlight_live_refused_clients_total: counter('Clients refused because there were too many.'),
  portlight_live_resumed_total: counter('Streams resumed where they had ended.'),
  portlight_live_reset_total: counter('Streams that could not be resumed.'),
  portlight_sessions: gauge('Sessions of users signed in to the web pages. As of the last inspection of the database.'),
  portlight_tls_certificate_expiry_timestamp_seconds: gauge(
    'Expiry time of the certificate of tls.cert, seconds since 1970.',
    {
      missing: 'without HTTPS',
    },
  ),
} as const
