import type { SeriesMode } from '../core/schema/migrate.ts'
import { createDatabaseProbe } from '../core/schema/readiness.ts'
import type { Poller } from '../poller/poller.ts'

/** Answers `/readyz`. */
export interface Readiness {
  /** A sentence for each part that is not ready. Settles within seconds; does not reject. */
  check(): Promise<readonly string[]>
  /** Everything that a start has to do has been done. Until then the program is not ready. */
  started(): void
  close(): Promise<void>
}

/** How long processes may be without a leader, as while another takes over, ms. */
const LEADERLESS_MS = 30_000

/** A part of the program that says in one sentence why it does not work; null: it works. */
export type Part = () => string | null

/** Ready: the database answers and accepts writes, its schema matches this program, and every part works. */
export function createReadiness(url: string, mode: SeriesMode, polling: Part, parts: readonly Part[] = []): Readiness {
  const database = createDatabaseProbe(url, mode)
  let starting = true
  return {
    async check() {
      if (starting) return ['The server is starting.']
      const problem = await database.check()
      // without the database most parts cannot work, which would only hide the cause
      return problem === null ? [polling, ...parts].flatMap(said) : [problem, ...said(polling)]
    },
    started() {
      starting = false
    },
    close: () => database.close(),
  }
}

/** Whether devices are being polled. */
export function pollingPart(poller: Pick<Poller, 'isRunning'>): Part {
  return () => (poller.isRunning() ? null : 'Polling is not running.')
}

/** Whether some process is the leader. `leaderless`: ms since one was. */
export function leaderPart(leaderless: () => number): Part {
  return () =>
    leaderless() < LEADERLESS_MS
      ? null
      : 'No process is the leader: alerts, service checks and housekeeping are not running. Check cluster.lead.'
}

function said(part: Part): readonly string[] {
  const problem = part()
  return problem === null ? [] : [problem]
}
