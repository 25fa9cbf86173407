import type { Settings } from '../../config/schema.ts'
import { INVENTORY_CHANNEL } from '../../core/base/channels.ts'
import type { Gateway } from '../../core/base/gateway.ts'
import { askNeighbours, type NeighbourMemory } from '../../core/candidates/ask-neighbours.ts'
import type { Store } from '../../core/database/client.ts'
import { listen } from '../../core/database/listen.ts'
import type { AskHosts } from '../../core/scans/scan.ts'
import type { Log } from '../../observe/log.ts'

export interface NeighbourTaskDeps {
  readonly store: Store
  readonly settings: Settings
  readonly gateway: Gateway
  readonly askHosts: AskHosts
  readonly log: Log
}

/** After discoveries, neighbours are asked at most once in this time, however many finish. */
const PAUSE_MS = 30_000
const TURN_MS = 60_000

/**
 * Asks the neighbours of devices while this process leads: soon after discoveries, and each setting
 * autodiscovery.interval.
 */
export function followNeighbours(
  { store, settings, gateway, askHosts, log }: NeighbourTaskDeps,
  pauseMs = PAUSE_MS,
): { stop(): Promise<void> } {
  const memory: NeighbourMemory = { askedAt: new Map() }
  const stopping = new AbortController()
  let running: Promise<void> | null = null
  let timer: ReturnType<typeof setTimeout> | null = null
  let lastMs = Number.NEGATIVE_INFINITY
  let reason: string | null = null

  async function round(): Promise<void> {
    lastMs = Date.now()
    try {
      const { asked, recorded } = await askNeighbours({ store, settings, gateway, askHosts }, memory, stopping.signal)
      if (asked > 0) log.info({ asked, recorded }, 'neighbours of devices were asked')
      reason = null
    } catch (error) {
      if (stopping.signal.aborted) return
      const text = error instanceof Error ? error.message : String(error)
      if (text !== reason) log.warn({ err: error }, 'neighbours of devices could not be asked, will retry')
      reason = text
    }
  }
  function ask(): void {
    if (stopping.signal.aborted || timer !== null || settings.get('autodiscovery.interval') === 0) return
    timer = setTimeout(() => {
      timer = null
      if (running !== null) return ask()
      running = round().finally(() => {
        running = null
      })
    }, pauseMs)
  }
  const listening = listen(store, INVENTORY_CHANNEL, ask, ask, log)
  const clock = setInterval(() => {
    if (Date.now() - lastMs >= settings.get('autodiscovery.interval') * 1000) ask()
  }, TURN_MS)

  return {
    async stop() {
      stopping.abort()
      clearInterval(clock)
      if (timer !== null) clearTimeout(timer)
      await Promise.all([listening.stop(), running])
    },
  }
}
