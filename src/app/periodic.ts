import { mainWork } from '../observe/busy.ts'
import type { Log } from '../observe/log.ts'

/** Periodic work. */
export type Chore = readonly [name: string, everyMinutes: number, work: () => Promise<unknown>]

const MINUTE_MS = 60_000

/**
 * Runs each chore now and then at its interval, one at a time. Failures are logged and retried at the next interval.
 */
export function doEvery(chores: readonly Chore[], log: Log): { stop(): Promise<void> } {
  let stopped = false
  /** Last failure reason by chore, so that an outage is logged once per chore and not every minute. */
  const failing = new Map<string, string>()

  async function doChores(minute: number): Promise<void> {
    for (const [chore, every, work] of chores) {
      if (stopped || minute % every !== 0) continue
      const finished = mainWork.begin(`chore ${chore}`)
      try {
        await work()
        if (failing.delete(chore)) log.info({ chore }, 'housekeeping succeeded again')
      } catch (error) {
        if (stopped) return
        const reason = error instanceof Error ? error.message : String(error)
        if (failing.get(chore) !== reason) log.error({ err: error, chore }, 'housekeeping failed, will retry')
        failing.set(chore, reason)
      } finally {
        finished()
      }
    }
  }

  let minute = 0
  let running = doChores(0)
  const timer = setInterval(() => {
    minute++
    const due = minute
    running = running.then(() => doChores(due))
  }, MINUTE_MS)
  return {
    async stop() {
      stopped = true
      clearInterval(timer)
      await Promise.race([running, Bun.sleep(500)])
    },
  }
}

/** Does `work` after `firstMs` (0: now) and then each `everyMs`, never twice at a time. `work` handles its own failures. */
export function doAgain(work: () => Promise<void>, everyMs: number, firstMs = 0): { stop(): Promise<void> } {
  let running: Promise<void> | null = null

  function again(): void {
    running ??= work().finally(() => {
      running = null
    })
  }

  const timer = setInterval(again, everyMs)
  const first = firstMs === 0 ? null : setTimeout(again, firstMs)
  if (first === null) again()
  return {
    async stop() {
      clearInterval(timer)
      if (first !== null) clearTimeout(first)
      await Promise.race([running, Bun.sleep(500)])
    },
  }
}
