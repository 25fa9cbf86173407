import type { Poller } from '../poller/poller.ts'
import type { SeriesMode } from '../store/migrate.ts'
import { createDatabaseProbe } from '../store/readiness.ts'

/** Answers `/readyz`. */
export interface Readiness {
  /** A sentence for each part that is not ready. Settles within seconds; does not reject. */
  check(): Promise<readonly string[]>
  close(): Promise<void>
}

/** How long processes may be without a leader, as while another takes over, ms. */
const LEADERLESS_MS = 30_000

/**
 * Ready: the database answers, its schema matches this program, devices are being polled, and some process leads.
 * `leaderless`: ms since one did.
 */
export function createReadiness(
  url: string,
  mode: SeriesMode,
  poller: Pick<Poller, 'isRunning'>,
  leaderless: () => number = () => 0,
): Readiness {
  const database = createDatabaseProbe(url, mode)
  return {
    async check() {
      const problem = await database.check()
      return [
        ...(problem === null ? [] : [problem]),
        ...(poller.isRunning() ? [] : ['Polling is not running.']),
        ...(leaderless() < LEADERLESS_MS
          ? []
          : ['No process leads: alerts, service checks and housekeeping are not running. Check cluster.lead.']),
      ]
    },
    close: () => database.close(),
  }
}
