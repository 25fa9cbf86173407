import type { Metric } from '../observe/metrics.ts'
import type { PoolStats } from './pool.ts'
import type { WriterQueueStats } from './samples/writer-queue.ts'
import type { ScheduleStats } from './scheduler.ts'

export interface PollerStats {
  readonly polls: ScheduleStats
  readonly discoveries: ScheduleStats
  readonly runs: RunsStats
  readonly pool: PoolStats
  readonly writer: WriterQueueStats
  /** Rows stored by kind. */
  readonly samples: readonly Metric[]
  readonly changes: { readonly waiting: number; readonly dropped: number }
  /** Results of polls and pings, and changes, that were not stored because another poller had claimed the device. */
  readonly fenced: { readonly samples: number; readonly changes: number }
}

/** What polls and discoveries did since the start. */
export interface RunsStats {
  readonly polls: number
  readonly silent: number
  readonly incomplete: number
  readonly discoveries: number
  readonly lost: number
  /** Devices in quarantine because their responses stalled a worker. */
  readonly quarantined: number
  /** Number of floods reported. */
  readonly floods: number
  /** Large discoveries waiting for their turn. */
  readonly largeWaiting: number
  /** Total duration of polls, seconds. */
  readonly tookS: number
  /** Values truncated or dropped before they were stored. */
  readonly cleaned: number
  /** Pairs of counter readings without a valid delta, by reason. */
  readonly refused: Readonly<Record<string, number>>
  /** Histograms of the durations of polls and discovery modules. */
  readonly durations: readonly Metric[]
}
