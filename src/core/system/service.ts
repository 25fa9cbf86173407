import type { Store } from '../database/client.ts'
import { sharedReads } from '../database/shared-reads.ts'
import { listenerCounts } from '../logs/read-listeners.ts'
import { type SeriesStatus, seriesStatus } from '../series/read-status.ts'
import { type CheckpointSettings, checkpointSettings, databaseFacts } from './read-counts.ts'
import { readStorage } from './read-storage.ts'
import type { DiskSpace, StorageFacts } from './storage.ts'

/**
 * Version of the program. `revision` is the commit it was built from, '' if unknown; `builtAt` is an ISO 8601 date, ''
 * if unknown.
 */
export interface Version {
  readonly name: string
  readonly version: string
  readonly revision: string
  readonly builtAt: string
}

export type { SeriesStatus, SeriesTable } from '../series/read-status.ts'
export type { CheckpointSettings } from './read-counts.ts'
export type { DiskSpace, StorageFacts } from './storage.ts'

/** Operations on the installation itself. All reject when the database is unavailable. */
export function createSystemService({
  store,
  version,
  disk,
}: {
  readonly store: Store
  readonly version: Version
  readonly disk: () => DiskSpace | null
}) {
  const shared = sharedReads<StorageFacts>()
  return {
    version,

    /** Product name and version of the database, and number of migrations. */
    async database(): Promise<{ version: string; migrations: number }> {
      return await databaseFacts(store)
    },

    /** Settings of the database server that decide how much it writes to its WAL. */
    async checkpoints(): Promise<CheckpointSettings> {
      return await checkpointSettings(store)
    },

    /** Contents of the tables of series, and the failing steps of their maintenance. */
    async series(): Promise<SeriesStatus> {
      return await seriesStatus(store)
    },

    /** What the database holds, how far it is packed, how it grows, and when its disk is full. */
    async storage(): Promise<StorageFacts> {
      return await shared('storage', () => readStorage(store, disk()))
    },

    /**
     * Numbers of syslog messages and traps that the serving process has received since its start, as of the last
     * minute.
     */
    async listeners() {
      return await listenerCounts(store)
    },
  }
}

export type SystemService = ReturnType<typeof createSystemService>
