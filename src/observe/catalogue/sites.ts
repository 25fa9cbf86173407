import { counter, gauge } from './declare.ts'

const AT_SITE = { missing: 'where no remote poller runs' } as const
const OF_POLLER = {
  labels: { poller: 'name of the remote poller' },
  missing: 'in processes that serve no remote pollers',
} as const

/** Remote pollers: what one of them hands over, and what the process that serves them stores. */
export const SITES = {
  portlight_nats_connected: gauge('1: connected to a NATS server.', { missing: 'without nats.url' }),
  portlight_site_published_total: counter('Messages that the stream of the site took.', AT_SITE),
  portlight_site_published_bytes_total: counter('Octets of these messages, compressed and sealed.', AT_SITE),
  portlight_site_refused_total: counter('Messages with samples refused because the stream was full.', AT_SITE),
  portlight_site_entries_refused_total: counter(
    'Entries of the bucket that were not sealed by the centre for this poller.',
    AT_SITE,
  ),
  portlight_site_stream_up: gauge('1: the stream takes messages; 0: they wait in memory.', AT_SITE),
  portlight_site_last_published_timestamp_seconds: gauge('When the stream last took a message, seconds since 1970.', {
    missing: 'before the first message',
  }),
  portlight_remote_poller_stored_total: counter('Messages of the remote poller stored.', OF_POLLER),
  portlight_remote_poller_rows_total: counter('Sample rows in these messages.', OF_POLLER),
  portlight_remote_poller_read_bytes_total: counter('Octets of messages read, compressed.', OF_POLLER),
  portlight_remote_poller_duplicates_total: counter('Messages that were stored before.', OF_POLLER),
  portlight_remote_poller_waiting: gauge('Messages in the stream of the site, as of the last look.', OF_POLLER),
  portlight_remote_poller_waiting_bytes: gauge('Octets in the stream of the site, as of the last look.', OF_POLLER),
  portlight_remote_poller_lag_seconds: gauge('Age of the oldest message that is not stored.', OF_POLLER),
  portlight_remote_poller_linked: gauge('1: the stream of the site can be read.', OF_POLLER),
  portlight_remote_poller_answers: gauge('1: the remote poller answered the last request.', OF_POLLER),
  portlight_remote_poller_last_stored_timestamp_seconds: gauge(
    'When the last message was stored, seconds since 1970.',
    OF_POLLER,
  ),
  portlight_remote_poller_refused_total: counter('Messages of the remote poller that were not stored.', {
    labels: { poller: 'name of the remote poller', reason: 'as `portlight remote-poller show` names it' },
    missing: 'before the first such message',
  }),
} as const
