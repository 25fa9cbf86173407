import type { Settings } from '../../config/schema.ts'
import { INVENTORY_CHANNEL } from '../../core/base/channels.ts'
import type { Gateway } from '../../core/base/gateway.ts'
import { askNeighbours, type NeighbourMemory } from '../../core/candidates/ask-neighbours.ts'
import type { Store } from '../../core/database/client.ts'
import { listen } from '../../core/database/listen.ts'
import type { AskHosts } from '../../core/scans/scan.ts'
import type { Log } from '../../observe/log.ts'
import { repeatedTask } from './repeated-task.ts'

export interface NeighbourTaskDeps {
  readonly store: Store
  readonly settings: Settings
  readonly gateway: Gateway
  readonly askHosts: AskHosts
  readonly log: Log
}

/** After discoveries, neighbours are asked at most once in this time, however many finish. */
const PAUSE_MS = 30_000

/**
 * Asks the neighbours of devices while this process is the leader: soon after discoveries, and each setting
 * autodiscovery.interval.
 */
export function followNeighbours(
  { store, settings, gateway, askHosts, log }: NeighbourTaskDeps,
  pauseMs = PAUSE_MS,
): { stop(): Promise<void> } {
  const memory: NeighbourMemory = { askedAt: new Map() }
  let askedAt = performance.now()
  /** 0 in the setting: never. */
  const intervalMs = (): number => settings.get('autodiscovery.interval') * 1000 || Number.POSITIVE_INFINITY
  const failed = 'neighbours of devices could not be asked'
  const asking = repeatedTask({ log, failed, retryMs: pauseMs, restMs: () => pauseMs }, async (signal) => {
    askedAt = performance.now()
    if (intervalMs() < Number.POSITIVE_INFINITY) {
      const { asked, recorded } = await askNeighbours({ store, settings, gateway, askHosts }, memory, signal)
      if (asked > 0) log.info({ asked, recorded }, 'neighbours of devices were asked')
    }
    return intervalMs()
  })
  const ask = (): void => asking.within(pauseMs)
  const listening = listen(store, INVENTORY_CHANNEL, ask, ask, log)
  let chosen = intervalMs()
  const unfollow = settings.onChange(() => {
    if (intervalMs() !== chosen) asking.within(Math.max(pauseMs, askedAt + intervalMs() - performance.now()))
    chosen = intervalMs()
  })

  return {
    async stop() {
      unfollow()
      await Promise.all([listening.stop(), asking.stop()])
    },
  }
}
