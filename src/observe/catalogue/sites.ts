import { counter, gauge } from './declare.ts'

const AT_SITE = { missing: 'except in remote pollers' } as const
const OF_POLLER = {
  labels: { poller: 'name of the remote poller' },
  missing: 'in processes that serve no remote pollers',
} as const

const ANSWERED = { labels: OF_POLLER.labels, missing: 'while the remote poller does not answer' } as const

/** Remote pollers: what one of them delivers, and what the process that serves them stores. */
export const SITES = {
  portlight_nats_connected: gauge('1: connected to a NATS server.', { missing: 'without nats.url' }),
  portlight_site_published_total: counter("Messages accepted by the site's stream.", AT_SITE),
  portlight_site_published_bytes_total: counter('Bytes of these messages, compressed and sealed.', AT_SITE),
  portlight_site_refused_total: counter('Messages with samples refused because the stream was full.', AT_SITE),
  portlight_site_entries_refused_total: counter(
    'Bucket entries that were not sealed by the centre for this poller.',
    AT_SITE,
  ),
  portlight_site_stream_up: gauge('1: the stream accepts messages; 0: they wait in memory.', AT_SITE),
  portlight_site_last_published_timestamp_seconds: gauge(
    'Time at which the stream last accepted a message, seconds since 1970.',
    { missing: 'before the first message' },
  ),
  portlight_remote_poller_info: gauge('Version of the remote poller; the value is 1.', {
    labels: { poller: 'name of the remote poller', version: 'its version' },
    missing: 'while it does not answer',
  }),
  portlight_remote_poller_devices: gauge('Devices that the remote poller polls.', ANSWERED),
  portlight_remote_poller_polls_total: counter('Polls of the remote poller since its start.', ANSWERED),
  portlight_remote_poller_poll_seconds_total: counter('Total duration of these polls.', ANSWERED),
  portlight_remote_poller_polls_late_total: counter('Polls since its start that began late.', ANSWERED),
  portlight_remote_poller_polls_waiting: gauge('Polls that are due and waiting.', ANSWERED),
  portlight_remote_poller_poll_lag_seconds: gauge('Time by which the oldest of these is overdue.', ANSWERED),
  portlight_remote_poller_samples_waiting: gauge('Sample rows in its memory, not yet in the stream.', ANSWERED),
  portlight_remote_poller_too_old_total: counter(
    'Sample rows not stored because they were more than 7 days old or had a time in the future.',
    OF_POLLER,
  ),
  portlight_remote_poller_stored_total: counter('Messages of the remote poller stored.', OF_POLLER),
  portlight_remote_poller_rows_total: counter('Sample rows in these messages.', OF_POLLER),
  portlight_remote_poller_read_bytes_total: counter('Bytes of messages read, compressed.', OF_POLLER),
  portlight_remote_poller_duplicates_total: counter('Messages that had already been stored.', OF_POLLER),
  portlight_remote_poller_waiting: gauge("Messages in the site's stream when last checked.", OF_POLLER),
  portlight_remote_poller_waiting_bytes: gauge("Bytes in the site's stream when last checked.", OF_POLLER),
  portlight_remote_poller_lag_seconds: gauge('Age of the oldest message not yet stored.', OF_POLLER),
  portlight_remote_poller_linked: gauge("1: the site's stream can be read.", OF_POLLER),
  portlight_remote_poller_answers: gauge('1: the remote poller answered the last request.', OF_POLLER),
  portlight_remote_poller_last_stored_timestamp_seconds: gauge(
    'Time at which the last message was stored, seconds since 1970.',
    OF_POLLER,
  ),
  portlight_remote_poller_refused_total: counter('Messages of the remote poller that were not stored.', {
    labels: { poller: 'name of the remote poller', reason: 'as shown by `portlight remote-poller show`' },
    missing: 'before the first such message',
  }),
} as const
