import type { Store } from '../../store/client.ts'
import { listenerCounts } from '../../store/logs/listeners.ts'
import { type SeriesStatus, seriesStatus } from '../../store/series/status.ts'
import { databaseFacts } from '../../store/system/counts.ts'

/**
 * Version of the program. `revision` is the commit it was built from, '' when unknown; `builtAt` an ISO date, '' when
 * unknown.
 */
export interface Version {
  readonly name: string
  readonly version: string
  readonly revision: string
  readonly builtAt: string
}

export type { SeriesStatus, SeriesTable } from '../../store/series/status.ts'

/** Operations on the installation itself. All reject when the database is unavailable. */
export function createSystemService({ store, version }: { readonly store: Store; readonly version: Version }) {
  return {
    version,

    /** Product name and version of the database, and number of migrations. */
    async database(): Promise<{ version: string; migrations: number }> {
      return await databaseFacts(store)
    },

    /** What the tables of the series hold, and which steps of their maintenance fail. Reads one chunk of each. */
    async series(): Promise<SeriesStatus> {
      return await seriesStatus(store)
    },

    /** What the serving process received by syslog and traps since its start, as of the last minute. */
    async listeners() {
      return await listenerCounts(store)
    },
  }
}

export type SystemService = ReturnType<typeof createSystemService>
