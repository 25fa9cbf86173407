import type { Settings } from '../config/schema.ts'
import type { Store } from '../core/database/client.ts'
import { type ReadStore, readReplica } from '../core/database/replica.ts'
import { figure } from '../observe/figures.ts'
import type { Log } from '../observe/log.ts'
import type { Metric } from '../observe/metrics.ts'

/** Where heavy reads go: to the replica in setting `database_read_url`, if it is set. */
export function openReads(store: Store, settings: Settings, log: Log): ReadStore {
  const url = settings.get('database_read_url')
  if (url === '') return { store, why: 'there is none', lagS: null, close: () => Promise.resolve() }
  return readReplica(store, url, {
    maxLagS: () => settings.get('database_read_lag'),
    changed(why) {
      if (why === null) log.info('graphs and series are read from the replica')
      else log.warn({ reason: why }, 'graphs and series are read from the primary, not from the replica')
    },
  })
}

/** Empty without a replica. The lag is omitted while the replica is unreachable. */
export function readMetrics({ why, lagS }: ReadStore): Metric[] {
  if (why === 'there is none') return []
  return [
    figure('portlight_replica_used', why === null ? 1 : 0),
    ...(lagS === null ? [] : [figure('portlight_replica_lag_seconds', lagS)]),
  ]
}
