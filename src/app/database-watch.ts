import { createDatabaseLooker, type DatabaseLook } from '../core/system/read-database-stats.ts'
import { figure } from '../observe/figures.ts'
import type { Log } from '../observe/log.ts'
import type { Metric } from '../observe/metrics.ts'
import { doAgain } from './periodic.ts'

/** Inspects the database periodically, so that `/metrics` and other readers do not have to wait for it. */
export interface DatabaseWatch {
  /** The last successful result; null: none yet. */
  last(): DatabaseLook | null
  metrics(): Metric[]
  stop(): Promise<void>
}

const EVERY_MS = 15_000

export function watchDatabase(url: string, log: Log): DatabaseWatch {
  const statistics = createDatabaseLooker(url)
  let found: DatabaseLook | null = null
  let foundAtMs = performance.now()
  let tookS = 0
  let failed = 0

  async function read(): Promise<void> {
    const began = performance.now()
    try {
      found = await statistics.read()
      foundAtMs = performance.now()
    } catch (error) {
      failed++
      log.debug({ err: error }, 'could not inspect the database')
    }
    tookS = (performance.now() - began) / 1000
  }

  const { stop } = doAgain(read, EVERY_MS)
  return {
    last: () => found,
    metrics: () => [
      figure('portlight_database_look_seconds', tookS),
      figure('portlight_database_look_age_seconds', (performance.now() - foundAtMs) / 1000),
      figure('portlight_database_looks_failed_total', failed),
      ...(found === null ? [] : statisticsMetrics(found)),
    ],
    async stop() {
      await stop()
      await statistics.close()
    },
  }
}

function statisticsMetrics(read: DatabaseLook): Metric[] {
  return [
    ...Object.entries(read.connections).map(([state, count]) =>
      figure('portlight_database_connections', count, { state }),
    ),
    figure('portlight_database_connections_limit', read.connectionLimit),
    figure('portlight_database_size_bytes', read.octets),
    figure('portlight_database_oldest_transaction_seconds', read.oldestTransactionS),
    figure('portlight_database_deadlocks_total', Number(read.deadlocks)),
    figure('portlight_database_temp_bytes_total', Number(read.tempOctets)),
    figure('portlight_database_clock_skew_seconds', read.skewS),
    ...read.rollups.map(({ kind, level, lagS }) => figure('portlight_rollup_lag_seconds', lagS, { kind, level })),
    figure('portlight_series_problems', read.problems),
    ...(read.partitionsAheadS === null ? [] : [figure('portlight_partitions_ahead_seconds', read.partitionsAheadS)]),
    figure('portlight_sessions', read.sessions),
    figure('portlight_alert_outbox_age_seconds', read.outboxAgeS),
  ]
}
