import { INVENTORY_CHANNEL } from '../../core/base/channels.ts'
import type { Store } from '../../core/database/client.ts'
import { listen } from '../../core/database/listen.ts'
import type { DeviceGroupService } from '../../core/groups/device-groups.ts'
import type { Log } from '../../observe/log.ts'

/** Groups are refreshed at most once in this time, however many discoveries finish. */
const PAUSE_MS = 1000

/**
 * Refreshes the members of dynamic groups after discoveries and after any process adds or changes devices. Changes that
 * arrive during a refresh trigger another one.
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
        log.warn({ err: error }, 'could not refresh dynamic groups')
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
