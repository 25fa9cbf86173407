import { readBusy, sinceMs } from './busy.ts'
import { createLog } from './log.ts'
import { residentBytes } from './memory.ts'
import { judge, START, type WatchdogOptions } from './watchdog.ts'

/** Looks at the main thread from outside: a thread that does not respond cannot write a log line about itself. */

const TICK_MS = 500

globalThis.addEventListener('message', ({ data }: MessageEvent<WatchdogOptions>) => {
  const log = createLog(data.level, data.format).child({ component: 'watchdog' })
  let state = START
  setInterval(() => {
    const { memory, limits } = data
    const seen = { ...readBusy(memory), nowMs: sinceMs(), rss: residentBytes() }
    const found = judge(state, seen, TICK_MS, limits)
    state = found.state
    for (const { level, message, ...rest } of found.lines) log[level](rest, message)
    if (found.isOver) process.kill(process.pid, 'SIGKILL')
  }, TICK_MS)
})
