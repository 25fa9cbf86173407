import type { Log } from '../observe/log.ts'

const RETRY_MS = 1000

/** Balances when asked, once more for what is asked meanwhile, and again after a failure. */
export function createBalance(rebalance: () => Promise<void>, log: Log): { ask(): void; stop(): Promise<void> } {
  let asked = false
  let stopped = false
  let running: Promise<void> | null = null

  async function work(): Promise<void> {
    while (asked && !stopped) {
      asked = false
      try {
        await rebalance()
      } catch (error) {
        log.warn({ err: error }, 'devices could not be moved between pollers, trying again')
        asked = true
        await Bun.sleep(RETRY_MS)
      }
    }
  }

  return {
    ask() {
      asked = true
      running ??= work().finally(() => {
        running = null
      })
    },
    async stop() {
      stopped = true
      await Promise.race([running, Bun.sleep(RETRY_MS)])
    },
  }
}
