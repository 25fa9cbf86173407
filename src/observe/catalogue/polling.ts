import { counter, gauge, histogram } from './declare.ts'

/** Polls, discoveries, workers and the buffer of samples. */
export const POLLING = {
  portlight_devices: gauge('Devices that are polled by SNMP.'),
  portlight_polls_total: counter('Polls completed, with or without a response.'),
  portlight_polls_silent_total: counter('Polls without a response.'),
  portlight_polls_incomplete_total: counter('Polls with missing values.'),
  portlight_polls_lost_total: counter('Polls lost with their worker thread and repeated.'),
  portlight_polls_late_total: counter('Polls that started more than a tenth of their interval late.'),
  portlight_polls_skipped_total: counter('Intervals skipped because the previous poll was still running.'),
  portlight_poll_seconds_total: counter('Total duration of polls.'),
  portlight_poll_duration_seconds: histogram('Duration of polls, including those without a response.'),
  portlight_polls_running: gauge('Polls running.'),
  portlight_polls_waiting: gauge('Polls that are due and waiting.'),
  portlight_poll_lag_seconds: gauge('Time by which the oldest waiting poll is overdue.'),
  portlight_discoveries_total: counter('Discoveries completed.'),
  portlight_discoveries_waiting: gauge('Discoveries that are due and waiting.'),
  portlight_discoveries_large_waiting: gauge('Large discoveries waiting for their turn.'),
  portlight_discovery_module_duration_seconds: histogram(
    'Duration of modules in discoveries. Modules not run because of the deadline are not counted.',
    { labels: { module: 'the module' }, missing: 'before the first discovery' },
  ),
  portlight_values_cleaned_total: counter(
    'Values from devices that were truncated or dropped because they did not fit their column.',
  ),
  portlight_counter_pairs_refused_total: counter('Pairs of counter readings without a valid delta.', {
    labels: {
      reason:
        "`reboot`, `clock` (the agent's clock runs wrong or stands still), `reset`, `wrap`, `width`, `implausible`",
    },
    missing: 'before the first such pair',
  }),
  portlight_events_unlisted_total: counter(
    'Events not listed because a device had more of one type in an hour than setting poller.events_per_hour.',
  ),
  portlight_devices_quarantined: gauge('Devices not polled for a while because a response stalled a worker.'),
  portlight_floods_total: counter('Floods of unexpected datagrams reported in the log and as events.'),
} as const

/** Writes waiting for the database, and those done. */
export const BUFFERS = {
  portlight_samples_written_total: counter('Sample rows stored, by kind.', {
    labels: { kind: 'the [kind of sample](data-model.md#series)' },
  }),
  portlight_samples_dropped_total: counter('Sample rows dropped because the buffer was full.'),
  portlight_samples_refused_total: counter('Sample rows that the database refused.'),
  portlight_polls_fenced_total: counter('Polls and pings not stored because another poller had claimed the device.'),
  portlight_changes_fenced_total: counter('Changes not stored because another poller had claimed the device.'),
  portlight_samples_waiting: gauge('Sample rows in memory.'),
  portlight_samples_limit: gauge('Sample rows that fit in memory: setting poller.buffer_rows.'),
  portlight_changes_waiting: gauge('Inventory changes waiting for the database.'),
  portlight_database_up: gauge('1: samples are written; 0: the database is unavailable.'),
} as const

/** Threads that speak SNMP and ICMP. */
export const WORKERS = {
  portlight_workers: gauge('Worker threads running.'),
  portlight_worker_jobs: gauge('Polls, discoveries and pings in progress in worker threads.'),
  portlight_workers_died_total: counter('Worker threads that died and were replaced.'),
  portlight_workers_stalled_total: counter('Worker threads replaced because they did not respond.'),
  portlight_workers_stuck: gauge('Threads of stalled workers that have not ended.'),
} as const

/** The SNMP transport, all workers together. */
export const SNMP = {
  portlight_snmp_requests_total: counter('Requests sent, not counting retransmissions.'),
  portlight_snmp_retransmissions_total: counter('Retransmissions.'),
  portlight_snmp_replies_total: counter('Replies accepted.'),
  portlight_snmp_timeouts_total: counter('Requests without a reply after the last retry.'),
  portlight_snmp_wrong_source_total: counter('Replies from another address than the request was sent to.'),
  portlight_snmp_unknown_id_total: counter('Replies with an id that belongs to no request.'),
  portlight_snmp_duplicate_total: counter('Duplicate replies.'),
  portlight_snmp_late_total: counter('Replies received after their request had timed out.'),
  portlight_snmp_malformed_total: counter('Datagrams that are not SNMP messages.'),
  portlight_snmp_rejected_total: counter('Replies that do not belong to their request.'),
  portlight_snmp_unreadable_total: counter('Values with the wrong type for their object.'),
  portlight_snmp_received_bytes_total: counter('Bytes received.'),
  portlight_snmp_sent_bytes_total: counter('Bytes sent.'),
  portlight_snmp_socket_errors_total: counter('Errors reported by sockets.'),
  portlight_snmp_in_flight: gauge('Requests waiting for a reply.'),
  portlight_snmp_queued: gauge('Requests waiting for room: setting snmp.inflight.'),
} as const
