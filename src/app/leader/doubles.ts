import type { Settings } from '../../config/schema.ts'
import { INVENTORY_CHANNEL } from '../../core/base/channels.ts'
import type { Store } from '../../core/database/client.ts'
import { listen } from '../../core/database/listen.ts'
import { findDoubles } from '../../core/identity/find-doubles.ts'
import type { Log } from '../../observe/log.ts'
import { repeatedTask } from './repeated-task.ts'

/** Shortest time between two rounds; a round that took long is followed by a pause of so many times as long. */
const PAUSE_MS = 60_000
const TIMES = 100

/** Looks for monitored devices that are one after discoveries, while this process is the leader. */
export function followDoubles(
  { store, settings, log }: { readonly store: Store; readonly settings: Settings; readonly log: Log },
  pauseMs = PAUSE_MS,
): { stop(): Promise<void> } {
  const failed = 'devices could not be compared'
  const restMs = (tookMs: number): number => Math.max(pauseMs, tookMs * TIMES)
  const looking = repeatedTask({ log, failed, retryMs: pauseMs, restMs }, async (signal) => {
    const found = await findDoubles(store, { namesRepeat: settings.get('allow_duplicate_sysName'), signal })
    if (found > 0) log.warn({ pairs: found }, 'devices are monitored twice; see portlight doctor')
    return Number.POSITIVE_INFINITY
  })
  const soon = (): void => looking.within(pauseMs)
  const listening = listen(store, INVENTORY_CHANNEL, soon, soon, log)
  return {
    async stop() {
      await Promise.all([listening.stop(), looking.stop()])
    },
  }
}
