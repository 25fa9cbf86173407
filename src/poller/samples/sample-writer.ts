import type { Settings } from '../../config/schema.ts'
import type { Upstream } from '../../core/pollers/upstream.ts'
import type { Log } from '../../observe/log.ts'
import type { Metric } from '../../observe/metrics.ts'
import type { Trace } from '../../observe/trace.ts'
import type { DeviceClaim, DevicePoll, SampleBatch } from '../../series/samples.ts'
import { writeTraced } from '../traced.ts'
import { createSampleCounts } from './sample-counts.ts'
import { createWriterQueue, type WriterQueue } from './writer-queue.ts'

/** Delivers the samples of polls and pings. */
export interface SampleWriter {
  readonly queue: WriterQueue
  /** Rows stored by kind. */
  metrics(): readonly Metric[]
  /** Results of polls and pings that were not stored because another poller had claimed the device. */
  readonly fenced: number
}

export interface SampleWriterParts {
  readonly upstream: Upstream
  readonly settings: Settings
  readonly log: Log
  /** null: no spans are recorded. */
  readonly trace: Trace | null
  /** Called when samples were not stored because another poller has claimed the device. */
  readonly lost: (claim: DeviceClaim) => void
  /** Called when samples were stored; `what` as in `PollerDeps.written`. */
  readonly written: (deviceIds: readonly number[], what: readonly string[]) => void
  /** Called when polls were stored. */
  readonly polled: (polls: readonly DevicePoll[]) => void
}

export function createSampleWriter(parts: SampleWriterParts): SampleWriter {
  const { upstream, settings, log, trace } = parts
  const counts = createSampleCounts()
  let fenced = 0
  const queue = createWriterQueue({
    async write(batch) {
      const { stored, lost } = await (trace === null ? upstream.samples(batch) : writeTraced(trace, upstream, batch))
      counts.add(stored)
      parts.written(...writtenOf(stored))
      parts.polled(stored.polls)
      fenced += lost.length
      for (const claim of lost) parts.lost(claim)
    },
    retryable: (error) => upstream.retryable(error),
    reported: (error) => upstream.reported(error),
    log,
    bufferRows: settings.get('poller.buffer_rows'),
  })
  return {
    queue,
    metrics: counts.metrics,
    get fenced() {
      return fenced
    },
  }
}

/** The devices in a batch, and the kinds of its samples. */
function writtenOf({ polls, series, ports }: SampleBatch): [deviceIds: number[], what: string[]] {
  const kinds = Object.entries(series).flatMap(([kind, rows]) => (rows.id.length > 0 ? [kind] : []))
  const devices = new Set([...polls.map(({ deviceId }) => deviceId), ...(series.icmp?.id ?? [])])
  return [[...devices], ['polled', ...kinds, ...(ports.length > 0 ? ['port'] : [])]]
}
