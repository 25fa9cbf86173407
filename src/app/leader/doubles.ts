import type { Settings } from '../../config/schema.ts'
import { INVENTORY_CHANNEL } from '../../core/base/channels.ts'
import type { Store } from '../../core/database/client.ts'
import { listen } from '../../core/database/listen.ts'
import { findDoubles } from '../../core/identity/find-doubles.ts'
import type { Log } from '../../observe/log.ts'

/** Shortest time between two rounds; a round that took long is followed by a pause of so many times as long. */
const PAUSE_MS = 60_000
const TIMES = 100

/** Looks for monitored devices that are one after discoveries, while this process leads. */
export function followDoubles(
  { store, settings, log }: { readonly store: Store; readonly settings: Settings; readonly log: Log },
  pauseMs = PAUSE_MS,
): { stop(): Promise<void> } {
  const stopping = new AbortController()
  let running: Promise<void> | null = null
  let timer: ReturnType<typeof setTimeout> | null = null
  let tookMs = 0

  async function round(): Promise<void> {
    const before = performance.now()
    try {
      const options = { namesRepeat: settings.get('allow_duplicate_sysName'), signal: stopping.signal }
      const found = await findDoubles(store, options)
      if (found > 0) log.warn({ pairs: found }, 'devices are monitored twice; see portlight doctor')
    } catch (error) {
      if (!stopping.signal.aborted) log.warn({ err: error }, 'devices could not be compared, will retry')
    }
    tookMs = performance.now() - before
  }
  function soon(): void {
    if (stopping.signal.aborted || timer !== null) return
    timer = setTimeout(
      () => {
        timer = null
        if (running !== null) return soon()
        running = round().finally(() => {
          running = null
        })
      },
      Math.max(pauseMs, tookMs * TIMES),
    )
  }
  const listening = listen(store, INVENTORY_CHANNEL, soon, soon, log)
  return {
    async stop() {
      stopping.abort()
      if (timer !== null) clearTimeout(timer)
      await Promise.all([listening.stop(), running])
    },
  }
}
