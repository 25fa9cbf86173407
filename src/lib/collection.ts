/** How often the whole heap of a thread is collected. */
const COLLECT_MS = 60_000

/**
 * Has the whole heap of this thread collected once a minute, beside its work. Objects that survived a small collection are
 * garbage soon after, and the collector alone looks for them only when the heap has grown by a factor. Returns how to end it.
 */
export function collectEveryMinute(): () => void {
  const timer = setInterval(() => Bun.gc(false), COLLECT_MS)
  timer.unref()
  return () => clearInterval(timer)
}
