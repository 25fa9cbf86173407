import { type AddStart, type Report, startText } from '../core/devices/steps.ts'
import { oneLine } from '../lib/one-line.ts'

/** Milliseconds after which a step is shown, and between changes of the line. */
const QUIET_MS = 2000
const TICK_MS = 1000

/**
 * Shows the step that is being tried in a line of the terminal once it takes longer than QUIET_MS, and hands it to `ended`
 * when it is over. Without a terminal on stderr only the latter.
 */
export function askedLine(ended: Report['ended']): Report {
  if (!process.stderr.isTTY) return { ended }
  let timer: ReturnType<typeof setInterval> | null = null
  let shown = false
  const clear = (): void => {
    if (timer !== null) clearInterval(timer)
    timer = null
    if (shown) process.stderr.write('\r\u001b[K')
    shown = false
  }
  return {
    begins(start: AddStart) {
      clear()
      const began = performance.now()
      timer = setInterval(() => {
        const tookMs = performance.now() - began
        if (tookMs < QUIET_MS) return
        const text = `  ${oneLine(startText(start))}: no answer yet after ${Math.floor(tookMs / 1000)} s`
        // cut to a line, which a longer one could not be cleared from
        process.stderr.write(`\r\u001b[K${text.slice(0, Math.max(20, (process.stderr.columns || 80) - 1))}`)
        shown = true
      }, TICK_MS)
      timer.unref()
    },
    ended(step) {
      clear()
      ended(step)
    },
  }
}
