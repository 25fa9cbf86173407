import type { MetricsDashboard, MetricsPanel } from '../metrics-dashboard.ts'

type Query = MetricsPanel['queries'][number]

/** Limits a query to the selected processes. */
const of = (selector = '') => `{instance=~"$instance"${selector === '' ? '' : `,${selector}`}}`
const query = (expr: string, legend = '{{instance}}'): Query => ({ expr, legend })
const rate = (metric: string, selector = '') => `rate(${metric}${of(selector)}[$__rate_interval])`

const lines = (title: string, queries: readonly Query[], unit?: string): MetricsPanel => ({
  type: 'timeseries',
  title,
  width: 12,
  queries,
  ...(unit === undefined ? {} : { unit }),
})

const stat = (title: string, expr: string, more: Pick<MetricsPanel, 'unit' | 'badFrom'> = {}): MetricsPanel => ({
  type: 'stat',
  title,
  width: 4,
  queries: [query(expr)],
  ...more,
})

const quantile = (share: number, metric: string, by: string, selector = '') =>
  `histogram_quantile(${share}, sum by (${by}, le) (${rate(`${metric}_bucket`, selector)}))`

/** Portlight itself, from `/metrics`: the same metrics as the alerts in deploy/prometheus. */
export const self: MetricsDashboard = {
  name: 'self',
  title: 'Portlight: the program itself',
  description: 'Polls, buffers, database, threads and notifications of Portlight, from /metrics in Prometheus.',
  panels: [
    stat('Processes', `count(portlight_build_info${of()})`),
    stat('Poll lag', `max(portlight_poll_lag_seconds${of()})`, { unit: 's', badFrom: 30 }),
    stat('Buffer used', `max(portlight_samples_waiting${of()} / portlight_samples_limit${of()})`, {
      unit: 'percentunit',
      badFrom: 0.2,
    }),
    stat('Samples dropped in the last day', `sum(increase(portlight_samples_dropped_total${of()}[1d]))`, {
      badFrom: 1,
    }),
    stat('Oldest notification', `max(portlight_alert_outbox_age_seconds${of()})`, { unit: 's', badFrom: 900 }),
    stat('Roll-ups behind', `max(portlight_rollup_lag_seconds${of('level="1h"')})`, { unit: 's', badFrom: 10_800 }),
    lines('Polls', [
      query(`sum(${rate('portlight_polls_total')})`, 'polls'),
      query(`sum(${rate('portlight_polls_silent_total')})`, 'unanswered'),
      query(`sum(${rate('portlight_polls_late_total')})`, 'late'),
      query(`sum(${rate('portlight_polls_skipped_total')})`, 'skipped'),
    ]),
    lines(
      'Duration of polls',
      [0.5, 0.95, 0.99].map((share) =>
        query(quantile(share, 'portlight_poll_duration_seconds', 'instance'), `{{instance}} ${share}`),
      ),
      's',
    ),
    lines('Waiting', [
      query(`portlight_samples_waiting${of()}`, '{{instance}} samples'),
      query(`portlight_changes_waiting${of()}`, '{{instance}} changes'),
      query(`portlight_polls_waiting${of()}`, '{{instance}} polls'),
      query(`portlight_checks_waiting${of()}`, '{{instance}} checks'),
      query(`portlight_alert_devices_waiting${of()}`, '{{instance}} devices to evaluate'),
    ]),
    lines('Samples stored', [query(`sum by (kind) (${rate('portlight_samples_written_total')})`, '{{kind}}')]),
    lines(
      'Duration of statements, 95th percentile',
      [query(quantile(0.95, 'portlight_database_statement_duration_seconds', 'statement'), '{{statement}}')],
      's',
    ),
    lines('Statements', [
      query(
        `sum by (statement, outcome) (${rate('portlight_database_statement_duration_seconds_count')})`,
        '{{statement}} {{outcome}}',
      ),
    ]),
    lines('Database size', [query(`portlight_database_size_bytes${of()}`)], 'bytes'),
    lines('Free disk space', [query(`portlight_disk_free_bytes${of()}`)], 'bytes'),
    lines('Database connections', [
      query(`sum by (state) (portlight_database_connections${of()})`, '{{state}}'),
      query(`max(portlight_database_connections_limit${of()})`, 'limit'),
    ]),
    lines(
      'Oldest transaction, clock skew of the database',
      [
        query(`portlight_database_oldest_transaction_seconds${of()}`, '{{instance}} transaction'),
        query(`portlight_database_clock_skew_seconds${of()}`, '{{instance}} clock'),
      ],
      's',
    ),
    lines(
      'Duration of requests, 99th percentile',
      [query(quantile(0.99, 'portlight_http_request_duration_seconds', 'instance'))],
      's',
    ),
    lines('Requests', [
      query(`sum by (status) (${rate('portlight_http_request_duration_seconds_count')})`, '{{status}}'),
    ]),
    lines(
      'Event loop lag of threads',
      [query(`portlight_event_loop_lag_seconds${of()}`, '{{instance}} {{thread}}')],
      's',
    ),
    lines('Heap of threads', [query(`portlight_heap_bytes${of()}`, '{{instance}} {{thread}}')], 'bytes'),
    lines('CPU', [query(rate('process_cpu_seconds_total'))]),
    lines('Resident memory', [query(`process_resident_memory_bytes${of()}`)], 'bytes'),
    lines('Notifications', [
      query(
        `sum by (kind, outcome) (${rate('portlight_notification_duration_seconds_count')})`,
        '{{kind}} {{outcome}}',
      ),
    ]),
    lines('SNMP', [
      query(`sum(${rate('portlight_snmp_requests_total')})`, 'requests'),
      query(`sum(${rate('portlight_snmp_retransmissions_total')})`, 'retransmissions'),
      query(`sum(${rate('portlight_snmp_timeouts_total')})`, 'timeouts'),
    ]),
    lines('Messages', [
      query(`sum(${rate('portlight_syslog_received_total')})`, 'syslog received'),
      query(`sum by (reason) (${rate('portlight_syslog_dropped_total')})`, 'syslog {{reason}}'),
      query(`sum(${rate('portlight_traps_received_total')})`, 'traps received'),
    ]),
    lines('Live events', [
      query(`portlight_live_clients${of()}`, '{{instance}} clients'),
      query(`portlight_sessions${of()}`, '{{instance}} sessions'),
    ]),
  ],
}
