import type { DeviceGroupService } from '../domain/groups/device-groups.ts'
import type { Log } from '../observe/log.ts'
import type { Store } from '../store/client.ts'
import { listen } from '../store/listen.ts'
import { INVENTORY_CHANNEL } from '../store/writers/groups.ts'

/** A thousand discoveries in a minute refresh the groups once in this time, not a thousand times. */
const PAUSE_MS = 1000

/**
 * Keeps the members of dynamic groups what their rules match: after discoveries, and after devices were added or changed,
 * by whichever process. What happens while they are refreshed is looked at in a next turn.
 */
export function followInventory(
  store: Store,
  groups: Pick<DeviceGroupService, 'refresh'>,
  log: Log,
): { stop(): Promise<void> } {
  let timer: ReturnType<typeof setTimeout> | null = null
  let running: Promise<void> | null = null
  let asked = false
  let stopped = false

  const turn = (): void => {
    timer = null
    asked = false
    running = groups
      .refresh()
      .then(({ changed }) => {
        if (changed > 0) log.info({ changed }, 'members of dynamic groups changed')
      })
      .catch((error: unknown) => {
        log.warn({ err: error }, 'members of dynamic groups not refreshed')
        asked = true
      })
      .finally(() => {
        running = null
        if (asked) ask()
      })
  }
  const ask = (): void => {
    asked = true
    if (!stopped && timer === null && running === null) timer = setTimeout(turn, PAUSE_MS)
  }
  const listening = listen(store, INVENTORY_CHANNEL, ask, ask, log)

  return {
    async stop() {
      stopped = true
      if (timer !== null) clearTimeout(timer)
      await Promise.all([listening.stop(), running])
    },
  }
}
