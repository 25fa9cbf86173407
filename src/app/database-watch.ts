import { createDatabaseLooker, type DatabaseLook } from '../core/system/read-database-stats.ts'
import { figure } from '../observe/figures.ts'
import type { Log } from '../observe/log.ts'
import type { Metric } from '../observe/metrics.ts'

/** Inspects the database periodically, so that `/metrics` and other readers do not have to wait for it. */
export interface DatabaseWatch {
  /** The last successful result; null: none yet. */
  last(): DatabaseLook | null
  metrics(): Metric[]
  stop(): Promise<void>
}

const EVERY_MS = 15_000

export function watchDatabase(url: string, log: Log): DatabaseWatch {
  const looker = createDatabaseLooker(url)
  let found: DatabaseLook | null = null
  let foundAtMs = performance.now()
  let tookS = 0
  let failed = 0
  let looking: Promise<void> | null = null

  async function look(): Promise<void> {
    const began = performance.now()
    try {
      found = await looker.look()
      foundAtMs = performance.now()
    } catch (error) {
      failed++
      log.debug({ err: error }, 'could not inspect the database')
    }
    tookS = (performance.now() - began) / 1000
  }

  function again(): void {
    looking ??= look().finally(() => {
      looking = null
    })
  }

  const timer = setInterval(again, EVERY_MS)
  again()
  return {
    last: () => found,
    metrics: () => [
      figure('portlight_database_look_seconds', tookS),
      figure('portlight_database_look_age_seconds', (performance.now() - foundAtMs) / 1000),
      figure('portlight_database_looks_failed_total', failed),
      ...(found === null ? [] : lookMetrics(found)),
    ],
    async stop() {
      clearInterval(timer)
      await Promise.race([looking, Bun.sleep(500)])
      await looker.close()
    },
  }
}

function lookMetrics(look: DatabaseLook): Metric[] {
  return [
    ...Object.entries(look.connections).map(([state, count]) =>
      figure('portlight_database_connections', count, { state }),
    ),
    figure('portlight_database_connections_limit', look.connectionLimit),
    figure('portlight_database_size_bytes', look.octets),
    figure('portlight_database_oldest_transaction_seconds', look.oldestTransactionS),
    figure('portlight_database_deadlocks_total', Number(look.deadlocks)),
    figure('portlight_database_temp_bytes_total', Number(look.tempOctets)),
    figure('portlight_database_clock_skew_seconds', look.skewS),
    ...look.rollups.map(({ kind, level, lagS }) => figure('portlight_rollup_lag_seconds', lagS, { kind, level })),
    figure('portlight_series_problems', look.problems),
    ...(look.partitionsAheadS === null ? [] : [figure('portlight_partitions_ahead_seconds', look.partitionsAheadS)]),
    figure('portlight_sessions', look.sessions),
    figure('portlight_alert_outbox_age_seconds', look.outboxAgeS),
  ]
}
