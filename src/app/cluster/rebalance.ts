import type { Log } from '../../observe/log.ts'
import type { Poller } from '../../poller/poller.ts'

const RETRY_MS = 1000

/** Keeps the device list of a poller in line with what is assigned to it. */
export interface Balance {
  /** The assignment of devices to pollers may have changed. */
  ask(): void
  /** Notifications may have been missed: reload the list of devices and their data. */
  missed(): void
  /** The poller has loaded its devices. Requests that came before are handled now, later ones at once. */
  start(): void
  stop(): Promise<void>
}

/** Balances when asked, once more if asked again meanwhile, and retries after a failure. */
export function createBalance(poller: Pick<Poller, 'rebalance' | 'resync'>, log: Log): Balance {
  let asked = false
  let all = false
  let started = false
  let stopped = false
  let running: Promise<void> | null = null

  async function work(): Promise<void> {
    while (asked && !stopped) {
      const everything = all
      asked = false
      all = false
      try {
        await (everything ? poller.resync() : poller.rebalance())
      } catch (error) {
        log.warn({ err: error }, 'could not move devices between pollers, will retry')
        asked = true
        all ||= everything
        await Bun.sleep(RETRY_MS)
      }
    }
  }

  function ask(): void {
    asked = true
    if (!started) return
    running ??= work().finally(() => {
      running = null
    })
  }

  return {
    ask,
    missed() {
      all = true
      ask()
    },
    start() {
      started = true
      if (asked) ask()
    },
    async stop() {
      stopped = true
      await Promise.race([running, Bun.sleep(RETRY_MS)])
    },
  }
}
