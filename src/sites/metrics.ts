import type { Metric } from '../observe/metrics.ts'
import { metricsNamed } from '../observe/metrics.ts'
import type { OutboxStats } from './outbox.ts'
import type { SiteReaderStats, StreamState } from './site-reader.ts'

/** Of a remote poller: what it handed to the stream of its site. */
export function outboxMetrics(
  stats: OutboxStats,
  state: { readonly refusedEntries: number; readonly connected: boolean },
): Metric[] {
  const { counter, gauge } = metricsNamed('portlight_site_')
  return [
    counter('published', 'Messages that the stream of the site took.', stats.published),
    counter('published_octets', 'Octets of these messages, compressed and sealed.', stats.octets),
    counter('refused', 'Messages with samples refused because the stream was full.', stats.refused),
    counter(
      'entries_refused',
      'Entries of the bucket that were not sealed by the centre for this poller.',
      state.refusedEntries,
    ),
    gauge('stream_up', '1: the stream takes messages; 0: they wait in memory.', stats.up ? 1 : 0),
    gauge('connected', '1: connected to a NATS server.', state.connected ? 1 : 0),
    gauge(
      'last_published_seconds',
      'When the stream last took a message, seconds since 1970; 0: not yet.',
      (stats.lastAt ?? 0) / 1000,
    ),
  ]
}

/** A remote poller as the centre sees it. */
export interface SiteView {
  readonly name: string
  readonly reader: SiteReaderStats
  /** null: the stream cannot be read. */
  readonly stream: StreamState | null
  readonly lagS: number
  /** Whether the poller answered the last request. */
  readonly answers: boolean
}

/** Of the centre: what it stored of each remote poller. */
export function siteMetrics(sites: readonly SiteView[], connected: boolean): Metric[] {
  const of = (type: 'counter' | 'gauge', name: string, help: string, value: (site: SiteView) => number): Metric[] =>
    sites.map((site) => ({
      name: `portlight_remote_poller_${name}${type === 'counter' ? '_total' : ''}`,
      type,
      help,
      value: value(site),
      labels: { poller: site.name },
    }))
  return [
    {
      name: 'portlight_nats_connected',
      type: 'gauge',
      help: '1: connected to a NATS server.',
      value: connected ? 1 : 0,
    },
    ...of('counter', 'stored', 'Messages of the remote poller stored.', ({ reader }) => reader.stored),
    ...of('counter', 'rows', 'Sample rows in these messages.', ({ reader }) => reader.rows),
    ...of('counter', 'octets', 'Octets of messages read, compressed.', ({ reader }) => reader.octets),
    ...of('counter', 'duplicates', 'Messages that were stored before.', ({ reader }) => reader.duplicates),
    ...of(
      'gauge',
      'waiting',
      'Messages in the stream of the site; as of the last look.',
      ({ stream }) => stream?.messages ?? 0,
    ),
    ...of(
      'gauge',
      'waiting_octets',
      'Octets in the stream of the site; as of the last look.',
      ({ stream }) => stream?.octets ?? 0,
    ),
    ...of('gauge', 'lag_seconds', 'Age of the oldest message that is not stored.', ({ lagS }) => lagS),
    ...of('gauge', 'linked', '1: the stream of the site can be read.', ({ reader }) => (reader.linked ? 1 : 0)),
    ...of('gauge', 'answers', '1: the remote poller answered the last request.', ({ answers }) => (answers ? 1 : 0)),
    ...of(
      'gauge',
      'last_stored_seconds',
      'When the last message was stored, seconds since 1970; 0: not since the start.',
      ({ reader }) => (reader.storedAt ?? 0) / 1000,
    ),
    ...sites.flatMap(({ name, reader }) =>
      Object.entries(reader.refused).map(
        ([reason, value]): Metric => ({
          name: 'portlight_remote_poller_refused_total',
          type: 'counter',
          help: 'Messages of the remote poller that were not stored, by reason.',
          value,
          labels: { poller: name, reason },
        }),
      ),
    ),
  ]
}
