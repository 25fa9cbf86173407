import type { Poller } from '../poller/poller.ts'
import type { SeriesMode } from '../store/migrate.ts'
import { createDatabaseProbe } from '../store/readiness.ts'

/** Answers `/readyz`. */
export interface Readiness {
  /** A sentence for each part that is not ready. Settles within seconds; does not reject. */
  check(): Promise<readonly string[]>
  close(): Promise<void>
}

/** Ready: the database answers, its schema matches this program, and devices are being polled. */
export function createReadiness(url: string, mode: SeriesMode, poller: Pick<Poller, 'isRunning'>): Readiness {
  const database = createDatabaseProbe(url, mode)
  return {
    async check() {
      const problem = await database.check()
      return [...(problem === null ? [] : [problem]), ...(poller.isRunning() ? [] : ['Polling is not running.'])]
    },
    close: () => database.close(),
  }
}
