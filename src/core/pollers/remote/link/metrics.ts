import { figure } from '../../../../observe/figures.ts'
import type { Metric } from '../../../../observe/metrics.ts'
import type { OutboxStats } from './outbox.ts'
import type { SiteStatus } from './requests.ts'
import type { SiteWork } from './site-load.ts'
import type { SiteReaderStats, StreamState } from './site-reader.ts'

/** Metrics of a remote poller: what it handed to the stream of its site. */
export function outboxMetrics(
  stats: OutboxStats,
  state: { readonly refusedEntries: number; readonly connected: boolean },
): Metric[] {
  return [
    figure('portlight_site_published_total', stats.published),
    figure('portlight_site_published_bytes_total', stats.octets),
    figure('portlight_site_refused_total', stats.refused),
    figure('portlight_site_entries_refused_total', state.refusedEntries),
    figure('portlight_site_stream_up', stats.up ? 1 : 0),
    figure('portlight_nats_connected', state.connected ? 1 : 0),
    ...(stats.lastAt === null ? [] : [figure('portlight_site_last_published_timestamp_seconds', stats.lastAt / 1000)]),
  ]
}

/** A remote poller as the centre sees it. */
export interface SiteView {
  readonly name: string
  readonly reader: SiteReaderStats
  /** Null if the stream cannot be read. */
  readonly stream: StreamState | null
  readonly lagS: number
  /** Whether the poller answered the last request. */
  readonly answers: boolean
  /** Its answer to the last request; null if it did not answer. */
  readonly status: Pick<SiteStatus, 'version' | 'devices' | 'late' | 'rows'> | null
  readonly work: SiteWork | null
}

/** Metrics of the centre: what it stored from each remote poller. */
export function siteMetrics(sites: readonly SiteView[], connected: boolean): Metric[] {
  return [
    figure('portlight_nats_connected', connected ? 1 : 0),
    ...sites.flatMap(({ name, reader, stream, lagS, answers, status, work }) => {
      const poller = { poller: name }
      return [
        figure('portlight_remote_poller_stored_total', reader.stored, poller),
        figure('portlight_remote_poller_rows_total', reader.rows, poller),
        figure('portlight_remote_poller_read_bytes_total', reader.octets, poller),
        figure('portlight_remote_poller_duplicates_total', reader.duplicates, poller),
        figure('portlight_remote_poller_too_old_total', reader.tooOld, poller),
        ...(stream === null
          ? []
          : [
              figure('portlight_remote_poller_waiting', stream.messages, poller),
              figure('portlight_remote_poller_waiting_bytes', stream.octets, poller),
            ]),
        figure('portlight_remote_poller_lag_seconds', lagS, poller),
        figure('portlight_remote_poller_linked', reader.linked ? 1 : 0, poller),
        figure('portlight_remote_poller_answers', answers ? 1 : 0, poller),
        ...(status === null
          ? []
          : [
              figure('portlight_remote_poller_info', 1, { ...poller, version: status.version }),
              figure('portlight_remote_poller_devices', status.devices, poller),
              figure('portlight_remote_poller_polls_late_total', status.late, poller),
              figure('portlight_remote_poller_samples_waiting', status.rows, poller),
            ]),
        ...(work === null
          ? []
          : [
              figure('portlight_remote_poller_polls_total', work.polls, poller),
              figure('portlight_remote_poller_poll_seconds_total', work.seconds, poller),
              figure('portlight_remote_poller_polls_waiting', work.due, poller),
              figure('portlight_remote_poller_poll_lag_seconds', work.lagMs / 1000, poller),
            ]),
        ...(reader.storedAt === null
          ? []
          : [figure('portlight_remote_poller_last_stored_timestamp_seconds', reader.storedAt / 1000, poller)]),
        ...Object.entries(reader.refused).map(([reason, count]) =>
          figure('portlight_remote_poller_refused_total', count, { ...poller, reason }),
        ),
      ]
    }),
  ]
}
