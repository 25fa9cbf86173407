import type { SettingName } from '../config/schema.ts'
import type { SettingsHolder } from '../config/settings.ts'
import type { Graphs } from '../core/base/graphs.ts'
import type { Store } from '../core/database/client.ts'
import type { ReadStore } from '../core/database/replica.ts'
import { offerKeys } from '../core/secrets/write-keys.ts'
import { createGraphs } from '../graphs/graphs.ts'
import { storedSeries } from '../graphs/store-source.ts'
import type { ClockWatch } from '../observe/clock.ts'
import type { Log } from '../observe/log.ts'
import type { Trace } from '../observe/trace.ts'
import type { Pool } from '../poller/pool.ts'
import { startPool } from '../poller/start-pool.ts'
import { prepareGraphs } from './canvas.ts'
import { followClock } from './clock.ts'
import { type OpenDatabase, openDatabase } from './database.ts'
import { applyStored } from './follow-settings.ts'
import { openReads } from './reads.ts'
import { loadServing } from './serving.ts'
import type { Stack } from './stack.ts'
import { startTracing } from './tracing.ts'

/** What everything else of the serving process stands on. */
export interface Foundation extends OpenDatabase {
  /** Worker threads of the poller. */
  readonly pool: Pool
  /** The code of the API and the pages. */
  readonly loaded: ReturnType<typeof loadServing>
  readonly clock: ClockWatch
  /** Null: off. */
  readonly trace: Trace | null
  readonly reads: ReadStore
  /** Draws graphs of what this store has. */
  readonly graphsOf: (from: Store) => Graphs
}

/** The database, the worker threads, the code, and what watches over them. Throws if one of them cannot be had. */
export async function layFoundation(
  {
    settings,
    dataDir,
    log,
    version,
  }: { readonly settings: SettingsHolder; readonly dataDir: string; readonly log: Log; readonly version: string },
  stack: Stack,
): Promise<Foundation> {
  // the workers start and the code is loaded while PostgreSQL starts
  const workers = startPool(settings, log.child({ component: 'poller' }))
  stack.push('workers', () => workers.stop(0))
  const opening = openDatabase(settings, dataDir, log, stack)
  const loaded = loadServing()
  loaded.catch(() => undefined)
  const database = await opening
  const { store } = database
  const stored = await applyStored(settings, store, log)
  const pool = stored.some((name) => OF_WORKERS.has(name)) ? await anew(workers, settings, log, stack) : workers
  const clock = stack.add('clock', followClock(store, log))
  await offerKeys(store)
  const { trace } = stack.add('tracing', await startTracing(settings, version, log))
  const reads = openReads(store, settings, log)
  stack.push('replica', () => reads.close())
  prepareGraphs(dataDir)
  const onBeyond = (graph: string, reason: string) => log.warn({ graph, reason }, 'a graph was beyond its budget')
  const graphsOf = (from: Store) => createGraphs({ series: storedSeries(from, settings), now: Date.now, onBeyond })
  return { ...database, pool, loaded, clock, trace, reads, graphsOf }
}

/** What worker threads are started with. */
const OF_WORKERS: ReadonlySet<SettingName> = new Set(['poller.workers', 'poller.inflight'])

/** Worker threads for settings that were not known when the first ones started. */
async function anew(workers: Pool, settings: SettingsHolder, log: Log, stack: Stack): Promise<Pool> {
  await workers.stop(0)
  const pool = startPool(settings, log.child({ component: 'poller' }))
  stack.push('workers with stored settings', () => pool.stop(0))
  return pool
}
